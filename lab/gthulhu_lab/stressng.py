# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's stress-ng with the libraries that it needs, for a guest that has no others.

It is not the host's: the guest runs it whatever the host is, and nothing is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from gthulhu_lab import debian
from gthulhu_lab.errors import LabError

PROGRAM = "usr/bin/stress-ng"
_LOADER = "lib64/ld-linux-x86-64.so.2"


def files() -> dict[str, Path | str | bytes]:
    """Files of a guest, where `/usr` is `/`: /bin/stress-ng and its libraries."""
    root = debian.root(("stress-ng",))
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
    for folder in debian.LIBRARIES:
        if (root / folder / name).exists():
            return f"{folder}/{name}"
    message = f"stress-ng of Debian's {debian.SUITE} needs {name}, which its packages do not have"
    raise LabError(message)
