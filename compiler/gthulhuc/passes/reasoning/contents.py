# SPDX-License-Identifier: Apache-2.0
"""Searches predicates for comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gthulhuc import checked
from gthulhuc.fields import Field


def asks_for_kthreads(predicate: checked.Predicate) -> bool:
    """Whether a rule with this predicate can take kernel threads: it contains `kthread`."""
    return contains(predicate, _is_kthread)


def contains(predicate: checked.Predicate, is_wanted: Callable[[checked.Predicate], bool]) -> bool:
    """Whether any comparison of the predicate satisfies a condition."""
    match predicate:
        case checked.Not():
            return contains(predicate.operand, is_wanted)
        case checked.And() | checked.Or():
            return any(contains(operand, is_wanted) for operand in predicate.operands)
        case _:
            return is_wanted(predicate)


def leaves(predicate: checked.Predicate) -> Iterator[checked.Predicate]:
    """Yields the comparisons of a predicate."""
    todo = [predicate]
    while todo:
        match todo.pop():
            case checked.And(operands=parts) | checked.Or(operands=parts):
                todo.extend(parts)
            case checked.Not(operand=part):
                todo.append(part)
            case leaf:
                yield leaf


def field_of(leaf: checked.Predicate) -> Field:
    """Returns the field that a comparison is about."""
    match leaf:
        case checked.Calls():
            return Field.CALLS
        case checked.Not() | checked.And() | checked.Or():
            raise AssertionError("not a comparison")
    return leaf.subject.field


def _is_kthread(predicate: checked.Predicate) -> bool:
    return isinstance(predicate, checked.Has) and predicate.subject.field is Field.KTHREAD
