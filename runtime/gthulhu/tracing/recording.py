# SPDX-License-Identifier: Apache-2.0
"""Records the kernel's trace events of scheduling in a separate instance.

An instance of the kernel's tracing does not disturb other users. The recorder copies the kernel's
pages unchanged while it records, and parses them only afterwards.
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
from gthulhu.tracing.probes import Probes
from gthulhuc.cli.frame import CommandError, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gthulhu.tracing.ring import Event, Format

EVENTS = (
    "sched/sched_switch",
    "sched/sched_waking",
    "sched/sched_wakeup_new",
    "sched/sched_process_free",
    "task/task_newtask",
    "task/task_rename",
)
_BUFFER_KB = 4096  # per CPU
_ALL_BUFFERS_KB = 256 << 10
_INSTANCE = re.compile(r"gthulhu-([1-9]\d*)")
_ATTEMPTS = 50
_PAUSE_S = 0.02


def now_ns() -> int:
    """The time of the trace's clock, BOOTTIME, which Perfetto uses and suspend does not stop."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Recording:
    """A buffer in the kernel, the pages fetched from it, and their events.

    As a context manager it always removes the buffer from the kernel.
    """

    def __init__(self, tracefs: str, folder: str, functions: Iterable[str] = ()) -> None:
        """`folder`: has space for the fetched pages, in an unnamed file.

        `functions`: of the kernel; their calls are recorded as events, named as in `calls`.
        """
        self._instances = Path(tracefs) / "instances"
        self._folder = self._instances / f"gthulhu-{os.getpid()}"
        self._pipes: dict[int, int] = {}
        self._pages: dict[int, list[tuple[int, int]]] = {}
        self._page_bytes = 0
        self._functions = functions
        self._probes = Probes(Path(tracefs))
        self.calls: dict[str, str] = {}
        """The functions whose calls are recorded, by the name of their events."""
        self.formats: dict[int, Format] = {}
        self.fetched_bytes = 0
        self.begin_ns = self.end_ns = 0
        try:
            self._file = tempfile.TemporaryFile(dir=folder)
        except OSError as error:
            raise CommandError(
                f"cannot write to {folder}: {reason(error)}", "write the trace to another folder"
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
                f"the kernel's tracing is not mounted: {self._instances} is not a folder",
                f"mount -t tracefs tracefs {self._instances.parent}",
            )
        for left in self._instances.iterdir():  # a killed recorder leaves its instance
            found = _INSTANCE.fullmatch(left.name)
            if found and not Path("/proc", found[1]).exists():
                with contextlib.suppress(OSError):
                    left.rmdir()
        self._probes.remove_leftovers()
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
            self._enable(event, event.partition("/")[2], more=("common_flags",))
        for function in self._functions:
            self._probes.add(function)
        for event, function in self._probes.functions.items():
            self._enable(event, event, more=("common_flags",))
            self.calls[event] = function
        head = (folder / "events" / "header_page").read_text()
        data = re.search(r"char data;\s*offset:(\d+);\s*size:(\d+);", head)
        assert data is not None, head
        self._page_bytes = int(data[1]) + int(data[2])
        for cpu in cpus:
            pipe = folder / "per_cpu" / f"cpu{cpu}" / "trace_pipe_raw"
            self._pipes[cpu] = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            self._pages[cpu] = []

    def _enable(self, event: str, name: str, more: Iterable[str] = ()) -> None:
        text = (self._folder / "events" / event / "format").read_text()
        form = ring.parse_format(name, text, more)
        self.formats[form.number] = form
        self._set(f"events/{event}/enable", "1")

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
            except OSError as error:
                if error.errno != errno.EBUSY:
                    break
                time.sleep(_PAUSE_S)
            else:
                break
        self._probes.remove()

    @property
    def missing(self) -> dict[str, str]:
        """The functions whose calls are not recorded, each with the reason."""
        return self._probes.missing

    # ---- recording ------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts to record events."""
        self.begin_ns = now_ns()  # before the first event
        self._set("tracing_on", "1")

    def fetch(self) -> None:
        """Moves the recorded pages out of the kernel's buffers."""
        for cpu, pipe in self._pipes.items():
            while page := _read(pipe, self._page_bytes):
                size = ring.used(page)
                if size:
                    self._pages[cpu].append((self._file.tell(), size))
                    self._file.write(page[:size])
                    self.fetched_bytes += size

    def stop(self) -> None:
        """Stops recording, fetches the rest and removes the instance from the kernel."""
        self._set("tracing_on", "0")
        self.end_ns = now_ns()
        self.fetch()
        self._file.flush()
        self._remove()

    # ---- the recorded events --------------------------------------------------------------------

    def cpus(self) -> list[int]:
        """The CPUs that have events."""
        return [cpu for cpu, pages in self._pages.items() if pages]

    def events(self, cpu: int) -> Iterator[Event]:
        """The events of a CPU in order of time."""
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
        errno.EPERM: "run it as root; a kernel locked down for confidentiality does not allow it",
        errno.ENOMEM: "free memory for the kernel's buffers",
    }
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    return CommandError(
        f"cannot use the kernel's tracing: {where}{reason(error)}",
        hints.get(error.errno or 0, "use a kernel with the trace events of sched and task"),
    )
