# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The work of each task of a record, as actions that the host model repeats (`sim/replay.c`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from gthulhu.record import events as ev
from gthulhu.record.reader import Task

SLEEPS = frozenset("tuzp")
"""The kinds of actions in which a task sleeps."""


@dataclass(slots=True)
class Action:
    """One action, as `sim/replay.c` has them; an empty kind: none."""

    kind: str
    value: int | str = 0
    other: int = 0

    @property
    def word(self) -> str:
        """The word of the scenario."""
        if self.kind in "tueq":
            return self.kind
        return f"{self.kind}:{self.value}" + (f":{self.other}" if self.kind in "fop" else "")


class Cause(StrEnum):
    """The cause of the end of a sleep."""

    TASK = "by a task"
    LOOPBACK = "by a task through the loopback device"
    TIMER = "by a timer that the task asked for"
    LIMIT = "by the time limit of a wait"
    DEVICE = "by a request to a block device"
    NETWORK = "by the network"
    INTERRUPT = "by another interrupt"
    UNTOLD = "by a task or an interrupt: an import cannot tell"
    CUT = "by a task that is not replayed"


class Mode(StrEnum):
    """How a task goes on that comes late for its timer; the values are those of the model."""

    READ = "0"
    SKIP = "1"
    EACH = "2"


@dataclass(slots=True)
class Timer:
    """A timer with a period. Times count from the begin of the record."""

    first_ns: int
    period_ns: int
    mode: Mode
    skipped: int = 0
    """Periods of the record in which its task did nothing."""


@dataclass(slots=True)
class Course:
    """A task of a record. `number`: in the model; `actions`: what it did, in order.

    `is_forked`: within the record, by a task that is replayed. `runs_first`: it ran, or could,
    when the record began. `again`: the action from which it is repeated; None: it is not.
    """

    number: int
    task: Task
    actions: list[Action] = field(default_factory=list)
    is_forked: bool = False
    runs_first: bool = False
    again: int | None = None
    causes: Counter[Cause] = field(default_factory=Counter)
    timers: list[Timer] = field(default_factory=list)
    computed_ns: int = 0
    entries: int = 0
    """How often it entered the kernel by itself, to read, to write, and by page faults,"""
    counted_ns: int = 0
    """within so much CPU time."""

    @property
    def is_kernel(self) -> bool:
        """Whether it is a thread of the kernel."""
        return bool(self.task.facts and self.task.facts[0].kthread)


@dataclass(frozen=True, slots=True)
class Gift:
    """A wake-up from outside, by an interrupt of a CPU."""

    at_ns: int
    number: int
    cpu: int
    is_sync: bool


@dataclass(frozen=True, slots=True)
class RealTime:
    """A CPU runs a task that goes before all of sched_ext."""

    at_ns: int
    cpu: int
    length_ns: int


@dataclass(slots=True)
class Replayable:
    """A record as the model replays it. Times count from the begin of the record."""

    length_ns: int
    courses: list[Course]
    timers: list[Timer]
    gifts: list[Gift]
    real_time: list[RealTime]
    lost: int
    """Events that the record lacks."""
    merged: int = 0
    """Wake-ups of tasks that were awake: they leave no trace, and were inferred."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """The kernel's part of recorded CPU time, which the model adds by itself."""

    switch_ns: int = 0
    wake_ns: int = 0


@dataclass(slots=True)
class Request:
    """A timer that a task asked for: the event, and the action at that place."""

    event: ev.Timer
    action: Action
