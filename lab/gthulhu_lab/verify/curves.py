# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A policy's wake-ups beside those under other schedulers, as a plot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gthulhu_lab import plot
from gthulhu_lab.errors import LabError
from gthulhu_lab.plot import Curve
from gthulhu_lab.verify.verdict import Block, Judged, Verification, waits_of

_STYLE = Path(__file__).parents[1] / "theme.css"


def render(found: Verification) -> str:
    """The first claim about wake-ups as an SVG file: a curve for each scheduler, of all its runs.

    Raises LabError where there is no such claim, or nothing was measured.
    """
    for block in found.blocks:
        for claim in block.claims:
            if claim.metric == "wakeup" and (curves := list(_curves(block, claim))):
                title = f"{block.text}: wake-ups of {claim.target}"
                return plot.standalone(curves, title, _STYLE.read_text())
    raise LabError("there are no wake-ups to plot", "A claim has to be about some: p99(wakeup ..).")


def _curves(block: Block, claim: Judged) -> Iterator[Curve]:
    """The policy first, as its runs are."""
    for number, name in enumerate(dict.fromkeys(run.scheduler for run in block.runs)):
        runs = [run for run in block.runs if run.scheduler == name]
        samples_us = sorted(
            us for run in runs for us in waits_of(claim.target, "wakeup", run).samples.all_us()
        )
        if samples_us:
            yield Curve(Path(name).stem, samples_us, number, dashed=number > 0)
