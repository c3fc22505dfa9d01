# SPDX-License-Identifier: Apache-2.0
"""Which rule a task had when: the loader is asked while the trace is recorded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from gthulhu import counters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gthulhu.control import Answer
    from gthulhu.counters import Owner
    from gthulhu.tracing.ring import Event


class Policy(NamedTuple):
    """A policy, and since when the loader has said that it is in force."""

    at_ns: int
    name: str
    generation: int


class _Span(NamedTuple):
    """A task had the class in all answers from one to another."""

    first: int
    last: int
    owner: Owner


class Rules:
    """The loader's answers, and what follows from them for the times between.

    A task may get another rule when it takes a new name, and a number is given again: the trace
    says when. An answer is good for the time between two such turns in which it was asked for and
    given; other changes date from the first answer that has them.
    """

    def __init__(self) -> None:
        self.policies: list[Policy] = []
        self._asked: list[int] = []
        self._answered: list[int] = []
        self._spans: dict[int, list[_Span]] = {}
        self._turns: dict[int, list[int]] = {}

    def learn(self, asked_ns: int, answered_ns: int, answer: Answer) -> None:
        """Takes an answer to `tasks`, of which the times only grow."""
        number = len(self._asked)
        self._asked.append(asked_ns)
        self._answered.append(answered_ns)
        policy = Policy(answered_ns, answer["policy"], answer["generation"])
        if not self.policies or self.policies[-1][1:] != policy[1:]:
            self.policies.append(policy)
        owners = [counters.owner(each["owner"]) for each in answer["classes"]]
        for each in answer["tasks"]:
            owner, spans = owners[each["class"]], self._spans.setdefault(each["tid"], [])
            if spans and spans[-1].last == number - 1 and spans[-1].owner == owner:
                spans[-1] = spans[-1]._replace(last=number)
            else:
                spans.append(_Span(number, number, owner))

    def turn(self, events: Iterable[Event]) -> None:
        """Takes the whole trace, to know when tasks were born and renamed."""
        for event in events:
            if event.name == "task_newtask":
                self._turns.setdefault(_number(event.fields), []).append(event.at_ns)
            elif event.name == "task_rename":
                # Where the event does not say which one, the task is one that renames itself.
                task = _number(event.fields) if "pid" in event.fields else event.task
                self._turns.setdefault(task, []).append(event.at_ns)
        for turns in self._turns.values():
            turns.sort()  # they come CPU by CPU

    def owner_at(self, task: int, at_ns: int) -> Owner | None:
        """Whose the task was; None: it has not been there long enough to be asked for."""
        first, last = 0, len(self._asked) - 1
        if turns := self._turns.get(task):
            place = bisect_right(turns, at_ns)
            if place:
                first = bisect_left(self._asked, turns[place - 1])
            if place < len(turns):
                last = bisect_left(self._answered, turns[place]) - 1
        if first > last:
            return None
        now = min(max(bisect_right(self._answered, at_ns) - 1, first), last)
        spans = self._spans.get(task, [])
        place = bisect_right(spans, now, key=lambda span: span.first)
        for span in (*spans[max(place - 1, 0) : place], *spans[place : place + 1]):
            if span.last >= first and span.first <= last:
                return span.owner
        return None


def _number(fields: Mapping[str, int | str]) -> int:
    return int(fields["pid"])
