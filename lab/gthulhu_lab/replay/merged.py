# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Finds wake-ups that left no trace, because the task was awake.

A producer that wakes a consumer in each of its rounds, whenever that sleeps, does so in the rounds
in which the consumer was awake, too: what it hands over then waits for the consumer. Under another
scheduler the consumer may sleep in between. So it gets as many wake-ups as there were rounds, and
what it computed without a sleep is divided among them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from gthulhu_lab.replay.actions import Action, Course

_FEWEST = 5
"""Rounds in which the producer woke the consumer; with fewer it is no rule."""
_MOST_AGAINST = 0.05
"""The part of rounds in which it let the consumer sleep, with which it still is a rule."""
_GIVEN_UP = 40


@dataclass(slots=True)
class Pair:
    """A producer and a consumer: rounds in which the one woke the other, or let it sleep."""

    woke: int = 0
    let_sleep: int = 0

    @property
    def is_rule(self) -> bool:
        """Whether the producer has something for the consumer in each of its rounds."""
        both = self.woke + self.let_sleep
        return self.woke >= _FEWEST and self.let_sleep <= _MOST_AGAINST * both

    @property
    def is_none(self) -> bool:
        """Whether it is sure that it is no rule."""
        return self.let_sleep > _GIVEN_UP and not self.is_rule


@dataclass(slots=True)
class Round:
    """The work of a task from a sleep to the next one.

    `number`: of rounds since the begin; `begin`: its first action; `computed_ns`: so far.
    `woken`: the tasks that it has woken. `merged`: wake-ups of it that may have left no trace:
    the pair, the producer's action, and what it had computed by then.
    """

    begin_ns: int = 0
    begin: int = 0
    computed_ns: int = 0
    woken: set[int] = field(default_factory=set)
    merged: list[tuple[Pair, Action, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Batch:
    """A round that may be several; `end`: the action after its last one."""

    course: Course
    begin: int
    end: int
    merged: list[tuple[Pair, Action, int]]


class Merges:
    """Watches the rounds of all tasks of a record, by their numbers in the model."""

    def __init__(self) -> None:
        self._pairs: dict[int, dict[int, Pair]] = defaultdict(dict)
        self._rounds: dict[int, Round] = defaultdict(Round)
        self._batches: list[_Batch] = []

    def computes(self, task: int, ns: int) -> None:
        """A task has computed that long."""
        self._rounds[task].computed_ns += ns

    def wakes(self, waker: int, woken: int) -> None:
        """A task wakes another one."""
        round_ = self._rounds[waker]
        if woken not in round_.woken:
            round_.woken.add(woken)
            self._pairs[waker].setdefault(woken, Pair()).woke += 1

    def begins(self, course: Course, at_ns: int) -> None:
        """A task is woken."""
        self._rounds[course.number] = Round(at_ns, len(course.actions))

    def ends(self, course: Course, awake: dict[int, bool]) -> None:
        """A task is about to sleep. `awake`: of the tasks that it wakes at times, who is."""
        task = course.number
        round_ = self._rounds[task]
        if round_.merged:
            self._batches.append(_Batch(course, round_.begin, len(course.actions), round_.merged))
        for other, is_awake in awake.items():
            pair = self._pairs[task][other]
            theirs = self._rounds[other]
            if not is_awake:
                pair.let_sleep += 1
                if pair.is_none:
                    del self._pairs[task][other]
            elif theirs.begin_ns <= round_.begin_ns:
                action = Action("")
                course.actions.append(action)
                theirs.merged.append((pair, action, theirs.computed_ns))

    def drop(self, waker: int, woken: int) -> None:
        """A task that another one has woken has ended."""
        del self._pairs[waker][woken]

    def others(self, task: int) -> list[int]:
        """Returns whom a task may have woken in this round without a trace."""
        woken = self._rounds[task].woken
        return [other for other in self._pairs.get(task, ()) if other not in woken]

    def insert(self) -> int:
        """Gives the wake-ups to the courses; returns how many there are."""
        number = 0
        for batch in reversed(self._batches):
            wanted = [each for each in batch.merged if each[0].is_rule]
            if wanted:
                _divide(batch, [computed_ns for _, _, computed_ns in wanted])
            for _, action, _ in wanted:
                action.kind, action.value = "w", batch.course.number
            number += len(wanted)
        return number


def _divide(batch: _Batch, at_least: list[int]) -> None:
    """Divides what a consumer computed in a round among its wake-ups.

    Each comes after what had been computed when the producer's round ended: the order of the record
    stays possible.
    """
    actions = batch.course.actions
    part = actions[batch.begin : batch.end]
    whole = sum(int(action.value) for action in part if action.kind == "c")
    places = [
        max(least, whole * (number + 1) // (len(at_least) + 1))
        for number, least in enumerate(sorted(at_least))
    ]
    found: list[Action] = []
    done = 0
    for action in part:
        if action.kind != "c":
            found.append(action)
            continue
        end = done + int(action.value)
        while places and places[0] < end:
            at = places.pop(0)
            if at > done:
                found.append(Action("c", at - done))
            found.append(Action("t"))
            done = max(done, at)
        if end > done:
            found.append(Action("c", end - done))
        done = end
    found += [Action("t") for _ in places]
    actions[batch.begin : batch.end] = found
