# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of one guest of `gthulhu verify`: of a recording, or of the workloads' reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import stats
from gthulhu_lab.request import GuestEnvironment
from gthulhu_lab.verify.claims import Claim


class Samples(BaseModel):
    """Times in microseconds, each with how often it was seen, ascending: nothing is left out."""

    model_config = ConfigDict(frozen=True)

    counts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, times_us: Iterable[int]) -> Self:
        """The samples of a list."""
        return cls(counts=tuple(sorted(Counter(times_us).items())))

    @property
    def count(self) -> int:
        return sum(count for _, count in self.counts)

    def all_us(self) -> list[int]:
        """Each sample, ascending."""
        return [us for us, count in self.counts for _ in range(count)]


class Waits(BaseModel):
    """Waits of one kind. `meanwhile_us`: CPU time of each class during the longest waits."""

    model_config = ConfigDict(frozen=True)

    samples: Samples
    meanwhile_us: dict[str, int]


class ClassFigures(BaseModel):
    """The tasks of a block that were in one class."""

    model_config = ConfigDict(frozen=True)

    tasks: int
    wakeup: Waits
    wait: Waits
    cpu_us: int


class SceneRun(BaseModel, ABC):
    """A guest of a scene, and all that determined its figures."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str  # a name of ours
    in_force: str  # the kernel's for it; empty for its own
    seed: int  # runs of one turn have the same
    phase_us: int
    environment: GuestEnvironment
    wall_s: float

    @abstractmethod
    def samples(self, claim: Claim) -> int:
        """How many samples the run has for a claim; 0 for a share or a rate, which need none."""

    @abstractmethod
    def figure(self, claim: Claim) -> float | None:
        """A claim's figure: ns, per second, or thousandths of all CPU time.

        None without enough samples or, of a report, any operation.
        """


class RecordedRun(SceneRun):
    """The figures of a guest's recording."""

    window_us: int
    classes: dict[str, ClassFigures]
    cpu_us: dict[str, int]  # all CPU time of the window: of each class, of others, and idle

    def waits(self, target: str, metric: str) -> Waits:
        """The waits that a claim is about."""
        figures = self.classes[target]
        return figures.wakeup if metric == "wakeup" else figures.wait

    def samples(self, claim: Claim) -> int:
        return self.waits(claim.target, claim.metric).samples.count if claim.metric else 0

    def figure(self, claim: Claim) -> float | None:
        if claim.metric is None:
            return 1000 * self.classes[claim.target].cpu_us / sum(self.cpu_us.values())
        samples_us = self.waits(claim.target, claim.metric).samples.all_us()
        return 1000 * stats.named(claim.statistic, samples_us) if samples_us else None


class ReportedRun(SceneRun):
    """The reports of a guest's workloads."""

    # rate(NAME): per second; time(NAME): the operations' median in ns, p99(time NAME) and so on.
    figures: dict[str, float]
    operations: dict[str, int] = {}  # by workload, where it reports their times

    def samples(self, claim: Claim) -> int:
        return self.operations.get(claim.target, 0)

    def figure(self, claim: Claim) -> float | None:
        return self.figures.get(claim.reported_name) or None


AnyRun = RecordedRun | ReportedRun
