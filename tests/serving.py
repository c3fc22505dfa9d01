# SPDX-License-Identifier: Apache-2.0
"""A real server and a real broker, as processes, with a loader of the tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import jwt

from command import environment
from fake_loader import PROMISES, STATS, FakeLoader
from gthulhu.serve import keys
from gthulhu.serve.keys import Keys, Kind, Role
from gthulhuc.codegen.clang import compile_object

PATIENCE_S = 60


class Loader:
    """A loader that puts nothing in force and behaves as if it did."""

    def __init__(self, folder: Path) -> None:
        self.status: dict[str, Any] = {
            "ok": True, "in_force": True, "policy": "shop", "generation": 3, "pid": 7,
            "since": "2026-11-21T12:00:00Z", "object": "/etc/gthulhu/shop.gpl", "kernel": "7.2",
            "state": "enabled", "scheduler": "shop", "restarts": 0, **PROMISES,
            "tunables": [{"name": "quantum", "value": "1ms", "low": "100us", "high": "10ms"}],
        }  # fmt: skip
        self.tasks: dict[str, Any] = {"classes": [{"owner": "`default`"}], "tasks": []}
        self._fake = FakeLoader(
            folder,
            {
                "status": lambda _: dict(self.status),
                "stats": STATS,
                "swap": self._swap,
                "rollback": lambda _: self._changed("/etc/gthulhu/shop.gpl"),
                "set": {"ok": True, "name": "quantum", "value": "2ms", "before": "1ms"},
                "tasks": self._tasks,
                "label": {"ok": True, "processes": 1},
            },
        )

    @property
    def heard(self) -> list[list[str]]:
        """The fields of each request so far."""
        return [request.split("\t") for request in list(self._fake.requests)]

    def of(self, name: str) -> list[list[str]]:
        """The requests of a name so far."""
        return [fields for fields in self.heard if fields[0] == name]

    def close(self) -> None:
        self._fake.close()

    def _tasks(self, fields: list[str]) -> dict[str, Any]:
        asked = [each for each in self.tasks["tasks"] if str(each["tid"]) in fields]
        return {**self.status, **self.tasks, **({"tasks": asked} if fields[1:] else {})}

    def _swap(self, fields: list[str]) -> Any:
        called, options = fields[2], fields[3:]
        if "dry-run" in options:
            return {"ok": True}
        began = self._changed(called)
        if not any(option.startswith("trial=") for option in options):
            return began
        ended = {
            "ok": True, "stays": False, "in_force": True, "policy": "shop", "generation": 3,
            "reason": "promise `web` is broken",
        }  # fmt: skip
        return [began, ended]

    def _changed(self, called: str) -> dict[str, Any]:
        before = self.status["generation"]
        self.status |= {"generation": before + 1, "object": called}
        return {"ok": True, "policy": "p", "generation": before + 1, "from": before}


class Serving:
    """The API of a node with that loader."""

    def __init__(self, folder: Path, *options: str, clang: Path | None = None) -> None:
        self.folder = folder
        self._environment = environment(**({} if clang is None else {"CLANG": str(clang)}))
        self.state = folder / "loader"
        self.state.mkdir()
        self.loader = Loader(self.state)
        keys.make(folder / "keys")
        self.keys = Keys(folder / "keys")
        self.store = folder / "store"
        self._ended: list[Callable[[], object]] = [self.loader.close]
        # No other user may read the interpreter of a development environment.
        user = str(os.geteuid())
        broker = (
            "broker", "--user", user, "--compiler", "root", "--folder", str(folder / "broker"),
        )  # fmt: skip
        self._start(*broker, "--state", str(self.state))
        self._broker = self.pid
        self._options = options
        self.serve()

    def serve(self) -> None:
        """Starts the server."""
        served = self._start(
            "--keys", str(self.folder / "keys"), "--broker", str(self.folder / "broker"),
            "--store", str(self.store), "--audit", str(self.folder / "audit"),
            "--socket", str(self.folder / "api"), "--listen", "127.0.0.1:0", *self._options,
        )  # fmt: skip
        found = re.search(r"https?://\S+:(\d+)", served)
        assert found is not None
        self.url, self.port = found[0], int(found[1])

    def serve_again(self) -> None:
        """Ends the server and starts another one."""
        self._ended.pop()()
        self.serve()

    def _start(self, *arguments: str) -> str:
        """Starts a part and returns its first line."""
        process = subprocess.Popen(
            [sys.executable, "-m", "gthulhuc.cli.gthulhu", "serve", *arguments],
            env=self._environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

        def end() -> None:
            process.terminate()
            process.wait(PATIENCE_S)
            assert process.stdout is not None
            process.stdout.close()

        self._ended.append(end)
        self.pid = process.pid
        """The server, which starts last."""
        self.end = end
        assert process.stdout is not None
        return process.stdout.readline()

    def token(self, role: str = "operate", *, name: str = "tests@example", **how: Any) -> str:
        kind = how.get("kind", Kind.ACCESS)
        return self.keys.mint(name, Role(role), kind, how.get("lifetime_s", 600))

    def client(self, role: str = "operate", **how: Any) -> httpx.Client:
        """A client with a token of its own."""
        headers = {"Authorization": f"Bearer {self.token(role)}", **how.pop("headers", {})}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S, **how)

    def memory(self) -> tuple[int, int]:
        """The most memory that the server's and the broker's process have had, in bytes."""
        return _memory(self.pid), _memory(self._broker)

    def cpu_s(self) -> float:
        """The CPU time that the server's process has had, in seconds."""
        return sum(_cpu_s(self.pid)[:2])

    def all_cpu_s(self) -> float:
        """That of the server, the broker, and their compilers that have ended."""
        return sum(map(sum, map(_cpu_s, (self.pid, self._broker))))

    def audit(self) -> list[dict[str, Any]]:
        """The lines of the audit log."""
        return [json.loads(line) for line in (self.folder / "audit").read_text().splitlines()]

    def close(self) -> None:
        for end in reversed(self._ended):
            with suppress(ProcessLookupError):
                end()


def _memory(pid: int) -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def _cpu_s(pid: int) -> list[float]:
    """The seconds of a process: its own, the kernel's for it, and both of children that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return [int(each) / os.sysconf("SC_CLK_TCK") for each in fields[11:15]]


def quick_clang(folder: Path) -> Path:
    """A clang that writes the same object each time, for tests of what happens around it."""
    folder.mkdir()
    made = folder / "made.o"
    made.write_bytes(compile_object('#include "kernel.bpf.h"\n'))
    path = folder / "clang"
    path.write_text(f"#!/bin/sh\ncp {made} policy.bpf.o\n")
    path.chmod(0o755)
    return path


def forged(key: Any, algorithm: str | None, headers: dict[str, Any], **changes: Any) -> str:
    """A token with other claims than the right ones; a claim that is None is left out."""
    now = int(time.time())
    claims = {
        "iss": keys.ISSUER, "aud": keys.AUDIENCE, "sub": "eve", "role": "operate", "typ": "access",
        "jti": "1", "iat": now, "exp": now + 600, **changes,
    }  # fmt: skip
    given = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(given, key, algorithm=algorithm, headers=headers)


def until(holds: Callable[[], bool]) -> None:
    """Waits for a condition."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.02)


def paths(requests: Sequence[Sequence[str]]) -> list[str]:
    """The paths by which swaps call their policies."""
    return [fields[2] for fields in requests]
