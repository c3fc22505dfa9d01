# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of one guest of `gthulhu verify`: of a recording, or of the workloads' reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict

from gthulhu_lab.request import GuestEnvironment
from gthulhuc import checked


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


class RecordedRun(BaseModel):
    """The figures of one guest, and everything that determined them."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str  # a name of ours
    in_force: str  # the kernel's for it; empty for its own
    seed: int
    phase_us: int
    environment: GuestEnvironment
    window_us: int
    classes: dict[str, ClassFigures]
    cpu_us: dict[str, int]  # all CPU time of the window: of each class, of others, and idle
    wall_s: float


class ReportedRun(BaseModel):
    """The reports of one guest's workloads, and everything that determined them."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str  # as above
    in_force: str
    seed: int  # runs of one turn have the same
    phase_us: int
    environment: GuestEnvironment
    # rate(NAME): per second; time(NAME): the operations' median in ns, p99(time NAME) and so on.
    figures: dict[str, float]
    operations: dict[str, int] = {}  # of each workload that reports what they took
    wall_s: float


def line_of(part: checked.Expectation | checked.Claim) -> int:
    """The line on which a part of a policy begins."""
    return part.span.source.position(part.span.start)[0]


def reported_name(claim: checked.Claim) -> str:
    """The name of a claim's figure among the reported ones."""
    whose = claim.target if claim.metric is None else f"{claim.metric} {claim.target}"
    return f"{claim.statistic}({whose})"
