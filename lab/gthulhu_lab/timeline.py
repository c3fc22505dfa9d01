# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Timelines of a trace: which task ran when on which CPU, and how long each waited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gthulhu_lab.errors import GuestError
from gthulhu_lab.trace import Event, Fork, Marker, Switch, Task, Wakeup

IDLE = 0  # the pid of each CPU's idle task
# Their number is the CPU that they alone may run on; unbound ones are called kworker/u8:1.
_PERCPU_KTHREAD = re.compile(r"(?:cpuhp|irq_work|ksoftirqd|kworker|migration|rcuc)/(\d+)(?!\d)")


@dataclass(frozen=True, slots=True)
class Period:
    """A time on the clock of the trace."""

    start_us: int
    end_us: int

    @property
    def length_us(self) -> int:
        return self.end_us - self.start_us

    def common_us(self, other: Period) -> int:
        """How long both last together."""
        return max(0, min(self.end_us, other.end_us) - max(self.start_us, other.start_us))


@dataclass(frozen=True, slots=True)
class CpuRun(Period):
    """A task on a CPU without a break."""

    task: Task
    cpu: int


@dataclass(frozen=True, slots=True)
class Wait(Period):
    """A task that wanted to run, and until when it did not."""

    task: Task
    woken: bool  # it had slept, or was new; otherwise it was preempted
    cpu: int | None  # the CPU on which it ran then; None: it still waited when the trace ended


def percpu_kthread(task: Task) -> int | None:
    """Returns the CPU of a kernel thread that is bound to it; None for all other tasks."""
    match = _PERCPU_KTHREAD.match(task.name)
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class Timeline:
    """Everything between a trace's first and last event, each list by start.

    A run or wait that an end of the trace cuts is as long as the trace shows it.
    """

    span: Period
    runs: list[CpuRun] = field(default_factory=list)  # the idle tasks' as well
    waits: list[Wait] = field(default_factory=list)


class _Builder:
    def __init__(self, start_us: int) -> None:
        self.timeline = Timeline(Period(start_us, start_us))
        self._start_us = start_us
        self._running: dict[int, CpuRun] = {}  # by CPU; its end is not known yet
        self._waiting: dict[int, Wait] = {}  # by pid; neither

    def switch(self, event: Switch) -> None:
        run = self._running.get(event.cpu)
        if run is None:  # it ran already when the trace began
            run = CpuRun(self._start_us, 0, event.before, event.cpu)
        elif run.task.pid != event.before.pid:
            raise GuestError(
                f"the trace contradicts itself: on CPU {event.cpu} ran {run.task.name}, and at "
                f"{event.at_us} us {event.before.name} leaves it"
            )
        # A name holds for the whole run, though a task may have been renamed in it.
        self.timeline.runs.append(replace(run, end_us=event.at_us, task=event.before))
        if event.runnable and event.before.pid != IDLE:
            self._begin_wait(event.at_us, event.before, woken=False)
        self._running[event.cpu] = CpuRun(event.at_us, 0, event.after, event.cpu)
        if wait := self._waiting.pop(event.after.pid, None):
            ended = replace(wait, end_us=event.at_us, task=event.after, cpu=event.cpu)
            self.timeline.waits.append(ended)

    def wakeup(self, event: Wakeup) -> None:
        runs = any(run.task.pid == event.task.pid for run in self._running.values())
        if not runs and event.task.pid not in self._waiting:
            self._begin_wait(event.at_us, event.task, woken=True)

    def _begin_wait(self, at_us: int, task: Task, *, woken: bool) -> None:
        self._waiting[task.pid] = Wait(at_us, 0, task, woken, None)

    def finish(self, end_us: int) -> Timeline:
        timeline = self.timeline
        timeline.runs.extend(replace(run, end_us=end_us) for run in self._running.values())
        timeline.waits.extend(replace(wait, end_us=end_us) for wait in self._waiting.values())
        timeline.runs.sort(key=lambda run: run.start_us)
        timeline.waits.sort(key=lambda wait: wait.start_us)
        return replace(timeline, span=Period(self._start_us, end_us))


def build(events: Iterable[Event]) -> Timeline:
    """The timeline of a trace. Raises GuestError for an empty trace."""
    events = list(events)
    if not events:
        raise GuestError("the trace is empty")
    builder = _Builder(events[0].at_us)
    for event in events:
        match event:
            case Switch():
                builder.switch(event)
            case Wakeup():
                builder.wakeup(event)
            case Fork() | Marker():
                pass
    return builder.finish(events[-1].at_us)
