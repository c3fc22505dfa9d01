# SPDX-License-Identifier: Apache-2.0
"""A /proc and a loader of the test's own, for `gthulhu explain` of tasks."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import command
from fake_loader import Answer, FakeLoader
from gthulhuc import codegen, plan
from gthulhuc.frontend import check
from gthulhuc.source import Source

POLICY = """\
policy shop {}
rule web   { match process == "nginx" and leader priority high }
rule calm  { match comm == "editor" and interactive }
rule build { match comm == "make" inherit }
rule child { match parent == "cron" and nice > 5 }
rule fs    { match kthread and comm ~ "jbd2*" }
"""
KTHREAD = 0x200000


class Machine:
    """Tasks, and the classes that the kernel has given them."""

    def __init__(self, folder: Path, text: str = POLICY) -> None:
        self.folder = folder
        self.rules = re.findall(r"^rule (\w+)", text, re.MULTILINE)
        self.classes: dict[int, int] = {}
        self.label_sets: dict[int, int] = {}  # of tasks
        self.labels: dict[str, Any] = {}  # what an answer has of them, beside
        self.called = str(folder / "shop.gpl")  # what was put in force
        self.generations: Iterator[int] = itertools.repeat(4)  # of one answer after the other
        self.loader: FakeLoader | None = None
        policy = folder / "shop.gpl"
        policy.write_text(text)
        checked, problems = check(Source("shop.gpl", text))
        assert checked is not None, problems
        made = codegen.compile_object(codegen.render(plan.build(checked)))
        (folder / "generation-4.bpf.o").write_bytes(made)

    def task(
        self, tid: int, comm: str, owner: str, *, pid: int = 0, parent: int = 0, nice: int = 0,
        kthread: bool = False, policy: int = 0,
    ) -> None:  # fmt: skip
        names = [*self.rules, "default", "kernel threads"]
        self.classes[tid] = names.index(owner)
        self.label_sets[tid] = 0
        folder = self.folder / "proc" / str(tid)
        folder.mkdir(parents=True)
        stat = ["0"] * 52
        stat[9 - 1], stat[19 - 1] = str(KTHREAD * kthread), str(nice)
        stat[41 - 1] = str(policy)
        (folder / "stat").write_text(f"{tid} ({comm}) S {' '.join(stat[3:])}\n")
        (folder / "comm").write_text(f"{comm}\n")
        (folder / "schedstat").write_text("1500000000 20000000 300\n")
        (folder / "cgroup").write_text("0::/system.slice/x.service\n")
        (folder / "status").write_text(
            f"Name:\t{comm}\nTgid:\t{pid or tid}\nPPid:\t{parent}\n"
            "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n"
        )

    def label(self, tid: int, cgroup: str, label_set: int = 0) -> None:
        """Puts a task into a cgroup, and gives it labels of its own."""
        (self.folder / "proc" / str(tid) / "cgroup").write_text(f"0::{cgroup}\n")
        self.label_sets[tid] = label_set

    def explain(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        if self.loader is None:
            answers: dict[str, Answer] = {
                "tasks": self._tasks,
                "stats": {"ok": False, "error": "it does not count"},
            }
            self.loader = FakeLoader(self.folder, answers)
        words = ["explain", "--proc", f"{self.folder}/proc", "--state", str(self.folder)]
        return command.shell(f"gthulhu {shlex.join([*words, *arguments])}", self.folder)

    def close(self) -> None:
        if self.loader is not None:
            self.loader.close()

    def _tasks(self, fields: list[str]) -> dict[str, Any]:
        owners = [f"rule `{name}` (shop.gpl:{line})" for line, name in enumerate(self.rules, 2)]
        chosen = {tid: number for tid, number in self.classes.items() if str(tid) in fields}
        return {
            "ok": True, "policy": "shop", "generation": next(self.generations), "in_force": True,
            "object": self.called,
            "classes": [{"owner": owner} for owner in (*owners, "`default`", "kernel threads")],
            "tasks": [
                {"tid": tid, "class": number, "label_set": self.label_sets[tid]}
                for tid, number in (chosen if fields[1:] else self.classes).items()
            ],
            **self.labels,
        }  # fmt: skip
