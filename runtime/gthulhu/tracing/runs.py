# SPDX-License-Identifier: Apache-2.0
"""The runs of tasks on CPUs, from the kernel's events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gthulhu.tracing.ring import Event

PUT_ASIDE = "still runnable"
"""The end of a run by another task or by the end of the slice; all others are the task's own."""
STILL_RUNNING = "end of the trace"

_IDLE = 0  # the number of the idle task
_RUNNABLE = (0, 0x100)
_ENDS = {
    0x01: "sleeps",
    0x02: "sleeps (uninterruptible)",
    0x04: "stopped",
    0x08: "stopped by a debugger",
    0x10: "exited",
    0x20: "exited",
    0x40: "parked",
    0x80: "idle",
}


class CpuRun(NamedTuple):
    """A run of a task on a CPU.

    `waited_ns`: the time that it was runnable before. `next`: the task that replaced it, if it was
    still runnable.
    """

    cpu: int
    task: int
    comm: str
    prio: int
    begin_ns: int
    end_ns: int
    waited_ns: int | None
    end: str
    next: str


class _Running(NamedTuple):
    """A run that has not ended."""

    task: int
    comm: str
    prio: int
    begin_ns: int
    waited_ns: int | None


class Runs:
    """Takes the events of all CPUs in order of time, and returns runs as they end."""

    def __init__(self, begin_ns: int) -> None:
        self._begin_ns = begin_ns
        self.switched: set[int] = set()
        """The CPUs that have switched between tasks."""
        self._running: dict[int, _Running] = {}
        self._cpu_of: dict[int, int] = {}
        self._waiting_since: dict[int, int] = {}
        self.gaps = 0
        """How often events were lost; the runs at such a gap are unknown."""

    def take(self, event: Event) -> CpuRun | None:
        """The run that ends with the event, if any."""
        if event.lost:
            self.gaps += 1
            self.switched.add(event.cpu)
            if was := self._running.pop(event.cpu, None):
                self._cpu_of.pop(was.task, None)
        if event.name == "sched_switch":
            return self._switch(event)
        if event.name in ("sched_waking", "sched_wakeup_new"):
            task = int(event.fields["pid"])
            if task not in self._cpu_of:
                self._waiting_since.setdefault(task, event.at_ns)
        elif event.name == "sched_process_free":
            self._waiting_since.pop(int(event.fields["pid"]), None)
        return None

    def end(self, at_ns: int) -> Iterator[CpuRun]:
        """The runs that had not ended at the end of the trace."""
        for cpu, was in sorted(self._running.items()):
            if was.task != _IDLE:
                yield CpuRun(cpu, *was[:4], at_ns, was.waited_ns, STILL_RUNNING, "")
        self._running.clear()

    def _switch(self, event: Event) -> CpuRun | None:
        at_ns, cpu, fields = event.at_ns, event.cpu, event.fields
        before, after = int(fields["prev_pid"]), int(fields["next_pid"])
        state, comm = int(fields["prev_state"]), str(fields["next_comm"])
        was = self._running.get(cpu)
        if was is None and cpu not in self.switched:
            # The task was running when the trace began.
            prio = int(fields["prev_prio"])
            begin_ns = min(self._begin_ns, at_ns)
            was = _Running(before, str(fields["prev_comm"]), prio, begin_ns, None)
        self.switched.add(cpu)
        self._cpu_of.pop(before, None)
        run = None
        if was is not None and was.task == before != _IDLE:
            wants_on = state in _RUNNABLE
            end = PUT_ASIDE if wants_on else _ENDS.get(state & 0xFF, f"state {state:#x}")
            follower = f"{comm} {after}" if wants_on and after != _IDLE else ""
            # Use the name at the end: a forked task begins with its parent's name.
            comm_now = str(fields["prev_comm"])
            run = CpuRun(
                cpu, before, comm_now, was.prio, was.begin_ns, at_ns, was.waited_ns, end, follower
            )
        if state in _RUNNABLE:
            self._waiting_since[before] = at_ns
        since = self._waiting_since.pop(after, None)
        waited = None if since is None else max(at_ns - since, 0)
        self._running[cpu] = _Running(after, comm, int(fields["next_prio"]), at_ns, waited)
        if after != _IDLE:
            self._cpu_of[after] = cpu
        return run
