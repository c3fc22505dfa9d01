# SPDX-License-Identifier: Apache-2.0
"""Keeps `gthulhu serve` as busy as it gets in a guest, while a periodic task notes its wake-ups.

Arguments: the folder for the results, and the command of the periodic task. 200 clients ask for the
status on connections that are kept, each as soon as it has an answer; 8 others let policies be
checked that no one has asked for before. The task begins when as many answers as clients have come.
"""

from __future__ import annotations

import http.client
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from node_parts import broker, folder, operator, server

PLACE = Path("/run/serve")
CLIENTS = 200
CHECKERS = 8
PATIENCE_S = 600


class Ending:
    """Takes note of SIGTERM."""

    def __init__(self) -> None:
        self.is_asked = False
        signal.signal(signal.SIGTERM, self._ask)

    def _ask(self, *_: object) -> None:
        self.is_asked = True


def ask(port: int, token: str, note: Path) -> None:
    """Asks for the status on all connections until SIGTERM; notes the answers by their status."""
    request = (
        f"GET /api/v2/status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
    ).encode()
    answers: dict[str, int] = {}
    ending = Ending()
    with selectors.DefaultSelector() as selector:
        for _ in range(CLIENTS):
            connection = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
            selector.register(connection, selectors.EVENT_READ)
            connection.sendall(request)
        while not ending.is_asked:
            for key, _ in selector.select(1):
                assert isinstance(key.fileobj, socket.socket)
                head, _, body = key.fileobj.recv(1 << 16).partition(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
                while len(body) < length:
                    body += key.fileobj.recv(1 << 16)
                status = head.split(b" ", 2)[1].decode()
                answers[status] = answers.get(status, 0) + 1
                key.fileobj.sendall(request)
                if sum(answers.values()) == CLIENTS:
                    note.touch()
    note.write_text(json.dumps(answers))


def check(port: int, token: str, note: Path) -> None:
    """Has one policy after the other checked until SIGTERM; notes how many."""
    done = 0
    ending = Ending()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    while not ending.is_asked:
        name = f"{note.name}-{done}"
        text = f'policy p {{}}\nrule a {{ match comm == "{name}" priority low }}'
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        body = json.dumps({"text": text, "name": "p"})
        connection.request("POST", "/api/v2/check", body, headers)
        response = connection.getresponse()
        assert json.loads(response.read())["ok"], name
        connection.close()
        done += 1
    note.write_text(str(done))


def main(results: Path, task: list[str]) -> None:
    """Runs the task beside the load, and ends all."""
    folder(PLACE)
    token = operator(PLACE)
    parts = [broker(PLACE)]
    served, port = server(PLACE, PLACE / "keys", "127.0.0.1:0")
    parts.append(served)
    clients = []
    for name, act in [("asked", ask), *((f"checked-{n}", check) for n in range(CHECKERS))]:
        pid = os.fork()
        if pid == 0:
            act(port, token, results / name)
            os._exit(0)
        clients.append(pid)
    while not (results / "asked").exists():
        time.sleep(0.1)
    subprocess.run(task, check=True)
    for pid in clients:
        os.kill(pid, signal.SIGTERM)
    ended = [os.waitpid(pid, 0)[1] for pid in clients]
    assert ended == [0] * len(clients), ended
    for part in reversed(parts):
        part.terminate()
        part.wait()


main(Path(sys.argv[1]), sys.argv[2:])
