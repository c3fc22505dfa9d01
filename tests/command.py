# SPDX-License-Identifier: Apache-2.0
"""Runs the command lines as processes, directly or through a shell."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_ROOT = Path(__file__).parents[1]
SOURCES = tuple(_ROOT / folder for folder in ("compiler", "runtime", "lab"))
PYTHONPATH = os.pathsep.join(map(str, SOURCES))


def environment(**more: str) -> dict[str, str]:
    """The environment of a command, without colour."""
    kept = {name: text for name, text in os.environ.items() if name != "FORCE_COLOR"}
    return {**kept, "PYTHONPATH": PYTHONPATH, **more}


def shell(
    line: str, folder: Path, *, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a line of sh in a folder; `gthulhu` and `gthulhuc` in it are the commands."""
    python = shlex.quote(sys.executable)
    functions = "".join(
        f'{name}() {{ {python} -m gthulhuc.cli.{module} "$@"; }}\n'
        for name, module in (("gthulhu", "gthulhu"), ("gthulhuc", "compile"))
    )
    return subprocess.run(
        ["sh", "-c", functions + line], cwd=folder, env={**environment(), **(env or {})},
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        errors="backslashreplace", check=False,
    )  # fmt: skip


def run(module: str, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a module of `gthulhuc.cli` as the command that it is."""
    command = [sys.executable, "-m", f"gthulhuc.cli.{module}", *args]
    return subprocess.run(
        command, input=stdin, env=environment(), capture_output=True, text=True, check=False
    )
