# SPDX-License-Identifier: Apache-2.0
"""Template variables for `when` blocks: conditions, and the numbers that the loader writes."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.actions import NUMBERS
from gthulhuc.codegen import tunables
from gthulhuc.codegen.matching import class_id

_LONGEST_TEXT = 127
_RESOURCES = {"": 0, "cpu": 0, "memory": 1, "io": 2}
_PROFILES = {"saver": 0, "balanced": 1, "performance": 2}


def build(scheduler: ir.Ir) -> dict[str, Any]:
    """Returns the template variables; a change of 0 blocks holds always."""
    states = [state for when in scheduler.whens for state in when.condition]
    firsts = [0]
    for when in scheduler.whens:
        firsts.append(firsts[-1] + len(when.condition))
    numbers = tunables.numbers(scheduler)
    ids = {cls.id: class_id(cls) for cls in scheduler.classes}
    rows = [(c, row) for c in scheduler.changes for row in _members(scheduler, c)]
    return {
        "whens": [
            {
                "line": when.line,
                "first": first,
                "nr_states": len(when.condition),
                "text": when.text[:_LONGEST_TEXT],
            }
            for when, first in zip(scheduler.whens, firsts, strict=False)
        ],
        "states": [_state(state) for state in states],
        "changes": [
            {
                "when": 0 if change.when is None else change.when + 1,
                "class": ids[change.cls],
                "member": member,
                **_value(value, numbers),
            }
            for change, (member, value) in rows
        ],
    }


def summary(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the conditions for people, as the metadata has them."""
    return [{"condition": when.text, "line": when.line} for when in scheduler.whens]


def _state(state: ir.State) -> dict[str, Any]:
    return {
        "asks": f"GTHULHU_{state.asks.upper().replace('-', '_')}",
        "of": _RESOURCES.get(state.of, 0),
        "low": _PROFILES.get(state.of, state.low),
        "high": state.high,
        "over_ns": state.over_ns,
    }


def _members(scheduler: ir.Ir, change: ir.Change) -> list[tuple[str, ir.Value | str]]:
    """The members of struct class_params of a number, as far as the scheduler has them."""
    features, value = scheduler.features, change.value
    match change.number:
        case "level":
            return [("level", f"LEVEL_{str(value).upper()}")] if features.preemption else []
        case "preempts" if not features.preemption:
            return []
        case "after_ns" if not features.preempt_after:
            return []
        case "budget_ns" | "period_ns" if not features.preempt_budget:
            return []
        case "budget_ns":
            if value is None:
                return [("budget", "NO_BUDGET")]
            return [("budget", f"BUDGET_{change.cls.upper()}"), ("budget_ns", value)]
    assert value is not None
    return [(tunables.member(change.number) if change.number in NUMBERS else change.number, value)]


def _value(value: ir.Value | str, numbers: dict[str, int]) -> dict[str, Any]:
    if isinstance(value, ir.TunableValue):
        return {"tunable": numbers[value.tunable] + 1, "value": 0}
    is_negative = isinstance(value, int) and value < 0
    return {"tunable": 0, "value": f"(u64){value}LL" if is_negative else value}
