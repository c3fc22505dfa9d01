# SPDX-License-Identifier: Apache-2.0
"""The objects that the loader's tests are about: tests/vm/bpf/fifo.bpf.c in its variants."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gthulhuc.codegen.clang import FLAGS, find_clang

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "tests" / "vm" / "bpf" / "fifo.bpf.c"


def build(output: Path, *defines: str, target: str = "bpf") -> Path:
    """Compile the object with these macros ("STALL", "ABI=2") and return its path."""
    flags = [target if flag == "bpf" else flag for flag in FLAGS]
    subprocess.run(
        [
            find_clang(), *flags, f"-I{ROOT}/templates/lib",
            *(f"-D{define}" for define in defines), "-c", SOURCE, "-o", output,
        ],
        check=True,
    )  # fmt: skip
    return output
