# SPDX-License-Identifier: Apache-2.0
"""The conditions of `when` blocks, and the numbers of classes that they change.

The changes are in the order in which they count: what always holds, what follows from a level that
a block states, and what a block states itself. So the last one that holds is the right one,
whichever blocks hold together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from gthulhuc import checked, ir
from gthulhuc.actions import LEVELS, NUMBERS
from gthulhuc.conditions import Condition, State
from gthulhuc.plan.classes import level_word, value
from gthulhuc.variants import of_rule

_Numbers: TypeAlias = dict[str, ir.Value | str | None]


def whens(policy: checked.Policy) -> tuple[ir.When, ...]:
    """Returns the conditions of a policy, in the order of its blocks."""
    return tuple(
        ir.When(tuple(_steps(when.condition)), when.text, when.span.line) for when in policy.whens
    )


def _steps(condition: Condition) -> Iterator[ir.State]:
    """A condition in postfix order; a word joins two."""
    if isinstance(condition, State):
        yield ir.State(
            condition.aspect.value,
            condition.of,
            condition.low,
            condition.high,
            condition.over_ns,
        )
        return
    for number, operand in enumerate(condition.operands):
        yield from _steps(operand)
        if number or condition.word == "not":
            yield ir.State(condition.word, "", 0, 0, 0)


def changes(policy: checked.Policy, classes: Sequence[ir.TaskClass]) -> Iterator[ir.Change]:
    """Yields the numbers that change, those of one class in the order in which they count."""
    index = {id(when): number for number, when in enumerate(policy.whens)}
    for rule, cls in zip(policy.rules, classes, strict=False):
        found = [(index[id(when)], change) for when, change in of_rule(rule.name, policy.whens)]
        if not found:
            continue
        own = {word for word, _ in rule.actions.written}
        varied: list[ir.Change] = []
        for number, change in found:
            varied += _changes(number, cls, _following(change, own))
        for number, change in found:
            varied += _changes(number, cls, _stated(change))
        base = _base(rule.actions)
        numbers = dict.fromkeys(change.number for change in varied)
        yield from _changes(None, cls, {name: base[name] for name in numbers})
        yield from varied


def _changes(when: int | None, cls: ir.TaskClass, numbers: _Numbers) -> list[ir.Change]:
    return [ir.Change(when, cls.id, name, number) for name, number in numbers.items()]


def _following(change: checked.Change, own: set[str]) -> _Numbers:
    """The numbers that follow a level, unless the rule states them."""
    if change.priority is None:
        return {}
    row = LEVELS[change.priority]
    numbers: _Numbers = {} if "weight" in own else {"weight": row.weight}
    return numbers if "max-wait" in own else numbers | {"max_wait_ns": row.max_wait_ns}


def _stated(change: checked.Change) -> _Numbers:
    numbers: _Numbers = {}
    if change.priority is not None:
        numbers |= _of_level(change.priority)
    if change.weight is not None:
        numbers["weight"] = value(change.weight)
    if change.slice_ns is not None:
        numbers["slice_min_ns"], numbers["slice_max_ns"] = map(value, change.slice_ns)
    if change.max_wait_ns is not None:
        numbers["max_wait_ns"] = value(change.max_wait_ns)
    if change.preempt is not None:
        numbers |= _of_preempt(None if isinstance(change.preempt, bool) else change.preempt)
    return numbers | {name: value(number) for name, number in change.numbers.items()}


def _base(actions: checked.Actions) -> _Numbers:
    """All numbers of a rule while no condition holds."""
    return {
        **_of_level(actions.priority),
        "weight": value(actions.weight),
        "slice_min_ns": value(actions.slice_min_ns),
        "slice_max_ns": value(actions.slice_max_ns),
        "max_wait_ns": value(actions.max_wait_ns),
        # Else it is 0, as in the scheduler's table.
        "after_ns": 0,
        "budget_ns": None,
        "period_ns": 0,
        **_of_preempt(actions.preempt),
        **dict.fromkeys(NUMBERS, 0),
        **{name: value(number) for name, number in actions.numbers.items()},
    }


def _of_level(level: checked.Level) -> _Numbers:
    return {"level": level_word(level), "lead_ns": LEVELS[level].lead_ns}


def _of_preempt(preempt: checked.Preempt | None) -> _Numbers:
    if preempt is None:
        return {"preempts": 0}
    numbers: _Numbers = {"preempts": 1, "after_ns": value(preempt.after_ns)}
    budget, period = preempt.budget_ns, preempt.period_ns
    numbers["budget_ns"] = None if budget is None else value(budget)
    return numbers if period is None else numbers | {"period_ns": value(period)}
