# SPDX-License-Identifier: Apache-2.0
"""Compiles generated C with clang."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from gthulhuc.codegen.render import TEMPLATES

CANDIDATES = ("clang-22", "clang-21", "clang-20", "clang-19", "clang")
FLAGS = (
    "-target", "bpf", "-mcpu=v3", "-O2", "-g", "-std=gnu11",
    "-Wall", "-Werror", "-Wno-unused-function", "-Wno-address-of-packed-member",
    "-fno-stack-protector",
)  # fmt: skip


class ToolchainError(Exception):
    """clang is missing or failed; `help` says what to do."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def find_clang() -> str:
    """Path of the clang to use: $CLANG, or the newest known one on PATH."""
    wanted = os.environ.get("CLANG")
    for name in (wanted,) if wanted else CANDIDATES:
        if found := shutil.which(name):
            return found
    raise ToolchainError(
        f"{wanted or 'clang'} was not found",
        "install clang 19 or newer (Debian: apt install clang-19), or set CLANG to its path",
    )


def compile_object(c_text: str, output: Path) -> None:
    """Compile C text to a BPF object; `output` is replaced only when that succeeded.

    Raises ToolchainError, and OSError where `output` cannot be written.
    """
    clang = find_clang()
    with tempfile.TemporaryDirectory(prefix="gthulhuc-") as folder:
        # Paths that are the same everywhere keep the object's bytes the same everywhere.
        Path(folder, "policy.bpf.c").write_text(c_text)
        include = TEMPLATES / "lib"
        command = [
            clang, *FLAGS, "-I", str(include), f"-ffile-prefix-map={include}=lib",
            "-fdebug-compilation-dir=.", "-c", "policy.bpf.c", "-o", "policy.bpf.o",
        ]  # fmt: skip
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise ToolchainError(
                f"{clang} could not compile the generated scheduler:\n{result.stderr.rstrip()}",
                "this is a defect of gthulhuc; please report it with the policy",
            )
        _replace(Path(folder, "policy.bpf.o").read_bytes(), output)


def _replace(data: bytes, output: Path) -> None:
    """Write to a temporary file beside `output`, then rename."""
    handle, temporary = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(output)
    except BaseException:
        Path(temporary).unlink()
        raise
