# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the kernel's trace of context switches, wake-ups and forks.

A guest writes it with `guest/trace.sh`. Times are microseconds of CLOCK_MONOTONIC, which on the
deterministic clock are exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gthulhu_lab.errors import GuestError


@dataclass(frozen=True, slots=True)
class Task:
    """A task as an event names it: names change, numbers do not."""

    pid: int
    name: str
    prio: int  # below 100: a real-time task


@dataclass(frozen=True, slots=True)
class Switch:
    """A CPU goes from one task to another; task 0 is the idle one."""

    at_us: int
    cpu: int
    before: Task
    runnable: bool  # `before` was preempted, it does not sleep
    after: Task


@dataclass(frozen=True, slots=True)
class Wakeup:
    """A task that slept, or is new, wants to run."""

    at_us: int
    task: Task


@dataclass(frozen=True, slots=True)
class Fork:
    """A task starts another one, a thread or a process."""

    at_us: int
    pid: int
    child: int


@dataclass(frozen=True, slots=True)
class Marker:
    """A script wrote into the trace."""

    at_us: int
    text: str


Event = Switch | Wakeup | Fork | Marker

_LINE = re.compile(
    r"^.+?-\d+\s+\[(?P<cpu>\d+)\]\s\S+\s+(?P<s>\d+)\.(?P<us>\d{6}): (?P<name>\w+): (?P<rest>.*)$"
)
_COUNTS = re.compile(r"^# entries-in-buffer/entries-written: (\d+)/(\d+)\s", re.MULTILINE)
_SWITCH = re.compile(
    r"prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) ==> "
    r"next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)$"
)
_WAKEUP = re.compile(r"comm=(.*) pid=(\d+) prio=(-?\d+) target_cpu=\d+$")
_FORK = re.compile(r"comm=.* pid=(\d+) child_comm=.* child_pid=(\d+)$")


def parse(text: str) -> list[Event]:
    """All events in their order; raises GuestError if the trace is incomplete or unreadable."""
    counts = _COUNTS.search(text)
    if counts is None:
        raise GuestError("the trace has no header")
    if counts[1] != counts[2]:
        raise GuestError(
            f"the trace has {counts[1]} of {counts[2]} events: its buffers are too small"
        )
    return list(_events(text))


def _events(text: str) -> Iterator[Event]:
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise GuestError(f"invalid line in the trace: {line}")
        if read := _READERS.get(match["name"]):
            at_us = int(match["s"]) * 1_000_000 + int(match["us"])
            yield read(at_us, int(match["cpu"]), match["rest"])


def _switch(at_us: int, cpu: int, rest: str) -> Switch:
    name, pid, prio, state, next_name, next_pid, next_prio = _groups(_SWITCH, rest)
    return Switch(
        at_us,
        cpu,
        Task(int(pid), name, int(prio)),
        state.startswith("R"),
        Task(int(next_pid), next_name, int(next_prio)),
    )


def _wakeup(at_us: int, _cpu: int, rest: str) -> Wakeup:
    name, pid, prio = _groups(_WAKEUP, rest)
    return Wakeup(at_us, Task(int(pid), name, int(prio)))


def _fork(at_us: int, _cpu: int, rest: str) -> Fork:
    pid, child = _groups(_FORK, rest)
    return Fork(at_us, int(pid), int(child))


def _marker(at_us: int, _cpu: int, rest: str) -> Marker:
    return Marker(at_us, rest)


def _groups(pattern: re.Pattern[str], rest: str) -> tuple[str, ...]:
    match = pattern.match(rest)
    if match is None:
        raise GuestError(f"invalid event in the trace: {rest}")
    return match.groups()


_READERS: dict[str, Callable[[int, int, str], Event]] = {
    "sched_switch": _switch,
    "sched_wakeup": _wakeup,
    "sched_wakeup_new": _wakeup,
    "sched_process_fork": _fork,
    "tracing_mark_write": _marker,
}
