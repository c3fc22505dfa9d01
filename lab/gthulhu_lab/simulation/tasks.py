# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tasks of a load as lines of a scenario, which the host model reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from gthulhu_lab.simulation.behaviours import CLONE_THREAD
from gthulhu_lab.simulation.load import Group
from gthulhu_lab.simulation.machine import mask
from gthulhu_lab.verify.facts import Facts
from gthulhuc.fields import Field


class _Numbers:
    """Numbers of the model, each given to one index when it is first asked for."""

    def __init__(self, free: Iterator[int]) -> None:
        self._free = free
        self._given: dict[int, int] = {}

    def __getitem__(self, index: int) -> int:
        if index not in self._given:
            self._given[index] = next(self._free)
        return self._given[index]


class Start(NamedTuple):
    """A task that begins by itself, and how much later than others."""

    pid: int
    delay_ns: int


class _Place(NamedTuple):
    """Where a task begins: its maker, the flags of clone(2), and its name.

    `due_ns`: when it is due in each period.
    """

    parent: int
    flags: int
    name: bytes
    due_ns: int = 0


class Tasks:
    """The lines that make the tasks; each group's have its number in the figures.

    `phase_ns`: when the first periodic task of a group is due in each period.
    """

    def __init__(self, groups: Sequence[Group], cpus: int, phase_ns: int) -> None:
        self.lines: list[str] = []
        self.starts: list[Start] = []
        self._all = mask(range(cpus))
        self._phase_ns = phase_ns
        self._pid = 0
        self._semaphores = count()
        self._scripts: dict[tuple[str, ...], int] = {}
        self._processes: dict[bytes, int] = {}
        self._label_sets: dict[tuple[bytes, ...], int] = {}
        self._init = self._idle(b"init", 0)
        for number, group in enumerate(groups):
            self._add(group, number)

    def _add(self, group: Group, number: int) -> None:
        parent, facts, behaviour = self._init, group.facts, group.behaviour
        if facts.pod:
            self._container(facts)
        for name in facts.above:
            parent = self._idle(name, parent)
        flags, names = 0, group.threads or (facts.process,) * group.units
        if group.threads or behaviour.is_threaded:
            if facts.process not in self._processes:
                self._processes[facts.process] = self._idle(facts.process, parent)
            parent, flags = self._processes[facts.process], CLONE_THREAD
            names = group.threads or (facts.comm,) * group.units
        all_ = _Numbers(self._semaphores)
        for steps in behaviour.shared:
            self._unit(group, number, _Place(parent, flags, names[0]), [steps], all_)
        period_ns = behaviour.period_ns
        for index, name in enumerate(names):
            due_ns = (self._phase_ns + index * period_ns // len(names)) % (period_ns or 1)
            parts = [behaviour.steps, *behaviour.others]
            self._unit(group, number, _Place(parent, flags, name, due_ns), parts, all_)

    def _container(self, facts: Facts) -> None:
        """A pod's cgroup, and all that is known of it."""
        cgroup = text(facts.cgroup)
        known = [name.encode() + b"=" + value for name, value in facts.pod.items()]
        self.lines += [f"container {cgroup} 1"]
        self.lines += [f"fact {cgroup} {text(fact)}" for fact in (*known, *_labels(facts))]

    def _label(self, pids: Sequence[int], facts: Facts) -> None:
        """Tasks that were given labels; those with the same ones share a set."""
        labels = tuple(sorted(_labels(facts)))
        if labels not in self._label_sets:
            number = self._label_sets[labels] = len(self._label_sets) + 1
            self.lines += [f"label {number} {text(label)}" for label in labels]
        self.lines += [f"labelled {pid} {self._label_sets[labels]}" for pid in pids]

    def _unit(
        self,
        group: Group,
        number: int,
        place: _Place,
        parts: Sequence[tuple[str, ...]],
        all_: _Numbers,
    ) -> None:
        """Tasks that work together; two are partners."""
        facts, cpus = group.facts, group.behaviour.cpus
        numbers = (facts.numbers.get(key, 0) for key in (Field.UID, Field.GID, Field.NICE))
        affinity = mask(cpus) if cpus else self._all
        rest = f"{text(facts.cgroup)} {' '.join(map(str, numbers))} {affinity}"
        pids = [self._task(place.parent, place.flags, place.name, rest) for _ in parts]
        self.lines += [f"watch {pid} {number}" for pid in pids]
        if facts.labels and not facts.pod:
            self._label(pids, facts)
        if group.session:
            self.lines += [f"session {pid} {group.session}" for pid in pids]
        if len(pids) == 2:
            self.lines += [f"work {pids[0]} 0 0 {pids[1]}", f"work {pids[1]} 0 0 {pids[0]}"]
        own = _Numbers(self._semaphores)
        forked: list[int] = []

        def named(steps: tuple[str, ...]) -> tuple[str, ...]:
            known = {
                "own": own, "all": all_, "forked": forked,
                "due": place.due_ns, "name": text(place.name).removeprefix("."),
            }  # fmt: skip
            return tuple(step.format_map(known) for step in steps)

        for steps in group.behaviour.forked:
            forked.append(len(self._scripts))  # it may start itself
            forked[-1] = self._script(named(steps))
        for pid, steps in zip(pids, parts, strict=True):
            self._begin(pid, named(steps))
            self.starts.append(Start(pid, group.delay_ns))

    def _begin(self, pid: int, steps: tuple[str, ...]) -> None:
        if not steps:
            self.lines.append(f"work {pid} {(1 << 64) - 1} 0 0")
            return
        self.lines.append(f"script {pid} {self._script(steps)}")

    def _script(self, steps: tuple[str, ...]) -> int:
        if steps not in self._scripts:
            self._scripts[steps] = len(self._scripts)
            self.lines += [f"step {self._scripts[steps]} {step}" for step in steps]
        return self._scripts[steps]

    def _idle(self, name: bytes, parent: int) -> int:
        """A process that sleeps."""
        return self._task(parent, 0, name, f"./ 0 0 0 {self._all}")

    def _task(self, parent: int, flags: int, name: bytes, rest: str) -> int:
        self._pid += 1
        self.lines.append(f"task {self._pid} {parent} {flags} {text(name)} {rest} 0")
        return self._pid


def _labels(facts: Facts) -> list[bytes]:
    return [b"label:%b=%b" % label for label in facts.labels.items()]


_PLAIN: Collection[int] = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
)


def text(data: bytes) -> str:
    """Returns a text as a word of a scenario: after a dot, with %XX for other bytes than a few."""
    return "." + "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in data)
