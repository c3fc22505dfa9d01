# SPDX-License-Identifier: Apache-2.0
"""`gthulhu check` accepts what `gthulhuc` compiles, and refuses the rest, with the place."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from gthulhuc import codegen
from gthulhuc.cli import gthulhu
from gthulhuc.frontend import check, to_ir
from gthulhuc.plan import budget
from gthulhuc.source import Source


def policy(*rules: str) -> str:
    return "policy p {}\n" + "\n".join(rules) + "\n"


TOO_LARGE = {
    "counted after anything": (policy("rule r { match cgroup =~ '.*a.{20}' priority high }"), 2),
    "65 heirs": (
        policy(*(f'rule r{i} {{ match comm == "a{i}" inherit slice 2ms }}' for i in range(65))),
        66,
    ),
    "65 monitors": (
        policy(*(f'rule r{i} {{ match comm == "a{i}" monitor }}' for i in range(65))),
        66,
    ),
    "400 calls": (
        policy(*(f'rule r{i} {{ match calls "f{i}" within 1s slice 2ms }}' for i in range(400))),
        66,
    ),
    "2000 labels": (
        policy(*(f'rule r{i} {{ match label "k{i}" == "v" slice 2ms }}' for i in range(2000))),
        66,
    ),
    "64 sets of CPUs": (
        policy(*(f'rule r{i} {{ match comm == "a{i}" cpus {i} slice 2ms }}' for i in range(64))),
        65,
    ),
    "9 groups": (
        policy('rule r { match comm == "a" cpus ' + ", ".join(f"llc {i}" for i in range(9)) + " }"),
        2,
    ),
}


@pytest.mark.parametrize("case", TOO_LARGE, ids=str)
def test_check_refuses_policies_too_large_for_a_scheduler(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, line = TOO_LARGE[case]
    (tmp_path / "p.gpl").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert gthulhu.main(["check", "--format", "short", "p.gpl"]) == 1
    errors = [line for line in capsys.readouterr().out.splitlines() if "error" in line]
    assert len(errors) == 1
    assert errors[0].startswith(f"p.gpl:{line}:")
    assert "[GPL0013]" in errors[0]


def test_all_limits_are_reported_at_once() -> None:
    heirs = [f'rule h{i} {{ match comm == "a{i}" inherit slice 2ms }}' for i in range(65)]
    calls = [f'rule c{i} {{ match calls "f{i}" within 1s slice 2ms }}' for i in range(65)]
    _, problems = check(Source("p.gpl", policy(*heirs, *calls)))
    assert [problem.code.name for problem in problems if problem.is_error] == ["too-large"] * 2


@pytest.mark.parametrize(
    ("limit", "most", "code"),
    [("MOST_STEPS", 600, "too-many-steps"), ("MOST_TABLE_BYTES", 1 << 18, "too-much-table")],
)
def test_steps_and_tables_are_budgets(limit: str, most: int, code: str) -> None:
    """With smaller limits, as a policy beyond the real ones takes ten seconds."""

    def rules(number: int) -> str:
        match = 'comm == "n{0}" and uid == {0}'
        return policy(
            *(f"rule r{i} {{ match {match.format(i)} slice 2ms }}" for i in range(number))
        )

    with mock.patch.object(budget, limit, most):
        assert errors_of(rules(290)) == set()
        assert errors_of(rules(1200)) == {code}


def test_stack_is_a_budget() -> None:
    paths = [f'rule p{i} {{ match cgroup ~ "/p{i:03}*" and leader slice 2ms }}' for i in range(504)]
    units = [f'rule u{i} {{ match unit ~ "u{i:03}*" and leader slice 2ms }}' for i in range(63)]
    assert errors_of(policy(*paths, *units)) == set()
    pod = 'rule pod { match qos == "guaranteed" slice 3ms }'
    assert errors_of(policy(*paths, *units, pod)) == {"too-much-stack"}


@pytest.mark.parametrize("field", ["ancestor", "comm"])
def test_504_patterns_among_others_fit_and_no_more(field: str) -> None:
    """Eight tables of 63 patterns; `docs/language.md` says so."""

    def rules(number: int) -> str:
        match = f'{field} ~ "n{{:03}}*" and uid == 1'
        return policy(
            *(f"rule r{i} {{ match {match.format(i)} slice 2ms }}" for i in range(number))
        )

    assert errors_of(rules(504)) == set()
    _, problems = check(Source("p.gpl", rules(505)))
    (error,) = [problem for problem in problems if problem.is_error]
    assert (error.code.name, error.span.line) == ("too-large", 506)


def test_more_patterns_than_that_fit_as_lists() -> None:
    """A list counts as one pattern, and 504 rules with 20 globs each are 10,080 globs."""
    lists = (", ".join(f'"n{i:03}{k:02}*"' for k in range(20)) for i in range(504))
    rules = (f"rule r{i} {{ match comm ~ [{each}] slice 2ms }}" for i, each in enumerate(lists))
    _, scheduler, problems = to_ir(Source("p.gpl", policy(*rules)))
    assert problems == []
    assert scheduler is not None
    assert codegen.compile_object(codegen.render(scheduler))


def test_patterns_with_stars_at_both_ends_are_refused_soon() -> None:
    """The tables of such patterns fill up; the first one too many ends the search."""
    assert _star_errors(8) == set()  # imports and tables are there now
    fits, largest = _seconds(lambda: _star_errors(63))
    refused, too_many = _seconds(lambda: _star_errors(504))
    assert (largest, too_many) == (set(), {"too-large"})
    assert refused < 4 * fits


def _star_errors(number: int) -> set[str]:
    match = 'comm ~ "*n{:04}*" and uid == 1'
    return errors_of(
        policy(*(f"rule r{i} {{ match {match.format(i)} slice 2ms }}" for i in range(number)))
    )


def _seconds(act: Callable[[], set[str]]) -> tuple[float, set[str]]:
    """The processor time of an action, and its result."""
    before = time.process_time()
    result = act()
    return time.process_time() - before, result


def errors_of(text: str) -> set[str]:
    _, problems = check(Source("p.gpl", text))
    return {problem.code.name for problem in problems if problem.is_error}


@pytest.mark.parametrize("share", ["2%", "2%..50%"])
def test_shares_compile_beside_limits_of_cgroups(share: str) -> None:
    text = policy(f'rule r {{ match comm == "a" share {share} }}').replace("{}", "{ cgroups on }")
    _, scheduler, problems = to_ir(Source("p.gpl", text))
    assert problems == []
    assert scheduler is not None
    assert codegen.compile_object(codegen.render(scheduler))


@pytest.mark.parametrize("pairs", [100, 2000])
def test_a_long_disjunction_compiles(pairs: int) -> None:
    parts = " or ".join(f'(comm == "a{i}" and uid == {i})' for i in range(pairs))
    _, scheduler, problems = to_ir(Source("p.gpl", policy(f"rule r {{ match {parts} slice 2ms }}")))
    assert problems == []
    assert scheduler is not None
    assert codegen.compile_object(codegen.render(scheduler))
