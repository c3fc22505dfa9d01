# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's public tools with the libraries that they need, for a guest that has no others.

They do not depend on the host, and nothing is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from gthulhu_lab import debian, workloads
from gthulhu_lab.errors import LabError
from gthulhu_lab.initramfs import Image

# Name of a program in /usr/bin → package.
PACKAGES = {
    "stress-ng": "stress-ng",
    "hackbench": "rt-tests",
    "linux.uml": "user-mode-linux",  # a kernel that is a process
}
# The initramfs of that kernel.
BOOT_IMAGE = "lab/boot.cpio"
_LOADER = "lib64/ld-linux-x86-64.so.2"


def files(name: str) -> dict[str, Path | str | bytes]:
    """Files of a guest, where `/usr` is `/`: /bin/`name` and its libraries."""
    root = debian.root((PACKAGES[name],))
    wanted = linked(root, [f"usr/bin/{name}"])
    if name == "linux.uml":
        wanted[f"/{BOOT_IMAGE}"] = _boot_image()
    return wanted


def linked(root: Path, programs: Sequence[str]) -> dict[str, Path | str | bytes]:
    """Files of a guest: programs below `root`, and their libraries."""
    wanted: dict[str, Path | str | bytes] = {f"/{_LOADER}": (root / _LOADER).resolve()}
    for program in programs:
        for file in (program, *libraries(root, program)):
            # As bytes, so that the host's linker does not look for the libraries.
            wanted[place(file)] = (root / file).read_bytes()
    return wanted


def place(file: str) -> str:
    """Where a file of a package is in a guest."""
    return "/" + file.removeprefix("usr/")


def _boot_image() -> bytes:
    image = Image()
    image.add_directory("dev")
    image.add_host_file("init", workloads.program("poweroff"))
    return image.to_bytes()


def libraries(root: Path, program: str) -> list[str]:
    """Returns all libraries a program needs, directly or not; raises LabError if one is missing."""
    found: dict[str, str] = {}
    todo = [program]
    while todo:
        file = todo.pop()
        for name in _needed(root / file):
            if name not in found and name != Path(_LOADER).name:
                found[name] = _find(root, name, file)
                todo.append(found[name])
    return sorted(found.values())


def _needed(file: Path) -> list[str]:
    with file.open("rb") as stream:
        dynamic: Any = ELFFile(stream).get_section_by_name(".dynamic")
        return [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")] if dynamic else []


def _find(root: Path, name: str, file: str) -> str:
    for folder in debian.LIBRARIES:
        if (root / folder / name).exists():
            return f"{folder}/{name}"
    message = f"{file} of Debian's {debian.SUITE} needs {name}, which its packages do not have"
    raise LabError(message)
