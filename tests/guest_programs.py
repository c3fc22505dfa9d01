# SPDX-License-Identifier: Apache-2.0
"""The tests' own programs in C, for guests, and what `probe` prints there."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gthulhu_lab import vm

SOURCES = Path(__file__).parent / "vm" / "programs"
_WORKLOADS = SOURCES.parents[2] / "lab" / "workloads"
# Static, as a Debian guest has other libraries; unused ones are not linked.
_FLAGS = ("-static", "-O2", "-pthread", "-iquote", _WORKLOADS)
_LIBRARIES = ("-lbpf", "-lelf", "-lz")


def build(folder: Path, *names: str) -> dict[str, Path]:
    """Compiles programs into a folder; returns them for `GuestRequest.files`."""
    for name in names:
        source = SOURCES / f"{name.replace('-', '_')}.c"
        subprocess.run(["gcc", *_FLAGS, source, "-o", folder / name, *_LIBRARIES], check=True)
    return {f"bin/{name}": folder / name for name in names}


def ran_on(guest: vm.GuestResult, name: str) -> dict[int, int]:
    """Returns for how many ms the threads of a `probe tally` computed on each CPU that they used.

    `name`: the file with its output.
    """
    return {cpu: time_ms for cpu, time_ms in enumerate(_numbers(guest, name)) if time_ms}


def ran_ms(guest: vm.GuestResult, name: str) -> int:
    """Returns for how many ms the threads of a `probe tally` computed together."""
    return sum(ran_on(guest, name).values())


def woke_on(guest: vm.GuestResult, name: str) -> list[int]:
    """Returns the CPUs on which a `probe wakes` woke up, without the first: on its way there."""
    return _numbers(guest, name)[5:]


def ratio(guest: vm.GuestResult, name: str) -> float:
    """Returns how many times as much as `plain` the task `heavy` computed, each by `probe tally`.

    Their output is in NAME.plain and NAME.heavy.
    """
    return ran_ms(guest, f"{name}.heavy") / ran_ms(guest, f"{name}.plain")


def _numbers(guest: vm.GuestResult, name: str) -> list[int]:
    """The numbers that a probe printed, without its name."""
    return [int(word) for word in guest.files[name].split()[1:]]
