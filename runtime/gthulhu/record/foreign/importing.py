# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a record of another tool's trace: what it says, and that the rest is not known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from gthulhu.progress import Progress
from gthulhu.record import columns
from gthulhu.record.anonymise import Anonymiser
from gthulhu.record.columns import TASK, Row
from gthulhu.record.events import NOT_KNOWN, Code, Context
from gthulhu.record.foreign.trace import FLAGS, LOST, Trace
from gthulhu.record.framing import Block, Header, Kind, RecordError, json_block
from gthulhu.record.writer import Writer
from gthulhu.tracing.ring import Event

_BLOCK_EVENTS = 4096
_BLOCK_NS = 1_000_000_000  # times in a block are differences of 32 bits
_MOST_TASK = 1 << 22
_MOST_CPU = 1 << 16
_MOST_TOLD = 1 << 13  # CPUs of a machine: a trace may claim any number
_MOST_NS = 1 << 62
_KTHREADD = 2
_NICE_0, _FIRST_NORMAL, _LAST = 120, 100, 139
_FIFO, _DEADLINE = 1, 6
_HARDIRQ, _SOFTIRQ, _NMI = 0x08, 0x10, 0x40  # the kernel's common_flags
_NO_VECTOR = 0xFF
_PUT_ASIDE, _IDLE_STATE, _NEW_IDLE, _DEAD = 0x100, 0x80, 0x402, 0x80
_PREEMPTED, _CALL, _KERNEL = 1 << 16, 18, 0x3FFE
_THREAD = 0x10000  # CLONE_THREAD
_INTERRUPTS = {"softirq": Context.SOFTIRQ, "irq_handler": Context.HARDIRQ,
               "local_timer": Context.HARDIRQ}  # fmt: skip
_IRQ_EVENTS = {"softirq_entry", "irq_handler_entry", "local_timer_entry"}


@dataclass(slots=True)
class Imported:
    """The record that an import has written."""

    events: int = 0
    lost: dict[int, int] = field(default_factory=dict)
    begin_ns: int = 0
    end_ns: int = 0
    size: int = 0
    lacks: list[str] = field(default_factory=list)

    @property
    def losses(self) -> list[dict[str, int]]:
        """The losses, as a record has them."""
        return [{"cpu": cpu, "events": number} for cpu, number in sorted(self.lost.items())]


@dataclass(slots=True)
class _Cpu:
    """Rows of a CPU that are not written yet, the task that runs there, and its interrupts."""

    rows: list[Row] = field(default_factory=list)
    current: int | None = None
    last_ns: int = 0
    interrupts: list[tuple[str, Context, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Known:
    """A task, as far as it is known."""

    start_ns: int
    process: int
    parent: int
    name: str
    prio: int
    has_exited: bool = False
    call: int = NOT_KNOWN


def write(
    trace: Trace, file: IO[bytes], anonymiser: Anonymiser | None, progress: Progress
) -> Imported:
    """Writes a record of a trace. Raises OSError and RecordError."""
    return _Import(trace, file, anonymiser).run(progress)


def lacks(trace: Trace) -> Iterator[str]:
    """Yields what a trace does not say, and what a replay makes of that."""
    kinds = trace.about.kinds
    yield "timers and requests to devices"
    yield "how often tasks enter the kernel"
    yield "cgroups, labels, users, sessions and allowed CPUs"
    if "sys_enter" not in kinds:
        yield "the system calls in which tasks sleep"
    if "sched_waking" not in kinds:
        yield "who wakes a task"
    elif not trace.about.has_flags and not kinds >= _IRQ_EVENTS:
        yield "whether a task or an interrupt wakes another task"


class _Import:
    def __init__(self, trace: Trace, file: IO[bytes], anonymiser: Anonymiser | None) -> None:
        self._trace = trace
        self._writer = Writer(file, sys.maxsize)
        self._anonymiser = anonymiser
        self._said = Imported(lacks=list(lacks(trace)))
        self._cpus: dict[int, _Cpu] = {}
        self._tasks: dict[int, _Known] = {}
        kinds = trace.about.kinds
        self._has_waking = "sched_waking" in kinds
        self._has_calls = "sys_enter" in kinds
        self._is_context_known = trace.about.has_flags or kinds >= _IRQ_EVENTS
        self._takes: dict[str, Callable[[Event, _Cpu], None]] = {
            "sched_switch": self._switch,
            "sched_waking": self._waking,
            "sched_process_fork": self._fork,
            "task_newtask": self._newtask,
            "sched_process_exec": self._exec,
            "sched_process_exit": self._exit,
            "task_rename": self._rename,
            "sys_enter": self._call,
            "sys_exit": self._call,
            LOST: self._lost,
        }
        if not self._has_waking:
            self._takes["sched_wakeup"] = self._waking

    def run(self, progress: Progress) -> Imported:
        for number, event in enumerate(self._trace.events()):
            if not number % 50_000 and number:
                progress.show(f"importing: {number:,} events")
            self._take(event)
        progress.hide()
        said = self._said
        if not said.begin_ns:
            raise RecordError(
                f"{self._trace.name} has no events of the kernel's scheduler",
                "record sched_switch and sched_waking",
            )
        for cpu in self._cpus:
            self._write(cpu)
        counters = {
            "lost": said.losses, "events": said.events, "programs_ns": 0, "recorder_ns": 0
        }  # fmt: skip
        said.end_ns += 1
        self._put(json_block(Kind.ROUND, counters, said.end_ns))
        self._writer.end({"ending": "import", **counters, "cpus": len(self._cpus)}, said.end_ns)
        said.size = self._writer.size
        return said

    # ---- the file ----

    def _begin(self, at_ns: int) -> None:
        about, said = self._trace.about, self._said
        info: dict[str, Any] = {
            "kernel": about.kernel,
            "scheduler": "an unknown scheduler",
            "autogroup": 0,
            "cpus": [{"cpu": cpu, "online": 1} for cpu in range(min(about.cpus, _MOST_TOLD))],
            "model": about.model,
            "memory_kb": 0,
            "interrupts": {},
            "began": "not known",
            "recorder": [],
            "imported": {"tool": about.tool, "lacks": said.lacks},
            "anonymised": False,
        }
        if self._anonymiser is not None:
            info = self._anonymiser.info(info)
        said.begin_ns = at_ns
        self._writer.begin(info, at_ns)
        counters = {"lost": [], "events": 0, "programs_ns": 0, "recorder_ns": 0}
        self._put(json_block(Kind.ROUND, counters, at_ns))

    def _put(self, block: Block) -> None:
        self._writer.put(block if self._anonymiser is None else self._anonymiser.block(block))

    def _write(self, cpu: int) -> None:
        rows = self._cpus[cpu].rows
        if rows:
            content = columns.encode(rows)
            size = len(content)
            header = Header(Kind.EVENTS, 0, cpu, size, size, 0, len(rows), rows[0].at_ns)
            self._put(Block(header, content))
            self._said.events += len(rows)
            rows.clear()

    def _add(
        self, event: Event, code: Code, task: int, other: int = 0, argument: int = 0,
        words: bytes = b"",
    ) -> None:  # fmt: skip
        rows = self._cpus[event.cpu].rows
        if rows and (len(rows) >= _BLOCK_EVENTS or event.at_ns - rows[0].at_ns >= _BLOCK_NS):
            self._write(event.cpu)
        rows.append(Row(event.at_ns, code, task, other, argument, words))

    # ---- events ----

    def _take(self, event: Event) -> None:
        take = self._takes.get(event.name)
        kind, _, side = event.name.rpartition("_")
        if take is None and kind not in _INTERRUPTS:
            return
        self._check(event)
        cpu = self._cpus.setdefault(event.cpu, _Cpu())
        if event.at_ns < cpu.last_ns:
            raise self._wrong(event, "an earlier time than that of the event before it")
        cpu.last_ns = self._said.end_ns = max(event.at_ns, self._said.end_ns)
        if not self._said.begin_ns:
            self._begin(event.at_ns)
        if take is None:
            self._interrupt(event, cpu, kind, is_begin=side == "entry")
        else:
            take(event, cpu)

    def _check(self, event: Event) -> None:
        """Numbers that a kernel cannot have."""
        if not 0 < event.at_ns < _MOST_NS or not 0 <= event.cpu < _MOST_CPU:
            raise self._wrong(event, "a time or a CPU that cannot be")
        for name, value in event.fields.items():
            if name.endswith("pid") and not 0 <= int(value) < _MOST_TASK:
                raise self._wrong(event, f"the task {value}")

    def _wrong(self, event: Event, what: str) -> RecordError:
        return RecordError(
            f"{self._trace.name} is damaged: a {event.name} of CPU {event.cpu} at "
            f"{event.at_ns} ns has {what}",
            "record it again",
        )

    def _interrupt(self, event: Event, cpu: _Cpu, kind: str, *, is_begin: bool) -> None:
        if is_begin:
            number = int(event.fields.get("vec", event.fields.get("irq", 0))) & 0xFFFFFF
            cpu.interrupts.append((kind, _INTERRUPTS[kind], number))
        while not is_begin and cpu.interrupts:
            if cpu.interrupts.pop()[0] == kind:
                break

    def _switch(self, event: Event, cpu: _Cpu) -> None:
        fields = event.fields
        told = int(fields["prev_pid"]) if "prev_pid" in fields else cpu.current
        task = int(fields["next_pid"])
        cpu.interrupts.clear()  # none is interrupted by a switch
        if cpu.current is not None and told != cpu.current:
            self._lost(event, cpu)
        cpu.current = task
        self._see(event, task, "next_")
        if told is None:
            # The first switch of a trace that does not say what ran before.
            told = 0
        argument = 0
        if told:
            self._see(event, told, "prev_")
            argument = self._state(self._tasks[told], int(fields["prev_state"]))
        self._add(event, Code.SWITCH, task, told, argument)
        if argument & 0xB0:
            self._tasks.pop(told, None)  # its number may be used again

    def _state(self, task: _Known, state: int) -> int:
        """The state of a task that leaves its CPU, as a record has it."""
        if state in {0, _PUT_ASIDE}:
            return _PREEMPTED * (state == _PUT_ASIDE)
        if state == _IDLE_STATE:
            # The kernel's own number of a task that has ended is that of an idle one in traces.
            state = _DEAD if task.has_exited else _NEW_IDLE
        is_kernel = task.parent == _KTHREADD
        return state & 0xFFFF | (_KERNEL if is_kernel else task.call) << _CALL

    def _waking(self, event: Event, cpu: _Cpu) -> None:
        task = int(event.fields["pid"])
        if not task:
            return
        self._see(event, task, "")
        context, source = self._context(event, cpu)
        self._add(event, Code.WAKING, task, cpu.current or 0, context | source << 8)

    def _context(self, event: Event, cpu: _Cpu) -> tuple[Context, int]:
        if not self._has_waking or not cpu.current:
            # Where a task is queued says nothing of who woke it; and an idle CPU wakes nobody.
            return Context.HARDIRQ, 0
        flags = event.fields.get(FLAGS)
        if flags is None and cpu.interrupts:
            return cpu.interrupts[-1][1:]
        if flags is None:
            return (Context.TASK if self._is_context_known else Context.UNKNOWN), 0
        if int(flags) & (_HARDIRQ | _NMI):
            return Context.HARDIRQ, 0
        if int(flags) & _SOFTIRQ:
            vectors = [number for kind, _, number in cpu.interrupts if kind == "softirq"]
            return Context.SOFTIRQ, vectors[-1] if vectors else _NO_VECTOR
        return Context.TASK, 0

    # ---- tasks ----

    def _see(self, event: Event, number: int, prefix: str) -> None:
        """Takes note of a task with its name and priority, as an event has them."""
        if not number:
            return
        name = str(event.fields.get(f"{prefix}comm", ""))
        prio = int(event.fields.get(f"{prefix}prio", -2))
        task = self._tasks.get(number)
        if task is None:
            told = self._trace.about.processes.get(number)
            process, parent = map(_usable, (told.process, told.parent) if told else (0, 0))
            name = name or (told.name if told else "") or "?"
            prio = _NICE_0 if prio < -1 else prio
            # Two tasks of one number begin at different times.
            start_ns = 0 if self._said.begin_ns == event.at_ns else event.at_ns
            self._describe(event, number, _Known(start_ns, process or number, parent, name, prio))
            return
        if name and name != task.name:
            task.name = name
            self._add(event, Code.RENAME, number, words=_comm(name))
        if prio >= -1 and prio != task.prio:
            task.prio = prio
            self._describe(event, number, task)

    def _describe(self, event: Event, number: int, task: _Known) -> None:
        self._tasks[number] = task
        is_normal = _FIRST_NORMAL <= task.prio <= _LAST
        policy = 0 if is_normal else _FIFO if task.prio >= 0 else _DEADLINE
        words = TASK.pack(
            task.start_ns, task.process, task.parent, 0, 0, 0, task.prio if is_normal else _NICE_0,
            policy, _KTHREADD in {task.parent, number}, 0, _comm(task.name),
        )  # fmt: skip
        self._add(event, Code.TASK, number, words=words)

    def _newtask(self, event: Event, cpu: _Cpu) -> None:
        fields = event.fields
        is_thread = bool(int(fields["clone_flags"]) & _THREAD)
        parent = cpu.current if cpu.current is not None else event.task
        self._forked(event, int(fields["pid"]), parent, str(fields["comm"]), is_thread=is_thread)

    def _fork(self, event: Event, cpu: _Cpu) -> None:
        del cpu
        fields = event.fields
        child = int(fields["child_pid"])
        if "task_newtask" not in self._trace.about.kinds:
            told = self._trace.about.processes.get(child)
            is_thread = told is not None and told.process != child
            parent = int(fields["parent_pid"])
            self._forked(event, child, parent, str(fields["child_comm"]), is_thread=is_thread)

    def _forked(self, event: Event, child: int, parent: int, name: str, *, is_thread: bool) -> None:
        maker = self._tasks.get(parent)
        leader = maker.process if maker else parent
        process = leader if is_thread else child
        prio = maker.prio if maker else _NICE_0
        above = maker.parent if maker and is_thread else leader
        self._add(event, Code.FORK, child, parent, int(is_thread))
        self._describe(event, child, _Known(event.at_ns, process, above, name, prio))

    def _exec(self, event: Event, cpu: _Cpu) -> None:
        del cpu
        path = str(event.fields["filename"]).encode(errors="surrogateescape")[:255] + b"\0"
        words = path.ljust(-(-len(path) // 8) * 8, b"\0")
        self._add(event, Code.PROGRAM, int(event.fields["pid"]), words=words)

    def _exit(self, event: Event, cpu: _Cpu) -> None:
        del cpu
        number = int(event.fields["pid"])
        if task := self._tasks.get(number):
            task.has_exited = True
        self._add(event, Code.EXIT, number)

    def _rename(self, event: Event, cpu: _Cpu) -> None:
        del cpu
        number, name = int(event.fields["pid"]), str(event.fields["newcomm"])
        task = self._tasks.get(number)
        if task is not None and name != task.name:
            task.name = name
            self._add(event, Code.RENAME, number, words=_comm(name))

    def _call(self, event: Event, cpu: _Cpu) -> None:
        task = self._tasks.get(cpu.current or 0)
        if task is not None:
            number = int(event.fields.get("id", NOT_KNOWN))
            task.call = number if 0 <= number < NOT_KNOWN else NOT_KNOWN

    def _lost(self, event: Event, cpu: _Cpu) -> None:
        del cpu
        lost = self._said.lost
        lost[event.cpu] = lost.get(event.cpu, 0) + 1
        self._add(event, Code.LOST, 0, argument=1)


def _usable(number: int) -> int:
    """The number of a task; 0, which is not known, for one that a kernel cannot have."""
    return number if 0 <= number < _MOST_TASK else 0


def _comm(name: str) -> bytes:
    return name.encode(errors="surrogateescape")[:15].ljust(16, b"\0")
