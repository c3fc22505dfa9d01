# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the timeline of one run of a policy for Perfetto, as `gthulhu trace` does for a kernel."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gthulhu import counters
from gthulhu.counters import Owner
from gthulhu.tracing.ring import Event, Value
from gthulhu.tracing.rules import Policy
from gthulhu.tracing.runs import Runs
from gthulhu_lab.errors import LabError
from gthulhuc import ir
from gthulhuc.cli import frame
from gthulhuc.codegen import view

MOST_EVENTS = 100_000
"""Switches and wake-ups of a timeline, whose file then has some 12 MB."""
_IDLE = 0
_S = 1_000_000_000
_PRIO = 120
_RUNNABLE, _SLEEPS = 0, 1  # the kernel's states of a task


@dataclass(slots=True)
class _Reading:
    """Tasks and events as the model prints them (`sim/timeline.c`), and the tasks' classes."""

    processes: dict[int, tuple[int, int, str]] = field(default_factory=dict)
    first_classes: dict[int, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)  # of the task that each event switches to
    cut_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A trace, the time that it covers, and whether that is less than the run's."""

    content: bytes
    length_s: float
    is_cut: bool


def check() -> None:
    """Raises LabError if the package that has the format is missing."""
    if importlib.util.find_spec("perfetto") is None:
        raise LabError("the Python package perfetto is missing", frame.pip_install("perfetto"))


def write(output: str, name: str, scheduler: ir.Ir, begin_ns: int, seconds: float) -> Written:
    """Returns the trace of what the model printed from `begin_ns` on, for that time.

    `name`: the policy's; `scheduler` has its classes.
    """
    from gthulhu.tracing import perfetto

    found = _read(output)
    end_ns = found.cut_ns or begin_ns + round(seconds * _S)
    owners = [counters.owner(view.owner(each)) for each in scheduler.classes]
    file = io.BytesIO()
    writer = perfetto.Writer(file)
    writer.begin({"BOOTTIME": begin_ns}, [Policy(begin_ns, name, 1)])
    writer.processes(found.processes)
    runs = Runs(begin_ns)
    owner_of: dict[int, Owner] = {
        task: owners[number] for task, number in found.first_classes.items() if number >= 0
    }
    for event, number in _in_order(found):
        writer.event(event)
        if run := runs.take(event):
            writer.run(run, owner_of.get(run.task))
        if number >= 0:
            owner_of[int(event.fields["next_pid"])] = owners[number]
    for run in runs.end(end_ns):
        writer.run(run, owner_of.get(run.task))
    writer.close()
    return Written(file.getvalue(), (end_ns - begin_ns) / _S, found.cut_ns is not None)


def _in_order(found: _Reading) -> Iterator[tuple[Event, int]]:
    """The events by time: an event of a CPU goes on while others' begin."""
    pairs: Sequence[tuple[Event, int]] = list(zip(found.events, found.classes, strict=True))
    return iter(sorted(pairs, key=lambda pair: pair[0].at_ns))


def _read(output: str) -> _Reading:
    found = _Reading({_IDLE: (_IDLE, _IDLE, "swapper")})
    for line in output.splitlines():
        word, *texts = line.split()
        match word:
            case "process":
                task, process, parent, number = map(int, texts[:4])
                name = bytes.fromhex(texts[4][1:]).decode(errors="replace")
                found.processes[task] = (process, parent, name)
                found.first_classes[task] = number
            case "switch":
                _add_switch(found, *map(int, texts))
            case "waking":
                _add_waking(found, *map(int, texts))
            case "cut":
                found.cut_ns = int(texts[0])
    del found.processes[_IDLE]
    return found


def _add_switch(
    found: _Reading, at_ns: int, cpu: int, before: int, is_runnable: int, after: int, number: int
) -> None:
    fields: dict[str, Value] = {
        "prev_comm": _name(found, before), "prev_pid": before, "prev_prio": _PRIO,
        "prev_state": _RUNNABLE if is_runnable or not before else _SLEEPS,
        "next_comm": _name(found, after), "next_pid": after, "next_prio": _PRIO,
    }  # fmt: skip
    found.events.append(Event(at_ns, cpu, "sched_switch", before, fields, lost=False))
    found.classes.append(number)


def _add_waking(found: _Reading, at_ns: int, cpu: int, by: int, task: int, to_cpu: int) -> None:
    fields: dict[str, Value] = {
        "comm": _name(found, task), "pid": task, "prio": _PRIO, "target_cpu": to_cpu
    }  # fmt: skip
    found.events.append(Event(at_ns, cpu, "sched_waking", by, fields, lost=False))
    found.classes.append(-1)


def _name(found: _Reading, task: int) -> str:
    return found.processes[task][2]
