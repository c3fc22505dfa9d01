# SPDX-License-Identifier: Apache-2.0
"""Checks that the conditions of `when` blocks can hold, and that they do not contradict each other.

Where two blocks hold, the later one wins. That is what the author meant if the later condition is
the narrower one; otherwise a warning names both. Conditions are tried on every state of the machine
that they tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from math import prod

from gthulhuc import checked
from gthulhuc.conditions import Aspect, Condition, State
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.conditions import PROFILES
from gthulhuc.source import Span

_MOST_STATES = 20_000

_Question = tuple[Aspect, str, int]
_Machine = Mapping[_Question, int]


def check(draft: Draft, report: Collector) -> Draft:
    """Checks each condition, and each pair of blocks; returns the draft as it was."""
    sound = [when for when in draft.whens if _can_vary(when, report)]
    for one, other in combinations(sound, 2):
        shared = list(_contradictions(one, other))
        if shared and _collide(one.condition, other.condition):
            _warn(one, shared, report)
    return draft


def _can_vary(when: checked.When, report: Collector) -> bool:
    """Whether a condition holds at some times and not at others; reports it otherwise."""
    found = {_holds(when.condition, machine) for machine in _machines(when.condition)}
    if len(found) != 1:
        return True
    span = _first(when.condition).span.to(_last(when.condition).span)
    if True in found:
        report.error(codes.ALWAYS_TRUE, "this condition always holds", span)
    else:
        report.error(codes.NEVER_TRUE, "this condition can never hold", span)
    return False


def _collide(earlier: Condition, later: Condition) -> bool:
    """Whether both can hold, and the later one is not the narrower one."""
    both = only_earlier = only_later = False
    for machine in _machines(earlier, later):
        left, right = _holds(earlier, machine), _holds(later, machine)
        both |= left and right
        only_earlier |= left and not right
        only_later |= right and not left
    return both and (only_later or not only_earlier)


def _contradictions(
    one: checked.When, other: checked.When
) -> Iterator[tuple[str, str, Span, Span]]:
    """The rules, and the actions of each, to which two blocks give different values."""
    for left in one.changes:
        for right in other.changes:
            if left.rule != right.rule:
                continue
            for word, span in right.written:
                before = dict(left.written).get(word)
                if before is not None and _value(left, word) != _value(right, word):
                    yield left.rule, word, before, span


def _value(change: checked.Change, word: str) -> object:
    members = {"slice": "slice_ns", "max-wait": "max_wait_ns"}
    if word in change.numbers:
        return change.numbers[word]
    value = getattr(change, members.get(word, word))
    if isinstance(value, checked.Preempt):
        return value.after_ns, value.budget_ns, value.period_ns
    return value


def _warn(one: checked.When, shared: list[tuple[str, str, Span, Span]], report: Collector) -> None:
    rule, word, before, span = shared[0]
    more = len(shared) - 1
    report.warning(
        codes.OVERLAP,
        f"two `when` blocks that can hold together set `{word}` of rule `{rule}`"
        + f", and {more} more action{'s' * (more > 1)}" * (more > 0),
        span,
        "applies while both hold, because it comes later",
        secondary=[Label(before, f"`when {one.text}` sets it here")],
        hint="write conditions that exclude each other, or put the narrower block last",
    )


# ---- states of the machine ----------------------------------------------------------------------


def _machines(*conditions: Condition) -> Iterator[_Machine]:
    """The states of the machine that these conditions tell apart; none if they are too many."""
    asked: dict[_Question, set[int]] = {}
    for condition in conditions:
        for state in _states(condition):
            asked.setdefault(_question(state), set()).update(_VALUES[state.aspect](state))
    if prod(map(len, asked.values())) <= _MOST_STATES:
        for each in product(*asked.values()):
            yield dict(zip(asked, each, strict=True))


def _question(state: State) -> _Question:
    of = "" if state.aspect is Aspect.POWER else state.of
    return state.aspect, of, state.over_ns


# Values on both sides of each bound, or all that there are.
_VALUES: dict[Aspect, Callable[[State], tuple[int, ...]]] = {
    Aspect.POWER: lambda _: tuple(range(len(PROFILES))),
    Aspect.BATTERY: lambda state: (state.high - 1, state.high),
    Aspect.ON_BATTERY: lambda _: (0, 1),
    Aspect.PRESSURE: lambda state: (state.low, state.low + 1),
    Aspect.TIME: lambda state: (state.low, state.high),
}
_ASKS: dict[Aspect, Callable[[State, int], bool]] = {
    Aspect.POWER: lambda state, value: PROFILES[value] == state.of,
    Aspect.BATTERY: lambda state, value: value < state.high,
    Aspect.ON_BATTERY: lambda _, value: bool(value),
    Aspect.PRESSURE: lambda state, value: value > state.low,
    Aspect.TIME: lambda state, value: (
        state.low <= value < state.high
        if state.low < state.high
        else value >= state.low or value < state.high
    ),
}


def _holds(condition: Condition, machine: _Machine) -> bool:
    if isinstance(condition, State):
        return _ASKS[condition.aspect](condition, machine[_question(condition)])
    found = [_holds(operand, machine) for operand in condition.operands]
    if condition.word == "not":
        return not found[0]
    return all(found) if condition.word == "and" else any(found)


def _states(condition: Condition) -> Iterator[State]:
    if isinstance(condition, State):
        yield condition
        return
    for operand in condition.operands:
        yield from _states(operand)


def _first(condition: Condition) -> State:
    return next(_states(condition))


def _last(condition: Condition) -> State:
    return list(_states(condition))[-1]
