# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Where the tasks of a record are, as its events pass."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum, auto

from gthulhu.record import events as ev
from gthulhu_lab.replay.actions import Action, Course, Gift, Request


class State(Enum):
    """The state of a task at a time of the record."""

    UNKNOWN = auto()
    RUNS = auto()
    WAITS = auto()
    SLEEPS = auto()
    ENDED = auto()


@dataclass(slots=True)
class Place:
    """Where a task is, as the events pass."""

    course: Course
    state: State = State.UNKNOWN
    since_ns: int = 0
    computed_ns: int = 0
    sleep: Action | None = None
    sleep_ns: int = 0
    call: str = ""
    waits_for_device: bool = False
    request: Request | None = None
    device: tuple[Action, int] | None = None
    by_timer: dict[int, list[tuple[Action, int, int | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By the id of a timer: the sleep, when it ended, and when the timer was due, if known."""
    by_call: dict[str, Action] = field(default_factory=dict)
    """The latest sleep in each system call that has ended."""
    facts: ev.Described | None = None
    is_real_time: bool = False
    entered_ns: int | None = None
    """When it got the CPU that it has; None: that was before the record, or it has none."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """A wake-up by the network while a task ran, which may have sent what came."""

    waker: Place
    action: Action
    woken: Place
    gift: Gift


def waits_for_timer(place: Place) -> bool:
    """Returns whether a task waits for a timer when the record ends: as in such a sleep before."""
    if place.state is not State.SLEEPS:
        return False
    before = place.by_call.get(place.call)
    return before.kind in {"u", "z", "p"} if before else place.request is not None
