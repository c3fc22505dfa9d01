# SPDX-License-Identifier: Apache-2.0
"""A fake loader that listens on a socket and has a response for each request."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gthulhu.counters import COUNTERS

NOTHING = [0] * 24


def counted(owner: str, **counts: Any) -> dict[str, Any]:
    """The counters of a class in a response to `stats`."""
    empty = {"woken_ns": 0, "woken": NOTHING, "put_off_ns": 0, "put_off": NOTHING}
    plain = dict.fromkeys(COUNTERS, 0)
    return {"owner": owner, "entered": 0, "left": 0, "ran_ns": 0} | plain | empty | counts


STATS: dict[str, Any] = {
    "ok": True,
    "policy": "shop",
    "generation": 3,
    "pid": 7,
    "since": "2026-11-21T12:00:00Z",
    "first_bucket_bits": 10,
    "classes": [
        counted(
            "rule `web` (shop.gpl:12)",
            entered=7, left=3, ran_ns=1_500_000_000, preemptions=2, rescues=1,
            woken=[98, 1, *NOTHING[:20], 0, 1], woken_ns=500_000,
            put_off=[0, 0, 0, 0, 100, *NOTHING[:19]], put_off_ns=1_500_000,
        ),
        counted("rule `never` (shop.gpl:20)"),
        {"owner": "rule `count` (shop.gpl:21)", "entered": 4, "left": 5, "ran_ns": 0},
        counted("`default`", entered=1),
        counted("kernel threads"),
    ],
}  # fmt: skip
"""A response to `stats`."""

LIMITS: dict[str, Any] = {
    "limits": [
        {
            "cgroup": "/pods/web", "quota_ns": 50_000_000, "period_ns": 100_000_000, "periods": 600,
            "throttled_periods": 90, "throttled_ns": 2_500_000_000, "bursts": 0, "burst_ns": 0,
        },
        {
            "cgroup": "/pods/batch", "quota_ns": 30_000_000, "period_ns": 20_000_000,
            "periods": 12, "throttled_periods": 0, "throttled_ns": 0,
            "bursts": 4, "burst_ns": 1_000_000,
        },
    ],
    "limits_left_out": 2,
}  # fmt: skip
"""The further members of a response to `stats` for a policy that keeps limits of cgroups."""

PROMISES: dict[str, Any] = {
    "source": "shop.gpl",
    "promises": [
        {
            "rule": "web", "line": 30, "window_ns": 10_000_000_000, "else": "rollback",
            "broken": True, "last": "broken",
            "windows_kept": 4, "windows_broken": 3, "windows_silent": 1,
            "claims": [
                {
                    "text": "p99(wakeup web) < 300us", "line": 31, "unit": "ns", "last": "broken",
                    "value": 1_250_000, "bound": 300_000, "waits": 4021,
                },
                {
                    "text": "share(batch) >= 20%", "line": 32, "unit": "permille",
                    "last": "silent", "value": 15, "bound": 200, "waits": 0,
                },
            ],
        },
    ],
    "conditions": [
        {
            "condition": "time in 22:00..06:00", "line": 40, "holds": "yes",
            "since": "2026-11-21T22:00:00Z", "switches": 3,
        },
        {
            "condition": "pressure cpu > 20% for 5s", "line": 44, "holds": "unknown",
            "switches": 0,
        },
    ],
    "fallbacks": 1,
    "fallback": [
        {
            "policy": "shop", "from": 2, "to": 1, "at": "2026-11-21T12:00:00Z",
            "reason": "promise `web` (shop.gpl:30) is broken: p99(wakeup web) < 300us: 1.25ms",
        },
    ],
}  # fmt: skip
"""The members of a response to `status` for a policy with a promise and conditions."""

Answer = Mapping[str, Any] | Sequence[Mapping[str, Any]] | Callable[[list[str]], Mapping[str, Any]]
"""A response, those that follow each other, or what makes one of a request's fields."""


class FakeLoader:
    """Responds in a folder of its own until it is closed."""

    def __init__(self, folder: Path, answers: Mapping[str, Answer]) -> None:
        self.folder = folder
        self.requests: list[str] = []
        self._answers = answers
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(folder / "control"))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends it, if it has not been ended."""
        if self._server.fileno() < 0:
            return
        self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()
        (self.folder / "control").unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                request = connection.makefile().readline().rstrip("\n")
                self.requests.append(request)
                found = self._answer(request.split("\t"))
                for response in [found] if isinstance(found, Mapping) else found:
                    connection.sendall(json.dumps(response).encode() + b"\n")

    def _answer(self, fields: list[str]) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        answer = self._answers.get(fields[0], {"ok": False, "error": "no such request"})
        return answer(fields) if callable(answer) else answer
