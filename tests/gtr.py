# SPDX-License-Identifier: Apache-2.0
"""Small records, made without a kernel; and a program that stands in for gthulhu-record."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gthulhu.record import columns
from gthulhu.record.columns import Row
from gthulhu.record.events import Code
from gthulhu.record.framing import BLOCK_BYTES, FILE_BYTES, Block, Header, Kind
from gthulhu.record.writer import Writer

SECOND = 10**9
BEGIN_NS = 5 * SECOND
INFO = {"kernel": {"machine": "x86_64", "release": "7.2"}, "scheduler": "EEVDF", "cpus": []}
END = {"ending": "time", "programs_ns": 1000, "recorder_ns": 0, "writer_ns": 0, "cpus": 2}
NO_SYSCALL, KERNEL, SYSCALL_SHIFT = 0x3FFF, 0x3FFE, 18
SLEEPS = 1


def switch(
    at_ns: int, prev: int, to: int, state: int = 0, syscall: int = 0, *, preempted: bool = False,
    entries: int = 0,
) -> Row:  # fmt: skip
    argument = state | preempted << 16 | (syscall << SYSCALL_SHIFT if state else 0)
    words = struct.pack("<Q", entries) if entries else b""
    return Row(at_ns, Code.SWITCH, to, prev, argument, words)


def waking(at_ns: int, task: int, current: int, context: int = 0, source: int = 0) -> Row:
    return Row(at_ns, Code.WAKING, task, current, context | source << 8, b"")


def task(
    at_ns: int, number: int, name: bytes, *, process: int = 0, cgroup: int = 1, start_ns: int = 0,
    priority: int = 120, cpus: Iterable[int] = (),
) -> Row:  # fmt: skip
    mask = sum(1 << cpu for cpu in cpus)
    words = struct.pack(
        "<QIIIIQHBBI16s", start_ns, process or number, 1, 0, 0, cgroup, priority, 0, 0, 4, name
    )
    return Row(
        at_ns, Code.TASK, number, 0, 0,
        words + mask.to_bytes((mask.bit_length() + 63) // 64 * 8, "little"),
    )  # fmt: skip


def in_session(row: Row, session: int) -> Row:
    """Returns the description of a task with its session."""
    return row._replace(argument=session)


def text(at_ns: int, code: Code, number: int, content: bytes) -> Row:
    size = (len(content) + 7) // 8 * 8
    return Row(at_ns, code, number, 0, 0, content.ljust(size, b"\0"))


def cgroup(at_ns: int, number: int, path: bytes) -> Row:
    return text(at_ns, Code.CGROUP, 0, struct.pack("<Q", number) + path + b"\0")


def events(cpu: int, rows: Sequence[Row]) -> Block:
    content = columns.encode(rows)
    size = len(content)
    begin_ns = rows[0].at_ns if rows else BEGIN_NS
    return Block(Header(Kind.EVENTS, 0, cpu, size, size, 0, len(rows), begin_ns), content)


def round_at(at_ns: int, **said: Any) -> Block:
    whole = {"lost": [], "events": 0, "programs_ns": 0, "recorder_ns": 0} | said
    content = json.dumps(whole).encode()
    size = len(content)
    return Block(Header(Kind.ROUND, 0, 0, size, size, 0, 0, at_ns), content)


def write(path: Path, blocks: Iterable[Block], *, end: bool = True, **info: object) -> Path:
    """Writes a record; returns its path. `info`: more than INFO."""
    with path.open("w+b", buffering=0) as file:
        writer = Writer(file, sys.maxsize)
        writer.begin(INFO | info, BEGIN_NS)
        for block in blocks:
            writer.put(block)
        if end:
            writer.end(END, BEGIN_NS + SECOND)
    return path


def piped(blocks: Iterable[Block]) -> bytes:
    """Blocks as gthulhu-record writes them."""
    front = struct.Struct("<4sBBHIIIIQ")
    assert front.size == BLOCK_BYTES
    return b"".join(front.pack(b"GTRB", *block.header) + block.content for block in blocks)


def fake_recorder(folder: Path, blocks: Iterable[Block], *, then: str = "") -> Path:
    """Makes a program that writes blocks, and then runs lines of Python."""
    (folder / "blocks").write_bytes(piped(blocks))
    program = folder / "fake-recorder"
    program.write_text(
        f"#!{sys.executable}\n"
        "import os, pathlib, signal, sys, time\n"
        f"sys.stdout.buffer.write(pathlib.Path({str(folder / 'blocks')!r}).read_bytes())\n"
        "sys.stdout.flush()\n"
        f"{then}\n"
    )
    program.chmod(0o755)
    return program


def small() -> list[Block]:
    """A record of two CPUs and two rounds."""
    at = BEGIN_NS
    return [
        events(0, [
            task(at, 7, b"web", cgroup=2, cpus=(0, 3)),
            cgroup(at + 1, 2, b"/system.slice/web.service"),
            text(at + 2, Code.PROGRAM, 7, b"/srv/shop/web\0web\0--secret\0"),
            waking(at + 10, 7, 0, 4, 99),
            switch(at + 20, 0, 7),
            waking(at + 30, 8, 7),
        ]),
        events(1, [
            task(at + 5, 8, b"db"),
            switch(at + 35, 0, 8),
            switch(at + 45, 8, 0, SLEEPS, 202),
        ]),
        round_at(at + 50),
        events(0, [
            switch(at + 60, 7, 0, SLEEPS, NO_SYSCALL),
            Row(at + 70, Code.IO_BEGIN, 7, 0, 5, struct.pack("<IIQ", 1, 8 << 20 | 3, 4096)),
            Row(at + 170, Code.IO_END, 0, 0, 5, b""),
        ]),
        round_at(at + 200),
    ]  # fmt: skip


PLACES = (0, FILE_BYTES)
"""Where the first two parts of a file begin."""
