# SPDX-License-Identifier: Apache-2.0
"""The rule of each task at each time, from the loader's responses during the recording."""

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
    """A policy, and the time of the first response that names it."""

    at_ns: int
    name: str
    generation: int


class _Span(NamedTuple):
    """A task had the same owner in all responses from `first` to `last`."""

    first: int
    last: int
    owner: Owner


class Rules:
    """The loader's responses, and the rules that follow for the times between them.

    A rename may change a task's rule, and a new task may reuse a number; the trace has the times of
    both. A response is valid between two such events if request and response lie between them. Any
    other change dates from the first response that shows it.
    """

    def __init__(self) -> None:
        self.policies: list[Policy] = []
        self._asked: list[int] = []
        self._answered: list[int] = []
        self._spans: dict[int, list[_Span]] = {}
        self._turns: dict[int, list[int]] = {}

    def learn(self, asked_ns: int, answered_ns: int, answer: Answer) -> None:
        """Adds a response to `tasks`. Responses come in order of time."""
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
        """Adds the events of a CPU: the times at which tasks started and were renamed."""
        for event in events:
            if event.name == "task_newtask":
                self._turns.setdefault(_number(event.fields), []).append(event.at_ns)
            elif event.name == "task_rename":
                # Older kernels do not name the task: there it renames itself.
                task = _number(event.fields) if "pid" in event.fields else event.task
                self._turns.setdefault(task, []).append(event.at_ns)
        for turns in self._turns.values():
            turns.sort()  # events come CPU by CPU

    def owner_at(self, task: int, at_ns: int) -> Owner | None:
        """The owner of a task's class at a time; None: no response covers that time."""
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
