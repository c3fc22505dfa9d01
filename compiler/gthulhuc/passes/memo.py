# SPDX-License-Identifier: Apache-2.0
"""Remembers the findings of passes about a policy that is checked again and again.

While a policy is edited, most of its syntax tree stays the same. Results are kept by identity, so a
lookup costs nothing. Results that one whole run did not ask for are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gthulhuc.diagnostics import Collector

T = TypeVar("T")


class Memo:
    """Results that depend on one object alone, by their kind and the object."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, int], tuple[object, Any]] = {}
        self._known: dict[tuple[str, int], tuple[object, Any]] = {}

    def of(self, kind: str, about: object, make: Callable[[], T], report: Collector) -> T:
        """Returns what `make` returns; makes it again if that reports something."""
        key = kind, id(about)
        found = self._asked.get(key) or self._known.get(key)
        if found is None:
            before = report.count
            made = make()
            if report.count > before:
                return made
            found = about, made  # the object stays, so that no other has its identity
        self._asked[key] = found
        result: T = found[1]
        return result

    def forget(self) -> None:
        """Forgets what was not asked for since it was called last."""
        self._known, self._asked = self._asked, {}
