# SPDX-License-Identifier: Apache-2.0
"""Reads a record: its machine, its events in the order of time, its tasks."""

from __future__ import annotations

import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Self

from gthulhu.record import columns, framing, syscalls
from gthulhu.record import events as ev
from gthulhu.record.events import Code, Event
from gthulhu.record.framing import BLOCK_BYTES, FILE_BYTES, Block, Header, Kind, RecordError
from gthulhu.record.labels import Labels, of_json
from gthulhuc.cli.frame import reason

ALL = frozenset(Code)
_UNKNOWN_NAME = b"?"


@dataclass(slots=True)
class Task:
    """A task of a record, from when it is known to its end.

    `begin_ns`, `end_ns`: within the record; None: it existed before, and after. `names`: each with
    the time since when it had it. `facts`: descriptions, in the order of time; the first one is
    the task as it was first seen.
    """

    number: int
    begin_ns: int | None = None
    end_ns: int | None = None
    names: list[tuple[int, bytes]] = field(default_factory=list)
    facts: list[ev.Described] = field(default_factory=list)
    parent: int | None = None
    """The task that made it; None: it was there before."""

    @property
    def name(self) -> bytes:
        """The latest name; `?` if events with it were lost."""
        return self.names[-1][1] if self.names else _UNKNOWN_NAME

    @property
    def process(self) -> int:
        """The number of its process; its own if that is not known."""
        return self.facts[-1].process if self.facts else self.number


@dataclass(frozen=True, slots=True)
class IoRequest:
    """A request to a block device, with its latency.

    `task`: that began it; 0: an interrupt. `latency_ns`: from the start to the end.
    """

    begin_ns: int
    latency_ns: int
    task: int
    major: int
    minor: int
    operation: int
    size: int


class Record:
    """A record in a file, which stays open until `close`; also a context manager.

    `info`, `end`: what the first and the last block say, see docs/record.md; `end` is empty after
    a crash. `damage`: why nothing more of the file can be read, and where; None: it is whole. All
    that is before that place is as it was recorded.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        """Checks the whole file. Raises RecordError if it is no record that can be read."""
        self._file = file
        self.name = name
        self.info: Mapping[str, Any] = {}
        self.end: Mapping[str, Any] = {}
        self.damage: str | None = None
        self.begin_ns = 0
        """CLOCK_MONOTONIC in ns; what is described before that was there already."""
        self.end_ns = 0
        """All events before this time are there, of all CPUs."""
        self.size = FILE_BYTES
        """Bytes of the file that can be read."""
        self._blocks: dict[int, list[tuple[int, Header]]] = defaultdict(list)
        self._pending: list[tuple[int, Header]] = []
        self.rounds: list[Mapping[str, Any]] = []
        """The recorder's counters, once a second."""
        self.labels = Labels()
        """The latest labels of each container and task."""
        try:
            framing.check_file_header(name, file.read(FILE_BYTES))
            self._index()
        except OSError as error:
            raise RecordError(f"cannot read {name}: {reason(error)}") from error
        if not self.info:
            raise RecordError(
                f"{name} is damaged: {self.damage or 'it does not describe its machine'}",
                "nothing of it can be used",
            )

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Opens a file. Raises RecordError."""
        try:
            file = Path(path).open("rb")
        except OSError as error:
            raise RecordError(f"cannot read {path}: {reason(error)}") from error
        try:
            return cls(file, str(path))
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- blocks ---------------------------------------------------------------------------------

    def _index(self) -> None:
        """Reads all blocks once, until the end, or to the first that is damaged."""
        place = FILE_BYTES
        while front := self._file.read(BLOCK_BYTES):
            why = self._take(place, front)
            if why is not None:
                self.damage = f"{why}, at byte {place}"
                break
            place = self._file.tell()
        if self.damage is None and not self.end:
            self.damage = f"it was cut off, at byte {place}: the recording did not end in order"
        # An incomplete round may lack some CPUs.
        self.size = place
        self._pending.clear()

    def _take(self, place: int, front: bytes) -> str | None:
        """Takes a block into the index; returns what is wrong with it."""
        if len(front) < BLOCK_BYTES:
            return "it was cut off within a block"
        header = framing.parse_header(front)
        if header is None:
            return "there is no block where one should be"
        stored = self._file.read(header.stored)
        if len(stored) < header.stored:
            return "it was cut off within a block"
        if framing.checksum_of(front, stored) != header.checksum:
            return "the checksum of a block is wrong"
        try:
            self._sort_in(place, header, stored)
        except ValueError as error:
            return f"a block cannot be read: {error}"
        return None

    def _sort_in(self, place: int, header: Header, stored: bytes) -> None:
        if header.kind == Kind.EVENTS:
            self._pending.append((place, header))
        elif header.kind == Kind.INFO:
            self.info = _object(header, stored)
        elif header.kind == Kind.ROUND:
            if not self.rounds:
                self.begin_ns = header.begin_ns
            self.rounds.append(_object(header, stored))
            self.end_ns = max(header.begin_ns, self.end_ns)
            for each in self._pending:
                self._blocks[each[1].cpu].append(each)
            self._pending.clear()
        elif header.kind == Kind.LABELS:
            self.labels |= of_json(_object(header, stored))
        elif header.kind == Kind.END:
            self.end = _object(header, stored)

    def blocks(self) -> Iterator[Block]:
        """All blocks as they are in the file, for one who copies it. Raises RecordError."""
        self._file.seek(FILE_BYTES)
        while self._file.tell() < self.size:
            place = self._file.tell()
            header = framing.parse_header(self._file.read(BLOCK_BYTES))
            if header is None:
                raise self._changed(place)
            yield Block(header, self._content(place, header))

    def _content(self, place: int, header: Header) -> bytes:
        self._file.seek(place + BLOCK_BYTES)
        try:
            return framing.unpack(header, self._file.read(header.stored))
        except ValueError as error:
            raise self._changed(place, str(error)) from error

    def _changed(self, place: int, why: str = "it has changed while it was read") -> RecordError:
        return RecordError(f"{self.name} is damaged, at byte {place}: {why}", "record it again")

    # ---- events ---------------------------------------------------------------------------------

    @property
    def cpus(self) -> tuple[int, ...]:
        """The CPUs with events."""
        return tuple(sorted(self._blocks))

    def events_of(self, cpu: int, wanted: Collection[Code] = ALL) -> Iterator[Event]:
        """The events of one CPU, those of some kinds, in the order of time. Raises RecordError."""
        for place, header in self._blocks.get(cpu, ()):
            try:
                yield from columns.decode(header, self._content(place, header), wanted)
            except ValueError as error:
                raise self._changed(place, str(error)) from error

    def __iter__(self) -> Iterator[Event]:
        """All events, in the order of time. Raises RecordError."""
        return self.events()

    def events(self, wanted: Collection[Code] = ALL) -> Iterator[Event]:
        """The events of some kinds, in the order of time. Raises RecordError."""
        # Events begin with time and CPU, so events of two CPUs never compare as equal.
        return heapq.merge(*(self.events_of(cpu, wanted) for cpu in self.cpus))

    def counts(self) -> dict[str, int]:
        """How many events there are of each kind, by its name."""
        found: Counter[int] = Counter()
        for blocks in self._blocks.values():
            for place, header in blocks:
                found.update(self._content(place, header)[: header.events])
        names = {code.value: code.name.lower() for code in Code}
        return {names.get(code, f"kind {code}"): found[code] for code in sorted(found)}

    @property
    def lost(self) -> dict[int, int]:
        """How many events were lost on each CPU that lost any."""
        told = self.rounds[-1].get("lost", []) if self.rounds else []
        return {each["cpu"]: each["events"] for each in told}

    @cached_property
    def tasks(self) -> dict[int, list[Task]]:
        """The tasks by their numbers, those with the same number in the order of time.

        Raises RecordError.
        """
        return _Tasks().learn(self)

    def task_at(self, number: int, at_ns: int) -> Task | None:
        """The task that had a number at a time; None: it is not known. Raises RecordError."""
        for task in reversed(self.tasks.get(number, [])):
            if task.begin_ns is None or task.begin_ns <= at_ns:
                return task
        return None

    @cached_property
    def cgroups(self) -> dict[int, bytes]:
        """The latest path of each control group, by its id. Raises RecordError."""
        return {
            event.id: event.path
            for event in self.events((Code.CGROUP,))
            if isinstance(event, ev.Cgroup)
        }

    @cached_property
    def programs(self) -> dict[int, ev.Program]:
        """The latest program of each process, by its number. Raises RecordError."""
        return {
            event.task: event
            for event in self.events((Code.PROGRAM,))
            if isinstance(event, ev.Program)
        }

    def requests(self) -> Iterator[IoRequest]:
        """The requests to block devices, when they are done. Raises RecordError."""
        begun: dict[int, ev.IoBegin] = {}
        for event in self.events((Code.IO_BEGIN, Code.IO_END)):
            if isinstance(event, ev.IoBegin):
                begun[event.id] = event
            elif isinstance(event, ev.IoEnd) and (begin := begun.pop(event.id, None)):
                yield IoRequest(
                    begin.at_ns,
                    event.at_ns - begin.at_ns,
                    begin.task,
                    begin.major,
                    begin.minor,
                    begin.operation,
                    begin.size,
                )

    def reason(self, switch: ev.Switch) -> str:
        """In which system call, or for what else, a task sleeps from this switch on."""
        if switch.kernel:
            return str(ev.Reason.KERNEL)
        if switch.ends:
            return str(ev.Reason.EXIT)
        if switch.syscall is None:
            return str(ev.Reason.FAULT)
        machine = self.info.get("kernel", {}).get("machine", "")
        return syscalls.name_of(machine, switch.syscall)


class _Tasks:
    """Puts together what events say about tasks."""

    def __init__(self) -> None:
        self.found: dict[int, list[Task]] = defaultdict(list)

    def learn(self, record: Record) -> dict[int, list[Task]]:
        for event in record.events((Code.FORK, Code.TASK, Code.RENAME, Code.EXIT)):
            match event:
                case ev.Fork():
                    begun = Task(event.task, event.at_ns, parent=event.parent)
                    self.found[event.task].append(begun)
                case ev.Described():
                    self._describe(event)
                case ev.Rename():
                    self._current(event.task).names.append((event.at_ns, event.name))
                case ev.Exit():
                    self._current(event.task).end_ns = event.at_ns
        return dict(self.found)

    def _current(self, number: int) -> Task:
        tasks = self.found[number]
        if not tasks:
            tasks.append(Task(number))
        return tasks[-1]

    def _describe(self, event: ev.Described) -> None:
        task = self._current(event.task)
        if task.facts and task.facts[-1].start_ns != event.start_ns:
            # The events of the end of one task, and of the start of another, were lost.
            task = Task(event.task, event.at_ns)
            self.found[event.task].append(task)
        task.facts.append(event)
        if task.name != event.name:
            task.names.append((event.at_ns, event.name))


def _object(header: Header, stored: bytes) -> Mapping[str, Any]:
    """The JSON of a block. Raises ValueError."""
    found = json.loads(framing.unpack(header, stored))
    if isinstance(found, dict):
        return found
    raise ValueError("it has no JSON object")
