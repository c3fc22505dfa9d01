# SPDX-License-Identifier: Apache-2.0
"""The audit log: a line of JSON for each change that was asked for."""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gthulhuc.cli import frame

_MOST = 200
_END = 256 << 10  # bytes


class Audit:
    """Appends to a file that only its owner may read; without one, to standard error.

    `recent` has the last lines, also those that a server before has written to the file.
    """

    def __init__(self, path: str | None) -> None:
        self._handle = sys.stderr.fileno()
        self.recent: deque[dict[str, Any]] = deque(maxlen=_MOST)
        if path is not None:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            try:
                self._handle = os.open(path, flags, 0o600)
            except OSError as error:
                raise frame.CommandError(
                    f"cannot write {path}: {frame.reason(error)}", "give another `--audit FILE`"
                ) from error
            self.recent.extend(_last(Path(path)))

    def write(self, **said: Any) -> None:
        """Writes a line with the time: `who`, `from`, `what`, `result` and what belongs to it."""
        line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **said}
        self.recent.append(line)
        # One write, so that lines of several processes do not mix. ASCII, so that no name in it
        # can begin a line or move a terminal's cursor.
        os.write(self._handle, json.dumps(line).encode() + b"\n")


def _last(path: Path) -> Iterator[dict[str, Any]]:
    """The lines at the end of a log, if it is a file that can be read."""
    with suppress(OSError):
        if not path.is_file():
            return
        with path.open("rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - _END, 0))
            texts = file.read().splitlines()
        for text in texts:
            with suppress(ValueError):
                line = json.loads(text)
                if isinstance(line, dict):
                    yield line
