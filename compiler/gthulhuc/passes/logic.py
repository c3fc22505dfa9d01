# SPDX-License-Identifier: Apache-2.0
"""What can be known about a predicate without a task: sound, not complete.

`is_never` and `is_always` say yes only when it is certain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from gthulhuc import globs
from gthulhuc.checked import And, Equals, Field, Glob, Not, Or, Predicate, Under


def is_never(predicate: Predicate) -> bool:
    """Whether no task can fulfil the predicate."""
    match predicate:
        case Or():
            return all(is_never(operand) for operand in predicate.operands)
        case And():
            parts = list(_flat(predicate))
            if any(is_never(part) for part in parts):
                return True
            literals = [part for part in parts if not isinstance(part, And | Or)]
            if _contradict(literals):
                return True
            choices = [part for part in parts if isinstance(part, Or)]
            return any(
                all(_contradict([*literals, *_literals(branch)]) for branch in choice.operands)
                for choice in choices
            )
        case Not():
            return is_always(predicate.operand)
        case _:
            return False


def is_always(predicate: Predicate) -> bool:
    """Whether every task fulfils the predicate."""
    match predicate:
        case Glob():
            return any(globs.is_everything(pattern) for pattern in predicate.patterns)
        case Under():
            return predicate.path == b"/"
        case Equals():
            return False
        case _:
            return is_never(negated(predicate))


def negated(predicate: Predicate) -> Predicate:
    """The opposite, with `not` only before single comparisons."""
    match predicate:
        case Not():
            return pushed(predicate.operand)
        case And():
            return Or(tuple(negated(operand) for operand in predicate.operands), predicate.span)
        case Or():
            return And(tuple(negated(operand) for operand in predicate.operands), predicate.span)
        case _:
            return Not(predicate, predicate.span)


def pushed(predicate: Predicate) -> Predicate:
    """The same predicate with `not` only before single comparisons."""
    match predicate:
        case Not():
            return negated(predicate.operand)
        case And():
            return And(tuple(pushed(operand) for operand in predicate.operands), predicate.span)
        case Or():
            return Or(tuple(pushed(operand) for operand in predicate.operands), predicate.span)
        case _:
            return predicate


def canonical(predicate: Predicate) -> Hashable:
    """A key that is equal for predicates that differ only in order, repetition and place."""
    match predicate:
        case Equals():
            return ("==", predicate.field, frozenset(predicate.values))
        case Glob():
            return ("~", predicate.field, frozenset(predicate.patterns))
        case Under():
            return ("under", predicate.path)
        case Not():
            return ("not", canonical(predicate.operand))
        case And():
            return ("and", frozenset(canonical(operand) for operand in _flat(predicate)))
        case Or():
            return ("or", frozenset(canonical(operand) for operand in predicate.operands))


def is_under(path: bytes, parent: bytes) -> bool:
    """Whether a path is the parent or below it, by whole components."""
    return parent in (b"/", path) or path.startswith(parent + b"/")


def matches_glob(value: bytes, patterns: Iterable[bytes]) -> bool:
    """Whether one of the globs matches the value."""
    return any(globs.to_regex(pattern).fullmatch(value) for pattern in patterns)


def _flat(predicate: And) -> Iterable[Predicate]:
    for operand in predicate.operands:
        if isinstance(operand, And):
            yield from _flat(operand)
        else:
            yield operand


def _literals(predicate: Predicate) -> list[Predicate]:
    parts = list(_flat(predicate)) if isinstance(predicate, And) else [predicate]
    return [part for part in parts if not isinstance(part, And | Or)]


def _contradict(literals: Sequence[Predicate]) -> bool:
    """Whether comparisons and their negations cannot hold together."""
    positive = [item for item in literals if isinstance(item, Equals | Glob | Under)]
    negative = [item.operand for item in literals if isinstance(item, Not)]
    refused = {canonical(item) for item in negative}
    if any(canonical(item) in refused for item in positive):
        return True
    unders = [item.path for item in positive if isinstance(item, Under)]
    without = [item.path for item in negative if isinstance(item, Under)]
    for path in unders:
        if any(is_under(path, parent) for parent in without):
            return True
        if any(not is_under(path, other) and not is_under(other, path) for other in unders):
            return True
    return any(_no_value_left(field, positive, negative) for field in Field)


def _no_value_left(
    field: Field, positive: Sequence[Predicate], negative: Sequence[Predicate]
) -> bool:
    """Whether a field is said to be one of some values, and each of them is ruled out."""
    named = [
        frozenset(item.values)
        for item in positive
        if isinstance(item, Equals) and item.field is field
    ]
    if not named:
        return False
    left = frozenset.intersection(*named)
    return not any(
        all(_holds(item, field, value) is not False for item in positive)
        and all(_holds(item, field, value) is not True for item in negative)
        for value in left
    )


def _holds(item: Predicate, field: Field, value: bytes) -> bool | None:
    """Whether a comparison holds for a field's value; None when it is about another field."""
    match item:
        case Equals() if item.field is field:
            return value in item.values
        case Glob() if item.field is field:
            return matches_glob(value, item.patterns)
        case Under() if field is Field.CGROUP:
            return is_under(value, item.path)
        case _:
            return None
