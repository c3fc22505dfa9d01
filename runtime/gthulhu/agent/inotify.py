# SPDX-License-Identifier: Apache-2.0
"""Events of folders from the kernel (inotify(7)). Python's library has no module for them."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import NamedTuple

CLOSE_WRITE = 0x8
MOVED_FROM = 0x40
MOVED_TO = 0x80
CREATE = 0x100
DELETE = 0x200
OVERFLOW = 0x4000
IGNORED = 0x8000
ONLY_DIRECTORY = 0x1000000
IS_DIRECTORY = 0x40000000

_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16


class Event(NamedTuple):
    """An event of an entry in a watched folder."""

    watch: int
    mask: int
    name: str


class Inotify:
    """A queue of events; `fileno` is readable when an event is there."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd = self._checked(self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))

    def fileno(self) -> int:
        """The descriptor, for select(2)."""
        return self._fd

    def close(self) -> None:
        """Closes the queue and all its watches."""
        os.close(self._fd)

    def add(self, folder: str, mask: int) -> int:
        """Watches a folder; returns the number that its events have. Raises OSError."""
        path = os.fsencode(folder)
        return self._checked(
            self._libc.inotify_add_watch(self._fd, path, mask | ONLY_DIRECTORY), folder
        )

    def remove(self, watch: int) -> None:
        """Removes a watch. The kernel may have removed it already."""
        self._libc.inotify_rm_watch(self._fd, watch)

    def read(self) -> list[Event]:
        """The events since the last call."""
        try:
            data = os.read(self._fd, _BUFFER)
        except BlockingIOError:
            return []
        events = []
        at = 0
        while at < len(data):
            watch, mask, _, size = _EVENT.unpack_from(data, at)
            name = data[at + _EVENT.size : at + _EVENT.size + size].rstrip(b"\0")
            events.append(Event(watch, mask, os.fsdecode(name)))
            at += _EVENT.size + size
        return events

    def _checked(self, result: int, path: str | None = None) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), path)
        return result
