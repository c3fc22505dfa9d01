# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark as one self-contained HTML page, and its plot as a file."""

from __future__ import annotations

from markupsafe import Markup

from gthulhu_lab import (
    bars,
    bench_table,
    html,
    plot,
    plot_bars,
    plot_intervals,
    plot_timeline,
    significance,
    wall,
)
from gthulhu_lab.bars import BarVerdict
from gthulhu_lab.benchmark import DEFAULT_ONLY, OURS, Benchmark, one_cpu_ns, two_cpus_ns
from gthulhu_lab.measure import EEVDF
from gthulhu_lab.plot import Curve
from gthulhuc import reference

_TITLES = {
    "ping": "Wake-up latency of the policy's task",
    "other": "Wake-up latency of another task",
}
_SHADES = {BarVerdict.OK: "better", BarVerdict.MISS: "worse", BarVerdict.UNKNOWN: "quiet"}
_SERIES = 8
_WALL_SHADES = {significance.Difference.FASTER: "better", significance.Difference.SLOWER: "worse"}
_GIVEN = (*_WALL_SHADES, significance.Difference.SAME)


def render(benchmark: Benchmark, traces: str | None = None) -> str:
    """The page; the same input gives the same bytes. `traces`: a file for Perfetto beside it."""
    judged = bars.judge(benchmark) if benchmark.runs else []
    costs = _costs(benchmark)
    return html.page(
        "bench.html.j2",
        title=f"{benchmark.policy} against EEVDF"
        + (" and peers" if len(_others(benchmark)) else ""),
        subtitle="Measured in micro-VMs on a "
        + ("wall clock, in turns." if benchmark.walls else "clock that counts instructions."),
        walls=_walls(benchmark),
        margin=f"{significance.MARGIN:.0%}",
        summary=bench_table.summary(judged),
        bars=[(bar.group, bar.bar, bar.value, bar.verdict, _SHADES[bar.verdict]) for bar in judged],
        plots=[
            (_TITLES[task], plot.latency_distribution(curves, _TITLES[task]), _legend(curves))
            for task in _TITLES
            if (curves := _curves(benchmark, task))
        ],
        costs=plot_bars.costs(costs, "ns", "Cost of a pipe round trip") if costs else "",
        cost_legend=[
            (plot_bars.legend_box(number), label)
            for number, label in enumerate(("both tasks on one CPU", "on two CPUs"))
        ],
        timelines=_timelines(benchmark),
        rules=_rules(benchmark),
        traces=traces,
        tables=bench_table.tables(benchmark),
        conditions=bench_table.conditions(benchmark),
        policy=benchmark.policy,
        subjects=benchmark.subjects,
        source=benchmark.policy_source,
    )


def standalone_plot(benchmark: Benchmark) -> str:
    """The latencies of the policy's task as an SVG file; follows the viewer's light or dark."""
    return plot.standalone(_curves(benchmark, "ping"), _TITLES["ping"])


def _curves(benchmark: Benchmark, task: str) -> list[Curve]:
    """The policy and EEVDF have the colours that they have in the demo's report."""
    first = [benchmark.policy, EEVDF.name, DEFAULT_ONLY]
    names = [*first, *(name for name in benchmark.subjects if name not in first)]
    pooled = {name: benchmark.pooled_us(name, task) for name in names}
    return [
        Curve(name, samples, number % _SERIES, dashed=number >= len(first))
        for number, (name, samples) in enumerate(pooled.items())
        if samples
    ]


def _others(benchmark: Benchmark) -> list[str]:
    """The peers that were measured."""
    return [
        name for name, what in benchmark.subjects.items() if what != OURS and name != EEVDF.name
    ]


def _walls(benchmark: Benchmark) -> Markup | str:
    found = wall.rows(benchmark.walls)
    if not found:
        return ""
    rows = [
        plot_intervals.RatioRow(
            name=f"{row.setup}, {row.subject}",
            # A noisy ratio has no number, so nothing is drawn.
            ratio=row.judgement.ratio if row.judgement.verdict in _GIVEN else None,
            verdict=row.judgement.verdict,
            shade=_WALL_SHADES.get(row.judgement.verdict, "quiet"),
        )
        for row in found
    ]
    return plot_intervals.intervals(rows, significance.MARGIN, "Workloads beside EEVDF")


def _colours(benchmark: Benchmark) -> dict[str, int]:
    """The number of each rule's colour; `default` has the greyest."""
    quiet = {reference.DEFAULT: 7, reference.KERNEL_THREADS: 6}
    found = dict.fromkeys(rule for each in benchmark.pictures for rule in each.rules())
    rules = [rule for rule in found if rule not in quiet]
    return {
        **{rule: number % min(quiet.values()) for number, rule in enumerate(rules)},
        **{rule: number for rule, number in quiet.items() if rule in found},
    }


def _rules(benchmark: Benchmark) -> list[tuple[Markup, str]]:
    return [
        (plot_timeline.legend_box(number), rule) for rule, number in _colours(benchmark).items()
    ]


def _timelines(benchmark: Benchmark) -> list[tuple[str, Markup, Markup]]:
    """Each scheduler's name, its plot of CPUs and its plot of waiting tasks; the policy first."""
    colours = _colours(benchmark)
    most = max((max(each.waiting_us, default=0) for each in benchmark.pictures), default=0)
    ours_first = sorted(benchmark.pictures, key=lambda each: each.subject != benchmark.policy)
    return [
        (
            each.subject,
            plot_timeline.timeline(each, colours, f"CPUs under {each.subject}"),
            plot_timeline.waiting(each, most, f"Tasks that wait under {each.subject}"),
        )
        for each in ours_first
    ]


def _costs(benchmark: Benchmark) -> list[plot_bars.Cost]:
    rows = []
    for name in benchmark.subjects:
        one, two = (benchmark.spread(name, figure) for figure in (one_cpu_ns, two_cpus_ns))
        if one and two:
            rows.append(plot_bars.Cost(name, (one.median, two.median)))
    return rows


def _legend(curves: list[Curve]) -> list[tuple[Markup, str]]:
    return [(plot.legend_line(curve), curve.label) for curve in curves]
