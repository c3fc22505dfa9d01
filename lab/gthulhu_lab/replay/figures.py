# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Waits, CPU time, switches and migrations of each task, counted alike in records and replays."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gthulhu.record import events as ev
from gthulhu.record.reader import Record
from gthulhu_lab.replay.actions import Replayable
from gthulhu_lab.simulation.play import EPOCH_NS

IDLE = 0
QUANTILES = {"p50": 500, "p90": 900, "p99": 990, "p999": 999}


@dataclass(slots=True)
class TaskFigures:
    """Of a task. `woken`, `waits`: waits in ns, those after a wake-up, and all of them."""

    woken: array[int] = field(default_factory=lambda: array("q"))
    waits: array[int] = field(default_factory=lambda: array("q"))
    ran_ns: int = 0
    switches: int = 0
    migrations: int = 0
    classes: Counter[int] = field(default_factory=Counter)
    after_ns: Counter[int] = field(default_factory=Counter)
    """The time that it waited until a CPU was free, by the task that ran there before."""


@dataclass(slots=True)
class State:
    """Where a task is, and since when."""

    since_ns: int = 0
    is_waiting: bool = False
    is_woken: bool = False
    cpu: int = -1
    is_running: bool = False


class Tally:
    """Counts the events of a run, which come in the order of time."""

    def __init__(self) -> None:
        self.tasks: dict[int, TaskFigures] = {}
        self.idle_ns: list[int] = []
        """Waits after wake-ups for a CPU that was idle at last."""
        self._states: dict[int, State] = {}

    def state(self, task: int) -> State:
        """Returns where a task is now."""
        if task not in self._states:
            self._states[task] = State()
            self.tasks[task] = TaskFigures()
        return self._states[task]

    def waking(self, at_ns: int, task: int) -> None:
        """A task is woken; without effect for one that is not asleep."""
        state = self.state(task)
        if not state.is_running and not state.is_waiting:
            state.is_waiting = state.is_woken = True
            state.since_ns = at_ns

    def forked(self, at_ns: int, task: int, before: int) -> None:
        """A new task is woken, unless it runs already, `before` this, as its CPU's clock has it."""
        early = self._states.get(before)
        if before == IDLE or early is None or not early.is_running:
            self.waking(at_ns, task)
            return
        self._states[task] = self._states.pop(before)
        self.tasks[task] = self.tasks.pop(before)

    def leave(self, at_ns: int, task: int, *, is_runnable: bool) -> None:
        """A CPU takes another task than this one."""
        state = self.state(task)
        if state.is_running:
            self.tasks[task].ran_ns += at_ns - state.since_ns
        state.is_running = False
        state.is_waiting, state.is_woken = is_runnable, False
        state.since_ns = at_ns

    def enter(self, at_ns: int, task: int, cpu: int, prev: int, number: int = -1) -> None:
        """A CPU takes this task, which is in that class, after another one."""
        state, figures = self.state(task), self.tasks[task]
        self._count(figures, state, at_ns)
        if state.is_waiting:
            waited_ns = max(0, at_ns - state.since_ns)
            figures.after_ns[prev] += waited_ns
            if prev == IDLE and state.is_woken:
                self.idle_ns.append(waited_ns)
        figures.switches += 1
        figures.classes[number] += 1
        figures.migrations += state.cpu not in {-1, cpu}
        state.cpu, state.is_running, state.is_waiting = cpu, True, False
        state.since_ns = at_ns

    @staticmethod
    def _count(figures: TaskFigures, state: State, at_ns: int) -> None:
        if state.is_waiting:
            waited_ns = max(0, at_ns - state.since_ns)
            figures.waits.append(waited_ns)
            if state.is_woken:
                figures.woken.append(waited_ns)

    def end(self, at_ns: int) -> Tally:
        """Returns itself; a wait that has not ended counts up to then."""
        for task, state in self._states.items():
            self._count(self.tasks[task], state, at_ns)
            if state.is_running:
                self.tasks[task].ran_ns += at_ns - state.since_ns
        self.tasks.pop(IDLE, None)
        return self


def of_record(record: Record, replayable: Replayable) -> dict[int, TaskFigures]:
    """Returns the figures of a record's tasks, by their numbers. Raises RecordError."""
    return tally_of_record(record, replayable).tasks


def tally_of_record(record: Record, replayable: Replayable) -> Tally:
    """Returns the events of a record, counted. Raises RecordError."""
    numbers = {(each.task.number, each.task.begin_ns): each.number for each in replayable.courses}
    tally = Tally()
    count(record, numbers, tally)
    return tally


def count(record: Record, numbers: Mapping[tuple[int, int | None], int], tally: Tally) -> None:
    """Tells a tally the events of a record. Raises RecordError.

    `numbers`: those of the tasks in the tally, by their numbers in the record and their begin.
    """
    now: dict[int, int] = {}
    for number, tasks in record.tasks.items():
        now[number] = numbers.get((number, tasks[0].begin_ns), IDLE)
    wanted = (ev.Code.SWITCH, ev.Code.WAKING, ev.Code.FORK)
    for event in record.events(wanted):
        if event.at_ns < record.begin_ns:
            continue
        match event:
            case ev.Switch():
                if prev := now.get(event.prev, IDLE):
                    tally.leave(event.at_ns, prev, is_runnable=not event.state)
                if task := now.get(event.next, IDLE):
                    tally.enter(event.at_ns, task, event.cpu, now.get(event.prev, IDLE))
            case ev.Waking():
                if task := now.get(event.task, IDLE):
                    tally.waking(event.at_ns, task)
            case ev.Fork():
                found = record.task_at(event.task, event.at_ns)
                begin_ns = found.begin_ns if found else event.at_ns
                before = now.get(event.task, IDLE)
                now[event.task] = numbers.get((event.task, begin_ns), IDLE)
                tally.forked(event.at_ns, now[event.task], before)
    tally.end(record.end_ns)


def of_lines(lines: Iterable[str], length_ns: int) -> Tally:
    """Returns the events of a run, counted, from the timeline that the model prints."""
    tally = Tally()
    for at_ns, words in sorted(_timed(lines), key=lambda each: each[0]):
        if words[0] == "switch":
            _, _, cpu, prev, is_runnable, task, number = words
            if prev != "0":
                tally.leave(at_ns, int(prev), is_runnable=is_runnable == "1")
            if task != "0":
                tally.enter(at_ns, int(task), int(cpu), int(prev), int(number))
        else:
            tally.waking(at_ns, int(words[4]))
    return tally.end(EPOCH_NS + length_ns)


def _timed(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    for line in lines:
        if line.startswith(("switch ", "waking ")):
            words = line.split()
            yield int(words[1]), words


def quantile(sorted_waits: array[int] | list[int], thousandths: int) -> int | None:
    """Returns the wait that so many thousandths do not exceed; None: too few to tell."""
    number = len(sorted_waits)
    # One wait or more has to be beyond it.
    if not number or number * (1000 - thousandths) < 1000:
        return None
    return sorted_waits[max(0, -(-number * thousandths // 1000) - 1)]
