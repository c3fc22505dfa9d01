# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The predicate that takes a group's tasks, and no other group's of the record."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gthulhu_lab.suggest.groups import ROOT, Group
from gthulhuc.importers.document import escape_glob, one_of
from gthulhuc.syntax.text import quote

_MOST_NAMES = 6
"""Names in a list; more are a pattern."""
_SERVICE = b".service"
_SPECIAL = re.compile(rb"([][().|*+?{}\\^$])")
"""Characters of a regular expression."""


def predicate(group: Group, groups: Iterable[Group]) -> tuple[str, ...]:
    """Returns the comparisons that all have to hold: the name alone, if that is enough."""
    others = [each for each in groups if each is not group and not each.is_outside]
    if not any(each.key.comm == group.key.comm for each in others):
        return (_comm(group),)
    is_alone = not any(each.key.cgroup == group.key.cgroup for each in others)
    if is_alone and group.key.cgroup != ROOT:
        return (_cgroup(group, others),)
    return (_comm(group), _cgroup(group, others))


def _comm(group: Group) -> str:
    names = sorted(group.names)
    if len(names) > _MOST_NAMES:
        parts = (_SPECIAL.sub(rb"\\\1", part) for part in group.key.comm.split(b"#"))
        return f"comm =~ {quote(b'[0-9]+'.join(parts))}"
    if any(b"*" in each for each in names):
        # A star in a comparison without globs has a warning.
        return f"comm ~ [{', '.join(quote(escape_glob(each)) for each in names)}]"
    return one_of("comm", names)


def _cgroup(group: Group, others: Iterable[Group]) -> str:
    path = group.key.cgroup
    unit = path.rpartition(b"/")[2]
    if unit.endswith(_SERVICE):
        return f"unit == {quote(unit)}"
    if path == ROOT:
        return f"cgroup == {quote(path)}"
    below = path + b"/"
    operator = "==" if any(each.key.cgroup.startswith(below) for each in others) else "under"
    return f"cgroup {operator} {quote(path)}"
