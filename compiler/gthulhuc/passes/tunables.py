# SPDX-License-Identifier: Apache-2.0
"""Reads tunables: a default within a range, all three in one unit.

Afterwards `tunables` has the sound ones; the others count as lost names.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import write
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.values import (
    DURATION,
    Quantity,
    Values,
    exact_value,
    quantity_of,
    show,
)
from gthulhuc.syntax import ast
from gthulhuc.tunables import Tunable


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with all sound tunables in `tunables`."""
    found: dict[str, Tunable] = {}
    lost = set(draft.lost_names)
    for name, item in draft.names.items():
        if not isinstance(item, ast.Tunable):
            continue
        tunable = _tunable(item, draft, report)
        if tunable is None:
            lost.add(name)
        else:
            found[name] = tunable
    return replace(draft, tunables=found, lost_names=frozenset(lost))


def _tunable(item: ast.Tunable, draft: Draft, report: Collector) -> Tunable | None:
    name = item.name.text
    parts = (item.value, item.low, item.high)
    numbers = [part for part in parts if isinstance(part, ast.Number)]
    quantity = quantity_of(numbers[0]) if numbers else DURATION
    values = [_part(part, name, quantity, draft, report) for part in parts]
    default, low, high = values
    if default is None or low is None or high is None:
        return None
    span = item.low.span.to(item.high.span)
    if low > high:
        hint = write(f"{item.high.text}..{item.low.text}")
        report.error(codes.REVERSED_RANGE, "the range runs backwards", span, hint=hint)
        return None
    if not low <= default <= high:
        message = f"the default of `{name}` must be within its range"
        label = f"not within {show(low, quantity)}..{show(high, quantity)}"
        report.error(codes.OUT_OF_RANGE, message, item.value.span, label)
        return None
    return Tunable(name, default, low, high, quantity.unit, item.span)


def _part(
    part: ast.Scalar, name: str, quantity: Quantity, draft: Draft, report: Collector
) -> int | None:
    if isinstance(part, ast.Word):
        Values(draft, report).fixed(part, f"`{name}`", quantity, 0, 0)
        return None
    return exact_value(part, f"`{name}`", quantity, report)
