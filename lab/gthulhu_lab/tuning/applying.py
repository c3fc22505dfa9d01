# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Applies the values of knobs to a checked policy, as numbers or as tunables of a scheduler.

Candidates that differ in numbers alone have one scheduler: its tunables are these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from gthulhu_lab.tuning.knobs import NONE, ON, Candidate, Choice, Knob, Space, level_of
from gthulhuc import checked
from gthulhuc.actions import LEVELS
from gthulhuc.checked import Actions, Migrate, Preempt
from gthulhuc.reference import DEFAULT
from gthulhuc.source import Source, Span
from gthulhuc.tunables import Tunable, Value

Shape: TypeAlias = tuple[str, ...]
"""The structure of a candidate: what each knob's value needs of it."""
_NOWHERE = Source("", "")
_Settings: TypeAlias = dict[str, Value | str | None]


def shape(space: Space, candidate: Candidate) -> Shape:
    """Returns the structure that a candidate needs."""
    return tuple(knob.shape(index) for knob, index in zip(space.knobs, candidate, strict=True))


def applied(policy: checked.Policy, space: Space, candidate: Candidate) -> checked.Policy:
    """Returns the policy with the values of a candidate."""
    numbers = numbers_of(space, candidate)
    tunables = tuple(
        replace(each, default=numbers.get(each.name, each.default)) for each in policy.tunables
    )
    return _changed(replace(policy, tunables=tunables), space, candidate, numbers)


def parametrised(policy: checked.Policy, space: Space, candidate: Candidate) -> checked.Policy:
    """Returns the policy with the structure of a candidate, and a tunable for each number."""
    extra = [
        _tunable(name, knob, number, policy.source)
        for knob in space.knobs
        if knob.cls
        for number, name in enumerate(_members(knob))
    ]
    whole = replace(policy, tunables=(*policy.tunables, *extra))
    return _changed(whole, space, candidate, {each.name: each for each in extra})


def numbers_of(space: Space, candidate: Candidate) -> dict[str, int]:
    """Returns the numbers of a candidate, by the names of the tunables that stand for them."""
    found: dict[str, int] = {}
    for knob, index in zip(space.knobs, candidate, strict=True):
        value = knob.values[index]
        if not isinstance(value, str):
            found |= dict(zip(_members(knob), _parts(value), strict=True))
    return found


def _parts(value: Choice) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return value
    assert isinstance(value, int)
    return (value,)


def _members(knob: Knob) -> tuple[str, ...]:
    """The names of a knob's numbers; words have none."""
    if not knob.cls:
        return (knob.name,)
    if all(isinstance(value, str) for value in knob.values):
        return ()
    if knob.word == "slice":
        return f"{knob.cls}.slice_min_ns", f"{knob.cls}.slice_max_ns"
    return (knob.name,)


def _tunable(name: str, knob: Knob, number: int, span: Span) -> Tunable:
    parts = [_parts(value)[number] for value in knob.values if not isinstance(value, str)]
    return Tunable(name, min(parts), min(parts), max(parts), knob.unit, span)


def _changed(
    policy: checked.Policy, space: Space, candidate: Candidate, numbers: Mapping[str, Value]
) -> checked.Policy:
    """The policy with new actions; `numbers`: by the names of `_members`."""
    chosen: dict[str, _Settings] = {}
    for knob, index in zip(space.knobs, candidate, strict=True):
        if knob.cls:
            chosen.setdefault(knob.cls, {}).update(_settings(knob, index, numbers))
    rules = tuple(
        replace(rule, actions=_acting(rule.actions, chosen[rule.name]))
        if rule.name in chosen
        else rule
        for rule in policy.rules
    )
    default = policy.default
    if DEFAULT in chosen:
        default = _acting(default, chosen[DEFAULT])
    return replace(policy, rules=rules, default=default)


def _settings(
    knob: Knob, index: int, numbers: Mapping[str, Value]
) -> Iterator[tuple[str, Value | str | None]]:
    value = knob.values[index]
    if isinstance(value, str):
        yield knob.word, None if value == NONE else value
    elif knob.word == "slice":
        for member, name in zip(("slice_min_ns", "slice_max_ns"), _members(knob), strict=True):
            yield member, numbers[name]
    else:
        yield knob.word, numbers[knob.name]
    if knob.word == "budget":
        yield "period", None if value == NONE else knob.period_ns


def _acting(own: Actions, chosen: _Settings) -> Actions:
    """Actions with other values. Unstated weights and longest waits follow the level."""
    stated = {word for word, _ in own.written} | set(chosen)
    level = level_of(_word(chosen.get("priority"), own.priority.name.lower()))
    row = LEVELS[level]
    return replace(
        own,
        priority=level,
        weight=_value(chosen, "weight", own.weight if "weight" in stated else row.weight),
        slice_min_ns=_value(chosen, "slice_min_ns", own.slice_min_ns),
        slice_max_ns=_value(chosen, "slice_max_ns", own.slice_max_ns),
        max_wait_ns=_value(
            chosen, "max-wait", own.max_wait_ns if "max-wait" in stated else row.max_wait_ns
        ),
        migrate=Migrate(_word(chosen.get("migrate"), own.migrate.value)),
        preempt=_preempt(own.preempt, chosen),
    )


def _preempt(own: Preempt | None, chosen: _Settings) -> Preempt | None:
    if "preempt" not in chosen:
        return own
    if chosen["preempt"] != ON:
        return None
    budget = chosen["budget"]
    period = None if budget is None else chosen["period"]
    assert not isinstance(budget, str)
    assert not isinstance(period, str)
    span = own.span if own is not None else Span(_NOWHERE, 0, 0)
    return Preempt(_value(chosen, "after", 0), budget, period, span)


def _value(chosen: _Settings, word: str, otherwise: Value) -> Value:
    found = chosen.get(word, otherwise)
    assert isinstance(found, int | Tunable)
    return found


def _word(chosen: Value | str | None, otherwise: str) -> str:
    return chosen if isinstance(chosen, str) else otherwise
