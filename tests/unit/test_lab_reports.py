# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Verdicts of `gthulhu verify` on what workloads report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest

from gthulhu_lab.request import Clock, GuestEnvironment
from gthulhu_lab.verify import claims, junit, table, verdict
from gthulhu_lab.verify.claims import Method
from gthulhu_lab.verify.runs import ReportedRun
from gthulhu_lab.verify.verdict import Failure, Outcome, Verification
from verified import ENVIRONMENT, REPORTS, outcomes, policy

WALL = ENVIRONMENT.model_copy(update={"clock": Clock.TCG})
# Noise of a figure in a turn: a part common to both schedulers, and a part of its own.
TURNS = [1.0, 1.3, 0.9, 1.1, 1.0, 1.2, 0.8, 1.05, 0.95, 1.15, 1.0, 1.1]
OWN = [1.0, 1.002, 0.999, 1.001, 0.998, 1.0, 1.003, 0.997, 1.001, 1.0, 0.999, 1.002]


def reported(
    scheduler: str, turn: int, *, where: GuestEnvironment = WALL, **figures: float
) -> ReportedRun:
    return ReportedRun(
        workload="rpc", line=4, scheduler=scheduler, in_force="", seed=7 + turn, phase_us=0,
        environment=where, wall_s=20.0,
        figures={f"{name[:4]}({name[5:]})": value for name, value in figures.items()},
    )  # fmt: skip


def judged_reports(
    factor: float,
    *,
    noise: float = 1.0,
    turns: int = 12,
    pipe: Sequence[float] = (30_000, 30_100, 30_200, 30_300, 30_400),
    failures: Sequence[Failure] = (),
    without: Sequence[tuple[str, int]] = (),
    also: Sequence[ReportedRun] = (),
) -> Verification:
    """A policy that is so many times as fast as EEVDF, on a machine of such a noise."""
    runs = list(also)
    for turn in range(turns):
        own = OWN[turn] ** noise
        runs += [
            reported("t.gpl", turn, rate_rpc=factor * own * 500 * TURNS[turn], time_rpc=150_000),
            reported("eevdf", turn, rate_rpc=500 * TURNS[turn], time_rpc=150_000),
        ]
    for seed, rate in enumerate(pipe):
        runs += [
            reported("t.gpl", seed, where=ENVIRONMENT, rate_pipe=rate, rate_rpc=1),
            reported("eevdf", seed, where=ENVIRONMENT, rate_pipe=31_000, rate_rpc=1),
        ]
    there = [run for run in runs if (run.scheduler, run.seed - 7) not in without]
    block = policy(REPORTS).expectations[0]
    found = verdict.judge(block, claims.read(block), "t.gpl", "7.2", there, failures, timed=2)
    return Verification(
        policy="t.gpl", sha256="", seeds=tuple(range(7, 12)), blocks=(found,), turns=turns
    )


def test_a_claim_of_a_wall_clock_is_judged_by_the_whole_interval() -> None:
    assert outcomes(judged_reports(1.0)) == [Outcome.OK] * 3
    assert outcomes(judged_reports(0.9))[0] is Outcome.FAIL
    # The bound is within what chance makes.
    noisy = judged_reports(0.98)
    assert outcomes(noisy)[0] is Outcome.NOISY
    assert "--turns 24" in noisy.blocks[0].claims[0].reason
    assert outcomes(judged_reports(1.0, noise=50))[0] is Outcome.NOISY
    assert not noisy.holds


def test_a_baseline_of_the_same_turn_takes_the_machine_out_of_it() -> None:
    claim = judged_reports(1.0).blocks[0].claims[0]

    assert claim.bound == 0.98
    assert claim.interval is not None
    assert 0.997 < claim.interval.low <= claim.interval.middle <= claim.interval.high < 1.003
    assert claim.measured is not None
    # Half of the turns are more than a tenth away from the others.
    assert claim.measured.high / claim.measured.low > 1.5


def test_too_few_turns_give_no_verdict_and_the_number_needed() -> None:
    found = judged_reports(1.0, turns=6)

    assert outcomes(found)[:2] == [Outcome.FEW] * 2
    reason = found.blocks[0].claims[0].reason
    assert reason == "a verdict on 2 such claims needs at least 7 turns: --turns 12"
    assert outcomes(judged_reports(1.0, turns=7))[0] is Outcome.OK


def test_turn_without_baseline_is_skipped_and_without_policy_fails() -> None:
    gone = [("eevdf", turn) for turn in (0, 5)]
    claim = judged_reports(1.0, without=gone).blocks[0].claims[0]
    assert claim.outcome is Outcome.OK
    assert claim.measured is not None
    assert claim.baseline_measured is not None
    assert len(claim.measured.runs) == len(claim.baseline_measured.runs) == 10

    broken = Failure(
        workload="rpc", line=4, scheduler="t.gpl", seed=9, reason="ejected", clock=Clock.TCG
    )
    # The exact figures are of other guests.
    expected = [Outcome.FAIL, Outcome.FAIL, Outcome.OK]
    assert outcomes(judged_reports(1.0, failures=[broken])) == expected
    theirs = broken.model_copy(update={"scheduler": "eevdf"})
    none = judged_reports(1.0, failures=[theirs], without=[("eevdf", turn) for turn in range(12)])
    assert outcomes(none)[0] is Outcome.NOT_MEASURED
    assert none.blocks[0].claims[0].reason == "eevdf: ejected"


def test_an_absolute_bound_is_judged_by_the_median_and_said_to_be_about_a_machine() -> None:
    found = judged_reports(1.0)

    ratio, time, pipe = found.blocks[0].claims
    assert (time.method, time.metric, time.bound) == (Method.TIMED, "time", 200_000)
    assert "depends on this machine" in time.warning
    assert not ratio.warning
    assert not pipe.warning
    assert "beware: `time(rpc) < 200us` depends on this machine" in table.render(
        found, colour=False
    )


def test_cost_of_a_round_trip_is_exact() -> None:
    found = judged_reports(1.0)
    claim = found.blocks[0].claims[2]
    assert (claim.method, claim.outcome) == (Method.COUNTED, Outcome.OK)
    assert claim.bound == pytest.approx(27_900)
    assert claim.measured is not None
    assert (claim.measured.low, claim.measured.median) == (30_000, 30_200)

    slow = judged_reports(1.0, pipe=[27_000] * 3 + [30_000] * 2)
    assert outcomes(slow)[2] is Outcome.FAIL
    assert "t.gpl: 27,000/s, 27,000/s" in table.render(slow, colour=False)


def test_idle_subject_has_no_figure() -> None:
    block = policy(REPORTS).expectations[0]
    found = verdict.judge(
        block, claims.read(block), "t.gpl", "7.2",
        [reported("t.gpl", 0), reported("t.gpl", 0, where=ENVIRONMENT)], [],
    )  # fmt: skip

    assert [claim.outcome for claim in found.claims] == [Outcome.NOT_MEASURED] * 3
    assert "did not complete a single operation" in found.claims[2].reason
    # Nor is a turn left out in which it starved: the others would look the better.
    starved = judged_reports(1.0, also=[reported("t.gpl", 12), reported("eevdf", 12, rate_rpc=500)])
    assert outcomes(starved)[0] is Outcome.NOT_MEASURED


def test_exact_figures_and_others_have_a_table_each() -> None:
    text = table.render(judged_reports(1.0), colour=False)

    exact, _, statistical = text.partition("5 perturbed runs each")
    assert "rate(pipe) >= 90% of eevdf  30,200/s  (30,000/s .. 30,400/s)" in exact
    assert "clock icount" in statistical.partition("\n")[0]
    assert "rpc) >=" not in exact
    assert "pipe) >=" not in statistical
    for table_of in (exact, statistical):
        assert "t.gpl:4: expect rpc as ran under pipe 1x" in table_of
    assert "rate(rpc) >= 98% of eevdf  100.0 %  (99." in statistical
    assert "12 turns, each in random order" in statistical
    assert "clock tcg (wall clock of an emulated guest)" in statistical
    assert "In 5 % of such tables, with 2 claims," in statistical
    assert "all 3 claims hold" in statistical


def test_noise_gives_no_number() -> None:
    text = table.render(judged_reports(0.98), colour=False)

    assert re.search(r"too noisy +rate\(rpc\) >= 98% of eevdf +-\n", text)
    assert "of 3 claims: 2 hold, 1 too noisy" in text
    assert "97." not in text


def test_junit_has_a_suite_for_each_kind_of_clock() -> None:
    root = ET.fromstring(junit.render(judged_reports(0.9)))

    exact, wall = root.findall("testsuite")
    assert [case.get("name") for case in exact] == ["rpc: rate(pipe) >= 90% of eevdf"]
    assert len(wall.findall("testcase")) == 2
    assert str(wall.get("name")).endswith("(7.2, wall clock)")
    (failure,) = wall.findall(".//failure")
    assert str(failure.get("message")).startswith("measured 90.0 % of eevdf (")


def test_json_keeps_every_figure() -> None:
    found = judged_reports(1.0, turns=5)
    assert Verification.model_validate_json(found.model_dump_json()) == found
