# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from gthulhu_lab import html, plot
from gthulhu_lab.comparison import Comparison, DemoRow, conditions, describe_ratio, rows
from gthulhu_lab.measure import TASKS

# Smaller changes are not coloured: figures are exact, but differ from seed to seed.
_NOTEWORTHY = 0.05


@dataclass(frozen=True, slots=True)
class _Cells:
    group: str  # empty if it is the same as in the row before
    figure: str
    policy: str
    baseline: str
    change: str
    judgement: str


def render(comparison: Comparison) -> str:
    """The page; the same comparison gives the same bytes."""
    curves = _curves(comparison)
    baseline = comparison.baseline.subject
    return html.page(
        "report.html.j2",
        title=f"{comparison.policy.subject} against {baseline}",
        subtitle=f"{comparison.policy_file}, measured in micro-VMs on Linux "
        f"{comparison.policy.environment.kernel}",
        headline=headline(comparison),
        plot=plot.latency_distribution(curves, "Distribution of wake-up latencies"),
        legend=[(plot.legend_line(curve), curve.label) for curve in curves],
        policy=comparison.policy.subject,
        baseline=baseline,
        rows=_cells(rows(comparison)),
        conditions=conditions(comparison),
        source=comparison.policy_source,
    )


def headline(comparison: Comparison) -> str:
    """The gain and the cost in one sentence each."""
    by_name = {(row.group.split(" (")[0], row.figure): row for row in rows(comparison)}
    gain = by_name["wake-up of ping", "p99"]
    median, tail = (by_name["wake-up of another task", figure] for figure in ("p50", "p99"))
    switch = by_name["pipe round trip, one CPU", "two switches"]
    return (
        f"p99 of the policy's task: {gain.policy:,.0f} µs instead of {gain.baseline:,.0f} µs, "
        f"{describe_ratio(gain.ratio)}. Another task's median is {describe_ratio(median.ratio)}, "
        f"its p99 {describe_ratio(tail.ratio)}; a pipe round trip costs "
        f"{describe_ratio(switch.ratio)}."
    )


def _curves(comparison: Comparison) -> list[plot.Curve]:
    names = {"ping": "ping, the policy's task", "other": "another task"}
    return [
        plot.Curve(
            label=f"{names[task]}, under {run.subject}",
            samples_us=[sample / 1000 for sample in run.wakeup_ns[task]],
            series=series,
            dashed=task == "other",
        )
        for task in TASKS
        for series, run in enumerate((comparison.policy, comparison.baseline))
    ]


def _cells(table: list[DemoRow]) -> list[_Cells]:
    groups = ["", *(row.group for row in table)]
    return [
        _cell(row, "" if row.group == before else row.group)
        for row, before in zip(table, groups, strict=False)
    ]


def _cell(row: DemoRow, group: str) -> _Cells:
    judgement = ""
    if abs(row.ratio - 1) > _NOTEWORTHY:
        judgement = "better" if row.ratio < 1 else "worse"
    return _Cells(
        group=group,
        figure=row.figure,
        policy=f"{row.policy:,.0f} {row.unit}",
        baseline=f"{row.baseline:,.0f} {row.unit}",
        change=describe_ratio(row.ratio),
        judgement=judgement,
    )
