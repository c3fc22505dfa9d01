# SPDX-License-Identifier: Apache-2.0
"""The node's page with a policy, real processes as its tasks, and people who log in.

The names of processes, labels, files and events are as hostile as the kernel and the loader let
them be.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from fake_loader import STATS
from gthulhuc import codegen, plan
from gthulhuc.frontend import check
from gthulhuc.source import Source
from serving import PATIENCE_S, Serving

POLICY = """\
policy shop {}
tunable quantum = 1ms in 100us..10ms
rule web { match comm ~ "<i>*" priority high slice quantum }
rule edge { match label "tier" == "web" priority low }
rule never { match comm == "never" }
promise web over 10s { p99(wakeup web) < 300us }
"""
NAME = "<i>\u202e'\"&x"
"""A task's name: markup, quotes, and a character that turns the direction of text; 15 bytes."""
LABEL = "label:tier=<img src=x onerror=alert(1)>"
EVENT = {
    "event": "went-back", "at": "2026-11-21T12:00:00Z", "policy": "<b>shop</b>", "generation": 3,
    "reason": "</script><script>alert(1)</script>",
}  # fmt: skip
ATTACKS = ("<i>", "<img", "<script>alert", "<b>shop", "\u202e")
"""Texts that no response may have as they are."""


class Page:
    """A server whose loader has a policy and a task in force."""

    def __init__(self, folder: Path, *options: str, clang: Path | None = None) -> None:
        self.serving = Serving(folder, *options, clang=clang)
        loader = self.serving.loader
        program = folder / NAME
        program.symlink_to("/usr/bin/sleep")
        self._task = subprocess.Popen([program, "3600"])
        self.pid = self._task.pid
        place = folder / "<i>policies"
        place.mkdir()
        self.policy = place / "shop.gpl"
        self.policy.write_text(POLICY)
        checked, problems = check(Source("shop.gpl", POLICY))
        assert checked is not None, problems
        made = codegen.compile_object(codegen.render(plan.build(checked), stats=True))
        (self.serving.state / "generation-3.bpf.o").write_bytes(made)
        (self.serving.state / "generation-3.txt").write_text(f"{self.policy}\n")
        loader.status["object"] = str(self.policy)
        owners = [each["owner"] for each in STATS["classes"]]
        loader.tasks = {
            "classes": [{"owner": owner} for owner in owners],
            "tasks": [{"tid": self.pid, "class": 0, "label_set": 1}],
            "label_sets": [{"number": 1, "facts": [{"fact": LABEL}]}],
            "containers": [],
        }

    def close(self) -> None:
        self._task.kill()
        self._task.wait()
        self.serving.close()

    @contextmanager
    def visitor(self, role: str = "operate", **how: Any) -> Iterator[Visitor]:
        """Someone who has logged in."""
        with httpx.Client(base_url=self.serving.url, timeout=PATIENCE_S) as client:
            visitor = Visitor(client, self.serving.url)
            answer = visitor.post("login", token=self.serving.token(role, **how))
            assert (answer.status_code, answer.headers["location"]) == (303, "/page/")
            yield visitor


class Visitor:
    """Sends what a browser would send."""

    def __init__(self, client: httpx.Client, origin: str) -> None:
        self.client, self.origin = client, origin

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self.client.get(f"/page/{path}", **how)

    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([\w-]+)"', self.get("editor").text)
        assert found is not None
        return found[1]

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Sends a form as it is given."""
        return self.client.post(
            f"/page/{path}", data=fields, headers={"Origin": self.origin, "HX-Request": "true"}
        )

    def do(self, path: str, **fields: str) -> httpx.Response:
        """Sends a form of the page's own."""
        return self.post(path, csrf=self.csrf(), **fields)
