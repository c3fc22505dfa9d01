# SPDX-License-Identifier: Apache-2.0
"""Checks sets that use each other: no cycles, and no predicate too large once they are expanded.

Afterwards each set in `names` comes after those that it uses, so that resolving them in order does
not recurse deeply. No predicate, with all sets expanded, exceeds the limits.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast

MAX_DEPTH = 100
# Comparisons with all sets expanded. Sets of sets can double with each step.
MAX_SIZE = 10_000


@dataclass(frozen=True, slots=True)
class _Extent:
    depth: int
    size: int


_LEAF = _Extent(0, 1)


def check(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with its sets in order; refused ones become lost names."""
    sets = {
        name: item.value
        for name, item in draft.names.items()
        if isinstance(item, ast.SetItem) and not isinstance(item.value, ast.ListLiteral)
    }
    uses = {name: {word.text for word in _references(node)} for name, node in sets.items()}
    bad = _report_cycles(uses, draft, report)
    extents: dict[str, _Extent] = {}
    order = []
    for name in graphlib.TopologicalSorter(uses).static_order():
        if name not in sets or name in bad:
            continue
        order.append(name)
        extents[name] = _extent(sets[name], extents)
        if _is_too_large(extents[name], draft.names[name].name.span, report):
            bad.add(name)
            extents[name] = _LEAF
    for rule in draft.rules:
        for item in rule.block.statements:
            if isinstance(item, ast.Match):
                _is_too_large(_extent(item.predicate, extents), item.span, report)
    others = [name for name in draft.names if name not in sets]
    names = {name: draft.names[name] for name in [*others, *order] if name not in bad}
    return replace(draft, names=names, lost_names=draft.lost_names | bad)


def _report_cycles(uses: dict[str, set[str]], draft: Draft, report: Collector) -> set[str]:
    """Reports each cycle and removes its sets from `uses`; returns their names."""
    bad: set[str] = set()
    while True:
        try:
            graphlib.TopologicalSorter(uses).prepare()
        except graphlib.CycleError as error:
            # The sorter lists a node before the one that uses it, and the first once more.
            cycle = list(reversed(error.args[1]))[:-1]
            first = cycle.index(min(cycle, key=lambda name: draft.names[name].span.start))
            _report_cycle([*cycle[first:], *cycle[:first]], draft, report)
            bad.update(cycle)
            for name in cycle:
                del uses[name]
            continue
        return bad


def _report_cycle(cycle: list[str], draft: Draft, report: Collector) -> None:
    name = draft.names[cycle[0]].name
    labels = [Label(draft.names[other].name.span, "through this one") for other in cycle[1:]]
    chain = " -> ".join(f"`{step}`" for step in [*cycle, cycle[0]])
    report.error(
        codes.SET_CYCLE,
        f"set `{name.text}` refers to itself",
        name.span,
        secondary=labels,
        note=chain if labels else (),
    )


def _is_too_large(extent: _Extent, span: Span, report: Collector) -> bool:
    if extent.depth > MAX_DEPTH:
        message = f"with all sets expanded, this is nested deeper than {MAX_DEPTH}"
    elif extent.size > MAX_SIZE:
        message = f"with all sets expanded, this has more than {MAX_SIZE} comparisons"
    else:
        return False
    report.error(
        codes.TOO_DEEP, message, span, hint="write a list of names as one comparison: `in [..]`"
    )
    return True


def _extent(node: ast.Predicate, extents: Mapping[str, _Extent]) -> _Extent:
    match node:
        case ast.Not():
            inner = _extent(node.operand, extents)
            return _Extent(inner.depth + 1, inner.size)
        case ast.And() | ast.Or():
            parts = [_extent(operand, extents) for operand in node.operands]
            deepest = max(part.depth for part in parts)
            return _Extent(deepest + 1, sum(part.size for part in parts))
        case ast.Comparison():
            return extents.get(node.field.text, _LEAF)
        case ast.Broken():
            return _LEAF


def _references(node: ast.Predicate) -> Iterator[ast.Word]:
    match node:
        case ast.Not():
            yield from _references(node.operand)
        case ast.And() | ast.Or():
            for operand in node.operands:
                yield from _references(operand)
        case ast.Comparison() if node.operator is None:
            yield node.field
