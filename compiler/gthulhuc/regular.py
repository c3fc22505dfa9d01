# SPDX-License-Identifier: Apache-2.0
"""Reads files that a policy or an option names: only regular files of limited size."""

from __future__ import annotations

import os
import stat

MAX_BYTES = 64 << 20


def read(name: str, most: int = MAX_BYTES) -> bytes:
    """Returns the content of a regular file of limited size. Raises OSError, ValueError.

    It never waits for, or changes, a file that is not regular. The kernel's own files look regular
    and have size 0; they are not read, as one of them blocks and consumes data that others need.
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
