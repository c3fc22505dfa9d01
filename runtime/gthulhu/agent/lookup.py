# SPDX-License-Identifier: Apache-2.0
"""Looks up the labels of cgroups, in the files of container managers and the file of labels."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhu.agent import managers, static
from gthulhu.agent.known import NO_CONTAINER, NOTHING, Known
from gthulhu.agent.paths import Kind, kind_of, uid_of
from gthulhu.agent.tree import Tree
from gthulhuc import regular

if TYPE_CHECKING:
    from gthulhu.agent.pods import Pods

_MAX_BYTES = 16 << 20
"""Size of the file of labels."""


def read_entries(labels: str) -> tuple[static.Entry, ...]:
    """The entries of the file of labels; none if there is no file.

    Raises OSError, UnicodeDecodeError and StaticError.
    """
    try:
        return static.read(regular.read(labels, _MAX_BYTES).decode())
    except FileNotFoundError:
        return ()


@dataclass(slots=True)
class Lookup:
    """Knows where to find labels. `root` is `/` except in tests."""

    root: Path
    entries: tuple[static.Entry, ...] = ()
    pods: Pods | None = None

    def of(self, path: str, known: Mapping[str, Known]) -> tuple[Known | None, bool]:
        """The labels of a cgroup, and whether a container's file does not exist yet.

        None: it has those of its parent. `known`: those of cgroups above it.
        """
        own = static.known_of(self.entries, path)
        kind, manager, number = kind_of(path)
        found = NOTHING if kind is Kind.HOLDER else None
        is_early = False
        if kind is Kind.CONTAINER:
            found = managers.find(self.root, manager, number)
            is_early = found is None
        if kind in {Kind.CONTAINER, Kind.POD}:
            found = self._in_pod(path, found)
        elif kind is Kind.OTHER:
            found = NO_CONTAINER if _stands_alone(path) else None
        if own is not None:
            found = (_above(path, known) if found is None else found).merged(own)
        return found, is_early

    def survey(self, cgroups: str) -> dict[str, Known]:
        """The labels of all cgroups below a folder that have some of their own."""
        known: dict[str, Known] = {}
        with closing(Tree(cgroups)) as tree:
            for path in tree.scan():
                found, _ = self.of(path, known)
                if found is not None:
                    known[path] = found
        return known

    def _in_pod(self, path: str, container: Known | None) -> Known:
        """The labels of a container together with its pod's."""
        uid = uid_of(path)
        pod = self.pods.known(uid) if self.pods and uid else None
        if pod is None:
            return container or NOTHING
        # The unknown container may add labels to the pod's.
        return pod.merged(container) if container else replace(pod, complete=False)


def _stands_alone(path: str) -> bool:
    """Whether a cgroup is not part of a service or container, whose labels it would have."""
    above = path.rpartition("/")[0]
    return not above or kind_of(above)[0] is Kind.HOLDER


def _above(path: str, known: Mapping[str, Known]) -> Known:
    """The labels of the nearest known ancestor."""
    while path != "/":
        path = path.rpartition("/")[0] or "/"
        if path in known:
            return known[path]
    return NOTHING
