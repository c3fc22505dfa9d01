# SPDX-License-Identifier: Apache-2.0
"""The import graph of the three packages: layers that import downwards only, and no cycle."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from gthulhuc.cli import registry

ROOT = Path(__file__).parents[2]
LAYERS = {"gthulhuc": "compiler", "gthulhu": "runtime", "gthulhu_lab": "lab"}
"""Packages from the lowest, with the folder that each is in."""


def modules() -> dict[str, Path]:
    found = {}
    for package, folder in LAYERS.items():
        for path in (ROOT / folder / package).rglob("*.py"):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """Returns a module's imports, anywhere in it, including those for types only."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"{path}:{node.lineno}: a relative import"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def graph(found: Mapping[str, Path]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    edges: dict[str, set[str]] = {}
    for name, path in found.items():
        wanted = (each if each in found else each.rpartition(".")[0] for each in imports(path))
        edges[name] = {each for each in wanted if each in found} - {name}
    return edges


@pytest.fixture(scope="module")
def edges() -> dict[str, set[str]]:
    found = graph(modules())
    assert {name.partition(".")[0] for name in found} == set(LAYERS)
    return found


def test_no_package_imports_one_above_it(edges: Mapping[str, set[str]]) -> None:
    height = {package: index for index, package in enumerate(LAYERS)}
    upwards = [
        f"{importer} imports {imported}"
        for importer, all_imported in edges.items()
        for imported in all_imported
        if height[imported.partition(".")[0]] > height[importer.partition(".")[0]]
    ]
    assert upwards == []


def test_no_modules_import_each_other(edges: Mapping[str, set[str]]) -> None:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_the_registry_finds_what_the_standard_library_finds() -> None:
    known = {each.name: each.value for each in entry_points(group=registry.GROUP)}
    assert registry.registered(sys.path) == known
    assert known["check"] == "gthulhuc.cli.check:add"


def test_the_first_package_of_the_path_has_the_command(tmp_path: Path) -> None:
    for folder, module in (("first", "one"), ("second", "two")):
        (tmp_path / folder / "gthulhuc-1.dist-info").mkdir(parents=True)
        text = f"[console_scripts]\nx = y:z\n[{registry.GROUP}]\nrun = {module}:add\n"
        (tmp_path / folder / "gthulhuc-1.dist-info" / "entry_points.txt").write_text(text)
    other = tmp_path / "first" / "other-1.dist-info"
    other.mkdir()
    (other / "entry_points.txt").write_text(f"[{registry.GROUP}]\nevil = other:add\n")
    path = [str(tmp_path / name) for name in ("none", "first", "second")]
    assert registry.registered(path) == {"run": "one:add"}
