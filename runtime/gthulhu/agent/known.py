# SPDX-License-Identifier: Apache-2.0
"""The labels and names of a cgroup, as fields of a request to the loader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_MAX_LINE = 60_000
"""Bytes of a request; the loader accepts 65,536."""
_MAX_FACTS = 1000
"""Facts of a request; the loader accepts 1,024 fields, three of them before the facts."""


@dataclass(frozen=True)
class Known:
    """The labels and names of a container; `complete`: it has no others."""

    labels: Mapping[str, str] = field(default_factory=dict)
    namespace: str | None = None
    pod: str | None = None
    container: str | None = None
    complete: bool = False

    def merged(self, other: Known) -> Known:
        """Both together; where they differ, the other one wins."""
        return Known(
            labels={**self.labels, **other.labels},
            namespace=self.namespace if other.namespace is None else other.namespace,
            pod=self.pod if other.pod is None else other.pod,
            container=self.container if other.container is None else other.container,
            complete=self.complete or other.complete,
        )

    def fields(self) -> list[str]:
        """The fields of a request after the cgroup's path: `all` or `some`, then the facts.

        Facts with tabs, newlines or NULs, and those that exceed a request, are left out. The first
        field is `some` then.
        """
        names = {"namespace": self.namespace, "pod": self.pod, "container": self.container}
        facts = [f"{name}={value}" for name, value in names.items() if value is not None]
        facts += [f"label:{key}={value}" for key, value in sorted(self.labels.items()) if key]
        said: list[str] = []
        room = _MAX_LINE
        for fact in facts:
            room -= len(fact.encode(errors="surrogateescape")) + 1
            if room >= 0 and len(said) < _MAX_FACTS and not any(mark in fact for mark in "\t\n\0"):
                said.append(fact)
        complete = self.complete and len(said) == len(facts)
        return ["all" if complete else "some", *said]


NOTHING = Known()
"""No label is known, but there may be some."""
NO_CONTAINER = Known(complete=True)
"""A cgroup outside all containers, without labels."""
