# SPDX-License-Identifier: Apache-2.0
"""The content of a block of events: columns, and the events that they are."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from gthulhu.record import events as ev
from gthulhu.record.events import Code, Context, Event, TimerKind
from gthulhu.record.framing import Header

_COLUMNS = 4
_EVENT_BYTES = 2 + _COLUMNS * 4
_TASK = struct.Struct("<QIIIIQHBBI16s")
TASK_WORDS = _TASK.size // 8
_KTHREAD = 1
_NICE_0 = 120
_PREEMPTED, _IOWAIT, _SYSCALL = 1 << 16, 1 << 17, 18
_NO_SYSCALL, _KERNEL = 0x3FFF, 0x3FFE
_ABSOLUTE = 1 << 4
_SIGN = 1 << 63


class Row(NamedTuple):
    """One event as it is stored. `words`: of 8 bytes each, as bytes."""

    at_ns: int
    code: int
    task: int
    other: int
    argument: int
    words: bytes


def rows(header: Header, content: bytes) -> Iterator[Row]:
    """The events of a block, also those of unknown kinds. Raises ValueError."""
    number = header.events
    kinds = content[:number]
    words = content[number : 2 * number]
    if len(content) != number * _EVENT_BYTES + sum(words) * 8:
        raise ValueError("its columns do not fit")
    place = number * _EVENT_BYTES
    deltas, tasks, others, arguments = (
        _column(content, number, 2 * number + 4 * number * index) for index in range(_COLUMNS)
    )
    at_ns, current = header.begin_ns, 0
    for code, size, delta, task, other, argument in zip(
        kinds, words, deltas, tasks, others, arguments, strict=True
    ):
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
    try:
        for row in rows(header, content):
            if decoder := decoders.get(row.code):  # others were added by later versions
                yield decoder(cpu, row)
    except struct.error as error:
        raise ValueError(f"an event is too short: {error}") from error


# ---- one event ----------------------------------------------------------------------------------


def _switch(cpu: int, row: Row) -> Event:
    argument = row.argument
    number = argument >> _SYSCALL
    state = argument & 0xFFFF
    return ev.Switch(
        row.at_ns,
        cpu,
        row.other,
        row.task,
        state,
        bool(argument & _PREEMPTED),
        bool(argument & _IOWAIT),
        number if state and number < _KERNEL else None,
        bool(state) and number == _KERNEL,
    )


def _waking(cpu: int, row: Row) -> Event:
    context = Context(row.argument & 0xFF)
    return ev.Waking(row.at_ns, cpu, row.task, row.other, context, row.argument >> 8)


def _fork(cpu: int, row: Row) -> Event:
    return ev.Fork(row.at_ns, cpu, row.task, row.other, bool(row.argument))


def _described(cpu: int, row: Row) -> Event:
    start_ns, process, parent, uid, gid, cgroup, priority, policy, flags, _, name = (
        _TASK.unpack_from(row.words)
    )
    mask = int.from_bytes(row.words[_TASK.size :], "little")
    cpus = frozenset(each for each in range(mask.bit_length()) if mask >> each & 1)
    return ev.Described(
        row.at_ns,
        cpu,
        row.task,
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
    )


def _program(cpu: int, row: Row) -> Event:
    path, _, rest = row.words.partition(b"\0")
    arguments = rest.rstrip(b"\0").split(b"\0") if rest.rstrip(b"\0") else []
    return ev.Program(row.at_ns, cpu, row.task, path, tuple(arguments))


def _exit(cpu: int, row: Row) -> Event:
    return ev.Exit(row.at_ns, cpu, row.task, row.argument)


def _rename(cpu: int, row: Row) -> Event:
    return ev.Rename(row.at_ns, cpu, row.task, row.words.partition(b"\0")[0])


def _cgroup(cpu: int, row: Row) -> Event:
    (number,) = struct.unpack_from("<Q", row.words)
    return ev.Cgroup(row.at_ns, cpu, number, row.words[8:].partition(b"\0")[0])


def _attach(cpu: int, row: Row) -> Event:
    (number,) = struct.unpack_from("<Q", row.words)
    return ev.Attach(row.at_ns, cpu, row.task, bool(row.argument), number)


def _timer(cpu: int, row: Row) -> Event:
    duration_ns, period_ns = struct.unpack_from("<qQ", row.words)
    argument = row.argument
    kind = TimerKind(argument & 0xF)
    absolute = bool(argument & _ABSOLUTE)
    return ev.Timer(row.at_ns, cpu, row.task, kind, argument >> 8, duration_ns, period_ns, absolute)


def _io_begin(cpu: int, row: Row) -> Event:
    operation, device, size = struct.unpack_from("<IIQ", row.words)
    return ev.IoBegin(
        row.at_ns, cpu, row.task, row.argument, device >> 20, device & 0xFFFFF, operation, size
    )


def _io_end(cpu: int, row: Row) -> Event:
    return ev.IoEnd(row.at_ns, cpu, row.argument)


def _lost(cpu: int, row: Row) -> Event:
    return ev.Lost(row.at_ns, cpu, row.argument)


_DECODERS: dict[int, Callable[[int, Row], Event]] = {
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
