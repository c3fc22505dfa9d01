# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Verdicts on noisy figures: how often they are right, on simulated machines."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest

from gthulhu_lab import significance
from gthulhu_lab.significance import ERROR, MARGIN, Difference, Interval

Noise = Callable[[random.Random, float], float]
"""Noise of a machine in a run, by chance and time."""


def quiet(lots: random.Random, _time: float) -> float:
    return math.exp(lots.gauss(0, 0.01))


def noisy(lots: random.Random, _time: float) -> float:
    return math.exp(lots.gauss(0, 0.3))


def heavy_tailed(lots: random.Random, _time: float) -> float:
    """One run in six meets something that makes it up to some times longer."""
    return math.exp(lots.gauss(0, 0.02) + (lots.expovariate(1) if lots.random() < 1 / 6 else 0))


def drifting(lots: random.Random, time: float) -> float:
    """The machine slows down all the while, and somebody compiles on it now and then."""
    return math.exp(0.05 * time + 0.3 * (math.sin(time / 3) > 0) + lots.gauss(0, 0.02))


NOISES = [quiet, noisy, heavy_tailed, drifting]


def measured(
    noise: Noise, lots: random.Random, pairs: int, factor: float
) -> tuple[list[float], list[float]]:
    """Times of pairs of runs on such a machine, of subjects that differ by a factor."""
    found: tuple[list[float], list[float]] = ([], [])
    for time, (_, who) in enumerate(significance.turns(pairs, 2, lots.randrange(1 << 30))):
        found[who].append((1 if who else factor) * noise(lots, time))
    return found


def verdicts(
    noise: Noise, factor: float, *, pairs: int = 12, times: int = 1000
) -> Counter[Difference]:
    lots = random.Random(7)
    return Counter(
        significance.compare(*measured(noise, lots, pairs, factor)).verdict for _ in range(times)
    )


@pytest.mark.parametrize("noise", NOISES)
def test_equal_distributions_rarely_differ(noise: Noise) -> None:
    said = verdicts(noise, 1.0)
    # Three standard deviations of a share of 5 % in 1000.
    assert said[Difference.FASTER] + said[Difference.SLOWER] <= 1000 * ERROR + 21


@pytest.mark.parametrize("noise", NOISES)
def test_equal_distributions_rarely_differ_in_a_whole_table(noise: Noise) -> None:
    lots = random.Random(8)
    figures, tables, wrong = 8, 250, 0
    for _ in range(tables):
        table = [
            significance.compare(*measured(noise, lots, 12, 1.0), figures=figures).verdict
            for _ in range(figures)
        ]
        wrong += any(each in (Difference.FASTER, Difference.SLOWER) for each in table)
    assert wrong <= tables * ERROR + 10


@pytest.mark.parametrize("noise", NOISES)
def test_different_distributions_are_rarely_called_equal(noise: Noise) -> None:
    said = verdicts(noise, 1 + MARGIN)
    assert said[Difference.SAME] <= 1000 * ERROR / 2 + 15


@pytest.mark.parametrize("noise", NOISES)
def test_a_verdict_never_points_the_wrong_way(noise: Noise) -> None:
    assert verdicts(noise, 1.5)[Difference.FASTER] == 0
    assert verdicts(noise, 1 / 1.5)[Difference.SLOWER] == 0


def test_differences_are_found_where_noise_allows() -> None:
    assert verdicts(quiet, 1.05)[Difference.SLOWER] > 990
    assert verdicts(quiet, 0.95)[Difference.FASTER] > 990
    assert verdicts(quiet, 1.0)[Difference.SAME] > 940
    assert verdicts(drifting, 1.2)[Difference.SLOWER] > 700
    assert verdicts(heavy_tailed, 1.3)[Difference.SLOWER] > 500


def test_noise_is_reported_without_a_number() -> None:
    assert verdicts(noisy, 1.0)[Difference.NOISY] > 900
    assert verdicts(noisy, 1.1)[Difference.NOISY] > 700


def test_more_may_be_better() -> None:
    theirs = [100.0 + n for n in range(8)]
    ours = [each * 1.1 for each in theirs]

    assert significance.compare(ours, theirs).verdict is Difference.SLOWER
    assert significance.compare(ours, theirs, less_is_better=False).verdict is Difference.FASTER
    assert significance.compare(theirs, ours).verdict is Difference.FASTER
    judged = significance.compare(ours, theirs).ratio
    assert judged.middle == judged.low == judged.high == pytest.approx(1.1)


@pytest.mark.parametrize("noise", [quiet, drifting])
def test_a_change_of_code_is_told_from_a_change_of_machine(noise: Noise) -> None:
    """The second machine takes five times as long, for both subjects."""
    lots = random.Random(9)
    wrong = right = 0
    for factor, is_change in ((1.0, False), (1.5, True)):
        for _ in range(300):
            old = list(zip(*measured(noise, lots, 10, 1.2), strict=True))
            new = [
                (5 * ours, 5 * theirs)
                for ours, theirs in zip(*measured(noise, lots, 10, 1.2 * factor), strict=True)
            ]
            verdict = significance.compare_changes(old, new).verdict
            if is_change:
                right += verdict is Difference.SLOWER
            else:
                wrong += verdict in (Difference.FASTER, Difference.SLOWER)
    assert wrong <= 300 * ERROR + 11
    assert right > 290


def test_too_few_runs_are_not_called_noise() -> None:
    for figures, least in ((1, 6), (5, 8), (10, 9), (20, 10)):
        for pairs, verdict in ((least - 1, Difference.FEW), (least, Difference.SLOWER)):
            ones = [1.0 + n / 1000 for n in range(pairs)]
            twos = [2 * one for one in ones]
            assert significance.compare(twos, ones, figures=figures).verdict is verdict
    # Of 3 and 3 in any order each has one chance in ten of being all above, or all below.
    assert significance.compare_changes([(1, 1)] * 3, [(9, 1)] * 3).verdict is Difference.FEW
    assert significance.compare_changes([(1, 1)] * 4, [(9, 1)] * 4).verdict is Difference.SLOWER


@pytest.mark.parametrize(("count", "critical"), [(6, 0), (8, 3), (10, 8), (12, 13), (16, 29)])
def test_signed_ranks_agree_with_published_tables(count: int, critical: int) -> None:
    """The largest sum of ranks that is significant on both sides at 5 %, as books print it."""
    ways = significance._signed_ranks(count)
    assert (
        2 * sum(ways[: critical + 1]) / 2**count <= ERROR < 2 * sum(ways[: critical + 2]) / 2**count
    )


@pytest.mark.parametrize(("first", "second", "critical"), [(4, 4, 0), (5, 5, 2), (8, 6, 8)])
def test_rank_sums_agree_with_published_tables(first: int, second: int, critical: int) -> None:
    ways = significance._rank_sums(first, second)
    whole = math.comb(first + second, first)
    assert sum(ways) == whole
    assert 2 * sum(ways[: critical + 1]) / whole <= ERROR < 2 * sum(ways[: critical + 2]) / whole


def test_a_median_has_an_interval_by_its_own_samples() -> None:
    ten = [9.0, 1, 2, 3, 4, 5, 6, 7, 8, 100]
    assert significance.median(ten) == Interval(5.5, 2, 9)
    assert significance.median([3.0, 1, 2]) == Interval(2, -math.inf, math.inf)


def test_many_runs_are_judged_as_few_are() -> None:
    """So many runs have more orders than a float can count."""
    assert significance.median([float(n) for n in range(2000)]).middle == 999.5
    lots = random.Random(7)
    one, other = ([(quiet(lots, 0), 1.0) for _ in range(60)] for _ in range(2))
    assert significance.compare_changes(one, other).verdict is Difference.SAME


def test_each_turn_has_all_in_an_order_by_lot() -> None:
    order = list(significance.turns(200, 3, 7))

    assert order == list(significance.turns(200, 3, 7))
    assert order != list(significance.turns(200, 3, 8))
    assert sorted(order) == [(turn, who) for turn in range(200) for who in range(3)]
    assert [turn for turn, _ in order] == sorted(turn for turn, _ in order)
    assert 40 < sum(who == 0 for _, who in order[::3]) < 95
