# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The library that keeps QEMU's threads in step on the deterministic clock (exact.c)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from gthulhu_lab.clock import BOOT_SHIFT, BOOT_US, METRONOME_US, SHIFT
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.request import Clock

_SOURCE = Path(__file__).with_suffix(".c")


def environment(clock: Clock) -> dict[str, str] | None:
    """QEMU's environment for a clock; None is this process's own."""
    if clock is not Clock.ICOUNT:
        return None
    others = os.environ.get("LD_PRELOAD", "").split(":")
    return {**os.environ, "LD_PRELOAD": ":".join([str(_library()), *filter(None, others)])}


def digest() -> str:
    """Returns a hash of the library's source and of the constants that it is built with."""
    return hashlib.sha256(" ".join(_constants()).encode() + _SOURCE.read_bytes()).hexdigest()[:12]


def _constants() -> list[str]:
    values = {
        "METRONOME_US": METRONOME_US, "SHIFT": SHIFT, "BOOT_SHIFT": BOOT_SHIFT, "BOOT_US": BOOT_US,
    }  # fmt: skip
    return [f"-D{name}={value}" for name, value in values.items()]


def _library() -> Path:
    """The library in the cache; built where it is not there, or its source has changed."""
    library = cache_dir() / "exact" / f"{digest()}.so"
    if library.exists():
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        part = Path(folder, library.name)
        result = subprocess.run(
            ["gcc", "-O2", "-Wall", "-Wextra", *_constants(), "-shared", "-fPIC",
             "-o", part, _SOURCE],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode != 0:
            raise LabError(f"cannot build {_SOURCE.name}:\n{result.stderr.strip()}")
        part.rename(library)
    return library
