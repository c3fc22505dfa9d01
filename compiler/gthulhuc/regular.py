# SPDX-License-Identifier: Apache-2.0
"""Reading files that a policy or an option names: only such that lie on a disk and end."""

from __future__ import annotations

import os
import stat

MAX_BYTES = 64 << 20


def read(name: str, most: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most so many bytes. Raises OSError and ValueError.

    What is no regular file is not opened for long enough to wait for it or to change it. The
    kernel's own files look regular, are of no size, and are not read: one of them blocks, and
    takes what it gives from everyone else.
    """
    with open(name, "rb", opener=_open) as file:  # a path has no opener
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(None, "not a regular file")
        if found.st_size > most:
            raise OSError(None, f"larger than {most >> 20} MB")
        return file.read(found.st_size)


def _open(name: str, flags: int) -> int:
    """Opens a file without waiting for the other end of a pipe."""
    return os.open(name, flags | os.O_NONBLOCK)
