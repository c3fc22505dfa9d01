# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots a policy's claims with the figures under other schedulers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gthulhu_lab import plot, plot_bars
from gthulhu_lab.errors import LabError
from gthulhu_lab.plot import Curve
from gthulhu_lab.plot_bars import Cost
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.verdict import Block, Judged, Verification

_AXES = {"wakeup": "wake-up latency", "wait": "wait for a CPU"}


def render(found: Verification) -> str:
    """The first claim about wake-ups as an SVG file, a curve for each scheduler, of all its runs.

    Without one, that about waits; without these, shares of CPU time as bars. Raises LabError where
    there is no such claim, or nothing was measured.
    """
    claims = [(block, claim) for block in found.blocks for claim in block.claims]
    for metric, axis in _AXES.items():
        for block, claim in claims:
            if claim.metric == metric and (curves := list(_curves(block, claim))):
                title = f"{block.text}: {metric} of {claim.target}"
                return plot.standalone(curves, title, axis=axis)
    for block in found.blocks:
        shares = [claim for claim in block.claims if claim.metric is None and claim.measured]
        if shares:
            names = [claim.figure for claim in shares]
            rows = list(_shares(Path(found.policy).stem, shares))
            return plot_bars.standalone(rows, "%", f"{block.text}: shares", names)
    raise LabError(
        "no claim to plot",
        "Plots show p99(wakeup ..), p99(wait ..) and share(..).",
    )


def _curves(block: Block, claim: Judged) -> Iterator[Curve]:
    """The policy first, as its runs are."""
    assert claim.metric is not None
    for number, name in enumerate(dict.fromkeys(run.scheduler for run in block.runs)):
        runs = [run for run in block.runs if run.scheduler == name]
        samples_us = sorted(
            us for run in runs for us in run.waits(claim.target, claim.metric).samples.all_us()
        )
        if samples_us:
            yield Curve(Path(name).stem, samples_us, number, dashed=number > 0)


def _shares(policy: str, claims: list[Judged]) -> Iterator[Cost]:
    """The shares by scheduler, the policy first; those with a missing figure are left out."""
    under = {policy: [claim.measured for claim in claims]}
    for name in dict.fromkeys(name for claim in claims for name in claim.beside):
        under[name] = [claim.beside.get(name) for claim in claims]
    for name, spreads in under.items():
        if None not in spreads:
            yield Cost(name, [_per_cent(spread) for spread in spreads if spread])


def _per_cent(spread: Spread) -> float:
    return spread.median / 10
