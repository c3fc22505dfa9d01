# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Kernel modules of a guest with their dependencies, in loading order."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Kernel


def module_files(kernel: Kernel, names: Iterable[str]) -> list[Path]:
    """Files of modules and their dependencies; those built into the kernel need none.

    Raises LabError for a module that the kernel does not have.
    """
    wanted = list(names)
    if not wanted:
        return []
    folder = kernel.modules_path
    if folder is None:
        raise LabError(
            f"kernel {kernel.release} has no modules", f"The guest needs {', '.join(wanted)}."
        )
    needs = _dependencies(folder)
    built_in = {_name(line) for line in _lines(folder / "modules.builtin")}
    order: dict[Path, None] = {}
    for name in wanted:
        plain = name.replace("-", "_")
        if plain in built_in:
            continue
        if plain not in needs:
            raise LabError(f"kernel {kernel.release} has no module {name}")
        file, *dependencies = needs[plain]
        for dependency in reversed(dependencies):
            order[folder / dependency] = None
        order[folder / file] = None
    return list(order)


def _dependencies(folder: Path) -> dict[str, list[str]]:
    """Each module's file and the files it needs, in depmod's order (last one first)."""
    result = {}
    for line in _lines(folder / "modules.dep"):
        file, _, rest = line.partition(":")
        result[_name(file)] = [file, *rest.split()]
    return result


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _name(path: str) -> str:
    return Path(path).name.partition(".ko")[0].replace("-", "_")
