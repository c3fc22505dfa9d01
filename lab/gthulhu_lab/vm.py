# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Run a guest: `run(GuestRequest(script="…"))`."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from gthulhu_lab import kernels, kvm, processes, qemu, vng
from gthulhu_lab.clock import BOOT_US
from gthulhu_lab.console import find_splats, while_it_ran
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Kernel
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest, GuestResult

__all__ = ["Backend", "Clock", "GuestRequest", "GuestResult", "run", "side_by_side"]

_OWN = ("stdout", "stderr", "dmesg", "journal")
"""Output of a guest besides the results of its script."""

_BOOTED = re.compile(r"^\[ *(\d+\.\d+)\] Run \S+ as init process", re.MULTILINE)

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

_BACKENDS = {
    Backend.INITRAMFS: qemu.run,
    Backend.VIRTME: vng.run,
    Backend.VIRTME_IMAGE: vng.run_image,
}


def run(request: GuestRequest) -> GuestResult:
    """Boots a fresh guest, runs its script, and returns the result; a failed script is one as well.

    No process or file of the guest stays. Raises LabError if the lab cannot run the guest at all.
    """
    if request.clock is Clock.KVM and not kvm.works():
        raise LabError("KVM does not work on this machine", "Use the clock icount or tcg.")
    kernel = kernels.ensure(request.kernel, request.flavour)
    with _job_folder() as job:
        outcome = _BACKENDS[request.backend](request, kernel, job)
        return _collect(request, kernel, job, outcome)


def side_by_side(
    function: Callable[[Item], Outcome], items: Iterable[Item], at_once: int
) -> list[Outcome]:
    """Returns the results of a function that runs guests, in the order of its items.

    The first that raises ends all others, as does Ctrl-C.
    """
    pool = ThreadPoolExecutor(at_once)
    try:
        return list(pool.map(function, items))
    finally:
        # On Ctrl-C the guests are ended first, else the pool would wait for their deadlines.
        pool.shutdown(wait=False, cancel_futures=True)
        processes.end_all()
        pool.shutdown()


@contextlib.contextmanager
def _job_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="gthulhu-lab-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _collect(
    request: GuestRequest, kernel: Kernel, job: Path, outcome: processes.Exit
) -> GuestResult:
    results = job / "results"
    files = {
        str(path.relative_to(results)): path.read_bytes()
        for path in sorted(results.rglob("*"))
        if path.is_file()
    }
    own = {name: _text(files.pop(f".{name}", b"")) for name in _OWN}
    status = _text(files.pop(".status", b"")).strip()
    console = _text((job / "console.log").read_bytes() if (job / "console.log").exists() else b"")
    _check_boot(request, own["dmesg"])
    log = _text((job / "qemu.log").read_bytes() if (job / "qemu.log").exists() else b"")
    return GuestResult(
        status=int(status) if status.isdigit() and not outcome.timed_out else None,
        files=files,
        stdout=own["stdout"],
        stderr=own["stderr"],
        console=console + log,
        dmesg=own["dmesg"],
        journal=own["journal"],
        splats=tuple(find_splats(while_it_ran(console) + own["dmesg"], request.allow_splats)),
        timed_out=outcome.timed_out,
        wall_s=outcome.wall_s,
        environment=_environment(request, kernel, _text(files.pop(".kernel", b"")).strip()),
    )


def _check_boot(request: GuestRequest, kernel_log: str) -> None:
    """Raises LabError if the script began while an instruction took longer (gthulhu_lab.clock)."""
    booted = _BOOTED.search(kernel_log)
    if request.clock is Clock.ICOUNT and booted and float(booted[1]) * 1e6 < BOOT_US:
        raise LabError(
            f"this kernel booted in {booted[1]} s, but on the deterministic clock an instruction "
            f"takes longer in the first {BOOT_US // 1_000_000} s",
            "Take a smaller BOOT_US in gthulhu_lab/clock.py, or another clock.",
        )


def _environment(request: GuestRequest, kernel: Kernel, running: str) -> GuestEnvironment:
    if running and running != kernel.release:
        raise LabError(f"the guest runs {running}, not {kernel.release} as asked")
    return GuestEnvironment(
        clock=request.clock,
        backend=request.backend,
        kernel=kernel.release,
        cpus=request.cpus,
        nodes=request.nodes,
        instruction_ns=request.instruction_ns,
        memory_mib=request.memory_mib,
        qemu=qemu.version(),
        seed=request.seed,
    )


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
