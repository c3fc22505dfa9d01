# SPDX-License-Identifier: Apache-2.0
"""The audit log: a line of JSON for each change that was asked for."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from typing import Any

from gthulhuc.cli import frame


class Audit:
    """Appends to a file that only its owner may read; without one, to standard error."""

    def __init__(self, path: str | None) -> None:
        self._handle = sys.stderr.fileno()
        if path is not None:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            try:
                self._handle = os.open(path, flags, 0o600)
            except OSError as error:
                raise frame.CommandError(
                    f"cannot write {path}: {frame.reason(error)}", "give another `--audit FILE`"
                ) from error

    def write(self, **said: Any) -> None:
        """Writes a line with the time: `who`, `from`, `what`, `result` and what belongs to it."""
        line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **said}
        # One write, so that lines of several processes do not mix. ASCII, so that no name in it
        # can begin a line or move a terminal's cursor.
        os.write(self._handle, json.dumps(line).encode() + b"\n")
