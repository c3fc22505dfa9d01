# SPDX-License-Identifier: Apache-2.0
"""Builds files in bbolt's format from a mapping; a nested mapping is a bucket."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

PAGE = 4096
_ELEMENTS = 3  # in a page, so that trees have branches


def make(content: Mapping[bytes, Any], transaction: int = 7) -> bytes:
    """Returns the whole file; its older meta page refers to no tree."""
    pages: list[bytes] = [b""] * 3  # two metas, and the list of free pages
    root = _tree(pages, content)
    pages[0] = _page(0, 4, 0, meta(transaction, root))
    pages[1] = _page(1, 4, 0, meta(transaction - 1, 2))
    pages[2] = _page(2, 16, 0, b"")
    return b"".join(pages)


def meta(transaction: int, root: int) -> bytes:
    """The content of a meta page after its header."""
    data = struct.pack("<IIIIQQQQQ", 0xED0CDAED, 2, PAGE, 0, root, 0, 2, 99, transaction)
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return data + struct.pack("<Q", value)


def _tree(pages: list[bytes], content: Mapping[bytes, Any]) -> int:
    """Adds a tree; returns the number of its root."""
    items = sorted(content.items())
    level = []
    for at in range(0, max(len(items), 1), _ELEMENTS):
        some = [(key, *_value(pages, value)) for key, value in items[at : at + _ELEMENTS]]
        level.append((some[0][0] if some else b"", _add(pages, 2, len(some), _leaf(some))))
    while len(level) > 1:
        parts = [level[at : at + _ELEMENTS] for at in range(0, len(level), _ELEMENTS)]
        level = [(part[0][0], _add(pages, 1, len(part), _branch(part))) for part in parts]
    return level[0][1]


def _value(pages: list[bytes], value: Any) -> tuple[int, bytes]:
    if isinstance(value, bytes):
        return 0, value
    if all(isinstance(each, bytes) and len(each) < 64 for each in value.values()):
        inline = [(key, 0, each) for key, each in sorted(value.items())]
        header = struct.pack("<QHHI", 0, 2, len(inline), 0)
        return 1, struct.pack("<QQ", 0, 0) + header + _leaf(inline)
    return 1, struct.pack("<QQ", _tree(pages, value), 0)


def _leaf(items: list[tuple[bytes, int, bytes]]) -> bytes:
    heads, texts = b"", b""
    for number, (key, flags, value) in enumerate(items):
        position = 16 * (len(items) - number) + len(texts)
        heads += struct.pack("<IIII", flags, position, len(key), len(value))
        texts += key + value
    return heads + texts


def _branch(items: list[tuple[bytes, int]]) -> bytes:
    heads, keys = b"", b""
    for number, (key, child) in enumerate(items):
        position = 16 * (len(items) - number) + len(keys)
        heads += struct.pack("<IIQ", position, len(key), child)
        keys += key
    return heads + keys


def _add(pages: list[bytes], flags: int, count: int, data: bytes) -> int:
    number = sum(len(page) or PAGE for page in pages) // PAGE
    pages.append(_page(number, flags, count, data))
    return number


def _page(number: int, flags: int, count: int, data: bytes) -> bytes:
    size = -(-(16 + len(data)) // PAGE) * PAGE
    return (struct.pack("<QHHI", number, flags, count, size // PAGE - 1) + data).ljust(size, b"\0")
