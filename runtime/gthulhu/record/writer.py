# SPDX-License-Identifier: Apache-2.0
"""Writes a record: compresses the recorder's blocks, within a size limit."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gthulhu.record import framing
from gthulhu.record.framing import BLOCK_BYTES, Block, Kind, RecordError, json_block

if TYPE_CHECKING:
    from gthulhu.record.anonymise import Anonymiser
    from gthulhu.record.reader import Record

_KINDS = frozenset(Kind)
END_BYTES = 4096
"""Space that is left for the last block."""


class FullError(Exception):
    """The next block would pass the size limit."""


class Writer:
    """A record that is being written.

    The file always ends with a whole round: one that does not fit, or cannot be written, is taken
    back.
    """

    def __init__(self, file: IO[bytes], limit: int) -> None:
        """`file`: opened for writing, unbuffered. `limit`: in bytes."""
        self._file = file
        self._limit = limit
        self._safe = 0
        self.size = 0
        """Bytes so far."""

    def begin(self, info: Mapping[str, Any], begin_ns: int) -> None:
        """Writes what comes first. Raises FullError and OSError."""
        self._put(framing.file_header())
        self.put(json_block(Kind.INFO, info, begin_ns))
        self._safe = self.size

    def put(self, block: Block) -> None:
        """Writes a block. Raises FullError and OSError; the file keeps its whole rounds then."""
        head = block.header
        data = framing.pack(
            head.kind, block.content, cpu=head.cpu, events=head.events, begin_ns=head.begin_ns
        )
        if self.size + len(data) > self._limit - END_BYTES:
            self._take_back()
            raise FullError
        self._put(data)
        if head.kind == Kind.ROUND:
            self._safe = self.size

    def add(self, block: Block) -> None:
        """Writes a block that belongs to no round. Raises FullError and OSError."""
        self._take_back()
        self.put(block)
        self._safe = self.size

    def end(self, said: Mapping[str, Any], end_ns: int) -> None:
        """Writes the last block. Raises OSError."""
        self._take_back()
        block = json_block(Kind.END, said, end_ns)
        self._put(framing.pack(Kind.END, block.content, begin_ns=end_ns))
        self._safe = self.size

    def _put(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError:
            self._take_back()
            raise
        self.size += len(data)

    def _take_back(self) -> None:
        """Removes what is after the last whole round."""
        if self._safe and self._file.seekable():
            self._file.truncate(self._safe)
            self._file.seek(self._safe)
            self.size = self._safe


def copy(record: Record, file: IO[bytes], anonymiser: Anonymiser) -> None:
    """Writes a record without its names. Raises OSError, RecordError and ValueError."""
    writer = Writer(file, sys.maxsize)
    for block in record.blocks():
        if block.header.kind == Kind.INFO:
            info = anonymiser.info(json.loads(block.content))
            writer.begin(info, block.header.begin_ns)
        elif block.header.kind in _KINDS:  # others may have names
            writer.put(anonymiser.block(block))


def read_block(pipe: IO[bytes]) -> Block | None:
    """The recorder's next block; None: it has ended. Raises RecordError."""
    front = pipe.read(BLOCK_BYTES)
    if not front:
        return None
    header = framing.parse_header(front) if len(front) == BLOCK_BYTES else None
    content = pipe.read(header.stored) if header else b""
    if header is None or len(content) < header.stored:
        raise RecordError(
            "gthulhu-record ended within a block", "it was killed, or is of another version"
        )
    return Block(header, content)


def new_file(path: str, *, force: bool) -> IO[bytes]:
    """Makes the file of a record, which only its owner may read. Raises RecordError."""
    from gthulhuc.cli import files

    files.check_output(path)
    flags = os.O_RDWR | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)

    def opener(name: str, _: int) -> int:
        return os.open(name, flags, 0o600)

    try:
        return _open(path, opener)
    except FileExistsError as error:
        raise RecordError(
            f"{path} exists already", "name another file, or replace it with --force"
        ) from error
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror}", "name another place") from error


def _open(path: str, opener: Callable[[str, int], int]) -> IO[bytes]:
    return open(Path(path), "r+b", buffering=0, opener=opener)
