# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures out of samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

# A percentile needs this many samples, so that at least ten lie above it.
MINIMUM_SAMPLES = {50: 20, 90: 100, 99: 1000, 99.9: 10000}
_PERCENT = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9, "max": 100.0}
# A single run takes a random path, so a verdict on latency needs this many.
ENOUGH_RUNS = 5


class Spread(BaseModel):
    """The figures of runs, in their order: ns, thousandths of all CPU time, or per second."""

    model_config = ConfigDict(frozen=True)

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.runs)

    @property
    def low(self) -> float:
        return min(self.runs)

    @property
    def high(self) -> float:
        return max(self.runs)

    @classmethod
    def of(cls, values: Iterable[float]) -> Self | None:
        """The spread of the runs' figures, None without any."""
        runs = tuple(values)
        return cls(runs=runs) if runs else None


def percentile(samples: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile: the smallest sample that `percent` % do not exceed.

    It is always a sample that was seen, never a value between two. Raises ValueError without
    samples, or for a percentage outside 0..100.
    """
    if not samples:
        raise ValueError("no samples")
    if not 0 <= percent <= 100:
        raise ValueError(f"{percent} is not a percentage")
    rank = max(1, math.ceil(percent / 100 * len(samples)))
    return sorted(samples)[rank - 1]


def percentile_if_enough(samples: Sequence[float], percent: float) -> float | None:
    """The percentile; None with too few samples for it."""
    return percentile(samples, percent) if len(samples) >= MINIMUM_SAMPLES[percent] else None


def median(samples: Sequence[float]) -> float:
    """The nearest-rank median."""
    return percentile(samples, 50)


def named(name: str, samples: Sequence[float]) -> float:
    """Returns the statistic that a claim names: p50, p90, p99, p999, max or mean."""
    if name == "mean":
        return sum(samples) / len(samples)
    return percentile(samples, _PERCENT[name])


def cumulative(samples: Sequence[float]) -> list[tuple[float, float]]:
    """Points (value, share of the samples up to it) of the distribution, one per value."""
    ordered = sorted(samples)
    points = {value: (number + 1) / len(ordered) for number, value in enumerate(ordered)}
    return list(points.items())
