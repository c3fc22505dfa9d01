# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what other tools have recorded, and makes a record of it."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from gthulhu.record.foreign.trace import Trace
from gthulhu.record.framing import MAGIC, RecordError
from gthulhuc.cli.frame import reason

_PERF_DATA = (b"PERFILE2", b"2ELIFREP")
_HEAD = 4096
_FORMATS = "a trace of Perfetto, or the text of `perf script`"


def open_trace(path: str) -> Trace:
    """Opens a file of another tool. Raises RecordError."""
    try:
        with Path(path).open("rb") as file:
            return _read(file, path)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {reason(error)}", "name a file") from error


def _read(file: IO[bytes], path: str) -> Trace:
    head = file.read(_HEAD)
    file.seek(0)
    if not head:
        raise RecordError(f"{path} is empty", f"name {_FORMATS}")
    if head.startswith(MAGIC):
        raise RecordError(f"{path} is a record already", "`gthulhu replay` reads it as it is")
    if head.startswith(_PERF_DATA):
        raise RecordError(
            f"{path} is perf's own format, which only perf reads",
            f"perf script -i {path} --ns --header --show-task-events > sched.txt",
        )
    if b"\0" not in head and _is_text(head):
        from gthulhu.record.foreign.perf import PerfTrace

        return PerfTrace(path)
    from gthulhu.record.foreign.perfetto import PerfettoTrace

    return PerfettoTrace(file, path)


def _is_text(head: bytes) -> bool:
    """Whether it can be text; a character may be cut off at the end."""
    try:
        head[:-4].decode()
    except UnicodeDecodeError:
        return False
    return not any(byte < 0x20 and byte not in b"\t\n\r" for byte in head)
