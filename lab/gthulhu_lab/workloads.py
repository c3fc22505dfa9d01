# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The workloads' programs, built when they are needed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from gthulhu_lab import cache
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import WORKLOADS, build_dir

NAMES = (
    "waker", "hog", "pipe", "launch", "bpfsize", "crowd", "storm", "place", "ask", "periodic",
    "roundtrip", "rpc", "wakeuptree", "forks", "pipeline", "web", "repeat", "poweroff",
    "nr-gnb", "nr-ue", "gtp-ping", "database", "messages", "trick", "usage", "scale",
)  # fmt: skip


def build() -> dict[str, Path]:
    """Build all workloads and return them as files of a guest: path in the guest → program.

    Raises LabError.
    """
    folder = _built()
    return {f"bin/{name}": folder / name for name in NAMES}


def program(name: str) -> Path:
    """One of the programs, on the host; without `make` the one that was built before."""
    if shutil.which("make") is None and (found := build_dir() / "workloads" / name).is_file():
        return found
    return _built() / name


def _built() -> Path:
    """The folder of the programs. Raises LabError."""
    folder = build_dir() / "workloads"
    with cache.locked(folder / "all"):
        result = subprocess.run(
            ["make", "-s", "-C", str(WORKLOADS), f"OUT={folder}"],
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode != 0:
        raise LabError(
            f"cannot build the workloads:\n{result.stderr.strip()}",
            "They need a C compiler, make, and the static C library. "
            "apt: gcc make libc6-dev    dnf: gcc make glibc-static    pacman: gcc make glibc",
        )
    return folder
