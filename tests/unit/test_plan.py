# SPDX-License-Identifier: Apache-2.0
"""tests/plan: policies with what is special in their IR, and the matching part of their C.

`pytest --renew` writes them anew: read the difference before you commit it. The C is compared
without its large tables; other tests are about them.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pydantic
import pytest
import yaml

import generator
from gthulhuc import checked, codegen, ir, plan
from gthulhuc.checked import Subject
from gthulhuc.diagnostics.human import render
from gthulhuc.fields import Field
from gthulhuc.frontend import check, decode
from policies import ACTIONS, names, policy, rule, span
from vocabulary import ODD

ROOT = Path(__file__).parents[2]
CASES = sorted(path.parent for path in (ROOT / "tests" / "plan").glob("*/policy.gpl"))
SIMPLEST = ROOT / "tests" / "plan" / "simple"
LONG = 16
"""Tables with more entries appear as a hash."""
SCHEMA = ROOT / "docs" / "ir.schema.json"


KINDS = {"plain": {}, "stats": {"stats": True}, "monitor": {"monitor": True}}
"""Kinds of schedulers, each with the options that ask for it."""


def load(case: Path) -> checked.Policy:
    source, _ = decode("policy.gpl", (case / "policy.gpl").read_bytes())
    made, problems = check(source)
    assert made is not None, render(problems)
    return made


def compare(path: Path, text: str, *, renew: bool) -> None:
    if renew:
        path.unlink(missing_ok=True)
        if text:
            path.write_text(text)
        return
    assert text == (path.read_text() if path.exists() else "")


def _ir(case: Path) -> dict[str, Any]:
    """Returns the IR, without what every change of the source or the version changes."""
    data: dict[str, Any] = json.loads(ir.to_json(plan.build(load(case))))
    data["policy"]["sha256"] = data["policy"]["compiler"] = "..."
    return data


def _hashed(value: Any) -> Any:
    """Returns the value with a hash in place of each long table."""
    if isinstance(value, dict):
        return {name: _hashed(item) for name, item in value.items()}
    if isinstance(value, list) and len(value) > LONG:
        digest = hashlib.sha256(json.dumps(value).encode()).hexdigest()
        return f"{len(value)} items, sha256 {digest[:16]}"
    if isinstance(value, list):
        return [_hashed(item) for item in value]
    return value


def _changed(data: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Returns the values that differ from the base's, entry by entry where both are tables."""
    return {
        name: _changed(value, base[name])
        if isinstance(value, dict) and isinstance(base.get(name), dict)
        else value
        for name, value in data.items()
        if name not in base or value != base[name]
    }


def _short_ir(case: Path) -> str:
    """Returns what the case asserts: the simplest policy's whole IR, or what differs from that.

    The base of each class is the simplest policy's class with all defaults.
    """
    data = _ir(case)
    if case != SIMPLEST:
        base = _ir(SIMPLEST)
        default = next(cls for cls in base["classes"] if cls["id"] == "kthread")
        data = _changed(data, base)
        data["classes"] = [{"id": cls["id"]} | _changed(cls, default) for cls in data["classes"]]
    # Each item of a part begins a line.
    root = yaml.compose(yaml.safe_dump(_hashed(data), sort_keys=False, default_flow_style=True))
    assert isinstance(root, yaml.MappingNode)
    for node in (root, *(part for _, part in root.value)):
        node.flow_style = False
    return yaml.serialize(root, width=100)


def _matching(c_text: str) -> str:
    """Returns the matching part of the scheduler's C, without the automata's tables."""
    begin = c_text.find("/* ---- What the policy asks")
    if begin < 0:
        return ""
    facts = c_text[begin : c_text.index("/* ---- State")]
    begin = c_text.index("/* ---- The class that")
    code = c_text[begin : c_text.index("/* ---- Slices")]
    # Where a line stands in the file depends on all else in it.
    text = re.sub(r'#line \d+ "policy.bpf.c"', '#line ... "policy.bpf.c"', facts + code)
    return re.sub(r"(?m)^\t(?:[\dA-Z_| ]+, )*[\dA-Z_| ]+,\n", "", text)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, pytestconfig: pytest.Config) -> None:
    renew = bool(pytestconfig.getoption("--renew"))
    compare(case / "ir.yaml", _short_ir(case), renew=renew)
    compare(case / "match.c", _matching(codegen.render(plan.build(load(case)))), renew=renew)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_ir_is_as_published(case: Path) -> None:
    text = ir.to_json(plan.build(load(case)))
    data = json.loads(text)
    assert data.pop("schema") == ir.SCHEMA
    read = pydantic.TypeAdapter(ir.Ir).validate_python(_tuples(data))
    assert ir.to_json(read) == text


def _tuples(value: object) -> object:
    if isinstance(value, list):
        return tuple(_tuples(item) for item in value)
    if isinstance(value, dict):
        return {name: _tuples(item) for name, item in value.items()}
    return value


def test_the_published_schema_is_that_of_the_ir(pytestconfig: pytest.Config) -> None:
    schema = pydantic.TypeAdapter(ir.Ir).json_schema()
    schema["title"] = "IR of gthulhuc"
    schema["properties"] = {"schema": {"const": ir.SCHEMA}} | schema["properties"]
    schema["required"] = ["schema", *schema["required"]]
    text = json.dumps(schema, indent=1) + "\n"
    compare(SCHEMA, text, renew=bool(pytestconfig.getoption("--renew")))


def _formatted(c_text: str) -> str:
    style = f"--style=file:{ROOT / '.clang-format'}"
    command = ["clang-format", style, "--assume-filename=policy.bpf.c"]
    result = subprocess.run(command, input=c_text, capture_output=True, text=True, check=True)
    return result.stdout


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_generated_c_is_formatted(case: Path, kind: str) -> None:
    c_text = codegen.render(plan.build(load(case)), **KINDS[kind])
    assert c_text == _formatted(c_text)


@pytest.mark.parametrize("seed", range(40))
def test_any_condition_is_formatted(seed: int) -> None:
    _, made = generator.draw(seed, ODD)
    c_text = codegen.render(plan.build(made))
    assert c_text == _formatted(c_text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_generated_c_compiles(case: Path, kind: str) -> None:
    assert codegen.compile_object(codegen.render(plan.build(load(case)), **KINDS[kind]))


def test_names_alone_are_a_table_however_many_rules_there_are() -> None:
    rules = [rule(f"r{n}", names(Field.COMM, f"name-{n}")) for n in range(3000)]
    made = plan.build(policy(rules))
    assert made.names is not None
    assert made.names.table is not None
    assert made.names.table.nr_words == 0
    code = codegen.render(made)
    classify = code[code.index("__separate u32 classify") : code.index("class_of")]
    assert classify.count("if (") == 1  # of kernel threads


def test_more_facts_than_a_word_has_bits() -> None:
    def match(number: int) -> checked.Predicate:
        user = checked.InRanges(Subject(Field.UID), ((number, number),), span())
        return checked.And((names(Field.COMM, f"name-{number}"), user), span())

    made = plan.build(policy([rule(f"r{n}", match(n)) for n in range(200)]))
    assert made.names is not None
    assert made.names.table is not None
    assert made.names.table.nr_words == 4
    assert {fact.word for fact in made.comparisons if fact.form == "table"} == {0, 1, 2, 3}


def test_patterns_that_are_too_many_for_one_table_get_several() -> None:
    rules = [
        rule(f"r{n}", checked.Glob(Subject(Field.COMM), (b"*%d*" % n,), span()))
        for n in range(100, 124)
    ]
    made = plan.build(policy(rules))
    assert made.names is not None
    assert len(made.names.automata) > 1
    assert sum(len(automaton.comparisons) for automaton in made.names.automata) == 24


def test_a_pattern_that_is_too_large_is_an_error_at_its_place() -> None:
    pattern = b"(" + b"|".join(b".*%d.{60}" % n for n in range(10, 24)) + b")"
    subject = Subject(Field.CGROUP)
    with pytest.raises(plan.PlanError) as error:
        plan.build(policy([rule("r", checked.Regex(subject, pattern, span(3)))]))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code.name == "too-large"
    assert diagnostic.span == span(3)


def test_run_time_actions_of_a_monitor_are_dropped() -> None:
    made = plan.build(load(ROOT / "tests" / "plan" / "kept"))
    tree = next(cls for cls in made.classes if cls.name == "tree")
    assert (tree.level, tree.migrate) == ("urgent", "never")
    assert [domain.id for domain in made.domains] == ["shared"]
    assert made.levels == ("high", "normal", "low")
    features = made.features
    assert not any([features.exclusive, features.hard_cpus, features.never, features.home])
    assert not features.migrate_return
    assert "prefer" not in codegen.render(made)


@pytest.mark.parametrize("word", ["inherit", "monitor"])
def test_there_are_at_most_64_rules_that_are_kept_with_a_task(word: str) -> None:
    def rules(number: int) -> list[checked.Rule]:
        actions = replace(ACTIONS, inherit=word == "inherit", monitor=word == "monitor")
        return [rule(f"r{n}", names(Field.COMM, f"n{n}"), actions) for n in range(number)]

    assert "1ULL << 63" in codegen.render(plan.build(policy(rules(64))))
    with pytest.raises(plan.PlanError, match=f"more than 64 rules with `{word}`"):
        plan.build(policy(rules(65)))
