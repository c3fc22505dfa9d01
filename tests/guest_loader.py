# SPDX-License-Identifier: Apache-2.0
"""The loader in a guest, with shell functions for its scripts."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from gthulhu_lab import vm

ROOT = Path(__file__).parents[1]
LOADER = ROOT / "runtime" / "gthulhu-loader"

# Files for `GuestRequest.files`; its script begins with FUNCTIONS.
FILES = {"bin/gthulhu-loader": LOADER, "loader.sh": ROOT / "tests" / "vm" / "loader.sh"}
FUNCTIONS = ". $LAB/loader.sh\n"


def run(request: vm.GuestRequest) -> vm.GuestResult:
    """Runs a guest with the loader; FUNCTIONS precede its script. Raises as `check` does."""
    whole = replace(
        request, script=f"{FUNCTIONS}{request.script}", files={**FILES, **request.files}
    )
    return vm.run(whole).check()


def objects(folder: Path, *policies: Path) -> dict[str, Path]:
    """Compiles policies into a folder; returns their objects for `GuestRequest.files`."""
    built = {f"{policy.stem}.bpf.o": policy for policy in policies}
    for name, policy in built.items():
        subprocess.run(["gthulhuc", "-Wno-all", policy, "-o", folder / name], check=True)
    return {name: folder / name for name in built}


def without(folder: Path, file: str, text: str, instead: str) -> Path:
    """Builds a loader in which a text of one of its files is replaced; returns its path."""
    for part in ("runtime", "templates/lib"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("gthulhu-loader"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    source = folder / "runtime" / file
    before = source.read_text()
    assert before.count(text) == 1, f"{file} has {before.count(text)} times: {text}"
    source.write_text(before.replace(text, instead))
    subprocess.run(["make", "-s", "-j2", "-C", folder / "runtime"], check=True)
    return folder / "runtime" / "gthulhu-loader"
