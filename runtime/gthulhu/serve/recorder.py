# SPDX-License-Identifier: Apache-2.0
"""The broker's recorder: traces by `gthulhu trace`, with arguments of the broker's own.

A client chooses nothing but a number of seconds. The trace goes to a file without a name, which the
client gets as a descriptor.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading

from gthulhu.serve.compiling import BusyError, LimitError, modules
from gthulhuc.cli.frame import CommandError

MOST_SECONDS = 30
PATIENCE_S = 120
"""Seconds that it may take to write the trace, after those of the recording."""
_END_S = 30
_MOST_BYTES = 512 << 20


class Recorder:
    """Records one trace at a time, of the loader in the folder `state`."""

    def __init__(self, state: str) -> None:
        self._state = state
        self._busy = threading.Lock()

    def run(self, seconds: int) -> int:
        """Returns a descriptor of a trace. Raises BusyError, LimitError and CommandError."""
        if not 1 <= seconds <= MOST_SECONDS:
            raise CommandError(f"a trace has 1 to {MOST_SECONDS} seconds")
        if not self._busy.acquire(blocking=False):
            raise BusyError("another trace is being recorded", "try again later")
        try:
            with tempfile.TemporaryFile() as file:
                _record(self._state, seconds, file.fileno())
                return os.dup(file.fileno())
        finally:
            self._busy.release()


def _record(state: str, seconds: int, output: int) -> None:
    process = subprocess.Popen(
        [
            sys.executable, "-m", "gthulhuc.cli.gthulhu", "trace", "--output", "-",
            "--seconds", str(seconds), "--state", state,
        ],
        stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, process_group=0, text=True,
        errors="replace", env={**os.environ, **modules()},
    )  # fmt: skip
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_MOST_BYTES, _MOST_BYTES))
    try:
        _, errors = process.communicate(timeout=seconds + PATIENCE_S)
    except subprocess.TimeoutExpired:
        # It removes its buffer from the kernel.
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.communicate(timeout=_END_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        raise LimitError("the trace took too long to write", "record for a shorter time") from None
    if process.returncode:
        said = [line for line in errors.splitlines() if line.startswith("error: ")]
        why = said[0].removeprefix("error: ") if said else f"status {process.returncode}"
        raise CommandError(f"no trace: {why}")
