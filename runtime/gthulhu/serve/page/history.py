# SPDX-License-Identifier: Apache-2.0
"""The counters of the last two minutes, and the figures of each rule from them."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gthulhu.counters import Class, Histogram, Owner, Stats

STEP_S = 2.0
"""Seconds between two samples."""
_MOST = 61
_GAP_S = 10
_RECENT_S = 10
_RECENT = round(_RECENT_S / STEP_S) + 1


@dataclass(frozen=True, slots=True)
class Sample:
    """The counters at a time, in seconds of the monotonic clock."""

    at: float
    stats: Stats

    def of(self, owner: Owner) -> Class | None:
        """The counters of a class."""
        return next((each for each in self.stats.classes if each.owner == owner), None)


@dataclass(frozen=True, slots=True)
class Times:
    """How long waits took in the last ten seconds, in ns; `series`: p99, every two seconds."""

    count: int
    half: float | None
    most: float | None
    series: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A rule, `default` or the kernel threads, with its figures of the last ten seconds.

    `share`: of the time of all CPUs, in 0..1; None: there is one sample only. `waits` and `wakeups`
    are None if the policy does not count them.
    """

    owner: Owner
    tasks: int
    ran_ns: int
    share: float | None
    shares: tuple[float | None, ...]
    waits: Times | None
    wakeups: Times | None
    counts: dict[str, int]
    has_run: bool


class History:
    """Samples of one scheduler: they begin anew with another one, and after a gap."""

    def __init__(self) -> None:
        self._samples: deque[Sample] = deque(maxlen=_MOST)

    def is_due(self) -> bool:
        """Whether it is time for another sample."""
        return not self._samples or time.monotonic() - self._samples[-1].at >= STEP_S * 0.9

    def add(self, stats: Stats) -> None:
        """Adds the counters as they are now."""
        now = time.monotonic()
        if self._samples:
            last = self._samples[-1]
            is_same = _number(last.stats) == _number(stats)
            if not is_same or now - last.at > _GAP_S:
                self._samples.clear()
        self._samples.append(Sample(now, stats))

    def clear(self) -> None:
        """Forgets all samples, as nothing counts any more."""
        self._samples.clear()

    def rows(self) -> list[Row]:
        """The figures of each class, in the order of the policy."""
        samples = list(self._samples)
        return [_row(samples, each) for each in samples[-1].stats.classes] if samples else []


def _number(stats: Stats) -> tuple[str, int, str]:
    return stats.policy, stats.generation, stats.since


def _row(samples: Sequence[Sample], now: Class) -> Row:
    known = [(each.at, found) for each in samples if (found := each.of(now.owner)) is not None]
    shares = tuple(_share(*one, *other) for one, other in pairwise(known))
    first = known[-_RECENT:][0]
    classes = [found for _, found in known]
    return Row(
        owner=now.owner,
        tasks=now.tasks,
        ran_ns=now.ran_ns,
        share=_share(*first, *known[-1]) if len(known) > 1 else None,
        shares=shares,
        waits=_times(each.waits for each in classes),
        wakeups=_times(each.wakeups for each in classes),
        counts=now.counts,
        has_run=bool(now.entered or now.ran_ns),
    )


def _share(then_at: float, then: Class, now_at: float, now: Class) -> float:
    cpu_ns = (now_at - then_at) * 1e9 * (os.cpu_count() or 1)
    return min(max((now.ran_ns - then.ran_ns) / cpu_ns, 0), 1)


def _times(histograms: Iterable[Histogram | None]) -> Times | None:
    """The times since the first of the recent samples, or of all if there is one sample."""
    known = [each for each in histograms if each is not None]
    if not known:
        return None
    recent = known[-1] - known[-_RECENT:][0] if len(known) > 1 else known[-1]
    series = tuple(_most(known))
    return Times(recent.count, recent.below(0.5), recent.below(0.99), series)


def _most(histograms: Sequence[Histogram]) -> Iterator[float | None]:
    for one, other in pairwise(histograms):
        yield (other - one).below(0.99)
