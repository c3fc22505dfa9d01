# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Other sched_ext schedulers on the host model: their C file, and what the model lacks for it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import MODEL
from gthulhu_lab.simulation import model
from gthulhu_lab.simulation.model import CompilerError, Mode

# The operations of a scheduler embed those that the model knows.
_FLAGS = (
    f"-I{MODEL / 'foreign'}", "-fms-extensions", "-Werror=implicit-function-declaration"
)  # fmt: skip
_NOT_CALLED = (
    "dequeue", "yield", "core_sched_before", "cpu_acquire", "cpu_online", "cpu_offline",
    "cgroup_prep_move", "cgroup_cancel_move", "dispatch_max_batch",
)  # fmt: skip
"""Members of the operations without effect on the model (`sim/foreign/scx/common.bpf.h`)."""
_REMEDY = "docs/simulation.md says which schedulers run on the model"

_LACKING = {
    "header": r"fatal error: '?([^' ]+?)'?(?: file not found|: No such file)",
    "function": r"implicit declaration of function '(\w+)'|call to undeclared function '(\w+)'",
    "member": (
        r"'(?:const |volatile )*(struct \w+)' has no member named '(\w+)'"
        r"|no member named '(\w+)' in '(struct \w+)'"
    ),
    "type": (
        r"unknown type name '([\w ]+)'|incomplete (?:definition of )?type '(?:const )?(struct \w+)'"
        r"|undefined type '(?:const )?(struct \w+)'"
    ),
    "name": r"'(\w+)' undeclared|use of undeclared identifier '(\w+)'",
}
"""The messages of gcc and of clang."""


def expanded(source: Path) -> str:
    """Returns the text with all that it includes. Raises LabError, also if the model lacks some."""
    if not source.is_file():
        raise LabError(f"cannot read {source}: no such file")
    try:
        return model.expand(source, _FLAGS)
    except CompilerError as error:
        raise _lacking(source, error) from error


def build(source: Path, program: Path, target: Path, mode: Mode) -> None:
    """Compiles a scheduler to a shared object for the model's `program`.

    Raises LabError, which names all that the model lacks.
    """
    try:
        model.build_control(source, target, mode, _FLAGS)
    except CompilerError as error:
        raise _lacking(source, error) from error
    if missing := sorted(_undefined(target) - _defined(program)):
        raise _refusal(source, [f"the function `{name}`" for name in missing])


def not_called(text: str) -> list[str]:
    """Returns the members of a scheduler's operations that have no effect, from its whole text."""
    operations = text.rpartition(".struct_ops")[2]
    given = set(re.findall(r"\.(\w+)\s*=", operations))
    return [name for name in _NOT_CALLED if name in given]


def _lacking(source: Path, error: CompilerError) -> LabError:
    found = dict.fromkeys(_found(error.errors))
    if found:
        return _refusal(source, list(found))
    return LabError(f"cannot compile {source}:\n{error.errors.strip()}", _REMEDY)


def _found(errors: str) -> Iterator[str]:
    """The headers, functions and so on that the compiler's messages are about."""
    for kind, pattern in _LACKING.items():
        for match in re.finditer(pattern, errors):
            parts = [part for part in match.groups() if part]
            # gcc names the structure first, and clang the member.
            parts = parts[::-1] if parts[-1].startswith("struct ") else parts
            yield f"the {kind} `{'.'.join(parts)}`"


def _refusal(source: Path, lacking: list[str]) -> LabError:
    lines = "".join(f"\n  {each}" for each in lacking)
    return LabError(f"{source} needs what the model of the kernel lacks:{lines}", _REMEDY)


def _symbols(file: Path) -> Iterator[tuple[str, bool, bool]]:
    """The dynamic symbols of a program: name, whether it is defined there, and whether weak."""
    with file.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".dynsym")
        assert isinstance(table, SymbolTableSection)
        for symbol in table.iter_symbols():
            yield (
                symbol.name, symbol["st_shndx"] != "SHN_UNDEF",
                symbol["st_info"]["bind"] == "STB_WEAK",
            )  # fmt: skip


def _defined(program: Path) -> set[str]:
    return {name for name, is_defined, _ in _symbols(program) if is_defined}


def _undefined(library: Path) -> set[str]:
    """The symbols that a library needs, without those of the C library."""
    standard = ctypes.CDLL(None)
    return {
        name
        for name, is_defined, is_weak in _symbols(library)
        if name and not is_defined and not is_weak and not hasattr(standard, name)
    }
