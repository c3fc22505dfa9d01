# SPDX-License-Identifier: Apache-2.0
"""Conditions of a checked policy about the machine, for its `when` blocks."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from gthulhuc.records import dataclass
from gthulhuc.source import Span


class Aspect(Enum):
    """The question of a condition about the machine."""

    POWER = "power"
    BATTERY = "battery"
    ON_BATTERY = "on-battery"
    PRESSURE = "pressure"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class State:
    """The machine is like this; `low` and `high` are the bounds of what is asked.

    `power`: the profile is `of`. `battery`: the charge is below `high` thousandths.
    `pressure`: on the resource `of`, more than `low` thousandths of the last `over_ns`.
    `time`: from minute `low` of the day up to but not including `high`, over midnight if need be.
    """

    aspect: Aspect
    of: str
    low: int
    high: int
    over_ns: int
    span: Span


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions that `word` joins: `not`, of one, or `and` or `or`."""

    word: str
    operands: tuple[Condition, ...]


Condition: TypeAlias = State | Joined
