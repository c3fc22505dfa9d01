# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The library that keeps QEMU's threads in step on the deterministic clock (exact.c)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from gthulhu_lab import clock
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.request import Clock, GuestRequest

_SOURCE = Path(__file__).with_suffix(".c")


def environment(request: GuestRequest) -> dict[str, str] | None:
    """QEMU's environment for a guest; None is this process's own."""
    if request.clock is not Clock.ICOUNT:
        return None
    library = _library(request.instruction_ns)
    others = os.environ.get("LD_PRELOAD", "").split(":")
    return {**os.environ, "LD_PRELOAD": ":".join([str(library), *filter(None, others)])}


def digest(instruction_ns: int) -> str:
    """Returns a hash of the library's source and of the constants that it is built with."""
    options = " ".join(_options(instruction_ns)).encode()
    return hashlib.sha256(options + _SOURCE.read_bytes()).hexdigest()[:12]


def _options(instruction_ns: int) -> list[str]:
    return [f"-D{name}={value}" for name, value in clock.constants(instruction_ns).items()]


def _library(instruction_ns: int) -> Path:
    """The library in the cache; built where it is not there, or its source has changed."""
    library = cache_dir() / "exact" / f"{digest(instruction_ns)}.so"
    if library.exists():
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        part = Path(folder, library.name)
        result = subprocess.run(
            ["gcc", "-O2", "-Wall", "-Wextra", *_options(instruction_ns), "-shared", "-fPIC",
             "-o", part, _SOURCE],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode != 0:
            raise LabError(f"cannot build {_SOURCE.name}:\n{result.stderr.strip()}")
        part.rename(library)
    return library
