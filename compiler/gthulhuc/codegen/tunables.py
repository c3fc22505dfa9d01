# SPDX-License-Identifier: Apache-2.0
"""Template variables for tunables: each with the places that its value is written to.

The scheduler reads only the places, so a tunable costs no more at run time than a constant.
"""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.codegen.matching import class_id

_UNITS = {"": "GTHULHU_NUMBER", "ns": "GTHULHU_NS", "%": "GTHULHU_PERMILLE"}


def build(scheduler: ir.Ir) -> dict[str, Any]:
    """Returns the template variables, without tunables that only `expect` blocks use."""
    # The loader writes these itself, by its conditions.
    varied = {(change.cls, member(change.number)) for change in scheduler.changes}
    places = [
        {"tunable": value.tunable, "class": class_id(cls), "member": name}
        for cls in scheduler.classes
        if not cls.monitor
        for name, value in _values(cls)
        if isinstance(value, ir.TunableValue) and (cls.id, name) not in varied
    ]
    known = numbers(scheduler)
    return {
        "tunables": [each | {"c_unit": _UNITS[each["unit"]]} for each in metadata(scheduler)],
        "places": [{**place, "tunable": known[str(place["tunable"])]} for place in places],
    }


def metadata(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the tunables as the object's metadata has them."""
    known = numbers(scheduler)
    return [_tunable(tunable) for tunable in scheduler.tunables if tunable.name in known]


def numbers(scheduler: ir.Ir) -> dict[str, int]:
    """Returns the numbers of the tunables that the scheduler or the loader reads, by name."""
    if not scheduler.tunables:
        return {}
    values = [
        *(value for cls in scheduler.classes if not cls.monitor for _, value in _values(cls)),
        *(claim.bound for promise in scheduler.promises for claim in promise.claims),
        *(change.value for change in scheduler.changes),
    ]
    used = {value.tunable for value in values if isinstance(value, ir.TunableValue)}
    known = [tunable.name for tunable in scheduler.tunables if tunable.name in used]
    return {name: number for number, name in enumerate(known)}


def _values(cls: ir.TaskClass) -> list[tuple[str, ir.Value]]:
    """The members of struct class_params that may be tunable."""
    return [
        ("slice_min_ns", cls.slice_min_ns),
        ("slice_max_ns", cls.slice_max_ns),
        ("weight", cls.weight),
        ("max_wait_ns", cls.max_wait_ns),
        *((member(name), value) for name, value in cls.numbers.items()),
        *_preempt_values(cls),
    ]


def member(action: str) -> str:
    """The member of struct class_params that has the value of an action."""
    return action.replace("-", "_")


def _preempt_values(cls: ir.TaskClass) -> list[tuple[str, ir.Value]]:
    if cls.preempt is None or not cls.preempts:
        return []
    values = [("after_ns", cls.preempt.after_ns)]
    if cls.preempt.budget_ns is not None and cls.preempt.period_ns is not None:
        values += [("budget_ns", cls.preempt.budget_ns), ("period_ns", cls.preempt.period_ns)]
    return values


def _tunable(tunable: ir.Tunable) -> dict[str, Any]:
    return {
        "name": tunable.name[:63],
        "line": tunable.line,
        "initial": tunable.default,
        "low": tunable.low,
        "high": tunable.high,
        "unit": tunable.unit,
    }
