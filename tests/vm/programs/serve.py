# SPDX-License-Identifier: Apache-2.0
"""Drives `gthulhu serve` in a guest, with the real loader, as a client would.

Arguments: the folder for the results, and a policy's text.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from node_parts import broker, folder, operator, server

PLACE = Path("/run/serve")
PATIENCE_S = 300


class Client:
    """Notes each response with the time that it took."""

    def __init__(self, port: int, token: str, results: Path) -> None:
        self.port, self.token, self._results = port, token, results
        self.noted: dict[str, Any] = {}

    def ask(self, name: str, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        began = time.monotonic()
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        content = response.read().decode()
        connection.close()
        said = json.loads(content) if content.startswith("{") else content
        took_s = time.monotonic() - began
        self.noted[name] = {"status": response.status, "said": said, "took_s": took_s}
        self.save()
        return said

    def save(self) -> None:
        (self._results / "answers.json").write_text(json.dumps(self.noted))


def main(results: Path, text: str) -> None:
    folder(PLACE)
    token = operator(PLACE)
    first = broker(PLACE)
    served, port = server(PLACE, PLACE / "keys", "127.0.0.1:0")
    client = Client(port, token, results)
    ask = client.ask
    task = subprocess.Popen(["victim"])

    ask("status", "GET", "/api/v2/status")
    bad = 'policy p {}\nrule a { match comm == "averyverylongname" }'
    ask("bad", "POST", "/api/v2/swap", {"text": bad})
    ask("dry-run", "POST", "/api/v2/dry-run", {"text": text, "name": "shop"})
    ask("swap", "POST", "/api/v2/swap", {"text": text, "name": "shop"})
    client.noted["scheduler"] = Path("/sys/kernel/sched_ext/root/ops").read_text().strip()
    ask("set", "PATCH", "/api/v2/tunables", {"turn": "2ms"})
    ask("tunables", "GET", "/api/v2/tunables")
    ask("explanation", "GET", f"/api/v2/tasks/{task.pid}/explanation")
    ask("source", "GET", "/api/v2/source")
    ask("counters", "GET", "/api/v2/counters")
    ask("label", "PATCH", f"/api/v2/tasks/{task.pid}/labels", {"set": {"tier": "web"}})
    ask("labels", "GET", f"/api/v2/tasks/{task.pid}/labels")

    row = {"pid": task.pid, "priority": True, "execution_time": 20_000_000}
    for name in ("strategies", "renewal"):
        ask(name, "POST", "/api/v1/scheduling/strategies", {"strategies": [row]})
    ask("by-strategy", "GET", f"/api/v2/tasks/{task.pid}/explanation")
    other = subprocess.Popen(["victim"])
    both = [row, {**row, "pid": other.pid}]
    ask("another", "POST", "/api/v1/scheduling/strategies", {"strategies": both})
    ask("other", "GET", f"/api/v2/tasks/{other.pid}/explanation")

    ask("rollback", "POST", "/api/v2/rollback", {})
    ask("trial", "POST", "/api/v2/trial", {"text": text, "name": "shop", "seconds": 1})
    while ask("trial-end", "GET", "/api/v2/trial").get("state") == "on trial":
        time.sleep(0.2)
    ask("generations", "GET", "/api/v2/generations")
    ask("events", "GET", "/api/v2/events?follow=no")
    client.noted["rights"] = Path(f"/proc/{served.pid}/status").read_text()

    ask("before-kill", "GET", "/api/v2/status")
    os.kill(served.pid, signal.SIGKILL)
    served.wait()
    served, client.port = server(PLACE, PLACE / "keys", "127.0.0.1:0")
    ask("after-kill", "GET", "/api/v2/status")
    first.terminate()
    first.wait()
    ask("no-broker", "GET", "/api/v2/status")
    served.terminate()
    client.noted["ended"] = served.wait()
    client.noted["audit"] = (PLACE / "audit").read_text()
    client.save()
    task.kill()
    other.kill()


main(Path(sys.argv[1]), Path(sys.argv[2]).read_text())
