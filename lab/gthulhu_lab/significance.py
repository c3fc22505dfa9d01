# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics for figures in which chance has a part: wall clocks, and perturbed runs.

Subjects run in turns, each once in a turn, in random order. Other work on the
machine comes and goes more slowly than that, so it is in both runs of a pair, and their ratio is
free of it. If the subjects are the same, each ratio is as likely to be r as 1/r, because of the
lot and whatever the noise is like. That is all that Wilcoxon's signed-rank test assumes. Its
interval for the typical ratio is what every verdict is taken from:

- below or above 1 as a whole: one is faster. Of subjects that are the same this is said with the
  chance 1 - confidence, at most;
- within `MARGIN` of 1 as a whole: no difference, none at least that counts;
- anything else: the interval has room for both. The noise is too large, and no number is given.

Figures that are judged together share the chance of being wrong (Bonferroni).
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement, product

# The chance that a table calls any figure different although none is.
ERROR = 0.05
# Smaller differences do not count.
MARGIN = 0.03
# Enough for some figures at once, and for differences of a few per cent on a machine that is quiet.
USUAL_TURNS = 12
_TURN_SEED = 7  # of the order of turns


class Difference(StrEnum):
    """The verdict on one subject compared with another."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    NOISY = "too noisy"
    FEW = "too few runs"


@dataclass(frozen=True, slots=True)
class Interval:
    """The confidence interval of a figure, or of its ratio; infinite with too few samples."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the ratio that it was taken from."""

    verdict: Difference
    ratio: Interval  # the subject's figure as a multiple of the other's


def turns(count: int, subjects: int, seed: int = _TURN_SEED) -> Iterator[tuple[int, int]]:
    """The order of the runs: in each turn every subject once, in random order."""
    lots = random.Random(seed)
    for turn in range(count):
        yield from ((turn, subject) for subject in lots.sample(range(subjects), subjects))


def ratio(ours: Sequence[float], theirs: Sequence[float], error: float = ERROR) -> Interval:
    """The ratio of the first figure to the second, from pairs of runs."""
    return _exponential(signed_rank(_logarithms(ours, theirs), error))


def compare(
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    less_is_better: bool = True,
    figures: int = 1,
) -> Judgement:
    """Judge figures of pairs of runs, one of `figures` that are judged at once."""
    return _judge(
        signed_rank(_logarithms(ours, theirs), ERROR / figures), less_is_better=less_is_better
    )


def compare_changes(
    old: Sequence[tuple[float, float]],
    new: Sequence[tuple[float, float]],
    *,
    less_is_better: bool = True,
    figures: int = 1,
) -> Judgement:
    """Judge (ours, theirs) of pairs made at two times, by the ratio of the pairs' ratios.

    Effects of the machine that both subjects saw at the same time cancel out.
    """
    before, after = (_logarithms(*zip(*pairs, strict=True)) for pairs in (old, new))
    return _judge(rank_sum(before, after, ERROR / figures), less_is_better=less_is_better)


def median(samples: Sequence[float], error: float = ERROR) -> Interval:
    """The median and its interval: two of the samples, for any distribution."""
    # The number of samples below the true median is binomial, as heads in throws of a coin.
    count = len(samples)
    return _middle_of(sorted(samples), [math.comb(count, n) for n in range(count + 1)], error)


def signed_rank(samples: Sequence[float], error: float) -> Interval:
    """Where the centre of a symmetric distribution is: among the middle means of two samples.

    So many of those means are below the centre as Wilcoxon's signed-rank statistic is, and its
    distribution is known.
    """
    means = sorted((one + other) / 2 for one, other in combinations_with_replacement(samples, 2))
    return _middle_of(means, _signed_ranks(len(samples)), error)


def rank_sum(before: Sequence[float], after: Sequence[float], error: float) -> Interval:
    """By how much samples have moved: among the middle differences of two (Mann-Whitney)."""
    differences = sorted(b - a for a, b in product(before, after))
    return _middle_of(differences, _rank_sums(len(before), len(after)), error)


def enough(figures: int = 1) -> int:
    """The least number of pairs that can show a difference, for `figures` figures at once."""
    count = 1
    while 2 / 2**count > ERROR / figures:
        count += 1
    return count


def _logarithms(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [math.log(one / other) for one, other in zip(ours, theirs, strict=True)]


def _exponential(change: Interval) -> Interval:
    return Interval(*(math.exp(value) for value in (change.middle, change.low, change.high)))


def _judge(change: Interval, *, less_is_better: bool) -> Judgement:
    limit = math.log1p(MARGIN)
    if math.isinf(change.low):
        verdict = Difference.FEW
    elif -limit < change.low and change.high < limit:
        verdict = Difference.SAME
    elif change.low > 0 or change.high < 0:
        verdict = Difference.FASTER if (change.high < 0) == less_is_better else Difference.SLOWER
    else:
        verdict = Difference.NOISY
    return Judgement(verdict, _exponential(change))


def _middle_of(values: Sequence[float], distribution: Sequence[int], error: float) -> Interval:
    """The middle of sorted values, and the outermost that the distribution of ranks leaves."""
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    whole = sum(distribution)
    below, place = 0, -1
    for rank, ways in enumerate(distribution):
        below += ways
        # Both may be too large for a float; their quotient is not.
        if 2 * below / whole > error:
            break
        place = rank
    if place < 0:
        return Interval(middle, -math.inf, math.inf)
    return Interval(middle, values[place], values[-1 - place])


@functools.cache
def _signed_ranks(count: int) -> tuple[int, ...]:
    """In how many ways the ranks of the positive among `count` numbers have each sum."""
    ways = [1]
    for rank in range(1, count + 1):
        ways = [
            (ways[total] if total < len(ways) else 0) + (ways[total - rank] if total >= rank else 0)
            for total in range(len(ways) + rank)
        ]
    return tuple(ways)


@functools.cache
def _rank_sums(first: int, second: int) -> tuple[int, ...]:
    """The number of orders of two samples, by how many pairs have the first below the second.

    Those are the coefficients of the Gaussian binomial: the product of (1 - x^(second + n)) by that
    of (1 - x^n), with n up to `first`.
    """
    ways = [1] + [0] * (first * second)
    for n in range(1, first + 1):
        for total in range(first * second, second + n - 1, -1):
            ways[total] -= ways[total - second - n]
        for total in range(n, first * second + 1):
            ways[total] += ways[total - n]
    return tuple(ways)
