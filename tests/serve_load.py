# SPDX-License-Identifier: Apache-2.0
"""Puts load on `gthulhu serve` and prints its figures.

    python tests/serve_load.py            clients that ask for the status, alone
    python tests/serve_load.py --trouble  also slow and broken clients, large bodies, compiles
    python tests/serve_load.py --strategies
                                          how long strategies take until they are in force

Clients send at fixed times, whether or not the answer before has come, and each latency counts
from that time. So a server that is late cannot hide it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gthulhu.serve.workshop import NICE
from serving import Serving, quick_clang

CLIENTS = 200
RATE = 1000
LARGE = 10 << 20
COMPILES = 64
"""Jobs that may wait for the compiler."""
REFUSED = 16
"""Jobs that are asked for beside them, at once."""
WINDOW_S = 5


@dataclass
class Figures:
    """Latencies in seconds, and the server's memory in bytes."""

    took: list[float] = field(default_factory=list)
    windows: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0
    memory: int = 0
    broker_memory: int = 0
    cpu_s: float = 0.0
    compiles: list[int] = field(default_factory=list)
    large: list[int] = field(default_factory=list)

    def quantile(self, part: float) -> float:
        """The latency below which this part of the answers is."""
        return _quantile(self.took, part)

    def usual(self, part: float) -> float:
        """The median of the same for windows of 5 s: other work on the machine comes and goes."""
        return statistics.median(_quantile(each, part) for each in self.windows.values())

    def cpu_each_s(self) -> float:
        """The server's CPU time for an answer, with all that it does beside."""
        return self.cpu_s / len(self.took)

    def __str__(self) -> str:
        rate = len(self.took) / self.seconds
        text = (
            f"{len(self.took)} answers, {rate:.0f} a second; median "
            f"{self.quantile(0.5) * 1000:.1f} ms, p99 {self.quantile(0.99) * 1000:.1f} ms "
            f"(usually {self.usual(0.99) * 1000:.1f} ms), "
            f"longest {max(self.took) * 1000:.0f} ms; {len(self.failed)} failed; "
            f"the server took {self.cpu_each_s() * 1e6:.0f} us of CPU time for each, and "
            f"at most {self.memory >> 20} MB; the broker at most {self.broker_memory >> 20} MB"
        )
        if self.compiles:
            text += f"; answers to compiles: {dict(Counter(self.compiles))}"
        return text


def _quantile(values: list[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)]


class Connection:
    """A connection that is kept, for one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> int:
        """Sends a request and returns the response's status."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        return int(head.split(b" ", 2)[1])

    def close(self) -> None:
        """Hangs up."""
        if self._streams is not None:
            self._streams[1].close()


def request(token: str, method: str, path: str, body: bytes = b"") -> bytes:
    """A whole request."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def ask_at_a_rate(serving: Serving, seconds: float, figures: Figures) -> None:
    """200 clients, each with a token of its own, send 1,000 requests a second together."""
    # Signing takes a while, and must not count as the server's time.
    names = [f"client-{number}@example" for number in range(CLIENTS)]
    tokens = [serving.token("read", name=name) for name in names]
    began = time.monotonic() + 0.5

    async def client(number: int) -> None:
        connection = Connection(serving.port)
        asked = request(tokens[number], "GET", "/api/v2/status")
        for index in range(int(seconds * RATE / CLIENTS)):
            due = began + (index * CLIENTS + number) / RATE
            await asyncio.sleep(due - time.monotonic())
            status = await connection.ask(asked)
            took = time.monotonic() - due
            figures.took.append(took)
            figures.windows[int((due - began) / WINDOW_S)].append(took)
            if status != 200:
                figures.failed.append(str(status))
        connection.close()

    await asyncio.gather(*map(client, range(CLIENTS)))
    figures.seconds = time.monotonic() - began


async def _slow(serving: Serving, number: int) -> None:
    """Sends half a head, or half a body, and then nothing until the server hangs up."""
    head = b"POST /api/v2/check HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
    writer.write(head + b"\r\n{" if number % 2 else head)
    await reader.read()
    writer.close()


async def _broken(serving: Serving, number: int) -> None:
    """Sends what is no request, or hangs up in the middle of one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
    writer.write(
        b"\x16\x03\x01no request\r\n\r\n" if number % 2 else b"GET /api/v2/status HTTP/1.1"
    )
    if number % 2:
        await reader.read()
    await asyncio.sleep(0.1)
    writer.close()


async def _large(serving: Serving, token: str, figures: Figures) -> None:
    """Sends a body of 10 MB."""
    head = request(token, "POST", "/api/v2/check", b"x").partition(b"Content-Length")[0]
    reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
    writer.write(head + f"Content-Length: {LARGE}\r\n\r\n".encode())
    with suppress(ConnectionError):
        for _ in range(LARGE >> 16):
            writer.write(b" " * (1 << 16))
            await writer.drain()
    with suppress(ConnectionError, ValueError, IndexError):
        figures.large.append(int((await reader.readline()).split()[1]))
    writer.close()


async def _compile(serving: Serving, token: str, number: int, figures: Figures) -> None:
    """Asks for a policy to be compiled that no other request has."""
    text = f'policy p {{}}\nrule a {{ match comm == "load-{number}" priority low }}'
    body = json.dumps({"text": text, "name": f"p{number}"}).encode()
    connection = Connection(serving.port)
    figures.compiles.append(await connection.ask(request(token, "POST", "/api/v2/swap", body)))
    connection.close()


async def trouble(serving: Serving, figures: Figures, until: asyncio.Event) -> None:
    """Everything else that clients do, over and over, and more compiles at once than may wait."""

    async def again(act: Callable[[int], Awaitable[None]]) -> None:
        number = 0
        while not until.is_set():
            await act(number)
            number += 1

    token = serving.token()
    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(again(lambda number: _slow(serving, number)))
        for _ in range(5):
            group.create_task(again(lambda number: _broken(serving, number)))
        group.create_task(again(lambda _: _large(serving, token, figures)))
        for number in range(COMPILES + REFUSED):
            group.create_task(_compile(serving, token, number, figures))


@contextmanager
def busy_processes() -> Iterator[None]:
    """As many as there are compilers at once, as nice, and with nothing to do with the server."""
    command = ["nice", "-n", str(NICE), sys.executable, "-c", "while True: pass"]
    started = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for each in started:
            each.kill()
            each.wait()


async def run(serving: Serving, seconds: float, *, is_troubled: bool) -> Figures:
    """The figures of a run."""
    await asyncio.sleep(3)  # the server's first children have started then
    figures = Figures()
    before = serving.cpu_s()
    over = asyncio.Event()
    other = asyncio.create_task(trouble(serving, figures, over)) if is_troubled else None
    await ask_at_a_rate(serving, seconds, figures)
    over.set()
    if other is not None:
        await other
    figures.cpu_s = serving.cpu_s() - before
    figures.memory, figures.broker_memory = serving.memory()
    return figures


def strategies(serving: Serving) -> dict[str, list[tuple[float, float]]]:
    """Seconds until strategies are in force, from the request to the loader's answer.

    Each with the CPU time of server, broker and compiler, including that of the compiler's start.
    """
    row = {"priority": 5, "execution_time": 5_000_000}
    intent = {
        "podName": "web", "podID": "uid", "nodeID": "node", "k8sNamespace": "shop", "priority": 5,
        "commandRegex": "^nginx$", "executionTime": 5_000_000, "podLabels": {"app": "web"},
    }  # fmt: skip
    found: dict[str, list[tuple[float, float]]] = {
        "a new rule": [],
        "10,000 intents": [],
        "10,000 rows": [],
    }

    def post(name: str, path: str, body: Any) -> None:
        said = json.dumps(body).encode()  # the client's time is not the server's
        with serving.client(headers={"Content-Type": "application/json"}) as client:
            time.sleep(2)  # so that a child of the server has started, as on a calm node
            began, used_s = time.monotonic(), serving.all_cpu_s()
            answer = client.post(f"/api/v1/{path}", content=said)
            found[name].append((time.monotonic() - began, serving.all_cpu_s() - used_s))
            assert answer.status_code == 200, answer.text

    for turn in range(5):
        rows = [{**row, "command_regex": f"^web-{turn}$"}]
        post("a new rule", "scheduling/strategies", {"strategies": rows})
    for turn in range(3):
        intents = [
            {**intent, "podName": f"web-{turn}-{n}", "podID": f"u{n}"} for n in range(10_000)
        ]
        post("10,000 intents", "intents", {"intents": intents})
        with serving.client() as client:
            client.request("DELETE", "/api/v1/intents", json={"all": True})
    for turn in range(3):
        rows = [
            {
                **row,
                "command_regex": f"^w{turn}-{n}$",
                "selectors": [{"key": "app", "value": "web"}],
            }
            for n in range(10_000)
        ]
        post("10,000 rows", "scheduling/strategies", {"strategies": rows})
    return found


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--trouble", action="store_true", help="with everything else at once")
    parser.add_argument("--strategies", action="store_true", help="only strategies, with clang")
    parser.add_argument("--quick-clang", action="store_true", help="without clang's time")
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        clang = quick_clang(folder / "clang") if options.quick_clang else None
        with closing(Serving(folder, clang=clang)) as serving:
            if options.strategies:
                for name, found in strategies(serving).items():
                    took, used = zip(*found, strict=True)
                    each = ", ".join(f"{s:.2f}" for s in took)
                    print(
                        f"{name}: median {statistics.median(took):.2f} s ({each}); "
                        f"{min(used):.2f} s of CPU time"
                    )
                return
            print(asyncio.run(run(serving, options.seconds, is_troubled=options.trouble)))


if __name__ == "__main__":
    main()
