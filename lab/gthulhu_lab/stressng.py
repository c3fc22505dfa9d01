# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's stress-ng with the libraries that it needs, for a guest that has no others.

It is not the host's: the guest runs it whatever the host is, and nothing is installed.
"""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from gthulhu_lab import apt
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import cache_dir

SUITE = "bookworm"
PROGRAM = "usr/bin/stress-ng"
_LOADER = "lib64/ld-linux-x86-64.so.2"
_LIBRARIES = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")


def files() -> dict[str, Path | str | bytes]:
    """Files of a guest, where `/usr` is `/`: /bin/stress-ng and its libraries."""
    root = _ensure()
    wanted: dict[str, Path | str | bytes] = {f"/{_LOADER}": (root / _LOADER).resolve()}
    for file in (PROGRAM, *libraries(root, PROGRAM)):
        # As bytes: the host's linker shall not look for the libraries.
        wanted["/" + file.removeprefix("usr/")] = (root / file).read_bytes()
    return wanted


def libraries(root: Path, program: str) -> list[str]:
    """What a program is linked with, and what those are; raises LabError if one is missing."""
    found: dict[str, str] = {}
    todo = [program]
    while todo:
        for name in _needed(root / todo.pop()):
            if name not in found and name != Path(_LOADER).name:
                found[name] = _find(root, name)
                todo.append(found[name])
    return sorted(found.values())


def _needed(file: Path) -> list[str]:
    with file.open("rb") as stream:
        dynamic: Any = ELFFile(stream).get_section_by_name(".dynamic")
        return [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")] if dynamic else []


def _find(root: Path, name: str) -> str:
    for folder in _LIBRARIES:
        if (root / folder / name).exists():
            return f"{folder}/{name}"
    raise LabError(f"stress-ng of Debian's {SUITE} needs {name}, which its packages do not have")


def _ensure() -> Path:
    """The root in the cache; fetched if it is not there."""
    target = cache_dir() / "stress-ng"
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / ".stress-ng.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (target / PROGRAM).exists():
            _fetch(target)
    return target


def _fetch(target: Path) -> None:
    work = target.with_name(".stress-ng.part")
    shutil.rmtree(work, ignore_errors=True)
    suite = apt.Suite(SUITE, cache_dir() / "apt")
    suite.refresh()
    try:
        for package in suite.download_with_dependencies("stress-ng", work / "debs"):
            apt.extract(package, work / "root")
        shutil.rmtree(target, ignore_errors=True)
        (work / "root").rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
