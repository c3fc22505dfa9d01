# SPDX-License-Identifier: Apache-2.0
"""Parses the pages of the kernel's ring buffer of trace events, as `trace_pipe_raw` has them.

The binary pages have times in ns. The text of `trace_pipe` has microseconds, is ambiguous if a
task's name looks like a field, and costs the traced machine more than the recording itself. The
layout of pages is in the kernel's `include/linux/ring_buffer.h`, that of events in their files
`format`.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# A page: the time of its first event, the number of bytes with flags in the upper bits, events.
_HEAD = struct.Struct("<QQ")
_SIZE_MASK = (1 << 27) - 1
_LOST = 1 << 31
# An event: 5 bits of type or length, 27 bits of time since the previous event, words.
_PADDING, _TIME_EXTEND, _TIME_STAMP = 29, 30, 31
_STAMP_BITS = 59
_WORD = struct.Struct("<I")
_TYPE = struct.Struct("<H")

_FIELD = re.compile(
    r"^\tfield:(?P<kind>.*?)\s?\b(?P<name>\w+)(?P<array>\[\d*\])?;\s*offset:(?P<offset>\d+);\s*"
    r"size:(?P<size>\d+);\s*signed:(?P<signed>[01]);",
    re.MULTILINE,
)
_ID = re.compile(r"^ID: (\d+)$", re.MULTILINE)
_NUMBERS = {1: "b", 2: "h", 4: "i", 8: "q"}

Value: TypeAlias = int | str


class Event(NamedTuple):
    """An event on a CPU; `task` was running there. `lost`: events before it were overwritten."""

    at_ns: int
    cpu: int
    name: str
    task: int
    fields: Mapping[str, Value]
    lost: bool


@dataclass(frozen=True, slots=True)
class Format:
    """The layout of an event's fields."""

    number: int
    name: str
    fields: tuple[str, ...]
    layout: struct.Struct
    located: frozenset[str]
    """Texts of variable length: their fields hold offset and length."""

    def read(self, page: bytes, at: int) -> tuple[int, dict[str, Value]]:
        """The task that was running, and the other fields."""
        found: dict[str, Value] = {}
        for name, value in zip(self.fields, self.layout.unpack_from(page, at), strict=True):
            if name in self.located:
                begin = at + (value & 0xFFFF)
                found[name] = _text(page[begin : begin + (value >> 16)])
            else:
                found[name] = _text(value) if isinstance(value, bytes) else value
        return int(found.pop("common_pid")), found


def parse_format(name: str, text: str, more: Iterable[str] = ()) -> Format:
    """Parses the kernel's description of an event. `more`: fields common to all to read, too."""
    common = {"common_pid", *more}
    number = _ID.search(text)
    assert number is not None, f"the format of {name} has no number"
    fields, codes, located, end = [], ["<"], set(), 0
    for field in _FIELD.finditer(text):
        key, offset, size = field["name"], int(field["offset"]), int(field["size"])
        if key.startswith("common_") and key not in common:
            continue
        is_located = field["kind"].startswith("__data_loc")
        if field["array"] and "char" in field["kind"] and not is_located:
            code = f"{size}s"
        else:
            code = _NUMBERS[size] if field["signed"] == "1" else _NUMBERS[size].upper()
        codes += [f"{offset - end}x", code]
        fields.append(key)
        if is_located:
            located.add(key)
        end = offset + size
    return Format(
        int(number[1]), name, tuple(fields), struct.Struct("".join(codes)), frozenset(located)
    )


def _text(content: bytes) -> str:
    return content.partition(b"\0")[0].decode(errors="replace")


def used(page: bytes) -> int:
    """The number of bytes in use in a page; 0: it has no events."""
    size = _HEAD.unpack_from(page)[1] & _SIZE_MASK
    return _HEAD.size + size if size else 0


def events(pages: Iterable[bytes], cpu: int, formats: Mapping[int, Format]) -> Iterator[Event]:
    """Parses the events of a CPU's pages, in order of time."""
    for page in pages:
        at_ns, commit = _HEAD.unpack_from(page)
        lost = bool(commit & _LOST)
        at, end = _HEAD.size, _HEAD.size + (commit & _SIZE_MASK)
        while at < end:
            (head,) = _WORD.unpack_from(page, at)
            kind, delta = head & 0x1F, head >> 5
            at += _WORD.size
            if kind == _PADDING and delta == 0:
                break  # the rest of the page is padding
            if kind == _TIME_STAMP:
                at_ns = _stamp(at_ns, delta | _WORD.unpack_from(page, at)[0] << 27)
                at += _WORD.size
                continue
            at_ns += delta
            if kind == _TIME_EXTEND:
                at_ns += _WORD.unpack_from(page, at)[0] << 27
                at += _WORD.size
                continue
            if 0 < kind < _PADDING:
                size, begin = kind * _WORD.size, at
            else:  # the first word is the length, which includes itself
                size, begin = _WORD.unpack_from(page, at)[0], at + _WORD.size
            if kind != _PADDING:
                form = formats.get(_TYPE.unpack_from(page, begin)[0])
                if form is not None:
                    task, fields = form.read(page, begin)
                    yield Event(at_ns, cpu, form.name, task, fields, lost)
                    lost = False
            at += size


def _stamp(before: int, stamp: int) -> int:
    """An absolute time, completed with the upper bits of the time before it."""
    stamp |= before >> _STAMP_BITS << _STAMP_BITS
    return stamp if stamp >= before else stamp + (1 << _STAMP_BITS)
