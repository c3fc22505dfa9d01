# SPDX-License-Identifier: Apache-2.0
"""Templates hold no logic: they loop, include, print names, and look at flags.

The C beside them has the limits of the language.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from gthulhuc import fields
from gthulhuc.codegen.render import TEMPLATES

NAMES = sorted(path.name for path in TEMPLATES.glob("*.j2"))

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


@pytest.mark.parametrize("path", sorted(Path(TEMPLATES).rglob("*")), ids=lambda path: path.name)
def test_templates_stay_short(path: Path) -> None:
    if path.is_file():
        assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.*")), ids=lambda path: path.name)
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
