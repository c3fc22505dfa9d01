# SPDX-License-Identifier: Apache-2.0
"""The agent's reader of bbolt's files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bolt_file
from gthulhu.agent import bolt

NAMES = [f"{number:03}".encode() for number in range(0, 400, 2)]
CONFIGS = {name: name * 2000 if name == b"042" else name for name in NAMES}
CONTENT: dict[bytes, Any] = {
    b"ctr": {name: {b"config": config} for name, config in CONFIGS.items()},
    b"empty": {},
    b"many": {name: name * 50 for name in NAMES},
    b"plain": {b"key": b"x" * 100},
}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    path = tmp_path / "bolt_state.db"
    path.write_bytes(bolt_file.make(CONTENT))
    return path


@pytest.mark.parametrize("name", NAMES[::7] + NAMES[-1:])
def test_a_value_is_found(path: Path, name: bytes) -> None:
    assert bolt.get(path, b"ctr", name, b"config") == CONFIGS[name]


@pytest.mark.parametrize(
    "keys",
    [
        (b"ctr", b"001", b"config"), (b"ctr", b"000", b"state"), (b"none", b"000", b"config"),
        (b"ctr", b"", b"config"), (b"ctr", b"999", b"config"), (b"empty", b"key"),
        (b"ctr", b"000"), (b"plain", b"key", b"config"),
    ],
)  # fmt: skip
def test_missing_entries_are_not_found(path: Path, keys: tuple[bytes, ...]) -> None:
    assert bolt.get(path, *keys) is None


@pytest.mark.parametrize("keys", [(b"plain",), (b"many",), (b"ctr", b"042"), (b"empty",)])
def test_all_values_of_a_bucket(path: Path, keys: tuple[bytes, ...]) -> None:
    content: Any = CONTENT
    for key in keys:
        content = content[key]
    assert bolt.values(path, *keys) == content


def test_nested_buckets_are_not_values(path: Path) -> None:
    assert bolt.values(path, b"ctr") == {}
    assert bolt.values(path, b"none") is bolt.values(path, b"plain", b"key") is None


@pytest.mark.parametrize("below", [None, (1 << 64) - 1])
def test_a_root_with_itself_or_no_page_below_is_damage(path: Path, below: int | None) -> None:
    data = bytearray(path.read_bytes())
    root = int.from_bytes(data[32:40], "little")
    count = int.from_bytes(data[root * bolt_file.PAGE + 10 :][:2], "little")
    for at in range(count):
        place = root * bolt_file.PAGE + 16 + 16 * at + 8
        data[place : place + 8] = (root if below is None else below).to_bytes(8, "little")
    path.write_bytes(data)
    with pytest.raises(bolt.BoltError, match="corrupt"):
        bolt.values(path)
    with pytest.raises(bolt.BoltError, match="corrupt"):
        bolt.get(path, b"plain", b"key")


@pytest.mark.parametrize("page", [0, 1])
def test_the_newer_meta_counts_if_it_is_whole(path: Path, page: int) -> None:
    data = bytearray(path.read_bytes())
    # The older one's root is the list of free pages, no tree.
    data[page * bolt_file.PAGE + 40] ^= 1
    path.write_bytes(data)
    if page == 1:
        assert bolt.get(path, b"plain", b"key")
    else:
        with pytest.raises(bolt.BoltError, match="corrupt"):
            bolt.get(path, b"plain", b"key")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"", lambda data: data[:100], lambda data: bytes(len(data)),
        lambda data: data[:8192], lambda data: data[:8192] + b"\xff" * 200_000,
        lambda data: data[: len(data) // 2 - 30],
    ],
)  # fmt: skip
def test_missing_file_is_reported(path: Path, damage: Callable[[bytes], bytes]) -> None:
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(bolt.BoltError):
        _ = [bolt.get(path, b"ctr", name, b"config") for name in NAMES]


def test_file_is_reread_after_a_transaction(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of the one before may have been written over by then."""
    newer = bolt_file.make({b"plain": {b"key": b"new" * 50}}, transaction=9)
    pread = os.pread

    def meanwhile(fd: int, size: int, at: int) -> bytes:
        data = pread(fd, size, at)
        if at > 2 * bolt_file.PAGE and size < 100:  # the first look at the tree
            monkeypatch.undo()
            path.write_bytes(newer)
        return data

    monkeypatch.setattr(os, "pread", meanwhile)
    assert bolt.get(path, b"plain", b"key") == b"new" * 50


def test_endless_transactions_are_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transactions = iter(range(8, 1000))
    pread = os.pread

    def meanwhile(fd: int, size: int, at: int) -> bytes:
        data = pread(fd, size, at)
        if at > 2 * bolt_file.PAGE and size < 100:
            path.write_bytes(bolt_file.make(CONTENT, next(transactions)))
        return data

    monkeypatch.setattr(os, "pread", meanwhile)
    with pytest.raises(bolt.BoltError, match="all the time"):
        bolt.get(path, b"plain", b"key")
