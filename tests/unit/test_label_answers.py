# SPDX-License-Identifier: Apache-2.0
"""Answers from labels to a policy's questions: the loader agrees with the reference."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from gthulhuc import checked, codegen, plan, reference
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.source import Source
from matching import runtime_value

ROOT = Path(__file__).parents[2]
LOADER = ROOT / "build" / "runtime-sanitize" / "gthulhu-loader"
UNIT_TESTS = ROOT / "build" / "runtime-sanitize" / "unit-tests"
POLICY = r"""
policy answers {}
rule a { match label "app" == "web" or label "app" in ["", "db", "a=b"]  weight 1 }
rule b { match label "app" ~ "w*" and not label "tier" ~ ["*-[0-9]", "?"]  weight 2 }
rule c { match label "tier" or label "example.org/tier" =~ 'fr(ont|ee)+\.?'  weight 3 }
rule d { match namespace != "prod" and pod ~ "api-*" and container =~ '(a|b)*c'  weight 4 }
rule e { match not (pod in ["x", "y"] or namespace == "prod")  weight 5 }
rule f { match container ~ "?*" or pod =~ '[^a-c]{2,3}'  weight 6 }
"""
VALUES = (
    "", "web", "db", "a=b", "w", "front", "front.", "frontfree", "api-", "api-7", "x-1", "ababc",
    "c", "ab", "xyz", "prod", "\xe9\xff", "label:app", "x",
)  # fmt: skip
KEYS = ("app", "tier", "example.org/tier", "ap", "other")
FIELDS = (Field.NAMESPACE, Field.POD, Field.CONTAINER)


@pytest.fixture(scope="module")
def policy() -> checked.Policy:
    made, problems = check(Source("answers.gpl", POLICY))
    assert made is not None, problems
    return made


def draw(choice: random.Random) -> tuple[bool, dict[str, str], dict[Field, str]]:
    """Whether it is all that there is, the labels, and the other facts."""
    labels = {key: choice.choice(VALUES) for key in KEYS if choice.random() < 0.5}
    others = {field: choice.choice(VALUES) for field in FIELDS if choice.random() < 0.5}
    return choice.random() < 0.5, labels, others


@pytest.fixture(scope="module")
def compiled(policy: checked.Policy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The policy's object; and the programs that read it are there."""
    make = ["make", "-s", "-C", str(ROOT / "runtime"), "SANITIZE=1"]
    subprocess.run([*make, str(UNIT_TESTS), str(LOADER)], check=True)
    path = tmp_path_factory.mktemp("answers") / "answers.bpf.o"
    path.write_bytes(codegen.compile_object(codegen.render(plan.build(policy))))
    return path


def test_the_loader_answers_as_the_reference(policy: checked.Policy, compiled: Path) -> None:
    ir = plan.build(policy)
    choice = random.Random(3)
    draws = [draw(choice) for _ in range(5000)]
    lines = []
    for is_all, labels, others in draws:
        facts = [f"label:{key}={value}" for key, value in labels.items()]
        facts += [f"{field.value}={value}" for field, value in others.items()]
        lines.append("\t".join(["all" if is_all else "some", *facts]) + "\n")
    result = subprocess.run(
        [UNIT_TESTS, compiled],
        input="".join(lines).encode("latin-1"),
        capture_output=True,
        check=True,
    )
    found = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
    assert len(found) == len(draws)
    for line, drawn, bits in zip(lines, draws, found, strict=True):
        is_all, labels, others = drawn
        texts = {field: value.encode("latin-1") for field, value in others.items()}
        task = reference.Task(
            labels={key.encode(): value.encode("latin-1") for key, value in labels.items()},
            namespace=texts.get(Field.NAMESPACE),
            pod=texts.get(Field.POD),
            container=texts.get(Field.CONTAINER),
        )
        known = labels.keys() | {field.value for field in others}
        expected = {False: 0, True: 0}
        for fact in ir.runtime:
            if is_all or (fact.key if fact.subject == "label" else fact.subject) in known:
                expected[bool(runtime_value(fact, task))] |= 1 << fact.index
        assert bits == (expected[True], expected[False]), line


MANY = 0xFFFFFFFF
# Fields of struct gthulhu_question; numbers of questions: an `is`, and one with an automaton.
DAMAGES = {
    "bit": (1, 0, 64),
    "subject": (2, 0, 4),
    "asks": (3, 0, 3),
    "text": (4, 0, MANY),
    "values": (5, 0, MANY),
    "table": (6, 2, MANY),
    "beyond": (6, 2, 1 << 20),
    "states": (7, 2, 0),
    "more-states": (7, 2, MANY),
    "columns": (8, 2, 0),
    "more-columns": (8, 2, MANY),
    "fewer-states": (7, 2, 1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_invalid_questions_are_refused(damage: str, compiled: Path, tmp_path: Path) -> None:
    member, question, value = DAMAGES[damage]
    with compiled.open("rb") as file:
        elf: Any = ELFFile(file)
        symbol = elf.get_section_by_name(".symtab").get_symbol_by_name("policy_questions")[0]
        section = elf.get_section(symbol["st_shndx"])
        place = section["sh_offset"] + symbol["st_value"] + (9 * question + member) * 4
    data = bytearray(compiled.read_bytes())
    data[place : place + 4] = value.to_bytes(4, "little")
    path = tmp_path / "damaged.bpf.o"
    path.write_bytes(data)
    result = subprocess.run([LOADER, "--check", path], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert f"corrupt object: invalid policy_questions[{question}]" in result.stderr
