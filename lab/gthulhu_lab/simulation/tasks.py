# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tasks of a load as lines of a scenario, which the host model reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gthulhu_lab.simulation.load import Group
from gthulhu_lab.simulation.machine import mask
from gthulhuc.fields import Field

_CLONE_THREAD = 0x10000


class Start(NamedTuple):
    """A task that begins by itself, and how much later than others."""

    pid: int
    delay_ns: int


class Tasks:
    """The lines that make the tasks; each group's have its number in the figures."""

    def __init__(self, groups: Sequence[Group], cpus: int) -> None:
        self.lines: list[str] = []
        self.starts: list[Start] = []
        self._all = mask(range(cpus))
        self._pid = 0
        self._scripts: dict[tuple[str, ...], int] = {}
        self._processes: dict[bytes, int] = {}
        self._init = self._idle(b"init", 0)
        for number, group in enumerate(groups):
            self._add(group, number)

    def _add(self, group: Group, number: int) -> None:
        parent = self._init
        for name in group.facts.above:
            parent = self._idle(name, parent)
        if not group.threads:
            for _ in range(group.units):
                self._unit(group, number, parent, 0, group.facts.process)
            return
        process = group.facts.process
        if process not in self._processes:
            self._processes[process] = self._idle(process, parent)
        for name in group.threads:
            self._unit(group, number, self._processes[process], _CLONE_THREAD, name)

    def _unit(self, group: Group, number: int, parent: int, flags: int, name: bytes) -> None:
        """One task, or two that wake each other."""
        facts, behaviour = group.facts, group.behaviour
        numbers = (facts.numbers.get(key, 0) for key in (Field.UID, Field.GID, Field.NICE))
        affinity = mask(behaviour.cpus) if behaviour.cpus else self._all
        rest = f"{text(facts.cgroup)} {' '.join(map(str, numbers))} {affinity}"
        parts = [behaviour.steps, *([behaviour.partner] if behaviour.partner else [])]
        pids = [self._task(parent, flags, name, rest) for _ in parts]
        self.lines += [f"watch {pid} {number}" for pid in pids]
        if len(pids) == 2:
            self.lines += [f"work {pids[0]} 0 0 {pids[1]}", f"work {pids[1]} 0 0 {pids[0]}"]
        for pid, steps in zip(pids, parts, strict=True):
            self._begin(pid, steps)
            self.starts.append(Start(pid, group.delay_ns))

    def _begin(self, pid: int, steps: tuple[str, ...]) -> None:
        if not steps:
            self.lines.append(f"work {pid} {(1 << 64) - 1} 0 0")
            return
        if steps not in self._scripts:
            self._scripts[steps] = len(self._scripts)
            self.lines += [f"step {self._scripts[steps]} {step}" for step in steps]
        self.lines.append(f"script {pid} {self._scripts[steps]}")

    def _idle(self, name: bytes, parent: int) -> int:
        """A process that sleeps."""
        return self._task(parent, 0, name, f"./ 0 0 0 {self._all}")

    def _task(self, parent: int, flags: int, name: bytes, rest: str) -> int:
        self._pid += 1
        self.lines.append(f"task {self._pid} {parent} {flags} {text(name)} {rest} 0")
        return self._pid


_PLAIN: Collection[int] = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
)


def text(data: bytes) -> str:
    """Returns a text as a word of a scenario: after a dot, with %XX for other bytes than a few."""
    return "." + "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in data)
