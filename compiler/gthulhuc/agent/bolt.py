# SPDX-License-Identifier: Apache-2.0
"""A value of a bbolt file (go.etcd.io/bbolt), which podman before 5.0 keeps its containers in.

A file is pages of B+ trees: a bucket is a tree, whose values may be buckets again. Two pages at
its begin, the metas, name the root of all; that with the higher transaction counts. A transaction
writes nothing but pages that are free in the one before, and its meta last. So what was read is
whole if no transaction has ended meanwhile, and no lock is needed, which podman would wait for.
"""

from __future__ import annotations

import os
import struct
from typing import NamedTuple

_PAGE = struct.Struct("<QHHI")  # number, flags, count, overflow
_META = struct.Struct("<IIIIQQQQQ")  # magic, version, page size, flags, root, -, -, -, transaction
_SUM = struct.Struct("<Q")
_BUCKET = struct.Struct("<QQ")  # root, or 0: the page is behind it; sequence
_BRANCH_ELEMENT = struct.Struct("<IIQ")  # position of the key, its size, page
_LEAF_ELEMENT = struct.Struct("<IIII")  # flags, position of the key, its size, the value's
_BRANCH, _LEAF = 0x1, 0x2
_IS_BUCKET = 0x1
_MAGIC, _VERSION = 0xED0CDAED, 2
_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)  # of the machines that write them
_DEEPEST = 32
_ATTEMPTS = 5


class BoltError(Exception):
    """The file is none, is damaged, or is written to all the time."""


class _Meta(NamedTuple):
    transaction: int
    root: int
    page_size: int


def get(path: str | os.PathLike[str], *keys: bytes) -> bytes | None:
    """The value at the last key, in the buckets at those before. Raises BoltError and OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        for _ in range(_ATTEMPTS):
            meta = _meta(fd)
            try:
                value = _find(fd, meta, keys)
            except (struct.error, BoltError):
                if _meta(fd) == meta:
                    raise BoltError(f"{os.fspath(path)} is damaged") from None
                continue
            if _meta(fd) == meta:
                return value
    finally:
        os.close(fd)
    raise BoltError(f"{os.fspath(path)} is written to all the time")


def _meta(fd: int) -> _Meta:
    """The newest one that is whole. The second one is where the page size says."""
    found = [meta for at in (0, *_PAGE_SIZES) if (meta := _meta_at(fd, at))]
    if not found:
        raise BoltError("no bbolt file")
    return max(found)


def _meta_at(fd: int, at: int) -> _Meta | None:
    data = os.pread(fd, _META.size + _SUM.size, at + _PAGE.size)
    if len(data) < _META.size + _SUM.size:
        return None
    magic, version, page_size, _, root, _, _, _, transaction = _META.unpack_from(data)
    if (magic, version) != (_MAGIC, _VERSION) or page_size not in _PAGE_SIZES or at not in (
        0, page_size,
    ):  # fmt: skip
        return None
    if _SUM.unpack_from(data, _META.size)[0] != _fnv_1a(data[: _META.size]):
        return None
    return _Meta(transaction, root, page_size)


def _fnv_1a(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def _find(fd: int, meta: _Meta, keys: tuple[bytes, ...]) -> bytes | None:
    page = _read_page(fd, meta, meta.root)
    value = None
    for depth, key in enumerate(keys, start=1):
        found = _look_up(fd, meta, page, key)
        is_last = depth == len(keys)
        if found is None or found[0] == is_last:
            return None  # it is not there, or a bucket where a value should be, or the reverse
        value = found[1]
        if not is_last:
            root, _ = _BUCKET.unpack_from(value)
            page = _read_page(fd, meta, root) if root else value[_BUCKET.size :]
    return value


def _read_page(fd: int, meta: _Meta, number: int) -> bytes:
    at = number * meta.page_size
    overflow = _PAGE.unpack(os.pread(fd, _PAGE.size, at))[3]
    return os.pread(fd, (1 + overflow) * meta.page_size, at)


def _look_up(fd: int, meta: _Meta, page: bytes, key: bytes) -> tuple[bool, bytes] | None:
    """Of a key: is it a bucket, and its value."""
    for _ in range(_DEEPEST):
        _, flags, count, _ = _PAGE.unpack_from(page)
        if flags == _LEAF:
            return _in_leaf(page, count, key)
        if flags != _BRANCH:
            break
        page = _read_page(fd, meta, _below(page, count, key))
    raise BoltError("no tree")


def _below(page: bytes, count: int, key: bytes) -> int:
    """The page of the last key that does not come after this one, or the first page."""
    number = 0
    for at in range(_PAGE.size, _PAGE.size + count * _BRANCH_ELEMENT.size, _BRANCH_ELEMENT.size):
        position, size, child = _BRANCH_ELEMENT.unpack_from(page, at)
        if number and page[at + position : at + position + size] > key:
            break
        number = child
    return number


def _in_leaf(page: bytes, count: int, key: bytes) -> tuple[bool, bytes] | None:
    for at in range(_PAGE.size, _PAGE.size + count * _LEAF_ELEMENT.size, _LEAF_ELEMENT.size):
        flags, position, key_size, size = _LEAF_ELEMENT.unpack_from(page, at)
        begin = at + position
        if page[begin : begin + key_size] == key:
            value = page[begin + key_size : begin + key_size + size]
            if len(value) < size:
                raise BoltError("cut short")
            return bool(flags & _IS_BUCKET), value
    return None
