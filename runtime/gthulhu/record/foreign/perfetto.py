# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the kernel's events in a trace of Perfetto: of tracebox, scxtop or `gthulhu trace`."""

from __future__ import annotations

import heapq
import zlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from operator import attrgetter
from typing import IO, Any

from gthulhu.record.foreign.trace import FIELDS, FLAGS, LOST, About, Process
from gthulhu.record.framing import RecordError
from gthulhu.tracing.ring import Event, Value
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

_PACKET = 0x0A  # the tag of a packet in a trace: field 1, of variable length
_MOST_PACKET = 1 << 30
_MOST_UNPACKED = 1 << 28  # of compressed packets, together
_UNPACKED_AT_ONCE = 1 << 24
_COMPACT = {"sched_switch": "switch", "sched_waking": "waking"}


class PerfettoTrace:
    """A trace of Perfetto."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        """Reads the file once, and finds the packets with events. Raises RecordError, OSError."""
        try:
            from google.protobuf.message import DecodeError
            from perfetto.protos.perfetto.trace import perfetto_trace_pb2
        except ImportError as error:
            raise CommandError(
                "the Python package perfetto is missing", frame.pip_install("perfetto")
            ) from error
        self._packet = perfetto_trace_pb2.TracePacket
        self._decode_error = DecodeError
        self.name = name
        self.about = About("Perfetto")
        self._left = _MOST_UNPACKED
        self._bundles: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
        for packet, content in self._packets(file.read()):
            self._learn(packet, content)
        if not self._bundles:
            raise RecordError(
                f"{name} has no events of the kernel's scheduler",
                "record with the data source linux.ftrace: sched/sched_switch, sched/sched_waking",
            )
        self.about.cpus = max(self.about.cpus, max(self._bundles) + 1)

    # ---- packets ----

    def _packets(self, content: bytes, *, is_outer: bool = True) -> Iterator[tuple[Any, bytes]]:
        """All packets, those in compressed ones too, with their bytes."""
        at, end = 0, len(content)
        while at < end:
            begin, size = self._frame(content, at)
            if size > end - begin:
                raise self._damaged(at, "it is cut off in a packet")
            at = begin + size
            packet = self._parse(content[begin:at], begin)
            if packet.compressed_packets and is_outer:
                inner = self._unpack(packet.compressed_packets, begin)
                yield from self._packets(inner, is_outer=False)
            else:
                yield packet, content[begin:at]

    def _frame(self, content: bytes, at: int) -> tuple[int, int]:
        """Where a packet begins, and its length."""
        if content[at] != _PACKET:
            if at == 0:
                raise RecordError(
                    f"{self.name} is neither a trace of Perfetto nor the text of `perf script`",
                    "`gthulhu record --help` says what can be read",
                )
            raise self._damaged(at, "no packet begins there")
        size = 0
        for place, byte in enumerate(content[at + 1 : at + 6]):
            size |= (byte & 0x7F) << 7 * place
            if not byte & 0x80 and size <= _MOST_PACKET:
                return at + 2 + place, size
        raise self._damaged(at, "a packet has no length")

    def _parse(self, content: bytes, at: int) -> Any:
        packet = self._packet()
        try:
            packet.ParseFromString(content)
        except self._decode_error as error:
            raise self._damaged(at, "a packet cannot be read") from error
        return packet

    def _unpack(self, content: bytes, at: int) -> bytes:
        reader = zlib.decompressobj()
        try:
            found = reader.decompress(content, min(self._left, _UNPACKED_AT_ONCE) + 1)
        except zlib.error as error:
            raise self._damaged(at, "a packet cannot be unpacked") from error
        self._left -= len(found)
        if not reader.eof or self._left < 0:
            raise self._damaged(at, "a packet is cut off or too large when it is unpacked")
        return found

    def _damaged(self, at: int, why: str) -> RecordError:
        return RecordError(f"{self.name} is damaged, at byte {at}: {why}", "copy it again")

    def _learn(self, packet: Any, content: bytes) -> None:
        kind = packet.WhichOneof("data")
        if kind == "ftrace_events":
            self._learn_bundle(packet.ftrace_events, content)
        elif kind == "process_tree":
            self._learn_tasks(packet.process_tree)
        elif kind == "track_descriptor" and packet.track_descriptor.HasField("thread"):
            each = packet.track_descriptor.thread
            known = self.about.processes.get(each.tid)
            name = each.thread_name or (known.name if known else "")
            self.about.processes[each.tid] = Process(each.pid, known.parent if known else 0, name)
        elif kind == "system_info":
            info = packet.system_info
            self.about.release, self.about.machine = info.utsname.release, info.utsname.machine
            self.about.cpus = max(self.about.cpus, info.num_cpus)
        elif kind == "cpu_info":
            self.about.cpus = max(self.about.cpus, len(packet.cpu_info.cpus))

    def _learn_tasks(self, tree: Any) -> None:
        found = self.about.processes
        for each in tree.processes:
            name = each.cmdline[0].rpartition("/")[2] if each.cmdline else ""
            found[each.pid] = Process(each.pid, each.ppid, name)
        for each in tree.threads:
            found[each.tid] = Process(each.tgid, 0, each.name)

    def _learn_bundle(self, bundle: Any, content: bytes) -> None:
        kinds = {event.WhichOneof("event") for event in bundle.event} - {None}
        compact = bundle.compact_sched
        kinds |= {name for name, part in _COMPACT.items() if getattr(compact, f"{part}_timestamp")}
        self.about.kinds |= kinds
        if compact.waking_common_flags or any(each.common_flags for each in bundle.event):
            self.about.has_flags = True
        times = [event.timestamp for event in bundle.event]
        times += [*compact.switch_timestamp[:1], *compact.waking_timestamp[:1]]
        if times:
            self._bundles[bundle.cpu].append((min(times), content))

    # ---- events ----

    def events(self) -> Iterator[Event]:
        """The events of all CPUs, in the order of time. Raises RecordError."""
        return heapq.merge(*map(self._events_of, sorted(self._bundles)), key=attrgetter("at_ns"))

    def _events_of(self, cpu: int) -> Iterator[Event]:
        for _, content in sorted(self._bundles[cpu], key=lambda each: each[0]):
            bundle = self._parse(content, 0).ftrace_events
            found = [*_plain(bundle), *_switches(bundle), *_wakings(bundle)]
            found.sort(key=attrgetter("at_ns"))
            if bundle.lost_events and found:
                yield Event(found[0].at_ns, cpu, LOST, 0, {}, lost=True)
            yield from found


def _plain(bundle: Any) -> Iterator[Event]:
    """The events that are written one by one."""
    for event in bundle.event:
        name = event.WhichOneof("event")
        if name not in FIELDS:
            continue
        inner = getattr(event, name)
        fields: dict[str, Value] = {each: getattr(inner, each) for each in FIELDS[name]}
        if event.HasField(FLAGS):
            fields[FLAGS] = event.common_flags
        yield Event(event.timestamp, bundle.cpu, name, event.pid, fields, lost=False)


def _switches(bundle: Any) -> Iterator[Event]:
    """Switches in columns, which do not say what ran before; times count from one to the next."""
    compact = bundle.compact_sched
    columns = zip(
        accumulate(compact.switch_timestamp),
        compact.switch_prev_state,
        compact.switch_next_pid,
        compact.switch_next_prio,
        compact.switch_next_comm_index,
        strict=False,
    )
    for at_ns, state, task, prio, index in columns:
        fields: dict[str, Value] = {
            "prev_state": state, "next_pid": task, "next_prio": prio,
            "next_comm": _text(compact, index),
        }  # fmt: skip
        yield Event(at_ns, bundle.cpu, "sched_switch", 0, fields, lost=False)


def _wakings(bundle: Any) -> Iterator[Event]:
    compact = bundle.compact_sched
    columns = zip(
        accumulate(compact.waking_timestamp),
        compact.waking_pid,
        compact.waking_prio,
        compact.waking_comm_index,
        strict=False,
    )
    for number, (at_ns, task, prio, index) in enumerate(columns):
        fields: dict[str, Value] = {"pid": task, "prio": prio, "comm": _text(compact, index)}
        if number < len(compact.waking_common_flags):
            fields[FLAGS] = compact.waking_common_flags[number]
        yield Event(at_ns, bundle.cpu, "sched_waking", 0, fields, lost=False)


def _text(compact: Any, index: int) -> str:
    return str(compact.intern_table[index]) if index < len(compact.intern_table) else ""
