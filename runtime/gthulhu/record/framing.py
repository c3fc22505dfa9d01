# SPDX-License-Identifier: Apache-2.0
"""Blocks of a record: their frame, their checksums, and zstd.

All integers are little-endian. See docs/record.md.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

MAGIC = b"\x89GTR\r\n\x1a\n"
MAJOR = 1
"""Raised when older readers would misread a record."""
MINOR = 4
"""Raised when something is added that older readers may ignore."""
_FILE = struct.Struct("<8sHHI")  # magic, major, minor, CRC-32 of these
FILE_BYTES = _FILE.size

_BLOCK = struct.Struct("<4sBBHIIIIQ")
BLOCK_BYTES = _BLOCK.size
_BLOCK_MAGIC = b"GTRB"
_CHECKSUM = slice(16, 20)
_MAX_BYTES = 16 << 20  # of a block; none that a writer makes comes near
_LEVEL = 1  # a third faster than 3, and 3 % larger


class RecordError(CommandError):
    """A record cannot be read; `hint` says what to do."""


class Kind(IntEnum):
    """The kinds of blocks. A reader ignores those that it does not know."""

    INFO = 1
    """JSON: the machine. The first block."""
    EVENTS = 2
    """Events of one CPU, in columns."""
    ROUND = 3
    """JSON: all events before `begin_ns` are in blocks before this one."""
    END = 4
    """JSON: why the recording ended. The last block; missing after a crash."""
    LABELS = 5
    """JSON: labels of containers and tasks at `begin_ns`. It belongs to no round."""


class Packing(IntEnum):
    """How the content of a block is compressed."""

    NONE = 0
    ZSTD = 1


class Header(NamedTuple):
    """The frame of a block.

    `stored`, `size`: bytes of the content in the file, and unpacked. `begin_ns`: CLOCK_MONOTONIC.
    """

    kind: int
    packing: int
    cpu: int
    stored: int
    size: int
    checksum: int
    events: int
    begin_ns: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block with its content, which is unpacked."""

    header: Header
    content: bytes


def json_block(kind: Kind, said: Mapping[str, Any], at_ns: int) -> Block:
    """A block that has JSON."""
    content = json.dumps(said, separators=(",", ":"), sort_keys=True).encode()
    return Block(Header(kind, 0, 0, len(content), len(content), 0, 0, at_ns), content)


def file_header() -> bytes:
    """The first bytes of a record."""
    front = _FILE.pack(MAGIC, MAJOR, MINOR, 0)[:-4]
    return front + struct.pack("<I", zlib.crc32(front))


def check_file_header(name: str, data: bytes) -> None:
    """Checks the first bytes of a record. Raises RecordError."""
    if len(data) < FILE_BYTES or not data.startswith(MAGIC):
        if data and MAGIC.startswith(data[: len(MAGIC)]):
            raise RecordError(f"{name} was cut off in its first bytes", "nothing of it is left")
        raise RecordError(
            f"{name} is not a record", "`gthulhu record -o FILE.gtr` makes one, as root"
        )
    _, major, _, checksum = _FILE.unpack_from(data)
    if checksum != zlib.crc32(data[: FILE_BYTES - 4]):
        raise RecordError(f"{name} is damaged in its first bytes", "copy it again")
    if major != MAJOR:
        raise RecordError(
            f"{name} has version {major} of the format, and this gthulhu reads version {MAJOR}",
            "update gthulhuc" if major > MAJOR else "record it again",
        )


def parse_header(data: bytes) -> Header | None:
    """The frame in the first BLOCK_BYTES of a block; None if it is not one."""
    magic, *fields = _BLOCK.unpack(data)
    header = Header(*fields)
    fits = header.stored <= _MAX_BYTES and header.size <= _MAX_BYTES
    return header if magic == _BLOCK_MAGIC and fits else None


def checksum_of(header: bytes, stored: bytes) -> int:
    """The CRC-32 of a block: of its frame, without the CRC, and its content as it is stored."""
    start = zlib.crc32(header[: _CHECKSUM.start])
    return zlib.crc32(stored, zlib.crc32(header[_CHECKSUM.stop :], start))


def pack(kind: int, content: bytes, *, cpu: int = 0, events: int = 0, begin_ns: int = 0) -> bytes:
    """A block as it is in a file, compressed if that makes it smaller. Raises CommandError."""
    stored, packing = _codec().compress(content), Packing.ZSTD
    if len(stored) >= len(content):
        stored, packing = content, Packing.NONE
    fields = (kind, packing, cpu, len(stored), len(content))
    header = _BLOCK.pack(_BLOCK_MAGIC, *fields, 0, events, begin_ns)
    checksum = checksum_of(header, stored)
    return _BLOCK.pack(_BLOCK_MAGIC, *fields, checksum, events, begin_ns) + stored


def unpack(header: Header, stored: bytes) -> bytes:
    """The content of a block. Raises ValueError if it is not what the frame says."""
    if header.packing == Packing.NONE:
        content = stored
    elif header.packing == Packing.ZSTD:
        content = _codec().decompress(stored, header.size)
    else:
        raise ValueError(f"its compression {header.packing} is not known")
    if len(content) != header.size:
        raise ValueError(f"it has {len(content)} bytes instead of {header.size}")
    return content


# ---- zstd ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Codec:
    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes, int], bytes]
    """Takes data, and the size that its content must have. Raises ValueError."""


_found: list[_Codec] = []


def _codec() -> _Codec:
    """Python's zstd, from 3.14 on, or the package zstandard. Raises CommandError."""
    if not _found:
        if sys.version_info >= (3, 14):
            _found.append(_of_python())
        else:
            _found.append(_of_package())
    return _found[0]


if sys.version_info >= (3, 14):

    def _of_python() -> _Codec:
        from compression import zstd

        def decompress(data: bytes, size: int) -> bytes:
            reader = zstd.ZstdDecompressor()
            try:
                content = reader.decompress(data, size + 1)
            except zstd.ZstdError as error:
                raise ValueError(f"it cannot be unpacked: {error}") from error
            if not reader.eof or reader.unused_data:
                raise ValueError("it cannot be unpacked: it is incomplete or too long")
            return content

        return _Codec(lambda data: zstd.compress(data, _LEVEL), decompress)

else:

    def _of_package() -> _Codec:
        try:
            import zstandard
        except ImportError as error:
            raise CommandError(
                "the Python package zstandard is missing", frame.pip_install("zstandard")
            ) from error

        def decompress(data: bytes, size: int) -> bytes:
            try:
                # Not by the frame's own size, which may be any.
                reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
                content = reader.decompress(data) if _claims(data, size) else b""
            except zstandard.ZstdError as error:
                raise ValueError(f"it cannot be unpacked: {error}") from error
            if not reader.eof or reader.unused_data:
                raise ValueError("it cannot be unpacked: it is incomplete or too long")
            return content

        def _claims(data: bytes, size: int) -> bool:
            return zstandard.frame_content_size(data) == size

        return _Codec(zstandard.ZstdCompressor(level=_LEVEL).compress, decompress)
