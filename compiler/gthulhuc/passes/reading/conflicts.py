# SPDX-License-Identifier: Apache-2.0
"""Finds claims of one block that cannot hold together."""

from __future__ import annotations

from collections.abc import Sequence

from gthulhuc.claims import Claim
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.reading.values import PER_CENT, SHARE, show
from gthulhuc.tunables import Value

_ALL = 100 * PER_CENT
_RISING = ("p50", "p90", "p99", "p999", "max")
"""Figures of the same values, in ascending order."""


def report_conflicts(claims: Sequence[Claim], report: Collector) -> None:
    """Reports each claim that contradicts others, whatever the values of tunables."""
    below = [claim for claim in claims if claim.operator.startswith("<")]
    above = [claim for claim in claims if claim.operator.startswith(">")]
    for low in above:
        for high in below:
            if _is_at_most(low, high) and _is_beyond([low], _most(high.bound), high.operator):
                _report_pair(low, high, report)


def report_shares(claims: Sequence[Claim], report: Collector) -> None:
    """Reports shares of one run that add up to more than all CPU time."""
    above = (claim for claim in claims if claim.operator.startswith(">"))
    shares = list({claim.target: claim for claim in above if claim.statistic == "share"}.values())
    if not _is_beyond(shares, _ALL, "<="):
        return
    least = show(sum(_least(claim.bound) for claim in shares), SHARE)
    more = "more than " if any(claim.operator == ">" for claim in shares) else ""
    message = f"the shares add up to {more}{least} of the CPU time"
    *before, last = shares
    others = [Label(claim.span, "") for claim in before]
    report.error(codes.NEVER_TRUE, message, last.span, secondary=others)


def _is_at_most(low: Claim, high: Claim) -> bool:
    """Whether the figure of one claim is never larger than that of another."""
    if (low.metric, low.target, low.baseline) != (high.metric, high.target, high.baseline):
        return False
    if low.statistic == high.statistic:
        return True
    if low.baseline is not None:  # each statistic has a baseline of its own
        return False
    if low.statistic == "mean":
        return high.statistic == "max"
    if low.statistic not in _RISING or high.statistic not in _RISING:
        return False
    return _RISING.index(low.statistic) < _RISING.index(high.statistic)


def _is_beyond(above: list[Claim], most: int, operator: str) -> bool:
    """Whether lower bounds, added up, are more than `most`, the bound of `operator`."""
    least = sum(_least(claim.bound) for claim in above)
    is_open = operator == "<" or any(claim.operator == ">" for claim in above)
    return least > most or (least == most and is_open)


def _least(bound: Value) -> int:
    return bound if isinstance(bound, int) else bound.low


def _most(bound: Value) -> int:
    return bound if isinstance(bound, int) else bound.high


def _report_pair(low: Claim, high: Claim, report: Collector) -> None:
    first, second = sorted((low, high), key=lambda claim: claim.span.start)
    message = f"`{second.span.one_line}` cannot hold beside `{first.span.one_line}`"
    before = [Label(first.span, "contradicts this claim")]
    report.error(codes.NEVER_TRUE, message, second.span, secondary=before)
