# SPDX-License-Identifier: Apache-2.0
"""Templates hold no logic: they loop, include, print names, and look at flags.

The C beside them has the limits of the language.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import mutations
from gthulhuc import fields
from gthulhuc.codegen.render import TEMPLATES, compile_templates

NAMES = sorted(path.name for path in TEMPLATES.glob("*.j2"))
FILES = sorted(path for path in TEMPLATES.rglob("*") if path.suffix in (".h", ".j2"))

STATEMENTS = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Include,
    nodes.Macro, nodes.FromImport, nodes.Tuple,
)  # fmt: skip
VALUES = (nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const, nodes.Call, nodes.Filter)
FLAGS = (nodes.Name, nodes.Getattr, nodes.And, nodes.Or, nodes.Not)
FILTERS = {"c_string", "join", "length"}


def parse(name: str) -> nodes.Template:
    return Environment().parse((TEMPLATES / name).read_text())


@pytest.mark.parametrize("name", NAMES)
def test_templates_use_only_simple_expressions(name: str) -> None:
    for node in parse(name).find_all(nodes.Node):
        allowed = (*STATEMENTS, *VALUES, *FLAGS, nodes.CondExpr, nodes.Keyword)
        assert isinstance(node, allowed), f"{name}:{node.lineno}: {type(node).__name__}"


@pytest.mark.parametrize("name", NAMES)
def test_conditions_are_flags(name: str) -> None:
    tree = parse(name)
    conditions = [node.test for node in tree.find_all(nodes.If)]
    conditions += [node.test for node in tree.find_all(nodes.CondExpr)]
    for condition in conditions:
        for node in (condition, *condition.find_all(nodes.Expr)):
            assert isinstance(node, FLAGS), f"{name}:{node.lineno}: {type(node).__name__}"


@pytest.mark.parametrize("name", NAMES)
def test_calls_filters_and_indices_are_the_known_ones(name: str) -> None:
    tree = parse(name)
    macros = {imported for node in tree.find_all(nodes.FromImport) for imported in node.names}
    for call in tree.find_all(nodes.Call):
        assert isinstance(call.node, nodes.Name), f"{name}:{call.lineno}"
        assert call.node.name in macros, f"{name}:{call.lineno}"
    assert {node.name for node in tree.find_all(nodes.Filter)} <= FILTERS
    assert all(isinstance(node.arg, nodes.Const) for node in tree.find_all(nodes.Getitem))
    assert all(loop.test is None and not loop.else_ for loop in tree.find_all(nodes.For))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_templates_stay_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_single_function_reads_migration_disabled(path: Path) -> None:
    """`is_migration_disabled` tells a task's own count from what running a program adds."""
    if path.name != "kernel.bpf.h":
        found = path.read_text().count("->migration_disabled")
        assert found == (path.name == "cpus.bpf.h")


def test_the_limits_of_programs_are_those_of_the_language() -> None:
    text = (TEMPLATES / "lib" / "program_limits.h").read_text()
    limits = {
        name: int(value) for name, value in re.findall(r"^\t(\w+) = (\d+),", text, re.MULTILINE)
    }
    assert len(limits) == text.count(" = ") == 4
    assert limits == {name: getattr(fields, name) for name in limits}


# ---- what Jinja2 has compiled is kept ----


def c_text(templates: Path) -> str:
    """Renders a policy in a process of its own."""
    program = (
        "import sys, pathlib, gthulhuc.plan as p\n"
        "from gthulhuc import codegen\n"
        "from gthulhuc.frontend import check\n"
        "from gthulhuc.source import Source\n"
        "r = sys.modules['gthulhuc.codegen.render']\n"
        "r.TEMPLATES = pathlib.Path(sys.argv[1])\n"
        "sys.stdout.write(r.render(p.build(check(Source('p.gpl', 'policy p {}'))[0])))"
    )
    environ = {key: os.environ[key] for key in os.environ.keys() - {"PYTHONDONTWRITEBYTECODE"}}
    return subprocess.run(
        [sys.executable, "-c", program, templates],
        env=environ, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_compiled_templates_are_kept_until_they_change(tmp_path: Path) -> None:
    templates = mutations.copy_of_templates(tmp_path)
    first = c_text(templates)
    kept = {path: path.stat().st_mtime_ns for path in (templates / "__pycache__").iterdir()}
    assert any(path.name.startswith("scheduler.bpf.c.j2.") for path in kept)
    assert c_text(templates) == first
    assert {path: path.stat().st_mtime_ns for path in kept} == kept

    changed = templates / "scheduler.bpf.c.j2"
    changed.write_text("// changed\n" + changed.read_text())
    assert c_text(templates) == "// changed\n" + first


def test_all_templates_are_compiled_in_advance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    templates = mutations.copy_of_templates(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compile_templates(templates)
    kept = {path.name.partition(".cpython-")[0] for path in (templates / "__pycache__").iterdir()}
    assert kept == {path.name for path in templates.glob("*.j2")}


def test_templates_need_no_bytecode(tmp_path: Path) -> None:
    templates = mutations.copy_of_templates(tmp_path)
    first = c_text(templates)
    for path in (templates / "__pycache__").iterdir():
        path.write_bytes(path.read_bytes()[:-10])
    assert c_text(templates) == first

    # It cannot be written.
    shutil.rmtree(templates / "__pycache__")
    (templates / "__pycache__").write_text("")
    assert c_text(templates) == first
