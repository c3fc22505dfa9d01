# SPDX-License-Identifier: Apache-2.0
"""The events of a record, with their types.

Times are in ns of CLOCK_MONOTONIC; `cpu` is where an event happened. Tasks are numbers of threads
(0: the idle task of the CPU); a number may be used again after its task has ended.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple, TypeAlias


class Code(IntEnum):
    """The kinds of events, as the file numbers them (runtime/record/event.h)."""

    SWITCH = 1
    WAKING = 2
    FORK = 3
    TASK = 4
    PROGRAM = 5
    EXIT = 6
    RENAME = 7
    CGROUP = 8
    ATTACH = 9
    TIMER = 10
    IO_BEGIN = 11
    IO_END = 12
    LOST = 13


class Context(IntEnum):
    """Where a wake-up comes from."""

    TASK = 0
    SOFTIRQ = 1
    HARDIRQ = 2
    NMI = 3
    TIMER = 4
    UNKNOWN = 5
    """Of an import: the current task or an interrupt."""


class TimerKind(IntEnum):
    """The call that asked for a timer."""

    SLEEP = 1
    """A task that sleeps: nanosleep, or the time limit of poll, of a futex and so on."""
    TIMERFD = 2
    POSIX = 3
    """timer_create(2)"""
    ITIMER = 4
    """setitimer(2), alarm(2)"""


SOFTIRQS = (
    "hi", "timer", "net tx", "net rx", "block", "irq poll", "tasklet", "sched", "hrtimer", "rcu",
)  # fmt: skip
"""The kernel's soft interrupts, by their vectors."""


NOT_KNOWN = 0x3FFD
"""The number of a system call, if a record cannot tell: it is an import."""


class Reason(StrEnum):
    """The reason of a sleep outside of a system call."""

    FAULT = "page fault"
    KERNEL = "kernel thread"
    EXIT = "exit"


class Switch(NamedTuple):
    """A CPU goes from `prev` to `next`.

    `state`: the kernel's bits of the state of `prev`; 0: it stays runnable. `preempted`: it did
    not give up the CPU by itself. `iowait`: it waits for a device. `syscall`: the number of the
    system call in which it sleeps, on the machine's architecture; None: in none. `entries`: how
    often it entered the kernel while it ran, to read, to write, and by page faults; 0 in records
    before version 1.4.
    """

    at_ns: int
    cpu: int
    prev: int
    next: int
    state: int
    preempted: bool
    iowait: bool
    syscall: int | None
    kernel: bool
    """`prev` is a kernel thread that sleeps."""
    entries: int = 0

    @property
    def sleeps(self) -> bool:
        """Whether `prev` sleeps from now on."""
        return self.state != 0 and not self.ends

    @property
    def ends(self) -> bool:
        """Whether `prev` has ended."""
        return bool(self.state & 0xB0)  # TASK_DEAD and both EXIT states


class Waking(NamedTuple):
    """A task is woken.

    `current`: the task that runs on the CPU; it is the waker if `context` is TASK. `source`: the
    vector of a soft interrupt, the number of an interrupt (0: a timer's of the kernel or another
    CPU's), or the id of a timer.
    """

    at_ns: int
    cpu: int
    task: int
    current: int
    context: Context
    source: int

    @property
    def waker(self) -> int | None:
        """The task that woke it; None: an event from outside. 0 is the idle task."""
        return self.current if self.context is Context.TASK else None


class Fork(NamedTuple):
    """`parent` has made `task`, which is runnable from now on."""

    at_ns: int
    cpu: int
    task: int
    parent: int
    thread: bool


class Described(NamedTuple):
    """A task as it is now: for each that exists, each new one, and after each change.

    A change of affinity, nice, policy, owner, session or cgroup is told when the task runs next.
    `start_ns`: tells tasks of one number apart. `cgroup`: id; 0: unknown. `policy`: SCHED_*.
    `affinity`: CPUs that it may use; None: all.
    """

    at_ns: int
    cpu: int
    task: int
    start_ns: int
    process: int
    parent: int
    uid: int
    gid: int
    cgroup: int
    nice: int
    priority: int
    """The kernel's static_prio: 120 + nice, 100 and above; real-time tasks have it, too."""
    policy: int
    kthread: bool
    name: bytes
    affinity: frozenset[int] | None
    session: int = 0
    """Its id; 0 in records of version 1.0, and of the kernel's threads."""


class Program(NamedTuple):
    """A process runs a program: since before, or since now (exec).

    Path and arguments are cut off after 255 bytes each.
    """

    at_ns: int
    cpu: int
    task: int
    path: bytes
    arguments: tuple[bytes, ...]


class Exit(NamedTuple):
    """A task ends. `code`: as wait(2) has it."""

    at_ns: int
    cpu: int
    task: int
    code: int


class Rename(NamedTuple):
    """A task has another name (comm), after exec, too."""

    at_ns: int
    cpu: int
    task: int
    name: bytes


class Cgroup(NamedTuple):
    """A control group exists, or has another path; below the root of cgroup v2."""

    at_ns: int
    cpu: int
    id: int
    path: bytes


class Attach(NamedTuple):
    """A task, or its whole process, moves to a control group."""

    at_ns: int
    cpu: int
    task: int
    process: bool
    cgroup: int


class Timer(NamedTuple):
    """A task asks for a timer: a request, whether it expires or not.

    `task`: 0 if an interrupt has started it again. `id`: of the timer, as in Waking.source; the
    kernel uses ids again. `duration_ns`: until it expires; negative: at once. `period_ns`: of one
    that repeats; else 0. `absolute`: the kernel was given a time of the clock; poll(2), select(2)
    and epoll_wait(2) do that by themselves, others do it for loops without drift.
    """

    at_ns: int
    cpu: int
    task: int
    kind: TimerKind
    id: int
    duration_ns: int
    period_ns: int
    absolute: bool


class IoBegin(NamedTuple):
    """A request to a block device begins.

    `task`: 0: an interrupt's. `operation`: the kernel's REQ_OP_*: 0 reads, 1 writes, 2 flushes.
    """

    at_ns: int
    cpu: int
    task: int
    id: int
    major: int
    minor: int
    operation: int
    size: int
    """In bytes."""


class IoEnd(NamedTuple):
    """A request to a block device is done; its latency ends."""

    at_ns: int
    cpu: int
    id: int


class Lost(NamedTuple):
    """Events of this CPU that were dropped within the last second."""

    at_ns: int
    cpu: int
    events: int


Event: TypeAlias = (
    Switch | Waking | Fork | Described | Program | Exit | Rename | Cgroup | Attach | Timer
    | IoBegin | IoEnd | Lost
)  # fmt: skip
