# SPDX-License-Identifier: Apache-2.0
"""Patterns of cgroup paths: systemd units, and pods by their quality of service.

The kubelet builds the paths in two ways: with the cgroupfs driver /kubepods/burstable/podUID, with
systemd's /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUID.slice, both possibly
below other cgroups; guaranteed pods have no directory of their class.
"""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc.plan.patterns import ANYTHING, NO_SLASH, SOMETHING, any_of, literal, optional
from gthulhuc.plan.strings import matches
from gthulhuc.regexes import ANY, OneOf, Regex, Repeat, Sequence

UNIT = Sequence((SOMETHING, any_of((literal(b".service"), literal(b".scope")))))
"""Matches a component of a path that is a unit's name."""

# A dash in a slice's name is a level of the hierarchy; a UID has underscores instead.
NO_DASH = Repeat(OneOf(ANY - set(b"/-")), 1, None)
_DIRECTORY = {b"guaranteed": b"", b"burstable": b"burstable", b"best-effort": b"besteffort"}


def _pod(directory: bytes) -> Regex:
    """Paths that end in a pod of the class with this directory."""
    below = directory + b"/" if directory else b""
    infix = directory + b"-" if directory else b""
    plain = Sequence((literal(b"kubepods/" + below + b"pod"), SOMETHING))
    prefix = optional(NO_SLASH, literal(b"-"))
    slices = Sequence((prefix, literal(b"kubepods-" + infix + b"pod"), NO_DASH, literal(b".slice")))
    return Sequence((ANYTHING, literal(b"/"), any_of((plain, slices))))


POD = any_of(_pod(directory) for directory in _DIRECTORY.values())
"""Paths that end in a pod."""

NEVER: Regex = Repeat(literal(b"\0"), 1, None)
"""Matches no path."""


def qos_paths(operator: str, values: Iterable[bytes]) -> Regex:
    """Returns paths that end in a pod of a class that satisfies the question."""
    wanted = [
        _pod(directory) for name, directory in _DIRECTORY.items() if matches(operator, values, name)
    ]
    return any_of(wanted) if wanted else NEVER
