# SPDX-License-Identifier: Apache-2.0
"""`gthulhu tune --record`: promises are judged by replays of a record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gthulhuc.cli import gthulhu
from modelled import Task, Work

# Two tasks compute in turns of 3 ms, and three others always. The latter switch less with long
# turns, as long as the former wait no longer than promised.
POLICY = """\
policy p {{}}
tunable turn = 1ms in 500us..50ms
rule quick {{ match comm ~ "quick*" slice 10ms }}
rule hogs {{ match comm ~ "hog*" slice turn }}
promise quick over 10s {{ p90(wait quick) < {} }}
"""
WORK = Work((
    *(Task(f"quick{number}", ("run:3000000",), period_ns=10_000_000) for number in range(2)),
    *(Task(f"hog{number}") for number in range(3)),
), seconds=6)  # fmt: skip
SHORT = Work((Task("quick0", ("run:3000000",), period_ns=10_000_000), Task("hog0")), seconds=0.2)
QUICK = ("--no-costs", "--prefer", "switches", "--seeds", "2", "--trials", "20")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune-record")
    WORK.record(folder / "node.gtr")
    SHORT.record(folder / "short.gtr")
    (folder / "p.gpl").write_text(POLICY.format("30ms"))
    (folder / "no.gpl").write_text(POLICY.format("10us"))
    (folder / "other.gpl").write_text(POLICY.format("30ms").replace("quick*", "nobody"))
    (folder / "aimless.gpl").write_text(POLICY.format("30ms").partition("promise")[0])
    return folder


def tune(folder: Path, policy: str, *words: str, record: str = "node.gtr") -> int:
    return gthulhu.main(["tune", str(folder / policy), "--record", str(folder / record), *words])


def result(folder: Path, policy: str, *words: str) -> dict[str, Any]:
    out = folder / "out.json"
    tune(folder, policy, *QUICK, *words, f"--json={out}")
    found: dict[str, Any] = json.loads(out.read_text())
    return found


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    return result(folder, "p.gpl")


def test_longer_turns_are_found_where_the_promise_holds(
    folder: Path, found: dict[str, Any]
) -> None:
    best = found["best"]
    assert found["loads"] == [{"name": str(folder / "node.gtr"), "line": 0, "seconds": 3.0}]
    assert [claim["holds"] for claim in best["outcome"]["claims"]] == [True]
    assert best["outcome"]["switches_per_s"][0] < 0.25 * found["now"]["switches_per_s"][0]
    assert "+tunable turn = " in best["diff"]


def test_fresh_seeds_judge_by_the_second_half(found: dict[str, Any]) -> None:
    """Its figures are of other events, and of as long a time."""
    first, second = found["now"], found["now_on_fresh_seeds"]
    assert first["claims"][0]["figure"] == pytest.approx(second["claims"][0]["figure"], rel=0.1)
    assert first["switches_per_s"] != second["switches_per_s"]
    assert first["switches_per_s"] == pytest.approx(second["switches_per_s"], rel=0.1)


def test_a_promise_that_no_candidate_keeps(folder: Path) -> None:
    found = result(folder, "no.gpl")
    assert found["best"] is None
    assert "`p90(wait quick) < 10us` (line 5) held in none of" in found["conflict"]["said"]


def test_the_same_search_has_the_same_result(folder: Path, found: dict[str, Any]) -> None:
    assert result(folder, "p.gpl", "--jobs", "1") == found


def test_records_are_judged_together(folder: Path) -> None:
    """Each claim has a figure in each of them."""
    words = ("--trials", "2", "--record", str(folder / "node.gtr"))
    found = result(folder, "p.gpl", *words)
    assert [each["text"] for each in found["now"]["claims"]] == 2 * ["p90(wait quick) < 30ms"]


@pytest.mark.parametrize(
    ("policy", "record", "why"),
    [
        ("aimless.gpl", "node.gtr", "has no `promise`"),
        ("other.gpl", "node.gtr", "has no task of `quick`"),
        ("p.gpl", "short.gtr", "too few samples in half of"),
        ("p.gpl", "p.gpl", "is not a record"),
    ],
)
def test_what_cannot_be_judged_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], policy: str, record: str, why: str
) -> None:
    assert tune(folder, policy, *QUICK, record=record) == 2
    assert why in capsys.readouterr().err


def test_guests_cannot_confirm_promises(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tune(folder, "p.gpl", "--verify") == 2
    assert "gthulhu swap --trial" in capsys.readouterr().err
