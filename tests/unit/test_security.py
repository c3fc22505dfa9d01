# SPDX-License-Identifier: Apache-2.0
"""The statements of docs/security.md about the whole code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "compiler" / "gthulhuc", ROOT / "runtime" / "gthulhu")
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
SOURCES = sorted((ROOT / "runtime").rglob("*.c"))
# The only programs that are started: clang, the loader, and the generator of the parser.
STARTERS = {
    "codegen/clang.py", "commands/doctor.py", "loader.py", "record/recorder.py",
    "serve/compiling.py", "serve/recorder.py",
    "syntax/regenerate.py", "trial.py",
}  # fmt: skip
SHELLS = {"system", "popen", "getoutput", "getstatusoutput", "create_subprocess_shell"}


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]


def name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=text) | ast.Name(id=text):
            return text
        case _:
            return ""


def test_no_module_runs_a_shell() -> None:
    assert MODULES
    found = [
        f"{path}:{call.lineno}"
        for path in MODULES
        for call in calls(path)
        if name(call) in SHELLS
        or any(keyword.arg == "shell" and name(call) != "complete" for keyword in call.keywords)
    ]
    assert found == []


def test_few_modules_start_a_program() -> None:
    starting = {
        str(path.relative_to(package))
        for package in PACKAGES
        for path in package.rglob("*.py")
        for call in calls(path)
        if re.fullmatch(
            r"Popen|exec[lv]p?e?|posix_spawnp?|spawn[lv]p?e?|fork|create_subprocess_exec",
            name(call),
        )
        or (
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == "subprocess"
        )
    }
    assert starting == STARTERS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_loader_starts_no_program(path: Path) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', code)
    assert not re.findall(r"\b(?:system|popen|exec[lv]p?e?|posix_spawnp?)\s*\(", code)
