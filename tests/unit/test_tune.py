# SPDX-License-Identifier: Apache-2.0
"""`gthulhu tune`: searches with known results, on the host model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command import environment
from planted import OPTIMUM, PLANTED, SMALL

SEEDS = range(2, 21)
"""Further seeds of the search."""


def tune(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "tune", *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def result(folder: Path, *words: str, status: int = 0) -> dict[str, Any]:
    said = tune(folder, *words, "--json", "-")
    assert said.returncode == status, said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune")
    (folder / "p.gpl").write_text(PLANTED)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    words = ("--trials", "100", "-o", "better.gpl", "--svg", "front.svg")
    return result(folder, "p.gpl", *SMALL, *words)


# ---- Searches with known results ----


def test_a_planted_optimum_is_found(found: dict[str, Any]) -> None:
    assert found["best"]["values"] == OPTIMUM


@pytest.mark.soak
def test_a_planted_optimum_is_found_in_19_of_20_searches(folder: Path) -> None:
    words = ("p.gpl", *SMALL, "--trials", "100", "--search-seed")
    others = [result(folder, *words, str(seed))["best"]["values"] for seed in SEEDS]
    assert others.count(OPTIMUM) >= len(SEEDS) - 1


@pytest.mark.soak
def test_all_candidates_have_the_planted_optimum(folder: Path) -> None:
    whole = result(folder, "p.gpl", *SMALL, "--trials", "400")
    assert whole["trials"] == 378
    assert whole["best"]["values"] == OPTIMUM


@pytest.mark.soak
def test_long_searches_find_better_values_too(folder: Path) -> None:
    """They are NSGA-II's, and `max-wait` makes more candidates than trials."""
    words = ("--trials", "250", "--actions", "max-wait")
    best = result(folder, "p.gpl", *SMALL, *words)["best"]
    assert all(claim["holds"] for claim in best["outcome"]["claims"])


def test_the_result_is_the_same_each_time(folder: Path, found: dict[str, Any]) -> None:
    assert result(folder, "p.gpl", *SMALL, "--trials", "100", "--jobs", "1") == found


def test_a_change_has_its_reason(found: dict[str, Any]) -> None:
    turn, heft = found["best"]["changes"]
    assert (turn["name"], turn["before"], turn["after"]) == ("turn", "1ms", "15ms")
    assert "the switches are" in turn["reason"]
    assert "`share(default) >= 31%` fails" in heft["reason"]
    assert "+tunable turn = 15ms in 500us..50ms" in found["best"]["diff"]


def test_the_changed_policy_and_the_plot_are_written(folder: Path, found: dict[str, Any]) -> None:
    assert "tunable turn = 15ms in 500us..50ms" in (folder / "better.gpl").read_text()
    assert (folder / "p.gpl").read_text() == PLANTED
    drawn = (folder / "front.svg").read_text()
    assert drawn.startswith("<svg ")
    assert "beaten by none" in drawn


def test_a_front_has_what_none_beats(found: dict[str, Any]) -> None:
    points = [tuple(each["objectives"].values()) for each in found["front"]]
    assert len(points) > 3
    for one in points:
        assert not any(
            other != one and all(a <= b for a, b in zip(other, one, strict=True))
            for other in points
        )


def test_what_matters_is_told(found: dict[str, Any]) -> None:
    assert set(found["importance"]) == {"turn", "heft"}
    assert sum(found["importance"].values()) == pytest.approx(1)
    assert any("`max(wait jobs) < 35ms`" in text for text in found["not_improved"])


def test_the_tables_say_it_all(folder: Path) -> None:
    said = tune(folder, "p.gpl", *SMALL, "--trials", "60")
    for text in (
        "figures with 10 fresh seeds",
        " instead of ",
        "importance",
        "--- p.gpl",
        "Simulated:",
    ):
        assert text in said.stdout
    assert "trial 1 of 60" in said.stderr


def test_only_write_changes_the_policy(folder: Path) -> None:
    (folder / "own.gpl").write_text(PLANTED)
    said = tune(folder, "own.gpl", *SMALL, "--trials", "30", "--write")
    assert "wrote own.gpl" in said.stderr
    written = (folder / "own.gpl").read_text().splitlines()
    changed = [line for line in written if line not in PLANTED]
    assert changed
    assert all(f"+{line}\n" in said.stdout for line in changed)


# ---- Where no candidate is better ----


def test_contradictory_claims_end_with_the_pair(folder: Path) -> None:
    text = PLANTED.replace("share(default) >= 31%", "share(default) >= 36%")
    (folder / "pair.gpl").write_text(text)
    whole = result(folder, "pair.gpl", *SMALL, "--trials", "80", "-o", "no.gpl", status=1)
    claims = {claim["text"] for claim in whole["conflict"]["claims"]}
    assert claims == {"share(jobs) >= 63%", "share(default) >= 36%"}
    assert "contradict each other" in whole["conflict"]["said"]
    assert (whole["best"], whole["front"]) == (None, [])
    assert not (folder / "no.gpl").exists()


def test_a_claim_that_nothing_holds_is_named(folder: Path) -> None:
    text = PLANTED.replace("max(wait jobs)  < 35ms", "p50(wait default) >= 90ms")
    (folder / "alone.gpl").write_text(text)
    whole = result(folder, "alone.gpl", *SMALL, "--trials", "60", status=1)
    (claim,) = whole["conflict"]["claims"]
    assert claim["text"] == "p50(wait default) >= 90ms"
    assert "held in none of 60 trials" in whole["conflict"]["said"]


NOISY = """\
policy noisy {}
tunable heft = 100 in 100..1000
rule jobs { match comm == "jobs" slice 4500us }
rule other { match comm == "other" weight heft }
expect rpc under hogs 4x as jobs {
    max(wait jobs) < 10ms
}
expect hogs as other under pinned-hogs 2x {
    share(other) >= 63%
}
"""
FEW = ("--machine", "2", "--seconds", "0.3", "--seeds", "1", "--no-costs")


def test_an_overfit_is_noticed_and_not_shipped(folder: Path) -> None:
    # The first seed lets the jobs wait for 8 ms at most, most others for 14 and more.
    (folder / "noisy.gpl").write_text(NOISY)
    words = ("noisy.gpl", *FEW, "-o", "fit.gpl")
    whole = result(folder, *words, status=1)
    assert whole["front"]
    assert not whole["now_on_fresh_seeds"]["claims"][0]["holds"]
    assert {final["verdict"] for final in whole["finals"]} == {"overfit"}
    assert whole["best"] is None
    assert not (folder / "fit.gpl").exists()
    said = tune(folder, *words)
    assert "overfit, so not proposed: heft " in said.stdout
    assert "fit.gpl is not written: there is no better policy" in said.stderr


def test_a_policy_that_is_as_good_as_it_gets_stays(folder: Path) -> None:
    text = PLANTED.replace("= 1ms in", "= 15ms in").replace("= 500 in", "= 400 in")
    (folder / "good.gpl").write_text(text)
    said = tune(folder, "good.gpl", *SMALL, "--trials", "60")
    assert said.returncode == 0
    assert "The policy stays as it is" in said.stdout


# ---- Requests that cannot be met ----

PLAIN = """\
policy plain {}
rule jobs { match comm == "jobs" slice 2ms }
expect hogs as jobs { share(jobs) >= 50% }
"""
FILES = {
    "plain.gpl": PLAIN,
    "empty.gpl": "policy empty {}\ntunable t = 1ms in 1ms..2ms\ndefault { slice t }\n",
    "wrong.gpl": "policy p {}\nrule r { match nothing == 1 }\n",
    "kernel.gpl": PLANTED.replace("expect hogs", "expect pgbench"),
    "rates.gpl": PLANTED.partition("expect")[0] + "expect pipe as jobs { rate(pipe) > 9 }\n",
}


@pytest.mark.parametrize(
    ("words", "status", "texts"),
    [
        (
            ("plain.gpl",), 2,
            ("has no tunable that could vary", "  rule `jobs`: priority normal, slice 2ms, weight"),
        ),
        (("plain.gpl", "--actions", "slices"), 2, ("cannot vary `slices`", "it varies priority,")),
        (("plain.gpl", "--actions", "all", "--rules", "job"), 2, ("no rule `job`", "has jobs, de")),
        (("empty.gpl",), 2, ("has no `expect` block", "say what the policy is for")),
        (("wrong.gpl",), 1, ("undefined field or set `nothing`",)),
        (("none.gpl",), 2, ("none.gpl",)),
        (("-",), 2, ("a policy to tune is a file",)),
        (("kernel.gpl",), 2, ("no `expect` block of kernel.gpl can be simulated",)),
        (("rates.gpl",), 2, ("no claim of rates.gpl can be simulated", "do not report")),
        (("p.gpl", "--worker"), 2, ("--worker needs the --storage",)),
        (("p.gpl", "--trials", "0"), 2, ("expected a whole number from 1",)),
        (("p.gpl", "--storage", "no/such.db"), 2, ("cannot use the storage sqlite:///no/such.db",)),
        (
            ("p.gpl", "--storage", "postgresql+psycopg://me:secret@localhost:1/x"), 2,
            ("cannot use the storage postgresql+psycopg://me:***@localhost:1/x",),
        ),
        (("p.gpl", "--storage", "nosql://x"), 2, ("cannot use the storage nosql://x",)),
        (("p.gpl", "--storage", "mysql://x/y"), 2, ("needs the Python package MySQLdb", "Postgre")),
        (("p.gpl", "--verify", "--kernel", "9.9"), 2, ("no kernel 9.9 in the lab",)),
        (
            ("plain.gpl", "--actions", "slice", "--rules", "default"), 2,
            ("has nothing that could vary", "`default`: no load has tasks of it", "name other"),
        ),
        (("p.gpl", "-o", "no/such.gpl"), 2, ("cannot write no/such.gpl",)),
    ],
)  # fmt: skip
def test_a_wrong_request_is_refused(
    words: tuple[str, ...], status: int, texts: tuple[str, ...], folder: Path
) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    said = tune(folder, *words, *SMALL)
    assert said.returncode == status
    assert "Traceback" not in said.stderr
    for text in texts:
        assert text in said.stderr


# ---- Searches that end early, or go on ----


def test_a_search_that_is_stopped_says_what_it_found(folder: Path) -> None:
    command = [sys.executable, "-m", "gthulhuc.cli.gthulhu", "tune", "p.gpl", *SMALL, "--trials",
               "100", "--storage", "kept.db", "-o", "none.gpl"]  # fmt: skip
    with subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        while "trial 41 of" not in process.stderr.readline():
            pass
        os.kill(process.pid, signal.SIGINT)
        said, errors = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "of 100 trials; fresh seeds have not judged any." in said
    assert "candidates that hold all claims" in said
    assert not (folder / "none.gpl").exists()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    # The same command goes on where that one ended.
    on = tune(folder, *command[4:-2])
    assert on.returncode == 0
    assert "trial 1 of" not in on.stderr


def test_promises_are_goals_too(folder: Path) -> None:
    text = PLANTED.replace("    share(default) >= 31%\n", "")
    promise = "promise jobs over 10s { share(default) >= 31% }\n"
    (folder / "promise.gpl").write_text(text + promise)
    best = result(folder, "promise.gpl", *SMALL, "--trials", "60")["best"]
    assert best["values"]["heft"] == OPTIMUM["heft"]


def test_structure_may_change(folder: Path) -> None:
    text = """\
policy calls {}
rule quick { match comm == "quick" }
rule jobs { match comm == "jobs" }
expect hogs as quick under pinned-hogs 1x as jobs { share(quick) >= 60% share(jobs) >= 10% }
"""
    (folder / "calls.gpl").write_text(text)
    words = ("--actions", "priority,slice", "--rules", "quick", "--trials", "30")
    whole = result(folder, "calls.gpl", *SMALL, *words)
    assert not whole["now"]["claims"][0]["holds"]
    assert whole["best"]["values"]["quick.priority"] == "high"
    assert whole["best"]["outcome"]["claims"][0]["holds"]
