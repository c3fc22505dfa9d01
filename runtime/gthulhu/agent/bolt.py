# SPDX-License-Identifier: Apache-2.0
"""Reads bbolt files (go.etcd.io/bbolt), where containerd and older podmans keep containers.

A file consists of pages of B+ trees. A bucket is a tree whose values may be buckets again. The two
pages at the start, the metas, name the root; the meta with the higher transaction is valid. A
transaction writes only pages that the previous one does not use, and its meta last. So a read is
consistent if no transaction ended meanwhile. It takes no lock, for which the owner would wait.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

_PAGE = struct.Struct("<QHHI")  # number, flags, count, overflow
_META = struct.Struct("<IIIIQQQQQ")  # magic, version, page size, flags, root, -, -, -, transaction
_SUM = struct.Struct("<Q")
_BUCKET = struct.Struct("<QQ")  # root, or 0: the page follows here; sequence
_BRANCH_ELEMENT = struct.Struct("<IIQ")  # position of the key, its size, page
_LEAF_ELEMENT = struct.Struct("<IIII")  # flags, position of the key, its size, the value's
_BRANCH, _LEAF = 0x1, 0x2
_IS_BUCKET = 0x1
_MAGIC, _VERSION = 0xED0CDAED, 2
_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)  # of the machines that write them
_ATTEMPTS = 5
# Limits that only a corrupt file exceeds.
_MAX_DEPTH = 32
_MAX_BYTES = 16 << 20  # of a page
_MAX_PAGES = 1000  # of a bucket whose values are read

Found = TypeVar("Found")


class BoltError(Exception):
    """The file is not a bbolt file, is corrupt, or changes all the time."""


class _Meta(NamedTuple):
    transaction: int
    root: int
    page_size: int


class _Element(NamedTuple):
    key: bytes
    value: bytes
    is_bucket: bool


def get(path: str | os.PathLike[str], *keys: bytes) -> bytes | None:
    """The value at the last key, in the nested buckets of the keys before it; None: no such value.

    Raises BoltError and OSError.
    """

    def look(fd: int, meta: _Meta) -> bytes | None:
        bucket = _bucket(fd, meta, keys[:-1])
        found = None if bucket is None else _look_up(fd, meta, bucket, keys[-1])
        return found.value if found and not found.is_bucket else None

    return _undisturbed(path, look)


def values(path: str | os.PathLike[str], *keys: bytes) -> dict[bytes, bytes] | None:
    """The values of the bucket at the last key; None: no such bucket.

    Raises BoltError and OSError.
    """

    def look(fd: int, meta: _Meta) -> dict[bytes, bytes] | None:
        bucket = _bucket(fd, meta, keys)
        if bucket is None:
            return None
        found = _elements(fd, meta, bucket)
        return {each.key: each.value for each in found if not each.is_bucket}

    return _undisturbed(path, look)


def _undisturbed(path: str | os.PathLike[str], look: Callable[[int, _Meta], Found]) -> Found:
    """The result of `look`, repeated until no transaction ends meanwhile."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        for _ in range(_ATTEMPTS):
            meta = _meta(fd)
            try:
                found = look(fd, meta)
            except (struct.error, OverflowError, BoltError):  # overflow: a page beyond any file
                if _meta(fd) == meta:
                    raise BoltError(f"{os.fspath(path)} is corrupt") from None
                continue
            if _meta(fd) == meta:
                return found
    finally:
        os.close(fd)
    raise BoltError(f"{os.fspath(path)} changes all the time")


def _meta(fd: int) -> _Meta:
    """The newest valid meta. The second one is at the page size."""
    found = [meta for at in (0, *_PAGE_SIZES) if (meta := _meta_at(fd, at))]
    if not found:
        raise BoltError("not a bbolt file")
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


def _bucket(fd: int, meta: _Meta, keys: tuple[bytes, ...]) -> bytes | None:
    """The root page of a bucket; None: the bucket does not exist."""
    page = _read_page(fd, meta, meta.root)
    for key in keys:
        found = _look_up(fd, meta, page, key)
        if found is None or not found.is_bucket:
            return None
        root, _ = _BUCKET.unpack_from(found.value)
        page = _read_page(fd, meta, root) if root else found.value[_BUCKET.size :]
    return page


def _read_page(fd: int, meta: _Meta, number: int) -> bytes:
    at = number * meta.page_size
    size = (1 + _PAGE.unpack(os.pread(fd, _PAGE.size, at))[3]) * meta.page_size
    if size > _MAX_BYTES:
        raise BoltError("a page is too large")
    return os.pread(fd, size, at)


def _look_up(fd: int, meta: _Meta, page: bytes, key: bytes) -> _Element | None:
    for _ in range(_MAX_DEPTH):
        if _is_leaf(page):
            return next((each for each in _leaf(page) if each.key == key), None)
        # The child of the last key that is not greater than this one, or the first child.
        child = None
        for first, number in _branch(page):
            if child is not None and first > key:
                break
            child = number
        if child is None:
            break
        page = _read_page(fd, meta, child)
    raise BoltError("not a tree")


def _elements(fd: int, meta: _Meta, page: bytes) -> Iterator[_Element]:
    """All elements of a tree."""
    below: list[int] = []
    for _ in range(_MAX_PAGES):
        if _is_leaf(page):
            yield from _leaf(page)
        else:
            below += [number for _, number in _branch(page)]
        if not below:
            return
        page = _read_page(fd, meta, below.pop())
    raise BoltError("not a tree, or too large")


def _is_leaf(page: bytes) -> bool:
    flags: int = _PAGE.unpack_from(page)[1]
    if flags not in (_LEAF, _BRANCH):
        raise BoltError("not a tree")
    return flags == _LEAF


def _leaf(page: bytes) -> Iterator[_Element]:
    count = _PAGE.unpack_from(page)[2]
    for at in range(_PAGE.size, _PAGE.size + count * _LEAF_ELEMENT.size, _LEAF_ELEMENT.size):
        flags, position, key_size, size = _LEAF_ELEMENT.unpack_from(page, at)
        begin = at + position
        end = begin + key_size + size
        if end > len(page):
            raise BoltError("truncated page")
        key, value = page[begin : begin + key_size], page[begin + key_size : end]
        yield _Element(key, value, bool(flags & _IS_BUCKET))


def _branch(page: bytes) -> Iterator[tuple[bytes, int]]:
    """The first key and the number of each child page."""
    count = _PAGE.unpack_from(page)[2]
    for at in range(_PAGE.size, _PAGE.size + count * _BRANCH_ELEMENT.size, _BRANCH_ELEMENT.size):
        position, size, number = _BRANCH_ELEMENT.unpack_from(page, at)
        yield page[at + position : at + position + size], number
