# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Trace events for calls of kernel functions, which the kernel makes on request (kprobe events).

The file `kprobe_events` is shared by all users of the kernel's tracing. Lines are appended: a
write that truncates the file would delete the events of all others. An event is on only in the
instances that enable it.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from gthulhuc.cli.frame import reason

NESTED = {0x08: "an interrupt", 0x10: "a soft interrupt"}
"""The bits of an event's `common_flags` that tell where the function was called."""
ITSELF = "the task"

_GROUP = re.compile(r"gthulhu_([1-9]\d*)")


def caller(flags: int) -> str:
    """Returns whether the task itself was in the function, or what interrupted the task."""
    return next((name for bit, name in NESTED.items() if flags & bit), ITSELF)


class Probes:
    """The events of this process. `functions`: by event; `missing`: why a function has none."""

    def __init__(self, tracefs: Path) -> None:
        self._tracefs = tracefs
        self.group = f"gthulhu_{os.getpid()}"
        self.functions: dict[str, str] = {}
        self.missing: dict[str, str] = {}

    def add(self, function: str) -> None:
        """Makes the event of a function, or notes why the kernel refuses to."""
        name = f"{self.group}/call_{len(self.functions)}"
        try:
            self._write(f"p:{name} {function}\n")
        except OSError as error:
            self.missing[function] = f"it cannot be traced: {reason(error)}"
        else:
            self.functions[name] = function

    def remove(self) -> None:
        """Removes the events of this process, which no instance may have enabled any more."""
        self._remove(self.group)
        self.functions.clear()

    def remove_leftovers(self) -> None:
        """Removes the events of processes that were killed."""
        for folder in (self._tracefs / "events").glob("gthulhu_*"):
            found = _GROUP.fullmatch(folder.name)
            if found and not Path("/proc", found[1]).exists():
                self._remove(folder.name)

    def _remove(self, group: str) -> None:
        for folder in (self._tracefs / "events" / group).glob("call_*"):
            with contextlib.suppress(OSError):
                self._write(f"-:{group}/{folder.name}\n")

    def _write(self, line: str) -> None:
        file = os.open(self._tracefs / "kprobe_events", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
