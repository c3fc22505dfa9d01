# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Names of a record as text: whoever runs a program on the node chooses them."""

from __future__ import annotations

from gthulhu_lab.suggest.groups import OUTSIDE, ROOT, Group, Key
from gthulhu_lab.verify.table import shown
from gthulhuc.diagnostics.human import visible


def name(raw: bytes) -> str:
    """Returns a name with escapes for what would control a terminal."""
    return visible(raw.decode(errors="surrogateescape"))


def title(key: Key) -> str:
    """Returns what a group is called."""
    if key in OUTSIDE:
        return name(key.comm)
    where = "" if key.cgroup == ROOT else f" in {name(key.cgroup)}"
    return f"`{name(key.comm)}`{where}"


def per_cent(part: float) -> str:
    """Returns a part in per cent."""
    return f"{100 * part:.0f} %"


def time(ns: float | None) -> str:
    """Returns a time; `-`: not known."""
    return "-" if ns is None else shown(ns, "wait")


def blamed(group: Group, most: int) -> str:
    """Returns for whom a group waits."""
    parts = [(key, part) for key, part in group.blamed[:most] if part >= 0.01]
    return ", ".join(f"{title(key)} {per_cent(part)}" for key, part in parts)
