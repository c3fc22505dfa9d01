# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Comparison of two benchmark results: losses and chance."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gthulhu_lab import regression
from gthulhu_lab.benchmark import OURS, Benchmark
from gthulhu_lab.errors import LabError
from gthulhu_lab.experiment import FailedExperiment
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioRun, Size
from gthulhu_lab.regression import Criterion, Trend
from gthulhu_lab.request import Backend, Clock, GuestEnvironment
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.claims import Method
from gthulhu_lab.verify.runs import RecordedRun, ReportedRun
from gthulhu_lab.verify.verdict import Block, Judged, Outcome, Verification
from gthulhuc.cli import gthulhu

SIZE = Size(
    programs=9, translated_bytes=9_000, verified_instructions=1_000, maps=6, map_bytes=64_000
)


def a_run(
    subject: str, seed: int, *, trip_ns: float = 29_000, ping_us: float = 150, size: Size = SIZE
) -> ScenarioRun:
    """Its figures differ by 0.1 % from seed to seed, its latencies by 10 %."""
    own = subject == EEVDF.name
    ping_ns = int(ping_us * (1 + (seed % 5) / 40) * 1000)
    return ScenarioRun(
        subject=subject,
        scheduler="",
        scenario=Scenario(samples=20, phase_us=seed),
        environment=GuestEnvironment(
            clock=Clock.ICOUNT, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=4,
            memory_mib=1024, qemu="10.0.2", seed=seed,
        ),
        enable_ns=None if own else 600_000_000 + seed * 1_000_000,
        size=None if own else size,
        wakeup_ns={"ping": [ping_ns] * 20, "other": [1_700_000 + seed] * 20},
        round_trip_ns=[trip_ns * (1 + seed / 7000)] * 3,
        round_trip_two_ns=[33_000.0 + seed] * 3,
        hog_turns=[1_000_000 + seed],
        hog_ns=1_000_000,
        splats=[],
        wall_s=60,
    )  # fmt: skip


def a_benchmark(*runs: ScenarioRun) -> Benchmark:
    names = dict.fromkeys(run.subject for run in runs)
    return Benchmark(
        policy="upf",
        policy_source="",
        cpus=[4],
        seeds=[7],
        subjects={name: OURS if name == "upf" else "another" for name in names},
        programs={},
        absent=[],
        runs=list(runs),
        failures=[],
    )


SEEDS = range(7, 12)
OLD = a_benchmark(*(a_run(name, seed) for name in (EEVDF.name, "upf") for seed in SEEDS))


def with_upf(runs: list[ScenarioRun]) -> Benchmark:
    return a_benchmark(*OLD.of(EEVDF.name), *runs)


def moved(old: Benchmark, new: Benchmark) -> dict[tuple[str, str], Trend]:
    return {
        (each.subject, each.figure): each.verdict
        for each in regression.changes(old, new)
        if each.verdict is not Trend.SAME
    }


def test_result_compared_with_itself_shows_no_change() -> None:
    found = regression.changes(OLD, OLD)

    assert moved(OLD, OLD) == {}
    assert [each.figure for each in found if each.subject == "upf"] == [
        "round trip, one CPU", "round trip, two CPUs", "wake-up of ping, p50",
        "wake-up of ping, p99", "wake-up of other, p50", "wake-up of other, p99",
        "work of the hogs", "exec to enabled", "memory of all maps", "BPF after translation",
    ]  # fmt: skip
    assert len(found) == 10 + 7  # EEVDF has no size


def test_a_loss_is_in_all_runs_and_more_than_a_margin() -> None:
    slower = with_upf([a_run("upf", seed, trip_ns=29_400) for seed in SEEDS])
    assert moved(OLD, slower) == {("upf", "round trip, one CPU"): Trend.WORSE}
    assert moved(slower, OLD) == {("upf", "round trip, one CPU"): Trend.BETTER}
    # By less than 1 %, though all runs are above.
    assert moved(OLD, with_upf([a_run("upf", seed, trip_ns=29_250) for seed in SEEDS])) == {}
    # The median is 40 % higher, and one new run is as good as the old ones.
    mixed = [a_run("upf", seed, ping_us=150 if seed == 7 else 220) for seed in SEEDS]
    assert moved(OLD, with_upf(mixed)) == {}


def test_more_work_of_the_hogs_is_a_gain() -> None:
    runs = [
        a_run("upf", seed).model_copy(update={"hog_turns": [1_100_000 + seed]}) for seed in SEEDS
    ]
    assert moved(OLD, with_upf(runs)) == {("upf", "work of the hogs"): Trend.BETTER}


def test_sizes_are_judged_by_one_run_and_figures_are_not() -> None:
    larger = SIZE.model_copy(update={"translated_bytes": 9_100, "map_bytes": 64_500})
    one = with_upf([a_run("upf", 7, size=larger, trip_ns=60_000)])

    assert moved(OLD, one)["upf", "BPF after translation"] is Trend.WORSE
    assert moved(OLD, one)["upf", "round trip, one CPU"] is Trend.UNKNOWN
    assert ("upf", "memory of all maps") not in moved(OLD, one)  # less than 1 %


def test_a_loss_of_others_is_shown_and_none_of_ours() -> None:
    new = a_benchmark(*(a_run(EEVDF.name, seed, trip_ns=40_000) for seed in SEEDS), *OLD.of("upf"))
    found = regression.changes(OLD, new)

    assert moved(OLD, new) == {(EEVDF.name, "round trip, one CPU"): Trend.WORSE}
    assert regression.losses(found) == []


def test_equal_distributions_rarely_show_a_loss() -> None:
    """Once in 252 for each direction, by the rule."""
    lots = random.Random(7)
    said = [
        regression.judge(
            Criterion(margin=0),
            [lots.lognormvariate(0, 0.5) for _ in SEEDS],
            [lots.lognormvariate(0, 0.5) for _ in SEEDS],
        )
        for _ in range(20_000)
    ]
    assert said.count(Trend.WORSE) == pytest.approx(20_000 / 252, abs=27)
    assert said.count(Trend.BETTER) == pytest.approx(20_000 / 252, abs=27)


def test_figures_of_another_method_are_not_compared() -> None:
    for field, value, word in (
        ("qemu", "11.1.0", "QEMU 10.0.2 and 11.1.0"),
        ("kernel", "6.18.15", "kernel 7.2.13 and 6.18.15"),
    ):
        runs = [
            run.model_copy(
                update={"environment": run.environment.model_copy(update={field: value})}
            )
            for run in OLD.runs
        ]
        with pytest.raises(LabError, match=f"measured differently: {word}"):
            regression.changes(OLD, a_benchmark(*runs))
    fewer = [
        run.model_copy(update={"scenario": run.scenario.model_copy(update={"samples": 10})})
        for run in OLD.runs
    ]
    with pytest.raises(LabError, match="measured differently: wake-ups 20 and 10"):
        regression.changes(OLD, a_benchmark(*fewer))


def test_the_command_exits_with_1_on_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = FailedExperiment(subject="upf", cpus=4, seed=7, reason="[/init] hung\nmore")
    slower = with_upf([a_run("upf", seed, trip_ns=29_400) for seed in SEEDS])
    results = {
        "old": OLD,
        "worse": slower,
        "lost": a_benchmark(*OLD.of(EEVDF.name)).model_copy(update={"failures": [failed]}),
        "nothing": OLD.model_copy(update={"runs": []}),
    }
    for name, benchmark in results.items():
        (tmp_path / name).write_text(benchmark.model_dump_json())
    (tmp_path / "odd").write_text("{}")

    def compared(old: str, new: str) -> tuple[int, str]:
        status = gthulhu.main(["bench", "--compare", str(tmp_path / old), str(tmp_path / new)])
        output = capsys.readouterr()
        return status, output.out + output.err

    assert compared("old", "old") == (0, "figures  0 worse; 17 of 17 without a difference\n")
    assert compared("worse", "old")[0] == 0
    status, text = compared("old", "worse")
    assert status == 1
    assert "round trip, one CPU, ns" in text
    assert "+1.4%" in text
    assert "figures  1 worse; 16 of 17 without a difference" in text
    status, text = compared("old", "lost")
    assert status == 1
    assert "missing  upf: the figures are gone\n" in text
    assert "missing  upf, 4 CPUs, seed 7: [/init] hung\n" in text
    assert compared("old", "odd")[0] == 2
    assert compared("nothing", "old")[1].startswith("error: the two results have no figure in comm")
    gone = f"error: cannot read {tmp_path}/none: No such file or directory\n"
    assert compared("none", "old") == (2, gone)


def verified(wakeup_ns: list[float], share: list[float], *, outcome: Outcome = Outcome.OK) -> str:
    """A result of `gthulhu verify` with a claim of each kind."""

    def claim(text: str, metric: str | None, runs: list[float]) -> Judged:
        return Judged(
            text=text, line=9, target="ran", metric=metric, outcome=outcome,
            measured=Spread(runs=tuple(runs)), bound=1, baseline=None, baseline_measured=None,
            reason="",
        )  # fmt: skip

    block = Block(
        text="expect waker as ran under hogs 2x", workload="waker", line=8, kernel="7.2",
        claims=(
            claim("p99(wakeup ran) < 300us", "wakeup", wakeup_ns),
            claim("share(ran) >= 10%", None, share),
        ),
        runs=(), failures=(),
    )  # fmt: skip
    found = Verification(policy="upf.gpl", sha256="", seeds=(7, 8, 9, 10, 11), blocks=(block,))
    return found.model_dump_json()


def test_promises_on_other_machines_are_not_compared() -> None:
    def on(cpus: int) -> Verification:
        run = RecordedRun(
            workload="waker", line=8, scheduler="upf.gpl", in_force="", seed=7, phase_us=0,
            environment=OLD.runs[0].environment.model_copy(update={"cpus": cpus}),
            window_us=1, classes={}, cpu_us={}, wall_s=1,
        )  # fmt: skip
        found = Verification.model_validate_json(verified([1.0] * 5, [300.0] * 5))
        blocks = (found.blocks[0].model_copy(update={"runs": (run,)}),)
        return found.model_copy(update={"blocks": blocks})

    assert len(regression.changes(on(4), on(4))) == 2
    with pytest.raises(LabError, match="measured differently: CPUs 4 and 2"):
        regression.changes(on(4), on(2))


def test_promises_are_compared_by_their_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wakeup = [100_000.0 + n for n in range(5)]
    share = [300.0 + n for n in range(5)]
    results = {
        "old": verified(wakeup, share),
        "slower": verified([2 * each for each in wakeup], share),
        "less": verified(wakeup, [each / 2 for each in share]),
        "more": verified(wakeup, [each * 2 for each in share]),
        "broken": verified(wakeup, share, outcome=Outcome.FAIL),
        "bench": OLD.model_dump_json(),
    }
    for name, text in results.items():
        (tmp_path / name).write_text(text)

    def compared(new: str) -> tuple[int, str]:
        status = gthulhu.main(["bench", "--compare", str(tmp_path / "old"), str(tmp_path / new)])
        output = capsys.readouterr()
        return status, output.out + output.err

    assert compared("old") == (0, "figures  0 worse; 2 of 2 without a difference\n")
    status, text = compared("slower")
    assert status == 1
    assert "p99(wakeup ran) < 300us, µs" in text
    assert "+100.0%" in text
    assert compared("less")[0] == 1
    assert compared("more")[0] == 0
    status, text = compared("broken")
    assert status == 1
    assert "missing  7.2 expect waker as ran under hogs 2x share(ran) >= 10%: FAIL\n" in text
    assert compared("bench") == (
        2, "error: cannot compare a result of `gthulhu bench` with one of `gthulhu verify`\n"
    )  # fmt: skip


def timed(
    ours: list[float], theirs: list[float] | None, *, clock: Clock = Clock.TCG, exact: float = 30e3
) -> Verification:
    """A result with a claim on a wall clock, and one of what a round trip costs."""
    baseline = None if theirs is None else "eevdf"
    where = GuestEnvironment(
        clock=clock, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=2, memory_mib=1024,
        qemu="10.0.2", seed=7,
    )  # fmt: skip
    run = ReportedRun(
        workload="rpc", line=8, scheduler="upf.gpl", in_force="", seed=7, phase_us=0,
        environment=where, figures={}, wall_s=20,
    )  # fmt: skip
    claims = (
        Judged(
            text=f"rate(rpc) >= {'100' if theirs is None else '98% of eevdf'}", line=9,
            target="rpc", metric="rate", outcome=Outcome.OK, measured=Spread(runs=tuple(ours)),
            bound=0.98, baseline=baseline,
            baseline_measured=None if theirs is None else Spread(runs=tuple(theirs)),
            reason="", method=Method.TIMED,
        ),
        Judged(
            text="rate(pipe) > 20000", line=10, target="pipe", metric="rate", outcome=Outcome.OK,
            measured=Spread(runs=tuple(exact + n for n in range(5))), bound=20_000, baseline=None,
            baseline_measured=None, reason="", method=Method.COUNTED,
        ),
    )  # fmt: skip
    block = Block(
        text="expect rpc under pipe 1x", workload="rpc", line=8, kernel="7.2", claims=claims,
        runs=(), failures=(), reports=(run,),
    )  # fmt: skip
    return Verification(policy="upf.gpl", sha256="", seeds=(7,), blocks=(block,), turns=12)


def test_timed_claims_are_compared_by_ratios_to_the_baseline() -> None:
    machine = [500 + 10.0 * (turn * 7 % 12) for turn in range(12)]
    same = [rate * (1 + turn % 3 / 1000) for turn, rate in enumerate(machine)]
    less = [rate * 0.9 for rate in same]
    faster = [3 * rate for rate in machine]

    def found(new: Verification) -> list[tuple[str, str, Trend]]:
        changes = regression.changes(timed(same, machine), new)
        return [(each.figure, each.unit, each.verdict) for each in changes]

    trip = ("rate(pipe) > 20000", "/s", Trend.SAME)
    ratio = ("rate(rpc) >= 98% of eevdf", "× eevdf")
    assert found(timed(same, machine)) == [(*ratio, Trend.SAME), trip]
    # A machine that is three times as fast is so with EEVDF, too.
    assert found(timed([3 * rate for rate in same], faster)) == [(*ratio, Trend.SAME), trip]
    assert found(timed(less, machine)) == [(*ratio, Trend.WORSE), trip]
    assert found(timed(less[:1], machine[:1])) == [(*ratio, Trend.UNKNOWN), trip]
    # The cost of a round trip is exact: a change of 2 % in all runs is a loss.
    slower = found(timed(same, machine, exact=29_400))
    assert slower[1] == ("rate(pipe) > 20000", "/s", Trend.WORSE)


def test_a_rate_without_a_baseline_has_the_machine_in_it_and_is_not_compared() -> None:
    old, new = timed([500.0] * 12, None), timed([100.0] * 12, None)

    assert [each.figure for each in regression.changes(old, new)] == ["rate(pipe) > 20000"]
    with pytest.raises(LabError, match="measured differently: clock kvm and tcg"):
        regression.changes(timed([1.0], None, clock=Clock.KVM), new)
    # A figure that only one result has cannot differ.
    alone = new.blocks[0].model_copy(update={"reports": ()})
    assert regression.changes(old, new.model_copy(update={"blocks": (alone,)}))
