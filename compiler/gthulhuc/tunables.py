# SPDX-License-Identifier: Apache-2.0
"""Tunables of a checked policy, and values that they may give."""

from __future__ import annotations

from typing import TypeAlias

from gthulhuc.records import dataclass
from gthulhuc.source import Span


@dataclass(frozen=True, slots=True)
class Tunable:
    """A named value that can be set at load and at run time, within a range.

    `default`, `low` and `high` are in the value's base unit: ns, or a plain number.
    """

    name: str
    default: int
    low: int
    high: int
    unit: str
    span: Span


Value: TypeAlias = int | Tunable
"""A constant, or the value of a tunable."""
