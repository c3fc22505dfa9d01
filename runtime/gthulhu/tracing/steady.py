# SPDX-License-Identifier: Apache-2.0
"""Finds tasks that had a CPU all the time, from /proc: without a switch there is no event."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gthulhu.tracing.runs import STILL_RUNNING, CpuRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_FIRST_FIELD = 3  # of stat, after the name
_STATE, _PRIO, _CPU = (number - _FIRST_FIELD for number in (3, 18, 39))
_PRIO_OF_KERNEL = 100  # more than stat has
_MIN_SHARE = 0.5  # of the time: the kernel's account may lag by a second


class Runner(NamedTuple):
    """A running or runnable task."""

    cpu: int
    comm: str
    prio: int
    ran_ns: int


def look(tasks: Iterable[int], proc: Path) -> dict[int, Runner]:
    """The tasks that are running or runnable now, by number."""
    found = {}
    for task in tasks:
        try:
            head, _, rest = (proc / str(task) / "stat").read_bytes().rpartition(b")")
            stat = rest.split()
            if stat[_STATE] != b"R":
                continue
            ran_ns = int((proc / str(task) / "schedstat").read_bytes().split()[0])
        except OSError:
            continue  # the task has ended, or the kernel does not count run time
        comm = head.partition(b"(")[2].decode(errors="replace")
        prio = int(stat[_PRIO]) + _PRIO_OF_KERNEL
        found[task] = Runner(int(stat[_CPU]), comm, prio, ran_ns)
    return found


def runs(
    before: Mapping[int, Runner],
    after: Mapping[int, Runner],
    begin_ns: int,
    end_ns: int,
) -> Iterator[CpuRun]:
    """A run for each task that seems to have had one CPU all the time.

    This is certain only for CPUs without any switch.
    """
    for task, now in after.items():
        then = before.get(task)
        if then is None or then.cpu != now.cpu:
            continue
        if now.ran_ns - then.ran_ns > _MIN_SHARE * (end_ns - begin_ns):
            yield CpuRun(
                now.cpu, task, now.comm, now.prio, begin_ns, end_ns, None, STILL_RUNNING, ""
            )
