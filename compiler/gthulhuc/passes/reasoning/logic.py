# SPDX-License-Identifier: Apache-2.0
"""Reasons about predicates without a task: sound, not complete.

A predicate becomes a union of boxes; a box gives for each subject (a field, a label's key) the set
that its value must lie in. Fields count as independent. While a field is not known yet, neither a
comparison with it nor the opposite holds. If a predicate is too large, or the emptiness of a set
too hard to decide, there is no conclusion.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import reduce
from typing import TypeAlias

from gthulhuc.checked import (
    And,
    Calls,
    Equals,
    Glob,
    Has,
    IdNamed,
    InRanges,
    Not,
    Or,
    Predicate,
    Regex,
    Subject,
    Under,
)
from gthulhuc.fields import ARGUMENT_MAX, COMM_MAX, LATE, QOS_CLASSES, Field, Kind
from gthulhuc.passes.reading.numbers import joined
from gthulhuc.passes.reasoning.languages import Strings, all_of
from gthulhuc.passes.reasoning.patterns import Pattern, glob_pattern, regex_pattern, under_pattern

Ranges: TypeAlias = tuple[tuple[int, int], ...]
Values: TypeAlias = Strings | Ranges
Box: TypeAlias = Mapping[Hashable, Values]
"""A subject that is not in the box may have any value."""

KTHREAD = Subject(Field.KTHREAD)
NO: Ranges = ((0, 0),)
YES: Ranges = ((1, 1),)
_BOTH: Ranges = ((0, 1),)
_AGES: Ranges = ((0, 2**63),)
_MOST_BOXES = 200
_LONGEST = {Kind.NAME: COMM_MAX, Kind.ARGUMENTS: ARGUMENT_MAX}
MANY = frozenset((Subject(Field.ANCESTOR), Subject(Field.CMDLINE)))
"""Subjects of which a task has several values; one of them is enough for a comparison."""
_ABSENT = frozenset(field for field in Field if field.row.is_optional)
"""Fields that may have no value; then no comparison holds, and each opposite does."""


# ---- questions ------------------------------------------------------------------------------


def is_never(predicate: Predicate) -> bool:
    """Whether no task can satisfy the predicate; True only when that is certain."""
    return boxes(predicate) == []


def covers(parts: Iterable[Box], box: Box) -> bool:
    """Whether the parts together cover a box; True only when that is certain."""
    rest = [box]
    for part in parts:
        left = less(rest, part)
        if left is None:
            return False
        if not left:
            return True
        rest = left
    return False


def less(rest: Iterable[Box], part: Box) -> list[Box] | None:
    """Returns boxes without the values of another one; None when they become too many."""
    left: list[Box] = []
    for box in rest:
        if not _overlap(box, part):
            left.append(box)
            continue
        inner = dict(box)
        for subject, values in part.items():
            had = inner.get(subject)
            for other in complement(subject, values):
                outside = other if had is None else intersection([had, other])
                if not is_empty(outside):
                    left.append({**inner, subject: outside})
            inner[subject] = values if had is None else intersection([had, values])
        if len(left) > _MOST_BOXES:
            return None
    return left


def _overlap(one: Box, other: Box) -> bool:
    return not any(
        subject in one and is_empty(intersection([one[subject], values]))
        for subject, values in other.items()
    )


# ---- predicates as boxes ------------------------------------------------------------------------


def boxes(predicate: Predicate, *, wanted: bool = True) -> list[Box] | None:
    """Returns the boxes of the tasks for which the predicate is `wanted`; None when too many."""
    match predicate:
        case Not():
            return boxes(predicate.operand, wanted=not wanted)
        case And() | Or():
            parts = [boxes(operand, wanted=wanted) for operand in predicate.operands]
            whole = [part for part in parts if part is not None]
            if len(whole) < len(parts):
                return None
            return _product(whole) if isinstance(predicate, And) is wanted else _union(whole)
        case _:
            return _leaf(predicate, wanted=wanted)


def _product(parts: list[list[Box]]) -> list[Box] | None:
    """The intersection of unions of boxes; None when there are too many."""
    single = [part[0] for part in parts if len(part) == 1]
    several = [part for part in parts if len(part) != 1]
    found = merged(single)
    result = [] if found is None else [found]
    for part in several:
        if len(result) * len(part) > _MOST_BOXES:
            return None
        pairs = (merged([one, other]) for one in result for other in part)
        result = [pair for pair in pairs if pair is not None]
    return result


def merged(parts: list[Box]) -> Box | None:
    """Returns the intersection of boxes; None when it is certainly empty."""
    by_subject: dict[Hashable, list[Values]] = {}
    for part in parts:
        for subject, values in part.items():
            by_subject.setdefault(subject, []).append(values)
    result = {subject: intersection(values) for subject, values in by_subject.items()}
    return None if any(is_empty(values) for values in result.values()) else result


def _union(parts: list[list[Box]]) -> list[Box] | None:
    """The union of boxes; those that list values of the same single subject become one."""
    lists: dict[Hashable, list[frozenset[bytes]]] = {}
    rest: list[Box] = []
    sample: dict[Hashable, Strings] = {}
    for box in (box for part in parts for box in part):
        subject, values = next(iter(box.items())) if len(box) == 1 else (None, None)
        is_list = isinstance(values, Strings) and values.values is not None
        if is_list and isinstance(values, Strings) and not values.absent and not values.unknown:
            lists.setdefault(subject, []).append(values.values or frozenset())
            sample[subject] = values
        else:
            rest.append(box)
    for subject, found in lists.items():
        merged = Strings(frozenset().union(*found), longest=sample[subject].longest)
        rest.append({subject: merged})
    return rest if len(rest) <= _MOST_BOXES else None


def _leaf(predicate: Predicate, *, wanted: bool) -> list[Box]:
    """The boxes of a comparison, or of its opposite."""
    if isinstance(predicate, Equals | Glob | Regex) and predicate.subject in MANY:
        return _one_of_many(predicate, wanted=wanted)
    subject, values = _meaning(predicate)
    if wanted:
        return [] if is_empty(values) else [{subject: values}]
    known = [
        item.is_known() if isinstance(item, Strings) else item
        for item in complement(subject, values)
    ]
    return [{subject: item} for item in known if not is_empty(item)]


def _one_of_many(predicate: Equals | Glob | Regex, *, wanted: bool) -> list[Box]:
    """Boxes of a field of which a task has many: each name or pattern is a subject of its own."""
    name = predicate.subject.field.value
    if isinstance(predicate, Equals):
        keys: list[Hashable] = [(name, value) for value in predicate.values]
    elif isinstance(predicate, Glob):
        keys = [(f"{name} ~", pattern) for pattern in predicate.patterns]
    else:
        keys = [(f"{name} =~", predicate.pattern)]
    if wanted and len(keys) <= _MOST_BOXES:
        return [{key: YES} for key in keys]
    if wanted:
        return [{(f"{name}s", frozenset(keys)): YES}]
    if len(keys) > _MOST_BOXES:
        return [{(f"{name}s", frozenset(keys)): NO}]
    return [dict.fromkeys(keys, NO)]


def _meaning(predicate: Predicate) -> tuple[Hashable, Values]:
    """The subject of a comparison, and the values for which it holds."""
    match predicate:
        case Equals():
            return predicate.subject, _strings(predicate.subject, frozenset(predicate.values))
        case Glob():
            pattern = glob_pattern(predicate.patterns)
            return _matching(predicate.subject, pattern, frozenset(predicate.patterns))
        case Regex():
            pattern = regex_pattern(predicate.pattern)
            return _matching(predicate.subject, pattern, predicate.pattern)
        case Under():
            pattern = under_pattern(predicate.paths)
            return _matching(predicate.subject, pattern, frozenset(predicate.paths))
    return _meaning_without_text(predicate)


def _meaning_without_text(predicate: Predicate) -> tuple[Hashable, Values]:
    match predicate:
        case Has():
            if predicate.subject.field.row.kind is Kind.FLAG:
                return predicate.subject, YES
            return predicate.subject, _strings(predicate.subject, None)
        case InRanges():
            return predicate.subject, predicate.ranges
        case IdNamed():
            # The number of a name is known only on the machine that loads the policy.
            return (predicate.subject, frozenset(predicate.names)), YES
        case Calls():
            # The subject is the time since the last call.
            key = ("calls", predicate.function, predicate.via_softirq)
            return key, ((0, predicate.within_ns),)
    raise AssertionError("not a comparison")


def _matching(
    subject: Subject, pattern: Pattern | None, written: Hashable
) -> tuple[Hashable, Values]:
    if pattern is None:
        return (subject, written), YES
    if subject.field is Field.QOS:
        matching = frozenset(value for value in QOS_CLASSES if pattern.matches(value))
        return subject, _strings(subject, matching)
    return subject, Strings(within=frozenset((pattern,)), longest=_longest(subject))


def _strings(subject: Subject, values: frozenset[bytes] | None) -> Strings:
    return Strings(values, longest=_longest(subject))


def _longest(subject: Subject) -> int | None:
    return _LONGEST.get(subject.field.row.kind)


# ---- sets of values -----------------------------------------------------------------------------


def is_empty(values: Values) -> bool:
    """True only when there is certainly nothing in it."""
    return values.is_empty() if isinstance(values, Strings) else not values


def intersection(sets: list[Values]) -> Values:
    """Returns the intersection of sets of one subject."""
    strings = [item for item in sets if isinstance(item, Strings)]
    if strings:
        return all_of(strings)
    return reduce(_common, (item for item in sets if not isinstance(item, Strings)))


def _common(one: Ranges, other: Ranges) -> Ranges:
    found = []
    for low, high in one:
        for least, most in other:
            if max(low, least) <= min(high, most):
                found.append((max(low, least), min(high, most)))
    return joined(found)


def complement(subject: Hashable, values: Values) -> list[Values]:
    """Returns all other values of the subject, "not known yet" included, as a list of sets."""
    if isinstance(values, Strings):
        assert isinstance(subject, Subject)
        if subject.field is Field.QOS:
            return [_other_classes(values)]
        has_absent, is_late = subject.field in _ABSENT, subject.field in LATE
        others = values.complement(has_absent=has_absent, is_late=is_late)
        if subject.field in (Field.CGROUP, Field.EXE):
            return [all_of([other, _PATHS]) if not other.absent else other for other in others]
        return list(others)
    rest: list[tuple[int, int]] = []
    low, high = _domain(subject)[0]
    for least, most in values:
        if low < least:
            rest.append((low, least - 1))
        low = most + 1
    if low <= high:
        rest.append((low, high))
    return [tuple(rest)]


_ROOT = under_pattern((b"/",))
assert _ROOT is not None
_PATHS = Strings(within=frozenset((_ROOT,)))
"""All possible paths."""


def _other_classes(values: Strings) -> Strings:
    classes = frozenset(QOS_CLASSES)
    named = classes if values.values is None else values.values
    others = (classes - named) if values.values is not None else frozenset[bytes]()
    return Strings(others, absent=not values.absent)


def _domain(subject: Hashable) -> Ranges:
    if isinstance(subject, Subject):
        return (subject.field.row.bounds,)
    if isinstance(subject, tuple) and subject[0] == "calls":
        return _AGES
    return _BOTH
