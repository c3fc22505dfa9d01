# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reproducible initramfs images: the same content gives the same bytes.

On the deterministic clock one changed byte of the image sends the guest down another path, file
times included. So everything that is not content is fixed: order, times, owners, inode numbers.
The format is the kernel's "newc" cpio (Documentation/driver-api/early-userspace/buffer-format.rst).
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gthulhu_lab.errors import LabError

_EPOCH_S = 1767225600  # 2026-01-01, the date of the guests' clocks
_LIBRARY = re.compile(r"(?:=>\s*|^\s*)(/\S+)\s+\(0x[0-9a-f]+\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Entry:
    mode: int
    data: bytes = b""


class Image:
    """The files of a guest's root file system."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def add_directory(self, path: str) -> None:
        """Add a directory and those above it."""
        name = _name(path)
        if name and name not in self._entries:
            self._add_parents(name)
            self._entries[name] = _Entry(stat.S_IFDIR | 0o755)

    def add_bytes(self, path: str, data: bytes, *, executable: bool = False) -> None:
        """Add a file; a later one of the same path takes the place of an earlier one."""
        name = _name(path)
        self._add_parents(name)
        self._entries[name] = _Entry(stat.S_IFREG | (0o755 if executable else 0o644), data)

    def add_symlink(self, path: str, target: str) -> None:
        """Add a symbolic link."""
        name = _name(path)
        self._add_parents(name)
        self._entries[name] = _Entry(stat.S_IFLNK | 0o777, target.encode())

    def add_device(self, path: str, major: int, minor: int) -> None:
        """Add a character device, for what runs before devtmpfs is there."""
        name = _name(path)
        self._add_parents(name)
        self._entries[name] = _Entry(stat.S_IFCHR | 0o600, f"{major}:{minor}".encode())

    def add_host_file(self, path: str, source: Path) -> None:
        """Add a host's file, what a program or library is linked with, or a whole folder.

        Raises LabError.
        """
        if source.is_dir():
            for file in sorted(source.rglob("*")):
                if not file.is_dir():
                    self.add_host_file(f"{path}/{file.relative_to(source)}", file)
            return
        try:
            data = source.read_bytes()
        except OSError as error:
            raise LabError(f"cannot put {source} into a guest: {error.strerror}") from error
        executable = os.access(source, os.X_OK)
        self.add_bytes(path, data, executable=executable)
        # Debian's shared libraries are not executable, those of other builds are.
        if data.startswith(b"\x7fELF") and (executable or source.suffix == ".so"):
            for library in shared_libraries(source):
                self.add_bytes(str(library), library.read_bytes(), executable=True)

    def add_tree(self, folder: Path, place: Callable[[str], str]) -> None:
        """Add all that is below a folder of the host, links as links; `place` has its paths."""
        for file in sorted(folder.rglob("*")):
            path = place(str(file.relative_to(folder)))
            if file.is_symlink():
                self.add_symlink(path, str(file.readlink()))
            elif file.is_dir():
                self.add_directory(path)
            else:
                self.add_bytes(path, file.read_bytes(), executable=os.access(file, os.X_OK))

    def to_bytes(self) -> bytes:
        """The cpio archive."""
        parts: list[bytes] = []
        for inode, name in enumerate(sorted(self._entries), start=1):
            parts.append(_record(name, self._entries[name], inode))
        parts.append(_record("TRAILER!!!", _Entry(0), 0))
        archive = b"".join(parts)
        return archive + bytes(-len(archive) % 512)

    def _add_parents(self, name: str) -> None:
        for parent in PurePosixPath(name).parents:
            if str(parent) != ".":
                self._entries.setdefault(str(parent), _Entry(stat.S_IFDIR | 0o755))


def shared_libraries(program: Path) -> list[Path]:
    """Libraries that a program is linked with, its dynamic loader included; none if static.

    Raises LabError if one is missing.
    """
    result = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    missing = re.findall(r"(\S+) => not found", result.stdout)
    if missing:
        raise LabError(f"{program} needs libraries that are not here: {', '.join(missing)}")
    return [Path(path) for path in _LIBRARY.findall(result.stdout)]


def _name(path: str) -> str:
    return str(PurePosixPath("/", path).relative_to("/")).removeprefix(".")


def _record(name: str, entry: _Entry, inode: int) -> bytes:
    major = minor = 0
    data = entry.data
    if stat.S_ISCHR(entry.mode):
        major, minor = (int(number) for number in data.decode().split(":"))
        data = b""
    links = 2 if stat.S_ISDIR(entry.mode) else 1
    encoded = name.encode() + b"\0"
    time_s = _EPOCH_S if entry.mode else 0
    fields = (
        inode, entry.mode, 0, 0, links, time_s, len(data), 0, 0, major, minor, len(encoded), 0,
    )  # fmt: skip
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    return _padded(header) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
