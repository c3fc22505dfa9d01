# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps figures under a hash of everything that determines them on the deterministic clock.

The hash covers the kernel, QEMU with its options and with exact.c, and the image with its programs,
scripts and scheduler.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from gthulhu_lab import cache, exact, kernels, qemu, vng
from gthulhu_lab.kernels import Kernel
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.request import Backend, Clock, GuestRequest

_JOB = Path("/job")  # stands for the folder of a run, which is another one each time

Figures = TypeVar("Figures", bound=BaseModel)


def key(request: GuestRequest) -> str:
    """Returns a hash of all that determines the figures of a guest on the deterministic clock."""
    assert request.clock is Clock.ICOUNT, "only this clock's figures are a function"
    assert request.backend is not Backend.VIRTME, "the host's own files are in such a guest"
    kernel = kernels.ensure(request.kernel, request.flavour)
    parts = [
        qemu.version().encode(),
        exact.digest(request.instruction_ns).encode(),
        "\0".join(_options(request, kernel))
        .replace(str(kernel.root), kernel.release)
        .replace(str(kernel.boot_path), kernel.release)
        .encode(),
        _digest(kernel.boot_path),
        hashlib.sha256(qemu.build_image(request, kernel)).digest(),
    ]
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


def _options(request: GuestRequest, kernel: Kernel) -> list[str]:
    if request.backend is Backend.VIRTME_IMAGE:
        return vng.machine(request, kernel, _JOB)
    return qemu.command_line(request, kernel, _JOB)[1:]


def load(of: str, model: type[Figures]) -> Figures | None:
    """Returns the figures of a key; None if no run has kept them, or if an older lab did."""
    return cache.load(_file(of), model)


def store(of: str, run: BaseModel) -> None:
    """Keep figures; another process may do the same at the same time."""
    cache.store(_file(of), run)


def _file(of: str) -> Path:
    return cache_dir() / "results" / f"{of}.json"


@functools.cache
def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()
