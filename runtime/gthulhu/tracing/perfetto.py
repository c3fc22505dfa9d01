# SPDX-License-Identifier: Apache-2.0
"""Writes a trace for Perfetto: the kernel's events unchanged, and a slice for each run.

From the kernel's events, Perfetto derives what it shows for any Linux: the tasks of each CPU,
thread states and wake-ups. The slices have the names of the tasks' rules, on one track per CPU and
one per thread. The same tracks have the calls of functions that the policy asks about.
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    ClockSnapshot,
    Trace,
    TracePacket,
    TrackDescriptor,
    TrackEvent,
)

from gthulhu.tracing import probes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gthulhu.counters import Owner
    from gthulhu.tracing.ring import Event
    from gthulhu.tracing.rules import Policy
    from gthulhu.tracing.runs import CpuRun

NOT_KNOWN = "(rule not known)"
REAL_TIME = "(real-time)"
_IDLE = 0  # the number of the idle task, which has no rule
_FIRST_NORMAL_PRIO = 100  # the kernel's; real-time and deadline tasks have lower ones

_BEGIN, _END, _INSTANT = (
    TrackEvent.Type.Value(f"TYPE_{name}") for name in ("SLICE_BEGIN", "SLICE_END", "INSTANT")
)
_FIRST = TracePacket.SequenceFlags.SEQ_INCREMENTAL_STATE_CLEARED
_LATER = TracePacket.SequenceFlags.SEQ_NEEDS_INCREMENTAL_STATE
_SEQUENCE = 1  # the packets of one sequence share interned texts
_RULES_TRACK, _FIRST_CPU_TRACK, _FIRST_THREAD_TRACK = 1, 1 << 10, 1 << 32  # UUIDs
_PACKETS_AT_ONCE = 1000
_EVENTS_AT_ONCE = 256
_NEWTASK_THREAD = 0x10000  # CLONE_THREAD


def _named(owner: Owner | None) -> tuple[str, str]:
    return (NOT_KNOWN, "") if owner is None else (owner.name, owner.place)


class Writer:
    """Writes one trace to a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._trace = Trace()
        self._texts: dict[tuple[str, str], int] = {}
        self._tracks: set[int] = set()
        self._threads: dict[int, int] = {}
        self._processes: dict[int, int] = {}
        self._bundles: dict[int, Any] = {}
        self._is_first = True
        self.runs_by_rule: dict[str, int] = {}
        self.calls: dict[str, int] = {}
        """The number of calls of each traced function."""

    # ---- the header -----------------------------------------------------------------------------

    def begin(self, clocks: Mapping[str, int], policies: Iterable[Policy]) -> None:
        """Writes the header. `clocks`: one reading of all clocks in ns, by Perfetto's names."""
        snapshot = self._packet().clock_snapshot
        for name, at_ns in clocks.items():
            kind = ClockSnapshot.Clock.BuiltinClocks.Value(name)
            snapshot.clocks.add(clock_id=kind, timestamp=at_ns)
        packet = self._packet()
        for number, policy in enumerate(policies):
            # The trace's metadata name the first policy; the rules' track shows all.
            if number == 0:
                for name, value in (("policy", policy.name), ("generation", policy.generation)):
                    packet.chrome_events.metadata.add(
                        name=f"gthulhu-{name}", string_value=str(value)
                    )
            self._instant(policy)

    def kernel(self) -> None:
        """Writes the kernel that is running."""
        system, utsname = os.uname(), self._packet().system_info.utsname
        utsname.sysname, utsname.release = system.sysname, system.release
        utsname.version, utsname.machine = system.version, system.machine

    def processes(self, found: Mapping[int, tuple[int, int, str]]) -> None:
        """Writes the tasks that existed at the start: process, its parent, and name of each."""
        packet = self._packet()
        for task, (process, parent, name) in found.items():
            self._processes[task] = process
            if task == process:
                packet.process_tree.processes.add(pid=task, ppid=parent, cmdline=[name])
            else:
                packet.process_tree.threads.add(tid=task, tgid=process, name=name)

    def close(self) -> None:
        """Writes all buffered packets."""
        for cpu in list(self._bundles):
            self._flush_bundle(cpu)
        self._flush()

    # ---- events and runs ------------------------------------------------------------------------

    def event(self, event: Event) -> None:
        """Writes an event of the kernel unchanged."""
        bundle = self._bundle_of(event)
        written = bundle.ftrace_events.event.add(timestamp=event.at_ns, pid=event.task)
        if flags := event.fields.get("common_flags"):  # an import needs them
            written.common_flags = int(flags)
        inner = getattr(written, event.name)
        inner.SetInParent()
        known = inner.DESCRIPTOR.fields_by_name
        for name, value in event.fields.items():
            if name in known:
                setattr(inner, name, value)
        if event.name == "task_newtask":
            task, flags = int(event.fields["pid"]), int(event.fields["clone_flags"])
            is_thread = flags & _NEWTASK_THREAD
            self._processes[task] = self._process_of(event.task) if is_thread else task
            self._threads.pop(task, None)  # an earlier task with this number has ended
        if len(bundle.ftrace_events.event) == _EVENTS_AT_ONCE:
            self._flush_bundle(event.cpu)

    def _bundle_of(self, event: Event) -> Any:
        """The packet for events of its CPU; a new one after lost events."""
        if event.lost:
            self._flush_bundle(event.cpu)
        bundle = self._bundles.get(event.cpu)
        if bundle is None:
            bundle = self._bundles[event.cpu] = TracePacket()
            bundle.ftrace_events.cpu = event.cpu
            bundle.ftrace_events.lost_events = event.lost
        return bundle

    def run(self, run: CpuRun, owner: Owner | None) -> None:
        """Writes a slice on the CPU's track and on the thread's."""
        name, source = (REAL_TIME, "") if run.prio < _FIRST_NORMAL_PRIO else _named(owner)
        self.runs_by_rule[name] = self.runs_by_rule.get(name, 0) + 1
        arguments: dict[str, int | str | None] = {
            "comm": run.comm,
            "tid": run.task,
            "pid": self._process_of(run.task),
            "rule": name,
            "source": source or None,
            "cpu": run.cpu,
            "ended": run.end,
            "next": run.next or None,
            "waited_ns": run.waited_ns,
        }
        for track in self._on_both(
            run.cpu, run.task, run.begin_ns, _BEGIN, "rule", name, arguments
        ):
            self._on_track(track, run.end_ns, _END)

    def call(self, event: Event, function: str, owner: Owner | None) -> None:
        """Writes that a traced function was entered, on the CPU's track and on the thread's."""
        if event.lost:
            self._bundle_of(event)
        self.calls[function] = self.calls.get(function, 0) + 1
        name, source = _named(owner)
        arguments: dict[str, int | str | None] = {
            "tid": event.task,
            "pid": self._process_of(event.task),
            "rule": None if event.task == _IDLE else name,
            "source": source or None,
            "cpu": event.cpu,
            "caller": probes.caller(int(event.fields["common_flags"])),
        }
        self._on_both(event.cpu, event.task, event.at_ns, _INSTANT, "call", function, arguments)

    def _on_both(
        self,
        cpu: int,
        task: int,
        at_ns: int,
        kind: int,
        category: str,
        name: str,
        arguments: Mapping[str, int | str | None],
    ) -> list[int]:
        """Writes the same event on the tracks of a CPU and of a thread; returns the tracks."""
        tracks = [self._cpu_track(cpu)]
        if task != _IDLE:
            tracks.append(self._thread_track(task))
        first = None
        for track in tracks:
            packet = self._on_track(track, at_ns, kind)
            event = packet.track_event
            if first is None:
                event.name_iid = self._text(packet, "event_names", name)
                event.category_iids.append(self._text(packet, "event_categories", category))
                self._annotate(packet, arguments)
                first = event
            else:
                event.CopyFrom(first)
                event.track_uuid = track
        return tracks

    def _instant(self, policy: Policy) -> None:
        packet = self._on_track(self._rules_track(), policy.at_ns, _INSTANT)
        packet.track_event.name = f"policy {policy.name}, generation {policy.generation}"
        self._annotate(packet, {"policy": policy.name, "generation": policy.generation})

    def _annotate(self, packet: Any, arguments: Mapping[str, int | str | None]) -> None:
        for name, value in arguments.items():
            if value is None:
                continue
            argument = packet.track_event.debug_annotations.add()
            argument.name_iid = self._text(packet, "debug_annotation_names", name)
            if isinstance(value, int):
                argument.int_value = value
            else:
                argument.string_value_iid = self._text(
                    packet, "debug_annotation_string_values", value
                )

    def _process_of(self, task: int) -> int:
        return self._processes.get(task, task)

    # ---- tracks ---------------------------------------------------------------------------------

    def _rules_track(self) -> int:
        if _RULES_TRACK not in self._tracks:
            track = self._describe(_RULES_TRACK)
            track.name = "Rules by CPU"
            track.child_ordering = TrackDescriptor.ChildTracksOrdering.EXPLICIT
        return _RULES_TRACK

    def _cpu_track(self, cpu: int) -> int:
        number = _FIRST_CPU_TRACK + cpu
        if number not in self._tracks:
            parent = self._rules_track()
            track = self._describe(number)
            track.name, track.parent_uuid = f"CPU {cpu}", parent
            track.sibling_order_rank = cpu
        return number

    def _thread_track(self, task: int) -> int:
        number = self._threads.get(task)
        if number is None:
            number = self._threads[task] = _FIRST_THREAD_TRACK + len(self._tracks)
            track = self._describe(number)
            track.thread.pid, track.thread.tid = self._process_of(task), task
        return number

    def _describe(self, number: int) -> Any:
        self._tracks.add(number)
        track = self._packet().track_descriptor
        track.uuid = number
        return track

    # ---- packets --------------------------------------------------------------------------------

    def _on_track(self, track: int, at_ns: int, kind: int) -> Any:
        packet = self._packet()
        packet.timestamp = at_ns
        packet.track_event.type = kind
        packet.track_event.track_uuid = track
        return packet

    def _text(self, packet: Any, kind: str, text: str) -> int:
        """The number of an interned text; the first packet with it defines the text."""
        number = self._texts.get((kind, text))
        if number is None:
            number = self._texts[kind, text] = len(self._texts) + 1
            interned = getattr(packet.interned_data, kind).add()
            interned.iid = number
            if kind == "debug_annotation_string_values":
                interned.str = text.encode()
            else:
                interned.name = text
        return number

    def _packet(self) -> Any:
        if len(self._trace.packet) >= _PACKETS_AT_ONCE:
            self._flush()
        packet = self._trace.packet.add()
        packet.trusted_packet_sequence_id = _SEQUENCE
        packet.sequence_flags = _FIRST if self._is_first else _LATER
        self._is_first = False
        return packet

    def _flush_bundle(self, cpu: int) -> None:
        if (bundle := self._bundles.pop(cpu, None)) is not None:
            self._trace.packet.append(bundle)

    def _flush(self) -> None:
        # Concatenated traces are one trace.
        self._file.write(self._trace.SerializeToString())
        self._trace = Trace()
