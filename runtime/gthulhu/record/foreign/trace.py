# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A trace of another tool, as an import reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from gthulhu.tracing.ring import Event

FLAGS = "common_flags"
"""The field of an event that says whether an interrupt is the current context."""
LOST = "lost"
"""The name of an event that says that others are missing."""

_SWITCH = (
    "prev_pid", "prev_comm", "prev_prio", "prev_state", "next_pid", "next_comm", "next_prio",
)  # fmt: skip
FIELDS = {
    "sched_switch": _SWITCH,
    "sched_waking": ("pid", "comm", "prio"),
    "sched_wakeup": ("pid", "comm", "prio"),
    "sched_process_fork": ("parent_pid", "child_pid", "child_comm"),
    "sched_process_exec": ("filename", "pid"),
    "sched_process_exit": ("pid", "comm"),
    "task_newtask": ("pid", "comm", "clone_flags"),
    "task_rename": ("pid", "newcomm"),
    "sys_enter": ("id",),
    "sys_exit": (),
    "softirq_entry": ("vec",),
    "softirq_exit": (),
    "irq_handler_entry": ("irq",),
    "irq_handler_exit": (),
    "local_timer_entry": (),
    "local_timer_exit": (),
}
"""The events that an import reads, with the fields that it needs."""


class Process(NamedTuple):
    """A task that is there, as a trace describes it. `process`, `parent`: 0: not known."""

    process: int
    parent: int
    name: str


@dataclass(slots=True)
class About:
    """The machine and the tasks of a trace. Empty texts and 0 cpus: it does not say.

    `kinds`: the names of the events in it. `has_flags`: each wake-up says where it comes from.
    """

    tool: str
    release: str = ""
    machine: str = ""
    model: str = ""
    cpus: int = 0
    processes: dict[int, Process] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    has_flags: bool = False

    @property
    def kernel(self) -> Mapping[str, str]:
        """The kernel, as a record has it."""
        return {"release": self.release or "?", "version": "", "machine": self.machine}


class Trace(Protocol):
    """A trace. `name`: of its file."""

    name: str
    about: About

    def events(self) -> Iterator[Event]:
        """The events of all CPUs, in the order of time. Raises RecordError."""
        ...
