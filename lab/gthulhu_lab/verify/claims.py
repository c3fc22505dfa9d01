# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The claims of an `expect` block: what each needs, and how the lab measures its figure."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from gthulhu_lab import catalogue
from gthulhu_lab.catalogue import Report
from gthulhuc import claims
from gthulhuc.source import Span

# The samples that each statistic needs.
NEEDED = {"p50": 20, "p90": 100, "p99": 1000, "p999": 10_000, "mean": 20, "max": 20}
_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Method(StrEnum):
    """A way to measure; guests of one method have no figures for claims of another."""

    RECORDED = "recorded"  # from the kernel's trace; deterministic clock
    # From the workload's report; deterministic clock: instructions per operation.
    COUNTED = "counted"
    TIMED = "timed"  # from the workload's report; wall clock

    @property
    def is_exact(self) -> bool:
        return self is not Method.TIMED


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, and how its figure is measured.

    `metric` is wakeup, wait, rate or time, None for a share. `bound` is in ns, per second or, for a
    share or with a baseline, in thousandths; that of a tunable is its default.
    """

    span: Span
    statistic: str
    metric: str | None
    target: str
    operator: str
    bound: int
    baseline: str | None
    report: Report | None  # the workload's report with the figure; None: it is in the trace
    method: Method

    @property
    def text(self) -> str:
        """The claim as it stands in the policy, on one line."""
        return self.span.one_line

    @property
    def needed(self) -> int:
        """The number of samples that a run must have; 0 for a share or a rate."""
        return NEEDED.get(self.statistic, 0)

    @property
    def reported_name(self) -> str:
        """The name of the figure among the reported ones."""
        whose = self.target if self.statistic == self.metric else f"{self.metric} {self.target}"
        return f"{self.statistic}({whose})"

    def holds(self, figure: float, bound: float) -> bool:
        """Whether a figure is on the right side of a bound."""
        return bool(_OPERATORS[self.operator](figure, bound))


def read(block: claims.Expectation | claims.Promise) -> tuple[Claim, ...]:
    """The claims of a block, or of a promise."""
    return tuple(_claim(claim) for claim in block.claims)


def of_method(claims: Iterable[Claim], method: Method) -> list[Claim]:
    """The claims that this method measures."""
    return [claim for claim in claims if claim.method is method]


def line_of(span: Span) -> int:
    """The line on which a part of a policy begins."""
    return span.source.position(span.start)[0]


def _claim(claim: claims.Claim) -> Claim:
    word = claim.metric or claim.statistic
    report = Report(word) if word in tuple(Report) else None
    return Claim(
        span=claim.span,
        statistic=claim.statistic,
        metric=claim.metric or report,
        target=claim.target,
        operator=claim.operator,
        bound=claim.bound if isinstance(claim.bound, int) else claim.bound.default,
        baseline=None if claim.baseline is None else claim.baseline.name,
        report=report,
        method=_method(claim.target, report),
    )


def _method(workload: str, report: Report | None) -> Method:
    if report is None:
        return Method.RECORDED
    # A user's own workload may not be exact.
    known = catalogue.load().get(workload)
    return Method.COUNTED if known is not None and report in known.exact else Method.TIMED
