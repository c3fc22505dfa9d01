# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's arithmetic, and the verdicts about its bars."""

from __future__ import annotations

import pytest

from gthulhu_lab import (
    bars,
)
from gthulhu_lab.bars import BarVerdict
from gthulhu_lab.benchmark import (
    CGROUPS_OFF,
    DEFAULT_ONLY,
    INTERACTIVE,
    one_cpu_ns,
    rules_name,
)
from gthulhu_lab.measure import (
    ScenarioRun,
)
from gthulhu_lab.stats import Spread
from scenario_runs import GOOD, SIZE, a_benchmark, a_run


def verdicts(runs: list[ScenarioRun]) -> dict[tuple[str, str], BarVerdict]:
    return {(bar.group, bar.bar): bar.verdict for bar in bars.judge(a_benchmark(runs))}


def without(subject: str, *more: ScenarioRun) -> list[ScenarioRun]:
    return [run for run in GOOD if run.subject != subject or run.environment.cpus != 4] + [*more]


def test_figures_at_their_bars_keep_them() -> None:
    judged = verdicts(GOOD)

    assert len(judged) == 24
    assert set(judged.values()) == {BarVerdict.OK}


@pytest.mark.parametrize(
    ("run", "missed"),
    [
        (a_run(DEFAULT_ONLY, 29_401, 35_000), "default only: round trip on one CPU"),
        (a_run(DEFAULT_ONLY, 29_400, 35_001), "default only: round trip on two CPUs"),
        (a_run("upf", 30_241), "upf: round trip on one CPU"),
        (a_run("upf", 30_240, ping_us=141), "upf: wake-up p99 of the matched task"),
        (a_run("upf", 30_240, other_us=1_001), "upf: wake-up p99 of another task"),
        (a_run(DEFAULT_ONLY, 1, other_us=1_001), "default only: wake-up p99 of another task"),
        (a_run(DEFAULT_ONLY, 1, message_ns=10_501), "default only: a message"),
        (a_run(INTERACTIVE, 1, samples=0, message_ns=10_501), "interactive: a message"),
        (a_run("upf", 30_240, hogs=979), "upf: instructions of the hogs"),
        (a_run(rules_name(1000), 29_146, samples=0), "1,000 comm rules instead of 5"),
        (a_run(rules_name(1000), 28_854, samples=0), "1,000 comm rules instead of 5"),
        (
            a_run(rules_name(5, counting=True), 29_871, samples=0),
            "counting what tasks do (--stats)",
        ),
        (
            a_run(CGROUPS_OFF, 29_108, samples=0),
            "`cgroups auto` where no cgroup has the cpu controller",
        ),
        (a_run("upf", 30_240, enable_s=0.701), "upf: loader, exec to enabled"),
        (a_run("scx_bpfland", 36_200), "upf: round trip, 8 CPUs by 4"),
    ],
)
def test_a_figure_past_its_bar_misses_that_one(run: ScenarioRun, missed: str) -> None:
    judged = verdicts(without(run.subject, run))

    assert {group for (group, _), verdict in judged.items() if verdict is BarVerdict.MISS} == {
        missed
    }


def test_a_slow_median_of_another_task_misses_its_bar() -> None:
    slow = a_run("upf", 30_240)
    slow.wakeup_ns["other"][:1500] = [1_251_000] * 1500
    judged = verdicts(without("upf", slow))

    assert judged["upf: wake-up p50 of another task", "≤ 1.25 × EEVDF"] is BarVerdict.MISS


def test_a_size_past_its_bar_misses_it() -> None:
    large = SIZE.model_copy(update={"translated_bytes": 40_001, "map_bytes": 200_001})
    run = a_run("upf", 30_240).model_copy(update={"size": large})
    judged = verdicts(without("upf", run))

    assert [key for key, verdict in judged.items() if verdict is BarVerdict.MISS] == [
        ("upf: memory of all maps", "≤ 200 KB"),
        ("upf: BPF after translation", "≤ 40,000 bytes"),
    ]


@pytest.mark.parametrize("peer", ["scx_flash", "scx_bpfland", "scx_layered"])
def test_below_a_peer_means_below(peer: str) -> None:
    run = a_run(peer, 30_240, ping_us=200)
    judged = verdicts(without(peer, run))

    assert judged["upf: round trip on one CPU", f"< {peer}"] is BarVerdict.MISS


def test_claims_against_an_absent_peer_are_not_judged() -> None:
    judged = bars.judge(a_benchmark(without("scx_simple")))
    unknown = [bar for bar in judged if bar.verdict is BarVerdict.UNKNOWN]

    assert [bar.bar for bar in unknown] == [
        "≤ 1.05 × scx_simple",
        "≤ 1.00 × scx_simple",
        "≤ 1.08 × scx_simple",
    ]
    assert {bar.value for bar in unknown} == {"no figures of scx_simple"}


def test_unmeasured_claims_are_not_judged() -> None:
    judged = bars.judge(a_benchmark([]))

    assert {bar.verdict for bar in judged} == {BarVerdict.UNKNOWN}


def test_a_figure_of_several_runs_is_their_median_with_its_range() -> None:
    spread = Spread.of([5.0, 1.0, 3.0])
    assert spread is not None
    assert (spread.median, spread.low, spread.high) == (3.0, 1.0, 5.0)
    assert Spread.of([]) is None

    runs = [a_run("upf", one, seed=seed) for seed, one in ((7, 3.0), (8, 9.0), (9, 4.0))]
    assert a_benchmark(runs).spread("upf", one_cpu_ns) == Spread(runs=(3.0, 9.0, 4.0))


def test_the_median_run_decides_not_the_worst() -> None:
    late = [a_run("upf", 30_240, ping_us=us, seed=us) for us in (130, 140, 5_000)]
    bar = ("upf: wake-up p99 of the matched task", "≤ 1.40 × SCHED_FIFO")

    assert verdicts(without("upf", *late))[bar] is BarVerdict.OK


def test_runs_that_differ_by_more_than_noise_show_their_range() -> None:
    runs = [
        a_run(DEFAULT_ONLY, one, two, seed=seed)
        for seed, one, two in ((7, 28_000, 34_000), (8, 28_100, 30_000), (9, 28_050, 41_000))
    ]
    values = {bar.group: bar.value for bar in bars.judge(a_benchmark(without(DEFAULT_ONLY, *runs)))}

    assert values["default only: round trip on one CPU"] == "1.002 ×  (28,050 of 28,000 ns)"
    assert values["default only: round trip on two CPUs"] == (
        "0.971 ×  (30,000 to 41,000 of 35,000 ns)"
    )


def test_a_rare_latency_wants_samples_enough() -> None:
    four = [a_run("upf", 1.0, ping_us=seed, seed=seed) for seed in (1, 2, 3, 4)]
    five = [*four, a_run("upf", 1.0, ping_us=5, seed=5)]

    assert a_benchmark(four).rare_us("upf", "ping") is None
    assert a_benchmark(five).rare_us("upf", "ping") == 5.009
