# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Requests to guests and their results: one interface for every back end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from gthulhu_lab.errors import GuestError
from gthulhu_lab.kernels import Flavour

# The last lines of each log of a failed guest; more for one that is past its deadline.
_LINES, _LINES_PAST_DEADLINE = 30, 1000
# Modules that Debian's small kernels lack.
_GENERIC_ONLY = frozenset({"gtp"})

HOST = "10.0.2.100"
"""The host's address in a guest, for `GuestRequest.reaches`."""

INSTRUCTION_NS = 2
"""The usual time of an instruction on the deterministic clock."""

GuestFiles = dict[str, Path | str | bytes]
"""Path in the guest → content, or the host's path of it."""

Number = TypeVar("Number", int, float)


class Clock(StrEnum):
    """The source of the guest's time, which decides how exact its figures are."""

    ICOUNT = "icount"  # instructions, of `instruction_ns` each; exact, the same on every machine
    # Emulated, wall clock, a thread per CPU; for throughput, with statistics. QEMU may run a
    # breakpoint that the kernel has patched away again (`Oops: int3`).
    TCG = "tcg"
    TCG_TURNS = (
        "tcg-turns"  # emulated, wall clock, CPUs take turns; quickest, for what works at all
    )
    KVM = "kvm"  # the host's own CPU, wall clock


class Backend(StrEnum):
    """How a guest is built and booted."""

    INITRAMFS = "initramfs"  # plain QEMU; busybox and the given files in memory: fast and exact
    VIRTME = "virtme-ng"  # the host's own root file system, read-only, over 9P
    # virtme-ng's machine with the image of the first: exact, as no file is read while it runs.
    VIRTME_IMAGE = "virtme-ng, initramfs"


@dataclass(frozen=True, slots=True)
class GuestRequest:
    """One run of one fresh guest.

    `script` is run by /bin/sh as root. It finds `files` (guest path → host path): a relative
    path below "$LAB", whose `bin` is in PATH; an absolute one, possible in an initramfs guest
    only, exactly there. Programs bring their shared libraries along. The result has the files that
    the script writes to "$RESULTS", its output and the kernel's log.
    """

    script: str
    kernel: str = "7.2"  # by its name, see gthulhu_lab.kernels
    files: Mapping[str, Path | str | bytes] = field(default_factory=dict)
    # With any, the guest is a Debian with these packages, and its first process systemd, for which
    # the script is a service; plain QEMU only.
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()  # loaded with their dependencies before the script
    cpus: int = 2
    nodes: int = 1  # memory nodes, each with a socket and its share of the CPUs; plain QEMU only
    threads: int = 1  # of each core; plain QEMU only
    memory_mib: int = 1024
    clock: Clock = Clock.ICOUNT
    instruction_ns: int = INSTRUCTION_NS  # on the deterministic clock, or 1: gthulhu_lab.clock
    backend: Backend = Backend.INITRAMFS
    seed: int = 7  # of the guest's entropy: another one is a perturbed run
    # Ports of the host's 127.0.0.1 → those of the guest's eth0, 10.0.2.15, which reaches no other
    # network; plain QEMU only. The script has to bring eth0 up (module virtio_net).
    ports: Mapping[int, int] = field(default_factory=dict)
    # Ports of HOST in the guest → those of the host's 127.0.0.1; the same network, and all of the
    # host that it reaches.
    reaches: Mapping[int, int] = field(default_factory=dict)
    cmdline: str = ""  # added to the kernel's command line
    clocksource_watchdog: bool = False  # the kernel's; see gthulhu_lab.clock
    deadline_s: float = 120.0  # wall clock; everything is killed past it
    allow_splats: tuple[str, ...] = ()  # regular expressions for provoked kernel messages

    @property
    def flavour(self) -> Flavour:
        """Debian's smallest build of the kernel that has all that is asked for."""
        is_small = self.backend is not Backend.VIRTME and _GENERIC_ONLY.isdisjoint(self.modules)
        return Flavour.CLOUD if is_small else Flavour.GENERIC


class GuestEnvironment(BaseModel):
    """The conditions of a figure, which is meaningless without them."""

    model_config = ConfigDict(frozen=True)

    clock: Clock
    backend: Backend
    kernel: str
    cpus: int
    nodes: int = 1
    instruction_ns: int = INSTRUCTION_NS
    memory_mib: int
    qemu: str
    seed: int


@dataclass(frozen=True, slots=True)
class GuestResult:
    """The result of a guest that ran."""

    status: int | None  # exit status of the script; None if it did not finish
    files: Mapping[str, bytes]  # what the script wrote to "$RESULTS", by relative path
    stdout: str
    stderr: str
    console: str  # kernel and init on the serial line
    dmesg: str  # the kernel's log at the end of the script, all levels
    splats: tuple[str, ...]
    timed_out: bool
    wall_s: float
    environment: GuestEnvironment
    journal: str = ""  # systemd's, where that is the first process

    @property
    def ok(self) -> bool:
        """Whether the script ended with status 0 and the kernel did not complain."""
        return self.status == 0 and not self.splats and not self.timed_out

    def check(self) -> GuestResult:
        """Return the result itself. Raises GuestError with the explanation of a failure."""
        if self.ok:
            return self
        raise GuestError(self.explain())

    @property
    def scheduler(self) -> str:
        """The kernel's name of the scheduler that was in force; empty for its own."""
        return self.files.get("scheduler", b"").decode().strip()

    def text(self, name: str) -> str:
        """A file of the results as text. Raises GuestError if it is missing."""
        if (content := self.files.get(name)) is None:
            raise GuestError(f"the guest left no {name}")
        return content.decode(errors="replace")

    def numbers(
        self, name: str, number: Callable[[str], Number], count: int | None = None
    ) -> list[Number]:
        """The numbers in a file of the results. Raises GuestError unless there are `count`."""
        try:
            found = [number(word) for word in self.text(name).split()]
        except ValueError as error:
            raise GuestError(f"the guest left an invalid {name}: {error}") from error
        if count is not None and len(found) != count:
            raise GuestError(f"the guest's {name}: expected {count} samples, found {len(found)}")
        return found

    def explain(self) -> str:
        """Why the run failed, with the ends of its logs."""
        parts = [self._verdict()]
        parts.extend(f"kernel: {splat}" for splat in self.splats)
        for name, text in (
            ("stdout", self.stdout),
            ("stderr", self.stderr),
            ("console", self.console),
            ("journal", self.journal),
        ):
            if text.strip():
                shown = _LINES_PAST_DEADLINE if self.timed_out else _LINES
                parts.append(f"--- {name} (its end)\n" + "\n".join(text.splitlines()[-shown:]))
        return "\n".join(parts)

    def _verdict(self) -> str:
        where = f"{self.environment.kernel}, {self.environment.backend}"
        if self.timed_out:
            return f"guest ({where}) past its deadline after {self.wall_s:.0f} s"
        if self.status is None:
            return f"guest ({where}) ended without a result"
        if self.status != 0:
            return f"script in the guest ({where}) exited with {self.status}"
        return f"kernel of the guest ({where}) complained"
