# SPDX-License-Identifier: Apache-2.0
"""`gthulhu check` accepts what `gthulhuc` compiles, and refuses the rest, with the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gthulhuc.cli import gthulhu
from gthulhuc.frontend import check
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
    "9 groups": (
        policy('rule r { match comm == "a" cpus ' + ", ".join(f"llc {i}" for i in range(9)) + " }"),
        2,
    ),
}


@pytest.mark.parametrize("case", TOO_LARGE, ids=str)
def test_check_refuses_what_no_scheduler_can_hold(
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
