# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The verdicts of `gthulhu verify`, and their output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gthulhu_lab.errors import LabError
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify import claims, junit, plots, table, verdict
from gthulhu_lab.verify.runs import ClassFigures, RecordedRun, Samples, Waits
from gthulhu_lab.verify.verdict import Failure, Judged, Outcome, Verification
from verified import ENVIRONMENT, UPF, outcomes, policy

SCHEMA = Path(__file__).parents[2] / "docs" / "verify.schema.json"

# ---- verdicts -----------------------------------------------------------------------------------


def a_run(
    scheduler: str, wakeup_us: Sequence[int], *, share: float = 0.6, seed: int = 7
) -> RecordedRun:
    samples = Waits(samples=Samples.of(wakeup_us), meanwhile_us={"builders": 900, "idle": 100})
    nothing = Waits(samples=Samples(), meanwhile_us={})
    hogs = int(share * 10_000)
    return RecordedRun(
        workload="waker", line=4, scheduler=scheduler, in_force="", seed=seed, phase_us=0,
        environment=ENVIRONMENT, window_us=5000, wall_s=1.0,
        classes={
            "ran": ClassFigures(tasks=2, wakeup=samples, wait=samples, cpu_us=100),
            "builders": ClassFigures(tasks=8, wakeup=nothing, wait=nothing, cpu_us=hogs),
        },
        cpu_us={"builders": hogs, "ran": 100, "idle": 9900 - hogs},
    )  # fmt: skip


def judged(
    ours: Sequence[Sequence[int]],
    theirs: Sequence[Sequence[int]] = (),
    failures: Sequence[Failure] = (),
    share: float = 0.6,
) -> Verification:
    block = policy(UPF).expectations[0]
    runs = [a_run("t.gpl", samples, share=share, seed=7 + i) for i, samples in enumerate(ours)]
    runs += [a_run("eevdf", samples) for samples in theirs]
    seeds = tuple(range(7, 7 + len(ours)))
    found = verdict.judge(block, claims.read(block), "t.gpl", "7.2", runs, failures)
    return Verification(policy="t.gpl", sha256="", seeds=seeds, blocks=(found,))


GOOD, BAD = [100] * 1000, [100] * 980 + [400] * 20
SLOW = [2500] * 1000


def test_a_claim_is_judged_by_the_median_of_its_runs() -> None:
    assert outcomes(judged([GOOD, BAD, GOOD, GOOD, BAD], [SLOW] * 5)) == [Outcome.OK] * 3
    found = judged([BAD, BAD, GOOD, GOOD, BAD], [SLOW] * 5)
    assert outcomes(found) == [Outcome.FAIL, Outcome.OK, Outcome.OK]
    assert not found.holds
    spread = found.blocks[0].claims[0].measured
    assert spread is not None
    assert (spread.low, spread.median, spread.high) == (100_000, 400_000, 400_000)


def test_a_baseline_makes_the_bound() -> None:
    found = judged([GOOD] * 5, [[400] * 1000] * 5)

    claim = found.blocks[0].claims[1]
    assert claim.bound == 0.2 * 400_000
    assert claim.outcome is Outcome.FAIL


def test_too_few_samples_give_no_figure_and_fail() -> None:
    found = judged([GOOD[:999]] * 5, [SLOW] * 5)

    assert outcomes(found) == [Outcome.NOT_MEASURED, Outcome.NOT_MEASURED, Outcome.OK]
    assert found.blocks[0].claims[0].reason == "found 999 samples, expected at least 1,000"
    assert not found.holds


def test_a_baseline_without_figures_leaves_the_claim_open() -> None:
    broken = Failure(workload="waker", line=4, scheduler="eevdf", seed=7, reason="it panicked")
    found = judged([GOOD] * 5, failures=[broken])

    assert outcomes(found) == [Outcome.OK, Outcome.NOT_MEASURED, Outcome.OK]
    assert found.blocks[0].claims[1].reason == "eevdf: it panicked"


def test_a_policy_that_was_ejected_fails_all_its_claims() -> None:
    broken = Failure(workload="waker", line=4, scheduler="t.gpl", seed=8, reason="ejected")

    assert outcomes(judged([GOOD] * 4, [SLOW] * 5, [broken])) == [Outcome.FAIL] * 3


def test_a_share_is_of_all_cpu_time() -> None:
    claim = judged([GOOD] * 5, [SLOW] * 5, share=0.45).blocks[0].claims[2]

    assert claim.outcome is Outcome.FAIL
    assert claim.measured is not None
    assert claim.measured.median == pytest.approx(450)


# ---- what is said -------------------------------------------------------------------------------


def test_the_table_has_figures_ranges_and_bounds() -> None:
    text = table.render(judged([GOOD] * 5, [SLOW] * 5), colour=False)

    assert "t.gpl:5: expect waker as ran under hogs 1.5x as builders" in text
    assert "p99(wakeup ran) < 300us         100 µs  (100 µs .. 100 µs)" in text
    assert "bound 500 µs; eevdf 2.50 ms (2.50 ms .. 2.50 ms)" in text
    assert "all 3 claims hold" in text
    assert "\x1b" not in text


def test_a_violated_bound_shows_the_distribution_and_the_running_classes() -> None:
    text = table.render(judged([BAD] * 5, [SLOW] * 5), colour=False)

    assert "of 3 claims: 2 hold, 1 fail" in text
    assert "wakeup times of `ran`, all runs:" in text
    assert "below   512 µs      100    2.0 %" in text
    assert "<- the bound is here" in text
    assert "CPU time of each class during the longest waits of `ran`:" in text
    assert "builders   90.0 %" in text


def test_too_few_runs_are_reported() -> None:
    assert "2 runs are too few" in table.render(judged([GOOD] * 2, [SLOW] * 2), colour=False)
    assert "1 run is too few for a verdict" in table.render(judged([GOOD], [SLOW]), colour=False)
    assert "too few" not in table.render(judged([GOOD] * 5, [SLOW] * 5), colour=False)


def test_junit_has_a_case_for_each_claim() -> None:
    root = ET.fromstring(junit.render(judged([BAD] * 5, [SLOW] * 5)))

    cases = root.findall(".//testcase")
    assert [case.get("name") for case in cases] == [
        "waker: p99(wakeup ran) < 300us",
        "waker: p99(wakeup ran) < 20% of eevdf",
        "waker: share(builders) >= 50%",
    ]
    assert [case.find("failure") is not None for case in cases] == [True, False, False]


def test_guest_output_is_safe_for_terminals_and_xml() -> None:
    said = "it said\n\x1b[2J\x00\ufffe, then &<"
    broken = Failure(workload="waker", line=4, scheduler="t.gpl", seed=7, reason=said)
    found = judged([GOOD] * 4, [SLOW] * 5, [broken])

    assert "      \\x1b[2J\\x00\\u{fffe}, then &<\n" in table.render(found, colour=False)
    root = ET.fromstring(junit.render(found))
    (failure, *_) = root.findall(".//failure")
    assert failure.text == "it said\n\\x1b[2J\\x00\\u{fffe}, then &<"


def test_json_keeps_every_figure() -> None:
    found = judged([BAD] * 5, [SLOW] * 5)

    assert Verification.model_validate_json(found.model_dump_json()) == found


def test_the_form_of_json_is_published(request: pytest.FixtureRequest) -> None:
    text = json.dumps(Verification.model_json_schema(mode="serialization"), indent=1) + "\n"
    if request.config.getoption("--renew"):
        SCHEMA.write_text(text)
    assert text == SCHEMA.read_text()


def test_wake_ups_are_plotted_with_a_curve_for_each_scheduler() -> None:
    root = ET.fromstring(plots.render(judged([GOOD, BAD], [SLOW])))
    labels = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert labels == ["t", "eevdf"]
    text = " ".join(root.itertext())
    assert "wakeup of ran" in (root.get("aria-label") or "")
    assert "10 ms" in text


def with_claims(found: Verification, *claims: Judged) -> Verification:
    block = found.blocks[0].model_copy(update={"claims": claims})
    return found.model_copy(update={"blocks": (block,)})


def test_without_wake_ups_waits_are_plotted() -> None:
    found = judged([GOOD], [SLOW])
    waits = found.blocks[0].claims[0].model_copy(update={"metric": "wait"})
    text = " ".join(ET.fromstring(plots.render(with_claims(found, waits))).itertext())
    assert "wait for a CPU (logarithmic)" in text


def test_other_claims_get_bars_of_shares() -> None:
    found = judged([GOOD], [SLOW])
    share = found.blocks[0].claims[2]
    beside = {"eevdf": Spread(runs=(455.0,)), "scx_x": Spread(runs=(20.0,))}
    shares = with_claims(found, share.model_copy(update={"beside": beside}))
    root = ET.fromstring(plots.render(shares))
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["t: 60.0 %", "eevdf: 45.5 %", "scx_x: 2.0 %"]
    assert share.figure in " ".join(root.itertext())


def test_without_figures_there_is_nothing_to_plot() -> None:
    with pytest.raises(LabError, match="no claim to plot"):
        plots.render(judged([]))
