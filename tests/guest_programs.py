# SPDX-License-Identifier: Apache-2.0
"""The tests' own programs in C, for guests."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "vm" / "programs"


def build(folder: Path, *names: str) -> dict[str, Path]:
    """Compile programs into a folder; what a guest needs of them, for `GuestRequest.files`."""
    for name in names:
        source = SOURCES / f"{name}.c"
        subprocess.run(
            ["gcc", "-static", "-O2", "-pthread", source, "-o", folder / name], check=True
        )
    return {f"bin/{name}": folder / name for name in names}
