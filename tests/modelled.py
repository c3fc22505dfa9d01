# SPDX-License-Identifier: Apache-2.0
"""Records that are made from runs of the host model, where the truth under a policy is known, too.

`Work` is a load of scripts (`sim/script.c`). It runs under the control `eevdf`, and its timeline
becomes a record (`record`). It also runs under a policy (`truth`), which is what a replay of the
record should predict.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import gtr
from gthulhu.record.columns import Row
from gthulhu.record.events import Code
from gthulhu_lab.replay import figures
from gthulhu_lab.replay.figures import TaskFigures
from gthulhu_lab.simulation import machine, play
from gthulhu_lab.simulation.play import EPOCH_NS

NANOSLEEP, EPOLL_WAIT = 230, 232  # of x86-64
TIMER, ABSOLUTE, SLEEP_TIMER = 4, 16, 1
_TIMER_ID = 77


@dataclass(frozen=True)
class Task:
    """A task that repeats steps; none: it computes for ever.

    `period_ns`: it sleeps until multiples of that, and skips those that it misses; 0: another task
    wakes it.
    """

    name: str
    steps: tuple[str, ...] = ()
    period_ns: int = 0


@dataclass(frozen=True)
class Work:
    """Tasks on some CPUs."""

    tasks: tuple[Task, ...]
    cpus: int = 1
    seconds: float = 1.0

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each task."""
        return {task.name: number for number, task in enumerate(self.tasks, 2)}

    def machine(self) -> machine.Machine:
        """The machine, whose work takes no time."""
        return replace(machine.read(str(self.cpus)), costs={})

    def run(self, scheduler: Path) -> str:
        """Returns what the model prints of a run."""
        return play.Player(costed=False).output(scheduler, "\n".join(self._lines()) + "\n")

    def _lines(self) -> list[str]:
        everywhere = machine.mask(range(self.cpus))
        lines = [
            f"0 machine {self.cpus} {0x702} 1 50000 25000 {1 << 62}",
            f"0 task 1 0 0 .init ./ 0 0 0 {everywhere} 0",
        ]
        for number, task in enumerate(self.tasks, 2):
            lines.append(f"0 task {number} 1 0 .{task.name} ./ 0 0 0 {everywhere} 0")
            wait = (f"until:{task.period_ns}:0",) if task.period_ns else ()
            if task.steps:
                lines += [f"0 step {number} {step}" for step in (*wait, *task.steps)]
                lines.append(f"0 script {number} {number}")
            else:
                lines.append(f"0 work {number} {(1 << 64) - 1} 0 0")
        lines += ["0 start", f"0 show {10_000_000}"]
        lines += [f"{number * 1000} wake {number} 0 0" for number in self.numbers.values()]
        return [*lines, f"{round(self.seconds * gtr.SECOND)} figures"]

    def record(self, path: Path) -> Path:
        """Writes the record of a run under EEVDF; returns its path."""
        output = self.run(play.Player(costed=False).control("eevdf"))
        by_cpu: dict[int, list[Row]] = {cpu: [] for cpu in range(self.cpus)}
        for number, task in enumerate(self.tasks, 2):
            by_cpu[0].append(
                gtr.task(gtr.BEGIN_NS - 1, number, task.name.encode(), start_ns=number)
            )
        for line in output.splitlines():
            words = line.split()
            if words[0] == "switch":
                by_cpu[int(words[2])] += self._switch(*map(int, words[1:6]))
            elif words[0] == "waking":
                by_cpu[int(words[2])].append(self._waking(*map(int, words[1:5])))
        end_ns = gtr.BEGIN_NS + round(self.seconds * gtr.SECOND)
        return gtr.write(path, [
            gtr.round_at(gtr.BEGIN_NS),
            *(gtr.events(cpu, rows) for cpu, rows in by_cpu.items() if rows),
            gtr.round_at(end_ns),
        ])  # fmt: skip

    def _task(self, number: int) -> Task | None:
        return self.tasks[number - 2] if number >= 2 else None

    def _switch(self, at_ns: int, _: int, prev: int, runnable: int, to: int) -> Sequence[Row]:
        at_ns += gtr.BEGIN_NS - EPOCH_NS
        before = self._task(prev)
        state = gtr.SLEEPS if before and not runnable else 0
        if state and before and before.period_ns:
            due_ns = before.period_ns - (at_ns - gtr.BEGIN_NS) % before.period_ns
            words = struct.pack("<qQ", due_ns, 0)
            argument = SLEEP_TIMER | ABSOLUTE | _TIMER_ID << 8
            asked = Row(at_ns, Code.TIMER, prev, 0, argument, words)
            return [asked, gtr.switch(at_ns, prev, to, state, NANOSLEEP)]
        return [gtr.switch(at_ns, prev, to, state, EPOLL_WAIT)]

    def _waking(self, at_ns: int, _: int, by: int, number: int) -> Row:
        at_ns += gtr.BEGIN_NS - EPOCH_NS
        task = self._task(number)
        if task and task.period_ns and at_ns > gtr.BEGIN_NS + 1_000_000:
            return gtr.waking(at_ns, number, by, TIMER, _TIMER_ID)
        return gtr.waking(at_ns, number, by)

    def truth(self, scheduler: Path) -> dict[str, TaskFigures]:
        """Returns the figures of a run by the names of tasks."""
        lines = self.run(scheduler).splitlines()
        found = figures.of_lines(lines, round(self.seconds * gtr.SECOND)).tasks
        return {task.name: found[number] for number, task in enumerate(self.tasks, 2)}
