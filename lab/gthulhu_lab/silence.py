# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reports what a guest is doing that has not ended by its deadline.

Such a guest leaves no results, as these come with its end. QEMU has a monitor, and the kernel takes
SysRq keys from its serial line, after a break. So only the guest's kernel has to live. If even that
is dead, the registers say in which loop.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

KERNEL_OPTION = "sysrq_always_enabled"  # Debian's kernels refuse the keys that only show something

_SERIAL, _MONITOR, _CONSOLE = "serial.socket", "monitor.socket", "console.log"
_KEYS = "8lwt"  # all levels of messages; what CPUs do, tasks that are blocked, all tasks
# An emulated serial line takes seconds for all tasks.
_QUIET_S, _PATIENCE_S = 1.0, 30.0


def options(job: Path) -> list[str]:
    """Options of a QEMU that runs in `job`; the guest's console goes to console.log there."""
    log = job / _CONSOLE
    return [
        "-chardev", f"socket,id=serial,path={_SERIAL},server=on,wait=off,logfile={log}",
        "-serial", "chardev:serial",
        "-qmp", f"unix:{_MONITOR},server=on,wait=off",
    ]  # fmt: skip


def ask(job: Path) -> str:
    """The registers of its CPUs, and what its kernel shows of all tasks but its idle threads.

    The console's log is left as it was.
    """
    console = job / _CONSOLE
    length = console.stat().st_size if console.exists() else 0
    parts = []
    with contextlib.suppress(OSError, ValueError), _connected(job / _MONITOR) as monitor:
        _execute(monitor, "qmp_capabilities")
        command = {"command-line": "info registers -a"}
        parts.append(str(_execute(monitor, "human-monitor-command", command)))
        parts.append(_tasks(monitor, job / _SERIAL))
        os.truncate(console, length)
    return "\n".join(parts)


def _tasks(monitor: socket.socket, path: Path) -> str:
    said = ""
    with _connected(path) as serial:
        for key in _KEYS:
            _execute(monitor, "chardev-send-break", {"id": "serial"})
            serial.sendall(key.encode())
            said += "".join(_received(serial))
    return "\n".join(without_idle_threads(said.splitlines()))


def without_idle_threads(lines: Iterable[str]) -> list[str]:
    """All but the tasks that kthreadd has started and that sleep, and where they are."""
    found = []
    is_kept = True
    for line in lines:
        if "] task:" in line:
            is_kept = " ppid:2 " not in line or not re.search(r" state:[SI] ", line)
        elif "sysrq:" in line:
            is_kept = True
        if is_kept:
            found.append(line)
    return found


def _received(serial: socket.socket) -> Iterator[str]:
    """Yields what the serial line sends until it is quiet."""
    end = time.monotonic() + _PATIENCE_S
    serial.settimeout(_QUIET_S)
    with contextlib.suppress(TimeoutError):
        while time.monotonic() < end and (data := serial.recv(65536)):
            yield data.decode(errors="replace")


@contextlib.contextmanager
def _connected(path: Path) -> Iterator[socket.socket]:
    folder = os.open(path.parent, os.O_PATH)
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_PATIENCE_S)
            # A socket's address has room for 107 bytes, and some have a longer TMPDIR.
            connection.connect(f"/proc/self/fd/{folder}/{path.name}")
            yield connection
    finally:
        os.close(folder)


def _execute(
    monitor: socket.socket, command: str, arguments: Mapping[str, str] = MappingProxyType({})
) -> object:
    """Returns the result of a monitor command; skips the greeting and events before it."""
    request = {"execute": command, "arguments": dict(arguments)}
    monitor.sendall(json.dumps(request).encode())
    for line in monitor.makefile():
        answer = json.loads(line)
        if "return" in answer:
            return answer["return"]
        if "error" in answer:
            raise ValueError(answer["error"])
    raise OSError("the monitor has gone")
