# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark as one self-contained HTML page, and its plot as a file."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gthulhu_lab import bars, bench_table, plot, plot_bars
from gthulhu_lab.bars import Verdict
from gthulhu_lab.benchmark import DEFAULT_ONLY, Benchmark, one_cpu_ns, two_cpus_ns
from gthulhu_lab.measure import EEVDF
from gthulhu_lab.plot import Curve

_HERE = Path(__file__).resolve().parent
_TITLES = {
    "ping": "Wake-up latency of the policy's task",
    "other": "Wake-up latency of another task",
}
_SHADES = {Verdict.OK: "better", Verdict.MISS: "worse", Verdict.UNKNOWN: "quiet"}
_SERIES = 8


def render(benchmark: Benchmark) -> str:
    """The page; the same benchmark gives the same bytes."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    judged = bars.judge(benchmark)
    return environment.get_template("bench.html.j2").render(
        title=f"{benchmark.policy} against EEVDF and peers",
        summary=bench_table.summary(judged),
        bars=[(bar.group, bar.bar, bar.value, bar.verdict, _SHADES[bar.verdict]) for bar in judged],
        plots=[
            (_TITLES[task], _svg(plot.latency_distribution(curves, _TITLES[task])), _legend(curves))
            for task in _TITLES
            if (curves := _curves(benchmark, task))
        ],
        costs=_svg(plot_bars.costs(_costs(benchmark), "ns", "Cost of a pipe round trip")),
        cost_legend=[
            (_svg(plot_bars.legend_box(number)), label)
            for number, label in enumerate(("both tasks on one CPU", "on two CPUs"))
        ],
        tables=bench_table.tables(benchmark),
        conditions=bench_table.conditions(benchmark),
        subjects=benchmark.subjects,
        source=benchmark.policy_source,
    )


def standalone_plot(benchmark: Benchmark) -> str:
    """The latencies of the policy's task as an SVG file; follows the viewer's light or dark."""
    style = (_HERE / "theme.css").read_text()
    return plot.standalone(_curves(benchmark, "ping"), _TITLES["ping"], style)


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


def _costs(benchmark: Benchmark) -> list[plot_bars.Cost]:
    rows = []
    for name in benchmark.subjects:
        one, two = (benchmark.spread(name, figure) for figure in (one_cpu_ns, two_cpus_ns))
        if one and two:
            rows.append(plot_bars.Cost(name, (one.median, two.median)))
    return rows


def _legend(curves: list[Curve]) -> list[tuple[Markup, str]]:
    return [(_svg(plot.legend_line(curve)), curve.label) for curve in curves]


def _svg(text: str) -> Markup:
    return Markup(text)  # noqa: S704 -- plot.py and plot_bars.py escape what goes into it
