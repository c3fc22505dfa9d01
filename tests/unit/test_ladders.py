# SPDX-License-Identifier: Apache-2.0
"""Many rules with a pattern each: one table has the number of the first that matches."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from extent import first_of
from gthulhuc import checked, codegen, plan, reference
from gthulhuc.frontend import check, to_ir
from gthulhuc.plan import dfa
from gthulhuc.plan.ladders import FEW
from gthulhuc.plan.patterns import glob
from gthulhuc.reference import Task
from gthulhuc.source import Source
from matching import HostClassifier
from random_tasks import tasks

FIELDS = {"comm": "", "process": "", "parent": "", "cgroup": "/", "unit": ""}
OTHERS = (
    "match uid == 0 and nice > 3 priority low",
    'match comm ~ "b*" and leader weight 30',
    'match not process ~ "*a*" and uid in 5..900 slice 3ms',
    'match comm == "abc" weight 7',
    'match ancestor ~ "*cab" priority low',
    'match kthread and comm ~ "*c" slice 2ms',
    'match cgroup ~ "*b" and gid == 0 monitor',
    'match comm ~ "aa*" monitor',
    'match process ~ "cc?" inherit weight 9',
)


def name(choice: random.Random, most: int = 6) -> str:
    return "".join(choice.choice("abc") for _ in range(choice.randint(1, most)))


def rule(choice: random.Random, field: str) -> str:
    text = name(choice, 5)
    shape = choice.choice(("{}*", "*{}", "*{}*", "{}?", "?{}*", "{}*b", "[ab]{}*"))
    if field == "unit" and shape == "*{}*":
        shape = "{}*"  # many of these need too much room
    glob = shape.format(text)
    if field == "cgroup":
        glob = f"/{glob}"
        if choice.random() < 0.2:
            return f'match cgroup under "/{text}/{name(choice, 2)}" weight 5'
    if field == "unit":
        glob = f"{glob}.service"
    if choice.random() < 0.1:
        glob = f'{glob}", "{glob}x*'
        return f'match {field} ~ ["{glob}"] weight 3' if field != "unit" else OTHERS[0]
    if field != "unit" and choice.random() < 0.1:
        return f"match {field} =~ '{'/' * (field == 'cgroup')}(a|{text}){{1,3}}c?' weight 4"
    return f'match {field} ~ "{glob}" priority {choice.choice(("high", "low", "idle"))}'


def policy(seed: int) -> checked.Policy:
    """A policy with many rules that a pattern decides, and others between them."""
    choice = random.Random(seed)
    field = list(FIELDS)[seed % len(FIELDS)]
    second = choice.choice(list(FIELDS))
    rules = [rule(choice, field) for _ in range(200)]
    rules += [rule(choice, second) for _ in range(choice.choice((20, 90)))]
    rules += OTHERS
    choice.shuffle(rules)
    while True:
        text = "policy p {}\n" + "".join(
            f"rule r{i} {{ {each} }}\n" for i, each in enumerate(rules)
        )
        found, problems = check(Source("p.gpl", text))
        if found is not None:
            return found
        # Those that can never take a task.
        wrong = {problem.span.line for problem in problems if problem.is_error}
        rules = [each for line, each in enumerate(rules, 2) if line not in wrong]


def some_tasks(found: checked.Policy, seed: int, count: int) -> list[Task]:
    choice = random.Random(seed)

    def text() -> bytes:
        return name(choice).encode()

    def cgroup() -> bytes:
        parts = [text() for _ in range(choice.randint(0, 2))]
        return b"/" + b"/".join([*parts, *([text() + b".service"] * choice.randint(0, 1))])

    return [
        replace(
            task,
            comm=task.comm if choice.random() < 0.1 else text(),
            process=text(),
            parent=text() if task.parent is not None else None,
            ancestors=tuple(text() for _ in task.ancestors),
            cgroup=cgroup(),
        )
        for task in tasks(found, seed, count)
    ]


@pytest.mark.parametrize("seed", [0, 2, 4])  # about comm, parents and units
def test_the_classifier_agrees_with_the_reference(seed: int, tmp_path: Path) -> None:
    found = policy(seed)
    ir = plan.build(found)
    assert any("_first_" in fact.id for fact in ir.comparisons)
    tried = [
        replace(task, ancestors=(task.parent, *task.ancestors[1:])) if task.parent else task
        for task in some_tasks(found, seed, 800)
    ]
    verdicts = HostClassifier(found, tmp_path).verdicts(tried)
    seen = set()
    for task, is_so in zip(tried, verdicts, strict=True):
        expected = reference.classify(found, task)
        assert is_so == (expected.name, [row.name for row in expected.monitored]), task
        seen.add(expected.name)
    assert len(seen) > 10


@pytest.mark.parametrize(
    ("field", "shape"),
    first_of(
        [
            *(("comm", "n{}*"), ("comm", "*n{}*"), ("comm", "*n{}"), ("parent", "?n{}")),
            *(("cgroup", "/n{}*"), ("unit", "n{}*")),
        ],
        2,
    ),
)
def test_1500_rules_with_a_glob_each_fit(field: str, shape: str) -> None:
    rules = "\n".join(
        f'rule r{i} {{ match {field} ~ "{shape.format(f"{i:04}")}" slice 2ms }}'
        for i in range(1_500)
    )
    _, scheduler, problems = to_ir(Source("p.gpl", f"policy p {{}}\n{rules}\n"))
    assert problems == []
    assert scheduler is not None
    if shape == "n{}*":
        assert codegen.compile_object(codegen.render(scheduler))


def test_few_rules_have_a_bit_each() -> None:
    def first(number: int) -> bool:
        rules = "\n".join(
            f'rule r{i} {{ match comm ~ "n{i:02}*" slice 2ms }}' for i in range(number)
        )
        found, _ = check(Source("p.gpl", f"policy p {{}}\n{rules}\n"))
        assert found is not None
        return any("_first_" in fact.id for fact in plan.build(found).comparisons)

    assert (first(FEW), first(FEW + 1)) == (False, True)


@pytest.mark.parametrize("seed", range(20))
def test_a_ranked_table_knows_the_first_pattern_that_matches(seed: int) -> None:
    choice = random.Random(seed)
    globs = [
        choice.choice(("{}*", "*{}", "*{}*", "{}", "?{}*")).format(name(choice, 3))
        for _ in range(30)
    ]
    table = dfa.build([glob(text.encode()) for text in globs], ranked=20)
    for _ in range(500):
        text = name(choice, 7)
        matching = [
            index
            for index, each in enumerate(globs)
            if re.fullmatch(each.replace("*", ".*").replace("?", "."), text)
        ]
        first = [index for index in matching if index < 20][:1]
        assert table.match(text.encode()) == (*first, *(i for i in matching if i >= 20))
