# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Child processes with a deadline, ended with all of their descendants.

A virtual machine is a family of processes (vng, sh, qemu, virtiofsd). Each family gets a session
of its own, and is ended as a session: members that moved to another process group are found too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_live_sessions: set[int] = set()
_live_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Exit:
    """How a family of processes ended."""

    status: int | None  # exit status of its first process; None past the deadline
    wall_s: float

    @property
    def timed_out(self) -> bool:
        return self.status is None


def run_with_deadline(
    command: Sequence[str],
    deadline_s: float,
    output: IO[bytes],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    past_deadline: Callable[[], object] = lambda: None,
) -> Exit:
    """Run `command`, its output to `output`, and end all it started after `deadline_s`.

    `past_deadline` may look at it before that is done.
    Nothing of the family is left when this returns or raises, KeyboardInterrupt included.
    """
    started = time.monotonic()
    with _silence() as silence:
        child = subprocess.Popen(
            # Ends also when this process is killed, and cannot end it itself.
            ["setpriv", "--pdeathsig", "KILL", *command],
            stdin=silence,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(env) if env is not None else None,
            cwd=cwd,
            start_new_session=True,
        )
    with _registered(child.pid):
        try:
            status: int | None = child.wait(timeout=deadline_s)
        except subprocess.TimeoutExpired:
            past_deadline()
            status = None
        finally:
            end_session(child.pid)
            child.wait()
    return Exit(status, time.monotonic() - started)


def end_all() -> None:
    """End every family that still runs; for Ctrl-C while other threads wait for guests."""
    with _live_lock:
        sessions = list(_live_sessions)
    for session in sessions:
        end_session(session)


def end_session(session: int) -> None:
    """Kill every process of a session and wait until they are gone (2 s at most)."""
    deadline = time.monotonic() + 2.0
    while members := list(session_members(session)):
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def session_members(session: int) -> Iterator[int]:
    """Processes of a session that still run; zombies are not counted."""
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            stat = Path(entry.path, "stat").read_text(errors="replace")
        except OSError:
            continue
        # pid (comm) state ppid pgrp session …; comm may hold blanks and parentheses
        state, _ppid, _pgrp, sid = stat.rpartition(")")[2].split()[:4]
        if int(sid) == session and state not in "ZX":
            yield int(entry.name)


@contextmanager
def _silence() -> Iterator[int]:
    """A standard input on which nothing ever comes, not even its end.

    A guest notices the end, at a time that depends on the host. One end that can be read and
    written stays open as long as a process has it.
    """
    reader, writer = os.pipe()
    os.close(writer)
    both = os.open(f"/proc/self/fd/{reader}", os.O_RDWR)
    os.close(reader)
    try:
        yield both
    finally:
        os.close(both)


@contextmanager
def _registered(session: int) -> Iterator[None]:
    with _live_lock:
        _live_sessions.add(session)
    try:
        yield
    finally:
        with _live_lock:
            _live_sessions.discard(session)
