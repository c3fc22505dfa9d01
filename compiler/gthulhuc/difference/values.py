# SPDX-License-Identifier: Apache-2.0
"""Sets of values that a box allows for a subject of a task, and strings that are in them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from gthulhuc.checked import Subject
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.languages import Strings, all_of
from gthulhuc.passes.reasoning.logic import YES, Box
from gthulhuc.passes.reasoning.patterns import glob_pattern, regex_pattern

FEW = 20
"""So many patterns or paths of a long list are tried."""
ABSENT = Strings(absent=True)
"""Only that there is no value."""
_NOT_EMPTY = Strings(excluded=frozenset((b"",)))


class NoTaskError(Exception):
    """There is certainly no task in a box."""


def sets_of(box: Box, subject: Subject, otherwise: Strings) -> list[Strings]:
    """Returns sets of values of a subject. Each is enough, but a trial must confirm its strings."""
    found = box.get(subject, otherwise)
    assert isinstance(found, Strings)
    sets = [found]
    for key, values in box.items():
        match key:
            # Too many globs for one automaton: any of the first will do.
            case (Subject() as other, frozenset() as globs) if other == subject and values == YES:
                patterns = [glob_pattern((each,)) for each in sorted(globs)[:FEW]]
                some = [Strings(within=frozenset((each,))) for each in patterns if each]
                sets = [common(*pair) for pair in product(sets, some)]
    return sets


def says_all(box: Box, *fields: Field) -> bool:
    """Returns whether the sets of some fields say all that the box says about them."""
    return not any(isinstance(key, tuple) and field_of(key) in fields for key in box)


def field_of(key: Hashable) -> Field | None:
    """Returns the field of a subject, or of a set that a subject is in or not."""
    subject = key[0] if isinstance(key, tuple) else key
    return subject.field if isinstance(subject, Subject) else None


def common(one: Strings, *others: Strings) -> Strings:
    """Returns the strings that are in all sets; those of the first have the greatest length."""
    return replace(all_of([one, *others]), longest=one.longest)


def word_of(*sets: Strings) -> bytes | None:
    """Returns a string that is in all sets, not the empty one if there is another."""
    return common(*sets, _NOT_EMPTY).word() or common(*sets).word()


def has_none(*sets: Strings) -> bool:
    """Returns whether there is certainly no string in all sets."""
    return replace(common(*sets), absent=False, unknown=False).is_empty()


def first_of(sets: Sequence[Strings], *others: Strings) -> bytes | None:
    """Returns a string of the first set that has one in common with all the others."""
    words = (word_of(each, *others) for each in sets)
    return next((word for word in words if word is not None), None)


def several(box: Box, field: Field, allowed: Strings) -> tuple[list[list[Strings]], Strings, bool]:
    """For a field with several values: sets of which each needs a value, and the allowed values.

    The last says whether these are all that the box says.
    """
    wanted: list[list[Strings]] = []
    is_exact = True
    for key, values in box.items():
        if not isinstance(key, tuple) or not str(key[0]).startswith(field.value):
            continue
        keys = key[1] if key[0] == f"{field.value}s" else [key]
        sets = [found for each in keys if (found := _of_one(each, allowed.longest)) is not None]
        is_exact = is_exact and len(sets) == len(keys)
        if values == YES:
            wanted.append(sets)
        else:
            for each in sets:
                allowed = common(allowed, *each.complement(has_absent=False, is_late=False))
    return wanted, allowed, is_exact


def _of_one(key: tuple[str, Any], longest: int | None) -> Strings | None:
    """The values for which a subject of a field with several values holds."""
    kind, written = key
    if " " not in kind:
        return Strings(frozenset((written,)), longest=longest)
    pattern = regex_pattern(written) if kind.endswith("=~") else glob_pattern((written,))
    return None if pattern is None else Strings(within=frozenset((pattern,)), longest=longest)
