# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Watches a record's tasks: after whom each waits, how often it sleeps, how often it is woken."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from gthulhu_lab.replay.figures import IDLE, Tally

_MOST_RUNS = 10_000
"""Runs of a CPU that are kept: those before count as unknown in waits that are longer."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A task ran on a CPU."""

    task: int
    begin_ns: int
    end_ns: int


@dataclass(slots=True)
class Habits:
    """Of a task. `sleeps`: their number; `gaps`: from a wake-up to the next, in ns.

    `blocked_ns`: of its waits after wake-ups, the time that others ran on the CPU that it got then,
    by their numbers; 0: the CPU was idle, or an interrupt's.
    """

    sleeps: int = 0
    gaps: array[int] = field(default_factory=lambda: array("q"))
    woken_ns: int | None = None
    blocked_ns: Counter[int] = field(default_factory=Counter)


class Watch(Tally):
    """A tally that also notes what tasks wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.habits: dict[int, Habits] = defaultdict(Habits)
        self._runs: dict[int, deque[_Run]] = defaultdict(lambda: deque(maxlen=_MOST_RUNS))

    def waking(self, at_ns: int, task: int) -> None:
        """A task is woken."""
        state = self.state(task)
        if task != IDLE and not state.is_running and not state.is_waiting:
            habits = self.habits[task]
            if habits.woken_ns is not None:
                habits.gaps.append(at_ns - habits.woken_ns)
            habits.woken_ns = at_ns
        super().waking(at_ns, task)

    def leave(self, at_ns: int, task: int, *, is_runnable: bool) -> None:
        """A CPU takes another task than this one."""
        state = self.state(task)
        if state.is_running:
            self._runs[state.cpu].append(_Run(task, state.since_ns, at_ns))
        self.habits[task].sleeps += not is_runnable
        super().leave(at_ns, task, is_runnable=is_runnable)

    def enter(self, at_ns: int, task: int, cpu: int, prev: int, number: int = -1) -> None:
        """A CPU takes this task."""
        state = self.state(task)
        if state.is_waiting and state.is_woken:
            self._blame(task, cpu, state.since_ns, at_ns)
        super().enter(at_ns, task, cpu, prev, number)

    def _blame(self, task: int, cpu: int, since_ns: int, at_ns: int) -> None:
        blocked_ns = self.habits[task].blocked_ns
        left_ns = at_ns - since_ns
        for run in reversed(self._runs[cpu]):
            if run.end_ns <= since_ns:
                break
            ran_ns = run.end_ns - max(run.begin_ns, since_ns)
            blocked_ns[run.task] += ran_ns
            left_ns -= ran_ns
        if left_ns > 0:
            blocked_ns[IDLE] += left_ns
