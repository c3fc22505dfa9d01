# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of simulations, over all seeds: as data (JSON), and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.play import Figures, GroupFigures
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.claims import NEEDED, Claim
from gthulhu_lab.verify.table import shown

_CAUTION = (
    "Outside the validated range: these figures compare schedulers; a real machine has others.",
    "The scheduler's own work, cache misses and locks cost nothing in this model yet.",
)
_PARTS = {"p50": 500, "p90": 900, "p99": 990, "p999": 999, "max": 1000}


@dataclass(frozen=True, slots=True)
class Range:
    """A figure: the median of the seeds, the lowest and the highest. Times are in ns."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GroupReport:
    """A group's figures; None where a run had too few samples. `share`: of all CPU time."""

    name: str
    class_name: str
    tasks: int
    share: Range
    wakeup: dict[str, Range | None]
    wait: dict[str, Range | None]


@dataclass(frozen=True, slots=True)
class SchedulerReport:
    """A load under one scheduler."""

    name: str
    switches_per_s: Range
    wakeups_per_s: Range
    groups: list[GroupReport]


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim, the policy's figure, and whether it is on the right side of the bound.

    `why`: without a figure, the reason.
    """

    text: str
    line: int
    figure: Range | None
    is_within: bool | None
    metric: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """A load: its claims, and the schedulers' figures, the policy's first."""

    name: str
    line: int
    claims: list[ClaimReport]
    schedulers: list[SchedulerReport]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole simulation. `schema` changes when a member's meaning does."""

    schema: int
    policy: str
    sha256: str
    machine: str
    machine_digest: str
    machine_summary: str
    seconds: float
    seeds: list[int]
    costs: None
    validated: bool
    loads: list[LoadReport]

    def as_json(self) -> dict[str, object]:
        """Returns the report as JSON's types."""
        return asdict(self)


def of_load(load: Load, machine: Machine, runs: Mapping[str, Sequence[Figures]]) -> LoadReport:
    """Returns the report of a load from each scheduler's runs, the policy's first."""
    cpus = machine.cpus - len(machine.offline)
    schedulers = [
        SchedulerReport(
            name,
            _range([1e9 * run.switches / run.window_ns for run in figures]),
            _range([1e9 * run.wakeups / run.window_ns for run in figures]),
            [
                GroupReport(
                    group.name,
                    group.class_name,
                    figures[0].groups[number].tasks,
                    _range([_share([run.groups[number]], run, cpus) for run in figures]),
                    *(
                        {
                            word: _quantile_range(
                                [[run.groups[number]] for run in figures], word, is_woken=is_woken
                            )
                            for word in _PARTS
                        }
                        for is_woken in (True, False)
                    ),
                )
                for number, group in enumerate(load.groups)
            ],
        )
        for name, figures in runs.items()
    ]
    first = next(iter(runs.values()))
    claims = [_claim(claim, load, first, cpus) for claim in load.claims]
    return LoadReport(load.name, load.line, claims, schedulers)


def _claim(claim: Claim, load: Load, runs: Sequence[Figures], cpus: int) -> ClaimReport:
    line = claim.span.source.position(claim.span.start)[0]
    if claim.report is not None:
        return ClaimReport(claim.text, line, None, None, claim.metric, "workloads do not report")
    mine = [number for number, each in enumerate(load.groups) if each.class_name == claim.target]
    groups = [[run.groups[number] for number in mine] for run in runs]
    if claim.metric is None:
        pairs = zip(groups, runs, strict=True)
        figure: Range | None = _range([1000 * _share(each, run, cpus) for each, run in pairs])
    else:
        is_woken = claim.metric == "wakeup"
        figure = _quantile_range(groups, claim.statistic, is_woken=is_woken)
    if figure is None:
        return ClaimReport(claim.text, line, None, None, claim.metric, "too few samples")
    if claim.baseline is not None:
        why = f"{claim.baseline} is not simulated"
        return ClaimReport(claim.text, line, figure, None, claim.metric, why)
    within = claim.holds(figure.median, claim.bound)
    return ClaimReport(claim.text, line, figure, within, claim.metric)


def _share(groups: Sequence[GroupFigures], run: Figures, cpus: int) -> float:
    return sum(group.ran_ns for group in groups) / (run.window_ns * cpus)


def _quantile_range(
    runs: Sequence[Sequence[GroupFigures]], word: str, *, is_woken: bool
) -> Range | None:
    found = [_statistic(groups, word, is_woken=is_woken) for groups in runs]
    values = [value for value in found if value is not None]
    return _range(values) if len(values) == len(runs) else None


def _statistic(groups: Sequence[GroupFigures], word: str, *, is_woken: bool) -> float | None:
    """A statistic of the waits in ns; None if there are too few of them."""
    counts = sorted(pair for group in groups for pair in (group.woken if is_woken else group.all))
    whole = sum(count for _, count in counts)
    if whole < NEEDED.get(word, 1):
        return None
    if word == "mean":
        return sum(ns * count for ns, count in counts) / whole
    rank = -(-whole * _PARTS[word] // 1000)
    for ns, count in counts:
        rank -= count
        if rank <= 0:
            return ns
    return None


def _range(values: Sequence[float]) -> Range:
    spread = Spread(runs=tuple(values))
    return Range(spread.median, spread.low, spread.high)


# ---- Tables ----


def render(report: Report) -> str:
    """Returns the whole text."""
    lines = []
    for load in report.loads:
        place = f"{report.policy}:{load.line}: " if load.line else ""
        lines += ["", f"{place}{load.name}   (simulated)", *_claims(load.claims)]
        lines += _schedulers(load.schedulers)
    seeds = f"{len(report.seeds)} seed{'s' * (len(report.seeds) != 1)}"
    lines += [
        "",
        f"machine {report.machine}: {report.machine_summary} (profile {report.machine_digest})",
        f"{seeds} of {report.seconds:g} s (median, and the range in parentheses)",
        *_CAUTION,
        "",
    ]
    return "\n".join(lines)


def _claims(claims: Sequence[ClaimReport]) -> Iterator[str]:
    rows = [
        (
            {True: "within", False: "beyond", None: "open"}[claim.is_within],
            claim.text,
            "-" if claim.figure is None else shown(claim.figure.median, claim.metric),
            _spread(claim.figure, claim.metric) or claim.why,
            claim.why if claim.figure else "",
        )
        for claim in claims
    ]
    yield from _table(rows, right=(2,))


def _schedulers(schedulers: Sequence[SchedulerReport]) -> Iterator[str]:
    head = ("", "tasks", "number", "wakeup p50", "p99", "wait p99", "max", "CPU time", "switches")
    rows: list[Sequence[str]] = [head]
    for scheduler in schedulers:
        rows += [
            (
                scheduler.name if not number else "",
                group.name,
                f"{group.tasks:,}",
                *(_time(group.wakeup[word]) for word in ("p50", "p99")),
                *(_time(group.wait[word]) for word in ("p99", "max")),
                f"{100 * group.share.median:.1f} %",
                f"{scheduler.switches_per_s.median:,.0f}/s" if not number else "",
            )
            for number, group in enumerate(scheduler.groups)
        ]
    yield from _table(rows, right=range(2, len(head)))


def _table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> Iterator[str]:
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (
            f"{cell:>{width}}" if column in right else f"{cell:<{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {'  '.join(cells)}".rstrip()


def _time(figure: Range | None) -> str:
    return "-" if figure is None else shown(figure.median, "wait")


def _spread(figure: Range | None, metric: str | None) -> str:
    if figure is None:
        return ""
    return f"({shown(figure.low, metric)} .. {shown(figure.high, metric)})"
