# SPDX-License-Identifier: Apache-2.0
"""`test` blocks, and `gthulhu test`: the rule of a described task is the classifier's."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from command import environment, run
from generator import draw
from gthulhuc import codegen, testing
from gthulhuc.diagnostics import Diagnostic, codes
from gthulhuc.fields import DERIVED, Field
from gthulhuc.frontend import check, to_ir
from gthulhuc.reference import KERNEL_THREADS, Task
from gthulhuc.source import Source
from matching import HostClassifier
from random_tasks import described, tasks
from vocabulary import ODD

WORDS = replace(ODD, sizes=tuple(range(3, 13)))
POLICIES = 12
TASKS = 150
GOOD = """\
policy p {}
rule batch { match comm == "ffmpeg" and parent == "cron" priority low }
test "cron's jobs" {
    comm "ffmpeg" parent "cron" -> batch
    comm "ffmpeg"               -> default
}
"""
BAD = GOOD.replace("-> default", "-> batch")


def problems_of(text: str) -> list[Diagnostic]:
    return check(Source("p.gpl", text))[1]


# ---- the meaning --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(POLICIES))
def test_a_task_has_the_rule_that_the_classifier_gives_it(seed: int, tmp_path: Path) -> None:
    text, policy = draw(seed, WORDS)
    some = [described(policy, task) for task in tasks(policy, seed, TASKS)]
    lines = [testing.written(task) for task in some]
    verdicts = [name for name, _ in HostClassifier(policy, tmp_path).verdicts(some)]
    rules = ["default" if name == KERNEL_THREADS else name for name in verdicts]
    assert failures(text, lines, rules) == []

    names = ["default", *(rule.name for rule in policy.rules if not rule.actions.monitor)]
    choice = random.Random(seed)
    others = [choice.choice([name for name in names if name != rule]) for rule in rules]
    assert len(failures(text, lines, others)) == TASKS


def failures(text: str, lines: list[str], rules: list[str]) -> list[Diagnostic]:
    """The errors of a test with these tasks and their rules."""
    body = "".join(f"    {line} -> {rule}\n" for line, rule in zip(lines, rules, strict=True))
    _, problems = check(Source("p.gpl", f'{text}test "random" {{\n{body}}}\n'), target=ODD.target)
    errors = [problem for problem in problems if problem.is_error]
    assert {error.code for error in errors} <= {codes.TEST_FAILED}, errors
    first = text.count("\n") + 2
    assert {error.span.line for error in errors} <= set(range(first, first + len(lines)))
    return errors


@pytest.mark.parametrize("field", Field, ids=lambda field: str(field.value))
def test_each_fact_has_a_form(field: Field) -> None:
    assert failures("policy p\n", [field.row.fact], ["default"]) == []


def test_facts_without_a_line_are_as_listed() -> None:
    """Each fact that says what holds anyway changes nothing."""
    listed = {
        "no parent": "not parent",
        "`/`": 'cgroup "/"',
        "no program": "not exe",
        "no arguments": "not cmdline",
    }
    for field in Field:
        fact = listed.get(field.row.otherwise)
        if field.row.otherwise.startswith("`not "):
            fact = field.row.otherwise.strip("`")
        elif field.row.otherwise == "0":
            fact = f"{field.value} 0"
        elif field in DERIVED or field.row.is_many or field.row.is_late or field is Field.LEADER:
            continue
        assert fact is not None, field
        plain, given = (task_of(facts) for facts in ('comm "x"', f'comm "x" {fact}'))
        assert plain == given, field


def task_of(facts: str) -> Task:
    """The task that a line describes."""
    policy, problems = check(Source("p.gpl", f'policy p\ntest "t" {{ {facts} -> default }}\n'))
    assert policy is not None, problems
    return testing.decide(policy)[0].task


# ---- the compiler -------------------------------------------------------------------------------


def test_a_policy_whose_test_fails_does_not_compile() -> None:
    policy, ir, problems = to_ir(Source("p.gpl", BAD))
    assert (policy, ir) == (None, None)
    (problem,) = problems
    assert (problem.code, problem.span.line) == (codes.TEST_FAILED, 5)
    assert problem.span.text == 'comm "ffmpeg"               -> batch'
    assert [label.span.text for label in problem.secondary] == ['parent == "cron"']


def test_only_the_source_in_the_metadata_tells_a_policy_with_tests() -> None:
    texts = [GOOD[: GOOD.index("test")], GOOD]
    codes_of_c = []
    for text in texts:
        _, ir, problems = to_ir(Source("p.gpl", text))
        assert ir is not None, problems
        codes_of_c.append(codegen.render(replace(ir, policy=replace(ir.policy, sha256=""))))
    assert codes_of_c[0] == codes_of_c[1]


@pytest.mark.parametrize(
    ("text", "is_imported"), [(GOOD, True), (GOOD[: GOOD.index("test")], False)]
)
def test_only_a_policy_with_tests_needs_the_reference(text: str, *, is_imported: bool) -> None:
    """Guests have only the modules that a compilation imports."""
    script = (
        "import sys; from gthulhuc.frontend import to_ir; from gthulhuc.source import Source\n"
        "assert to_ir(Source('p.gpl', sys.argv[1]))[1]\n"
        "print({'gthulhuc.testing', 'gthulhuc.reference'} & set(sys.modules) != set())"
    )
    command = [sys.executable, "-c", script, text]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert result.stdout == f"{is_imported}\n"


def test_tests_are_tried_only_without_other_errors() -> None:
    found = problems_of(BAD.replace("priority low", "priority lower"))
    assert [problem.code for problem in found] == [codes.UNKNOWN_WORD]


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.gpl"
    path.write_text(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.gpl"
    path.write_text(BAD)
    return path


def test_the_command_lists_the_tests(good: Path) -> None:
    result = run("gthulhu", "test", str(good))
    listed = f"{good}\n  ok    cron's jobs (2 tasks)\n1 test: all passed\n"
    assert (result.returncode, result.stdout, result.stderr) == (0, listed, "")


def test_the_command_shows_why_a_test_fails(good: Path, bad: Path) -> None:
    result = run("gthulhu", "test", str(good), str(bad))
    assert result.returncode == 1
    assert f"{bad}\n  FAIL  cron's jobs (1 of 2 tasks)\n2 tests: 1 failed\n" in result.stdout
    assert 'error[GPL0501]: test "cron\'s jobs": no rule takes this task' in result.stderr
    assert 'parent == "cron" priority low }' in result.stderr


def test_a_policy_with_errors_is_not_tried(good: Path) -> None:
    good.write_text(GOOD.replace("low", "lower"))
    result = run("gthulhu", "test", "--json", str(good))
    (file,) = json.loads(result.stdout)["files"]
    assert (result.returncode, file["valid"], file["tests"]) == (1, False, [])
    assert "error[GPL0101]" in result.stderr


def test_json_has_every_task(bad: Path) -> None:
    result = run("gthulhu", "test", "--json", str(bad))
    assert result.returncode == 1
    (file,) = json.loads(result.stdout)["files"]
    (test,) = file["tests"]
    assert (file["valid"], test["name"], test["line"], test["passed"]) == (
        True,
        "cron's jobs",
        3,
        False,
    )
    first, second = test["tasks"]
    assert (first["class"], first["expected"], first["passed"]) == ("batch", "batch", True)
    assert [part["predicate"] for part in first["decided"]] == [
        'comm == "ffmpeg"',
        'parent == "cron"',
    ]
    assert (second["facts"], second["class"], second["line"]) == ('comm "ffmpeg"', "default", 5)


def test_formats_are_those_of_check(bad: Path) -> None:
    for form in ("short", "json", "sarif", "github"):
        tried, checked = (
            run("gthulhu", command, "--format", form, str(bad)) for command in ("test", "check")
        )
        assert (tried.returncode, tried.stdout) == (1, checked.stdout)
        assert "GPL0501" in tried.stdout


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ((), 2, "no policy is named"),
        (("--json", "--format", "json", "x.gpl"), 2, "--json conflicts with --format"),
        (("nowhere.gpl",), 2, "nowhere.gpl"),
    ],
)
def test_usage(options: tuple[str, ...], status: int, said: str) -> None:
    result = run("gthulhu", "test", *options)
    assert (result.returncode, said in result.stderr) == (status, True)


def test_the_facts_are_listed() -> None:
    listed = run("gthulhu", "test", "--facts").stdout
    assert all(field.row.fact in listed and field.row.otherwise in listed for field in Field)


def test_explain_knows_a_policy_whose_test_fails(bad: Path) -> None:
    result = run("gthulhu", "explain", str(bad), "--comm", "ffmpeg", "--parent", "cron")
    assert (result.returncode, "rule `batch`" in result.stdout) == (0, True)
