# SPDX-License-Identifier: Apache-2.0
"""The tests' own programs in C, for guests."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "vm" / "programs"
# Static, as a Debian guest has other libraries; unused ones are not linked.
_FLAGS = ("-static", "-O2", "-pthread")
_LIBRARIES = ("-lbpf", "-lelf", "-lz")


def build(folder: Path, *names: str) -> dict[str, Path]:
    """Compiles programs into a folder; returns them for `GuestRequest.files`."""
    for name in names:
        source = SOURCES / f"{name.replace('-', '_')}.c"
        subprocess.run(["gcc", *_FLAGS, source, "-o", folder / name, *_LIBRARIES], check=True)
    return {f"bin/{name}": folder / name for name in names}
