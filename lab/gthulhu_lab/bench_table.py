# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's tables, as cells: what the terminal and the report both show."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from gthulhu_lab import bars, clock, peers, regression, significance, stats, wall
from gthulhu_lab.bars import Bar, BarVerdict
from gthulhu_lab.benchmark import (
    Benchmark,
    enable_s,
    map_kb,
    one_cpu_ns,
    two_cpus_ns,
)
from gthulhu_lab.measure import EEVDF
from gthulhu_lab.regression import Change
from gthulhu_lab.request import Clock
from gthulhu_lab.significance import Difference, Judgement
from gthulhu_lab.stats import Spread
from gthulhu_lab.tables import NONE, Table, number, show_conditions
from gthulhu_lab.tables import show as show_table
from gthulhu_lab.verify import table as verify_table

_STYLES = {BarVerdict.OK: "green", BarVerdict.MISS: "bold red", BarVerdict.UNKNOWN: "yellow"}

_CHANGES = {
    regression.Trend.BETTER: "green",
    regression.Trend.WORSE: "bold red",
    regression.Trend.NOISY: "yellow",
    regression.Trend.UNKNOWN: "yellow",
}


def tables(benchmark: Benchmark) -> list[Table]:
    """The figures of all subjects."""
    made = [
        _latencies(benchmark), _others(benchmark), _sizes(benchmark), _growth(benchmark),
        _walls(benchmark), _library(benchmark),
    ]  # fmt: skip
    return [table for table in made if table.rows]


def _walls(benchmark: Benchmark) -> Table:
    """Workloads on a wall clock."""
    rows = [
        [
            row.setup,
            row.subject,
            *verdict_cells(
                row.judgement,
                _with_unit(row.theirs.middle, row.unit),
                _with_unit(row.ours.middle, row.unit),
            ),
        ]
        for row in wall.rows(benchmark.walls)
    ]
    head = ["workload", "", *VERDICT_HEAD]
    return Table("workloads on a wall clock, beside EEVDF in the same turn", head, rows)


VERDICT_HEAD = (EEVDF.name, "this one", "ratio (interval)", "")


def verdict_cells(judgement: Judgement, theirs: str, ours: str) -> list[str]:
    """The cells below `VERDICT_HEAD`; a verdict without a number shows none."""
    if judgement.verdict in (Difference.NOISY, Difference.FEW):
        return [NONE, NONE, NONE, judgement.verdict]
    return [theirs, ours, _ratio(judgement.ratio), judgement.verdict]


def _library(benchmark: Benchmark) -> Table:
    """Each policy's claims, with the same figures under the other schedulers."""
    names = list(dict.fromkeys(name for found in benchmark.library for name in found.beside))
    rows: list[list[str]] = []
    for found in benchmark.library:
        for block in found.blocks:
            job = f"{Path(found.policy).stem}: {block.text.removeprefix('expect ')}"
            # Bounds of one figure have one row; the block is named in its first.
            for figure, claims in itertools.groupby(block.claims, lambda claim: claim.figure):
                claim, *more = claims
                bounds = [claim.text, *(each.text.removeprefix(figure).strip() for each in more)]
                spreads = (claim.measured, *(claim.beside.get(name) for name in names))
                shown = (verify_table.with_range(claim, spread) for spread in spreads)
                rows.append([job, ", ".join(bounds), *shown])
                job = ""
    return Table(
        "the shipped policies, each with its own claims",
        ["", "claim", "with it", *names],
        rows,
        words=2,
    )


def _with_unit(value: float, unit: str) -> str:
    return f"{value:,.{1 if value < 100 else 0}f}{'' if unit.startswith('/') else ' '}{unit}"


def _ratio(found: significance.Interval) -> str:
    return f"{found.middle:.2f} ({found.low:.2f} to {found.high:.2f})"


def _latencies(benchmark: Benchmark) -> Table:
    rows = []
    for name in benchmark.subjects:
        ping = benchmark.latency_us(name, "ping", 99)
        if ping is None:
            continue
        highest = benchmark.latency_us(name, "ping", 100)
        rows.append(
            [
                name,
                _number(benchmark.spread(name, one_cpu_ns)),
                _number(benchmark.spread(name, two_cpus_ns)),
                _number(benchmark.latency_us(name, "ping", 50)),
                _number(ping),
                f"{ping.low:,.0f} to {ping.high:,.0f}",
                number(benchmark.rare_us(name, "ping")),
                number(highest.high if highest else None),
            ]
        )
    head = ["", "1 CPU", "2 CPUs", "p50", "p99", "range", "p99.9", "max"]
    return Table("round trips in ns; wake-up of ping in µs", head, rows)


def _others(benchmark: Benchmark) -> Table:
    rows = []
    for name in benchmark.subjects:
        share = benchmark.hog_share(name)
        cells = [
            _number(benchmark.latency_us(name, "other", 50)),
            _number(benchmark.latency_us(name, "other", 99)),
            _number(benchmark.messages_ns(name)),
            NONE if share is None else f"{share.median - 1:+.1%}",
        ]
        if any(cell != NONE for cell in cells):
            rows.append([name, *cells])
    head = ["", "p50", "p99", "a message", "hogs"]
    title = "tasks that no rule names: another one's wake-up in µs, a message in ns"
    return Table(title, head, rows)


def _sizes(benchmark: Benchmark) -> Table:
    rows = []
    for name in benchmark.subjects:
        runs = [run for run in benchmark.of(name) if run.size]
        if not runs or runs[0].size is None:
            continue
        size = runs[0].size
        start = benchmark.spread(name, enable_s)
        rows.append(
            [
                name,
                f"{size.programs}",
                f"{size.translated_bytes:,}",
                f"{size.verified_instructions:,}",
                f"{size.maps}",
                f"{map_kb(runs[0]):,.0f} KB",
                f"{start.median:.2f} s" if start else NONE,
            ]
        )
    head = ["", "programs", "bytes", "verified", "maps", "memory", "exec to enabled"]
    return Table(
        "size in the kernel: BPF bytes after translation, instructions verified", head, rows
    )


def _growth(benchmark: Benchmark) -> Table:
    first, *more = benchmark.cpus
    rows = []
    for name in benchmark.subjects:
        cells = [name, _number(benchmark.spread(name, one_cpu_ns))]
        for cpus in more:
            spread, growth = benchmark.spread(name, one_cpu_ns, cpus), benchmark.growth(name, cpus)
            cells.append(f"{spread.median:,.0f} {growth - 1:+.1%}" if spread and growth else NONE)
        if any(cell != NONE for cell in cells[2:]):
            rows.append(cells)
    head = ["", *(f"{cpus} CPUs" for cpus in (first, *more))]
    return Table("a round trip on one CPU, in ns, by the number of CPUs", head, rows)


def conditions(benchmark: Benchmark) -> list[tuple[str, str]]:
    """The conditions of the measurement, and the subjects that are missing."""
    where = benchmark.runs[0].environment if benchmark.runs else None
    main = next((run.scenario for run in benchmark.runs if run.scenario.samples), None)
    seeds = ", ".join(str(seed) for seed in benchmark.seeds)
    if benchmark.walls:
        lines = _wall_conditions(benchmark)
        return lines + _not_there(benchmark)
    lines = [("clock", clock.describe(Clock.ICOUNT))]
    if where is not None:
        lines.append(("kernel", f"{where.kernel}, QEMU {where.qemu}, {where.memory_mib} MiB"))
    if main is not None:
        load = f"{main.cpus} CPUs, {main.hogs} busy loops"
        waits = f"{main.samples} wake-ups of each task, every {main.period_us} µs"
        lines.append(("latency", f"{load}, {waits}"))
    lines.append(("runs", f"seeds {seeds}: median of the runs, range; p99.9 of all together"))
    if len(benchmark.seeds) < stats.ENOUGH_RUNS:
        lines.append(("beware", f"latencies need {stats.ENOUGH_RUNS} runs"))
    return lines + _not_there(benchmark)


def _wall_conditions(benchmark: Benchmark) -> list[tuple[str, str]]:
    where = benchmark.walls[0].environment
    compared = len(wall.rows(benchmark.walls))
    turns = len({run.turn for run in benchmark.walls})
    guest = f"{where.kernel}, QEMU {where.qemu}, {where.cpus} CPUs, {where.memory_mib} MiB"
    figures = f"{compared} figure{'s' * (compared != 1)}"
    verdicts = (
        f"if schedulers are equal, {significance.ERROR:.0%} of such tables ({figures}) still find "
        f"a difference; less than {significance.MARGIN:.0%} does not count"
    )
    return [
        ("clock", clock.describe(where.clock, where.instruction_ns)),
        ("kernel", guest),
        ("runs", f"{turns} turns, each in random order; a fresh guest for each run"),
        ("verdicts", verdicts),
    ]


def _not_there(benchmark: Benchmark) -> list[tuple[str, str]]:
    lines = peers.absence(benchmark.absent)
    return lines + [("failed", str(failure)) for failure in benchmark.failures]


def show(benchmark: Benchmark, console: Console) -> None:
    """Print all of it; coloured on a terminal only."""
    for table in tables(benchmark):
        show_table(table, console)
    lines = conditions(benchmark)
    if benchmark.runs:
        judged = bars.judge(benchmark)
        rows: list[list[str | Text]] = [
            [bar.group, bar.bar, bar.value, Text(bar.verdict, _STYLES[bar.verdict])]
            for bar in judged
        ]
        show_table(Table("the project's bars", ["", "bar", "measured", ""], rows, 4), console)
        lines.append(("bars", summary(judged)))
    console.print()
    show_conditions(lines, console)


def show_changes(changes: Sequence[Change], missing: Sequence[str], console: Console) -> None:
    """Print what differs between two results, and how much does not."""
    moved = [each for each in changes if each.verdict is not regression.Trend.SAME]
    if moved:
        head = ["", "figure", "old", "new", "range", "", ""]
        show_table(Table("", head, [_change(each) for each in moved], len(head)), console)
        console.print()
    lost = len(regression.losses(changes))
    others = sum(each.verdict is regression.Trend.WORSE for each in changes) - lost
    text = f"{lost} worse"
    if others:
        text += f", and {others} of schedulers not compiled here"
    text += f"; {len(changes) - len(moved)} of {len(changes)} without a difference"
    show_conditions([*(("missing", line) for line in missing), ("figures", text)], console)


def _change(change: Change) -> list[str | Text]:
    name = [change.subject, f"{change.figure}, {change.unit}"]
    verdict = Text(change.verdict, _CHANGES.get(change.verdict, ""))
    if change.verdict is regression.Trend.NOISY:
        return [*name, NONE, NONE, NONE, "", verdict]
    digits = 2 if change.new.median < 10 else 0
    old, new, low, high = (
        f"{value:,.{digits}f}"
        for value in (change.old.median, change.new.median, change.new.low, change.new.high)
    )
    spread = f"{low} to {high}" if low != high else ""
    return [*name, old, new, spread, f"{change.ratio - 1:+.1%}", verdict]


def summary(judged: Sequence[Bar]) -> str:
    """How many bars are kept."""
    count = {verdict: sum(bar.verdict is verdict for bar in judged) for verdict in BarVerdict}
    text = f"{count[BarVerdict.OK]} ok, {count[BarVerdict.MISS]} missed"
    if count[BarVerdict.UNKNOWN]:
        text += f", {count[BarVerdict.UNKNOWN]} not measured"
    return text


def _number(spread: Spread | None) -> str:
    return number(spread.median if spread else None)
