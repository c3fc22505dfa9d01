# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Questions to a timeline, each a small pure function. Times are microseconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gthulhu_lab.timeline import IDLE, CpuRun, Period, Timeline, Wait, percpu_kthread
from gthulhu_lab.trace import Task

A = TypeVar("A", bound=Period)
B = TypeVar("B", bound=Period)

Who = Callable[[Task], bool]
"""Selects tasks."""


def named(*names: str) -> Who:
    """Tasks with one of these names."""
    return lambda task: task.name in names


def runs_of(timeline: Timeline, who: Who) -> list[CpuRun]:
    """The runs of tasks, without those of the idle tasks."""
    return [run for run in timeline.runs if run.task.pid != IDLE and who(run.task)]


def waits_of(timeline: Timeline, who: Who) -> list[Wait]:
    """The waits of tasks."""
    return [wait for wait in timeline.waits if who(wait.task)]


def idle(timeline: Timeline, cpu: int) -> list[CpuRun]:
    """When a CPU had nothing to do."""
    return [run for run in timeline.runs if run.task.pid == IDLE and run.cpu == cpu]


def is_realtime(task: Task) -> bool:
    """Runs before all tasks of sched_ext: a deadline, FIFO or round-robin task."""
    return task.prio < 100


def longest_wait_us(timeline: Timeline, who: Who) -> int:
    """Returns the longest wait of one of the tasks; 0 if no task waited."""
    return max((wait.length_us for wait in waits_of(timeline, who)), default=0)


def cpus_used(timeline: Timeline, who: Who) -> set[int]:
    """The CPUs that the tasks ran on."""
    return {run.cpu for run in runs_of(timeline, who)}


def strangers(timeline: Timeline, cpus: Collection[int], who: Who) -> list[CpuRun]:
    """Runs on these CPUs of other tasks, but for what no policy can keep from a CPU."""
    return [
        run
        for run in runs_of(timeline, lambda task: not who(task))
        if run.cpu in cpus and percpu_kthread(run.task) is None and not is_realtime(run.task)
    ]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of a check, and its duration."""

    us: int
    what: CpuRun | Wait
    cpu: int


def idle_while_waiting(timeline: Timeline, who: Who, cpus: Iterable[int]) -> list[Found]:
    """Waits during which a CPU was idle, with the time that both lasted; the longest first."""
    found = []
    waits = waits_of(timeline, who)
    for cpu in cpus:
        for pause, wait in _overlapping(idle(timeline, cpu), waits):
            found.append(Found(pause.common_us(wait), wait, cpu))
    return sorted(found, key=lambda item: -item.us)


def kept_waiting(timeline: Timeline, who: Who, first: Who) -> list[Found]:
    """Waits of tasks that are bound to a CPU, less the time that tasks of `first` ran there."""
    found = []
    for cpu in {run.cpu for run in timeline.runs}:
        before = [run for run in runs_of(timeline, first) if run.cpu == cpu]
        waits = [wait for wait in waits_of(timeline, who) if percpu_kthread(wait.task) == cpu]
        excused = Counter[Wait]()
        for run, wait in _overlapping(before, waits):
            excused[wait] += run.common_us(wait)
        found += [Found(wait.length_us - excused[wait], wait, cpu) for wait in waits]
    return sorted(found, key=lambda item: -item.us)


def contested(
    timeline: Timeline, who: Who, rivals: Who, *, woken_only: bool = False
) -> list[Found]:
    """Runs of `who` with the time that they went on while one of `rivals` waited.

    A slice is counted anew when a rival arrives, so of a run with several such times each counts
    for itself. Where nobody waited, a run is not listed.
    With `woken_only`, rivals that were put aside do not count: they wait for their turn.
    """
    waits = waits_of(timeline, rivals)
    waiting = _union([wait for wait in waits if wait.woken or not woken_only])
    return [
        Found(run.common_us(time), run, run.cpu)
        for run, time in _overlapping(runs_of(timeline, who), waiting)
    ]


def used_us(timeline: Timeline, who: Who) -> dict[int, int]:
    """How long each task ran, by pid; one that was only seen waiting ran 0."""
    used = Counter({wait.task.pid: 0 for wait in waits_of(timeline, who)})
    for run in runs_of(timeline, who):
        used[run.task.pid] += run.length_us
    return dict(used)


def _overlapping(many: Sequence[A], others: Sequence[B]) -> list[tuple[A, B]]:
    """Pairs that have time in common; both lists are by start."""
    pairs = []
    first = 0
    for other in others:
        while first < len(many) and many[first].end_us <= other.start_us:
            first += 1
        for index in range(first, len(many)):
            one = many[index]
            if one.start_us >= other.end_us:
                break
            if one.common_us(other):
                pairs.append((one, other))
    return pairs


def _union(intervals: Iterable[Period]) -> list[Period]:
    """The times at which at least one of the intervals lasts."""
    union: list[Period] = []
    for interval in intervals:
        if union and interval.start_us <= union[-1].end_us:
            end = max(union[-1].end_us, interval.end_us)
            union[-1] = Period(union[-1].start_us, end)
        else:
            union.append(Period(interval.start_us, interval.end_us))
    return union
