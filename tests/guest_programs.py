# SPDX-License-Identifier: Apache-2.0
"""The tests' own programs in C, for guests."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "vm" / "programs"
# Static: a guest that is a Debian has other libraries. Those that a program does not use are none.
_FLAGS = ("-static", "-O2", "-pthread")
_LIBRARIES = ("-lbpf", "-lelf", "-lz")


def build(folder: Path, *names: str) -> dict[str, Path]:
    """Compile programs into a folder; what a guest needs of them, for `GuestRequest.files`."""
    for name in names:
        source = SOURCES / f"{name.replace('-', '_')}.c"
        subprocess.run(["gcc", *_FLAGS, source, "-o", folder / name, *_LIBRARIES], check=True)
    return {f"bin/{name}": folder / name for name in names}
