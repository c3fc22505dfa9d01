# SPDX-License-Identifier: Apache-2.0
"""Records the kernel's trace events of scheduling, in a buffer of our own.

It is an instance of the kernel's tracing, so that nobody else's is touched. What fills up in the
kernel is fetched as it is, and read only when the recording has ended.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from gthulhu.tracing import ring
from gthulhuc.cli.frame import CommandError, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gthulhu.tracing.ring import Event, Format

EVENTS = (
    "sched/sched_switch",
    "sched/sched_waking",
    "sched/sched_wakeup_new",
    "sched/sched_process_free",
    "task/task_newtask",
    "task/task_rename",
)
_BUFFER_KB = 4096  # of a CPU
_ALL_BUFFERS_KB = 256 << 10
_INSTANCE = re.compile(r"gthulhu-([1-9]\d*)")
_ATTEMPTS = 50
_PAUSE_S = 0.02


def now_ns() -> int:
    """By the clock of the trace, which goes on while the machine is suspended: Perfetto's own."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Recording:
    """A buffer of the kernel's, what has been fetched from it, and the events in that.

    As a context manager it leaves nothing in the kernel, whatever happens.
    """

    def __init__(self, tracefs: str, folder: str) -> None:
        """`folder`: where there is room for what is fetched, in a file without a name."""
        self._instances = Path(tracefs) / "instances"
        self._folder = self._instances / f"gthulhu-{os.getpid()}"
        self._pipes: dict[int, int] = {}
        self._pages: dict[int, list[tuple[int, int]]] = {}
        self._page_bytes = 0
        self.formats: dict[int, Format] = {}
        self.fetched_bytes = 0
        self.begin_ns = self.end_ns = 0
        try:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # closed in __exit__
        except OSError as error:
            raise CommandError(
                f"cannot write to {folder}: {reason(error)}", "name another place for the trace"
            ) from error

    def __enter__(self) -> Self:
        try:
            self._make()
            self._set_up()
        except BaseException as error:
            self.__exit__()
            if isinstance(error, OSError):
                raise _refusal(error) from error
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._remove()

    # ---- in the kernel --------------------------------------------------------------------------

    def _make(self) -> None:
        if not self._instances.is_dir():
            raise CommandError(
                f"the kernel's tracing is not there: {self._instances} is no folder",
                f"mount -t tracefs tracefs {self._instances.parent}",
            )
        for left in self._instances.iterdir():  # by one that was killed
            found = _INSTANCE.fullmatch(left.name)
            if found and not Path("/proc", found[1]).exists():
                with contextlib.suppress(OSError):
                    left.rmdir()
        self._folder.mkdir()

    def _set_up(self) -> None:
        folder = self._folder
        self._set("tracing_on", "0")
        self._set("trace_clock", "boot")
        cpus = sorted(int(cpu.name[3:]) for cpu in (folder / "per_cpu").glob("cpu[0-9]*"))
        self._set(
            "buffer_size_kb", str(max(min(_BUFFER_KB, _ALL_BUFFERS_KB // max(len(cpus), 1)), 64))
        )
        for event in EVENTS:
            text = (folder / "events" / event / "format").read_text()
            form = ring.parse_format(event.partition("/")[2], text)
            self.formats[form.number] = form
            self._set(f"events/{event}/enable", "1")
        head = (folder / "events" / "header_page").read_text()
        data = re.search(r"char data;\s*offset:(\d+);\s*size:(\d+);", head)
        assert data is not None, head
        self._page_bytes = int(data[1]) + int(data[2])
        for cpu in cpus:
            pipe = folder / "per_cpu" / f"cpu{cpu}" / "trace_pipe_raw"
            self._pipes[cpu] = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            self._pages[cpu] = []

    def _set(self, name: str, value: str) -> None:
        (self._folder / name).write_text(value)

    def _remove(self) -> None:
        for pipe in self._pipes.values():
            os.close(pipe)
        self._pipes.clear()
        with contextlib.suppress(OSError):
            self._set("tracing_on", "0")
        for _ in range(_ATTEMPTS):
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError as error:
                if error.errno != errno.EBUSY:
                    return
                time.sleep(_PAUSE_S)
            else:
                return

    # ---- recording ------------------------------------------------------------------------------

    def start(self) -> None:
        """From now on events are recorded."""
        self.begin_ns = now_ns()  # no event is earlier
        self._set("tracing_on", "1")

    def fetch(self) -> None:
        """Takes what is there out of the kernel's buffers."""
        for cpu, pipe in self._pipes.items():
            while page := _read(pipe, self._page_bytes):
                size = ring.used(page)
                if size:
                    self._pages[cpu].append((self._file.tell(), size))
                    self._file.write(page[:size])
                    self.fetched_bytes += size

    def stop(self) -> None:
        """No more events are recorded; all that were are fetched, and the kernel is left."""
        self._set("tracing_on", "0")
        self.end_ns = now_ns()
        self.fetch()
        self._file.flush()
        self._remove()

    # ---- what was recorded ----------------------------------------------------------------------

    def cpus(self) -> list[int]:
        """The CPUs of which there is anything."""
        return [cpu for cpu, pages in self._pages.items() if pages]

    def events(self, cpu: int) -> Iterator[Event]:
        """The events of a CPU, in their order."""
        return ring.events(self._pages_of(cpu), cpu, self.formats)

    def _pages_of(self, cpu: int) -> Iterator[bytes]:
        for place, size in self._pages[cpu]:
            yield os.pread(self._file.fileno(), size, place)


def _read(pipe: int, size: int) -> bytes:
    try:
        return os.read(pipe, size)
    except BlockingIOError:
        return b""


def _refusal(error: OSError) -> CommandError:
    hints = {
        errno.EACCES: "run it as root",
        errno.EPERM: "run it as root; a kernel that is locked down for confidentiality has none",
        errno.ENOMEM: "there is no memory for its buffers",
    }
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    return CommandError(
        f"the kernel's tracing cannot be used: {where}{reason(error)}",
        hints.get(error.errno or 0, "the trace needs the kernel's events of sched and task"),
    )
