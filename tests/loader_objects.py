# SPDX-License-Identifier: Apache-2.0
"""BPF objects of the tests: tests/vm/bpf/fifo.bpf.c in its variants, and others."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gthulhuc.codegen.clang import FLAGS, find_clang

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "tests" / "vm" / "bpf"


def build(
    output: Path,
    *defines: str,
    target: str = "bpf",
    folder: Path = SOURCES,
    source: str = "fifo",
) -> Path:
    """Compile the object with these macros ("STALL", "ABI=2") and return its path."""
    flags = [target if flag == "bpf" else flag for flag in FLAGS]
    subprocess.run(
        [
            find_clang(), *flags, f"-I{ROOT}/templates/lib",
            *(f"-D{define}" for define in defines), "-c", folder / f"{source}.bpf.c", "-o", output,
        ],
        check=True,
    )  # fmt: skip
    return output
