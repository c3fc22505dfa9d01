# SPDX-License-Identifier: Apache-2.0
"""The content of a block of events: columns, and the events that they are."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, Self

from gthulhu.record import events as ev
from gthulhu.record.events import Code, Context, Event, TimerKind
from gthulhu.record.framing import Header

_COLUMNS = 4
_EVENT_BYTES = 2 + _COLUMNS * 4
TASK = struct.Struct("<QIIIIQHBBI16s")
TASK_WORDS = TASK.size // 8
_KTHREAD = 1
_NICE_0 = 120
_PREEMPTED, _IOWAIT, _SYSCALL = 1 << 16, 1 << 17, 18
_NO_SYSCALL, _KERNEL = 0x3FFF, 0x3FFE
_ABSOLUTE = 1 << 4
_SWITCH = int(Code.SWITCH)


class Row(NamedTuple):
    """One event as it is stored. `words`: of 8 bytes each, as bytes."""

    at_ns: int
    code: int
    task: int
    other: int
    argument: int
    words: bytes


class _Columns(NamedTuple):
    """The columns of a block, and where its words begin."""

    kinds: bytes
    words: bytes
    deltas: array[int]
    tasks: array[int]
    others: array[int]
    arguments: array[int]

    @classmethod
    def of(cls, number: int, content: bytes) -> Self:
        """Raises ValueError."""
        words = content[number : 2 * number]
        if len(content) != number * _EVENT_BYTES + sum(words) * 8:
            raise ValueError("its columns do not fit")
        columns = (
            _column(content, number, 2 * number + 4 * number * index) for index in range(_COLUMNS)
        )
        return cls(content[:number], words, *columns)


def rows(header: Header, content: bytes) -> Iterator[Row]:
    """The events of a block, also those of unknown kinds. Raises ValueError."""
    columns = _Columns.of(header.events, content)
    place = header.events * _EVENT_BYTES
    at_ns, current = header.begin_ns, 0
    for code, size, delta, task, other, argument in zip(*columns, strict=True):
        at_ns += delta
        end = place + 8 * size
        yield Row(at_ns, code, task, other ^ current, argument, content[place:end])
        place = end
        if code == Code.SWITCH:
            current = task


def _column(content: bytes, number: int, place: int) -> array[int]:
    """Numbers of 4 bytes, of which the file has all lowest bytes first, and so on."""
    numbers = bytearray(4 * number)
    for byte in range(4):
        numbers[byte::4] = content[place + byte * number : place + (byte + 1) * number]
    column = array("I", bytes(numbers))
    assert column.itemsize == 4
    return column


def encode(stored: Sequence[Row]) -> bytes:
    """The content of a block with these rows: the inverse of `rows`."""
    columns: tuple[list[int], ...] = ([], [], [], [])
    before_ns, current = stored[0].at_ns if stored else 0, 0
    for row in stored:
        numbers = (row.at_ns - before_ns, row.task, row.other ^ current, row.argument)
        for column, number in zip(columns, numbers, strict=True):
            column.append(number)
        before_ns = row.at_ns
        if row.code == Code.SWITCH:
            current = row.task
    planes = (array("I", column).tobytes()[byte::4] for column in columns for byte in range(4))
    return b"".join(
        (
            bytes(row.code for row in stored),
            bytes(len(row.words) // 8 for row in stored),
            *planes,
            *(row.words for row in stored),
        )
    )


def decode(header: Header, content: bytes, wanted: Collection[Code]) -> Iterator[Event]:
    """The events of a block, those of some kinds. Raises ValueError."""
    cpu = header.cpu
    decoders = {int(code): _DECODERS[code] for code in wanted}
    columns = _Columns.of(header.events, content)
    place = header.events * _EVENT_BYTES
    at_ns, current = header.begin_ns, 0
    # As in `rows`, which would make each of millions of events twice.
    try:
        for code, size, delta, task, other, argument in zip(*columns, strict=True):
            at_ns += delta
            begin, place = place, place + 8 * size
            if decoder := decoders.get(code):  # others were added by later versions
                words = content[begin:place] if size else b""
                yield decoder(at_ns, cpu, task, other ^ current, argument, words)
            if code == _SWITCH:
                current = task
    except struct.error as error:
        raise ValueError(f"an event is too short: {error}") from error
    except KeyError as error:
        raise ValueError(f"an event has the unknown part {error}") from error


# ---- one event ----------------------------------------------------------------------------------


def _switch(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    number = argument >> _SYSCALL
    state = argument & 0xFFFF
    return ev.Switch(
        at_ns,
        cpu,
        other,
        task,
        state,
        bool(argument & _PREEMPTED),
        bool(argument & _IOWAIT),
        number if state and number < _KERNEL else None,
        bool(state) and number == _KERNEL,
        int.from_bytes(words[:8], "little"),
    )


_CONTEXTS = {context.value: context for context in Context}


def _waking(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    context = _CONTEXTS[argument & 0xFF]
    return ev.Waking(at_ns, cpu, task, other, context, argument >> 8)


def _fork(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    return ev.Fork(at_ns, cpu, task, other, bool(argument))


def _described(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    start_ns, process, parent, uid, gid, cgroup, priority, policy, flags, _, name = (
        TASK.unpack_from(words)
    )
    mask = int.from_bytes(words[TASK.size :], "little")
    cpus = frozenset(each for each in range(mask.bit_length()) if mask >> each & 1)
    return ev.Described(
        at_ns,
        cpu,
        task,
        start_ns,
        process,
        parent,
        uid,
        gid,
        cgroup,
        max(priority - _NICE_0, -20),
        priority,
        policy,
        bool(flags & _KTHREAD),
        name.partition(b"\0")[0],
        cpus or None,
        argument,
    )


def _program(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    path, _, rest = words.partition(b"\0")
    arguments = rest.rstrip(b"\0").split(b"\0") if rest.rstrip(b"\0") else []
    return ev.Program(at_ns, cpu, task, path, tuple(arguments))


def _exit(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    return ev.Exit(at_ns, cpu, task, argument)


def _rename(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    return ev.Rename(at_ns, cpu, task, words.partition(b"\0")[0])


def _cgroup(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    (number,) = struct.unpack_from("<Q", words)
    return ev.Cgroup(at_ns, cpu, number, words[8:].partition(b"\0")[0])


def _attach(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    (number,) = struct.unpack_from("<Q", words)
    return ev.Attach(at_ns, cpu, task, bool(argument), number)


def _timer(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    duration_ns, period_ns = struct.unpack_from("<qQ", words)
    kind = TimerKind(argument & 0xF)
    absolute = bool(argument & _ABSOLUTE)
    return ev.Timer(at_ns, cpu, task, kind, argument >> 8, duration_ns, period_ns, absolute)


def _io_begin(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    operation, device, size = struct.unpack_from("<IIQ", words)
    return ev.IoBegin(at_ns, cpu, task, argument, device >> 20, device & 0xFFFFF, operation, size)


def _io_end(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    return ev.IoEnd(at_ns, cpu, argument)


def _lost(at_ns: int, cpu: int, task: int, other: int, argument: int, words: bytes) -> Event:
    return ev.Lost(at_ns, cpu, argument)


_DECODERS: dict[int, Callable[[int, int, int, int, int, bytes], Event]] = {
    Code.SWITCH: _switch,
    Code.WAKING: _waking,
    Code.FORK: _fork,
    Code.TASK: _described,
    Code.PROGRAM: _program,
    Code.EXIT: _exit,
    Code.RENAME: _rename,
    Code.CGROUP: _cgroup,
    Code.ATTACH: _attach,
    Code.TIMER: _timer,
    Code.IO_BEGIN: _io_begin,
    Code.IO_END: _io_end,
    Code.LOST: _lost,
}
