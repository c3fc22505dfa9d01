# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""How the figure of a claim comes about: by whom, and on which clock."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from gthulhu_lab import catalogue
from gthulhuc import checked


class Method(StrEnum):
    """Guests of one method have no figures for the claims of another."""

    RECORDED = "recorded"  # the kernel's trace says it; deterministic clock
    COUNTED = "counted"  # the workload says it; deterministic clock: instructions per operation
    TIMED = "timed"  # the workload says it; wall clock

    @property
    def is_exact(self) -> bool:
        return self is not Method.TIMED


def report_of(claim: checked.Claim) -> catalogue.Report | None:
    """What a workload has to report for a claim; None: nothing, as the kernel's trace says it."""
    word = claim.metric or claim.statistic
    return catalogue.Report(word) if word in tuple(catalogue.Report) else None


def method_of(claim: checked.Claim) -> Method:
    """The one that a claim takes; of a workload that the lab knows."""
    report = report_of(claim)
    if report is None:
        return Method.RECORDED
    # Of a user's own workload nothing is known to be exact.
    workload = catalogue.load().get(claim.target)
    is_exact = workload is not None and report in workload.exact
    return Method.COUNTED if is_exact else Method.TIMED


def claims_of(block: checked.Expectation, method: Method) -> Sequence[checked.Claim]:
    """What a block claims that this method has the figures of."""
    return [claim for claim in block.claims if method_of(claim) is method]
