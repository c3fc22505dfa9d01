# SPDX-License-Identifier: Apache-2.0
"""Classifies cgroups by the paths that container managers, the kubelet and systemd give them."""

from __future__ import annotations

import re
from enum import Enum

_ID = r"(?P<id>[0-9a-f]{64})"
_CONTAINER = re.compile(
    rf"(?P<manager>libpod|docker|cri-containerd|nerdctl|crio)-{_ID}(?:\.scope)?"
)
_PLAIN = re.compile(_ID)
_POD = re.compile(r"pod.+|(?:.+-)?kubepods-(?:(?:besteffort|burstable)-)?pod[^-]+\.slice")
_UID = re.compile(r"(?:.*-)?pod([0-9a-fA-F_-]+?)(?:\.slice)?")
# Cgroups that contain containers.
_HOLDER = re.compile(
    r".+\.slice|kubepods|besteffort|burstable|docker|libpod_parent|machine|system\.slice"
)
# A system of its own, of LXC or systemd-nspawn, which no manager here knows.
_MACHINE = re.compile(r"lxc\.payload.*|machine-.+\.scope|systemd-nspawn@.+\.service")


class Kind(Enum):
    """The kind of a cgroup, from its path alone."""

    CONTAINER = "container"
    POD = "pod"
    HOLDER = "holder"
    OTHER = "other"


def kind_of(path: str) -> tuple[Kind, str, str]:
    """The kind of a cgroup; for a container also its manager ("": any) and its number.

    All below a container is part of it: root in there chooses the names.
    """
    above, _, name = path.rpartition("/")
    if _is_in_container(above):
        return Kind.OTHER, "", ""
    if found := _container(above, name):
        return Kind.CONTAINER, *found
    if _POD.fullmatch(name):
        return Kind.POD, "", ""
    if _HOLDER.fullmatch(name):
        return Kind.HOLDER, "", ""
    return Kind.OTHER, "", ""


def _container(above: str, name: str) -> tuple[str, str] | None:
    """The manager and the number of a container, by the last part of its path."""
    if found := _CONTAINER.fullmatch(name):
        return found["manager"], found["id"]
    parent = above.rpartition("/")[2]
    if (found := _PLAIN.fullmatch(name)) and (parent == "docker" or _POD.fullmatch(parent)):
        return "docker" if parent == "docker" else "", found["id"]
    return None


def _is_in_container(path: str) -> bool:
    """Whether a cgroup is a container, or below one."""
    while path:
        above, _, name = path.rpartition("/")
        if _MACHINE.fullmatch(name) or _container(above, name):
            return True
        path = above
    return False


def uid_of(path: str) -> str | None:
    """The UID of the innermost pod in a cgroup's path."""
    for name in reversed(path.split("/")):
        if found := _UID.fullmatch(name):
            return found[1].replace("_", "-").lower()
    return None
