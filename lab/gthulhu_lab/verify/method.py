# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""How a claim's figure is measured: by what, and on which clock."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from gthulhu_lab import catalogue
from gthulhuc import checked


class Method(StrEnum):
    """A way to measure; guests of one method have no figures for claims of another."""

    RECORDED = "recorded"  # from the kernel's trace; deterministic clock
    # From the workload's report; deterministic clock: instructions per operation.
    COUNTED = "counted"
    TIMED = "timed"  # from the workload's report; wall clock

    @property
    def is_exact(self) -> bool:
        return self is not Method.TIMED


def report_of(claim: checked.Claim) -> catalogue.Report | None:
    """The report that a claim needs; None: the kernel's trace has the figure."""
    word = claim.metric or claim.statistic
    return catalogue.Report(word) if word in tuple(catalogue.Report) else None


def method_of(claim: checked.Claim) -> Method:
    """The method that measures a claim about a workload of the lab."""
    report = report_of(claim)
    if report is None:
        return Method.RECORDED
    # A user's own workload may not be exact.
    workload = catalogue.load().get(claim.target)
    is_exact = workload is not None and report in workload.exact
    return Method.COUNTED if is_exact else Method.TIMED


def claims_of(block: checked.Expectation, method: Method) -> Sequence[checked.Claim]:
    """The claims of a block that this method measures."""
    return [claim for claim in block.claims if method_of(claim) is method]
