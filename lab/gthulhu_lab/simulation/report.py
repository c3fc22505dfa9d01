# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of simulations, over all seeds, as data (JSON)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.play import Figures, GroupFigures, Operation, Use
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.claims import NEEDED, Claim

FEW = "too few samples"
"""Why a claim has no figure, if more time would give it one."""
_WORST = 10
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
class OperationReport:
    """A wake-up, a switch or the like: how often, and the mean time in ns of one.

    The last four are parts of the time, in the mean of all seeds: along its path, to fetch lines of
    memory, for lines that are on their way to others, and for locks.
    """

    per_s: Range
    time: Range
    path_ns: float
    transfer_ns: float
    line_wait_ns: float
    lock_wait_ns: float


@dataclass(frozen=True, slots=True)
class UseReport:
    """The lines of a variable, or a lock, over all seeds.

    `number`: transfers between CPUs, or how often the lock was taken. `ns`: the time that they
    took, or the lock was held, `wait_ns`: that others waited for it. `share`: both, of the time
    that the kernel and the scheduler took; `worst`: that of one line alone.
    """

    kind: str
    name: str
    number: int
    ns: int
    wait_ns: int
    share: float
    worst: float


@dataclass(frozen=True, slots=True)
class CostReport:
    """The costs of the kernel and the scheduler. `kernel_share`: of all CPU time.

    `search`: for an idle CPU. `lines`, `locks`: those that cost most, the worst first.
    """

    kernel_share: Range
    wakeup: OperationReport | None
    switch: OperationReport | None
    search: OperationReport | None
    lines: list[UseReport]
    locks: list[UseReport]


@dataclass(frozen=True, slots=True)
class SchedulerReport:
    """A load under one scheduler. `costs`: None if they were left out."""

    name: str
    switches_per_s: Range
    wakeups_per_s: Range
    groups: list[GroupReport]
    costs: CostReport | None


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim, the policy's figure, and whether it is on the right side of the bound.

    `why`: without a figure, or without one of the baseline, the reason. `bound`: of a claim that is
    judged, in ns, or for a share in thousandths; a baseline's median makes it.
    """

    text: str
    line: int
    figure: Range | None
    is_within: bool | None
    metric: str | None
    why: str = ""
    bound: float | None = None
    baseline: str | None = None
    baseline_figure: Range | None = None


@dataclass(frozen=True, slots=True)
class LoadReport:
    """A load: its claims, and the schedulers' figures, the policy's first."""

    name: str
    line: int
    claims: list[ClaimReport]
    schedulers: list[SchedulerReport]


@dataclass(frozen=True, slots=True)
class SizeReport:
    """A machine, and all loads on it."""

    cpus: int
    machine: str
    digest: str
    loads: list[LoadReport]


@dataclass(frozen=True, slots=True)
class ScaleReport:
    """The figures of `bench --scale`. `schema` changes when a member's meaning does."""

    schema: int
    policy: str
    seeds: list[int]
    costs: dict[str, int]
    sizes: list[SizeReport]


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
    costs: dict[str, int] | None
    fine: bool
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
            _costs(figures, cpus),
        )
        for name, figures in runs.items()
    ]
    claims = [_claim(claim, load, runs, cpus) for claim in load.claims]
    return LoadReport(load.name, load.line, claims, schedulers)


def _costs(runs: Sequence[Figures], cpus: int) -> CostReport | None:
    spent = [run.spent for run in runs if run.spent]
    if not spent:
        return None
    windows = [run.window_ns for run in runs]
    kernel_ns = sum(each.kernel_ns for each in spent)

    def operation(name: str) -> OperationReport | None:
        return _operation([each.operations[name] for each in spent], windows)

    return CostReport(
        kernel_share=_range(
            [each.kernel_ns / (ns * cpus) for each, ns in zip(spent, windows, strict=True)]
        ),
        wakeup=operation("wakeup"),
        switch=operation("switch"),
        search=operation("search"),
        lines=_worst("line", [each.lines for each in spent], kernel_ns),
        locks=_worst("lock", [each.locks for each in spent], kernel_ns),
    )


def _operation(runs: Sequence[Operation], windows: Sequence[int]) -> OperationReport | None:
    """None if a run had no such operation."""
    if not all(run.number for run in runs):
        return None
    whole = sum(run.number for run in runs)
    return OperationReport(
        _range([1e9 * run.number / ns for run, ns in zip(runs, windows, strict=True)]),
        _range([_time_of(run) / run.number for run in runs]),
        sum(run.path_ns for run in runs) / whole,
        sum(run.transfer_ns for run in runs) / whole,
        sum(run.line_wait_ns for run in runs) / whole,
        sum(run.lock_wait_ns for run in runs) / whole,
    )


def _time_of(run: Operation) -> int:
    return run.path_ns + run.transfer_ns + run.line_wait_ns + run.lock_wait_ns


def _worst(kind: str, runs: Sequence[Mapping[str, Use]], kernel_ns: int) -> list[UseReport]:
    found = []
    for name in {name for run in runs for name in run}:
        uses = [run[name] for run in runs if name in run]
        ns, wait_ns = sum(use.ns for use in uses), sum(use.wait_ns for use in uses)
        number = sum(use.number for use in uses)
        shares = (
            each / (kernel_ns or 1) for each in (ns + wait_ns, sum(use.worst_ns for use in uses))
        )
        found.append(UseReport(kind, name, number, ns, wait_ns, *shares))
    return sorted(found, key=_badness)[:_WORST]


def _badness(use: UseReport) -> tuple[float, str]:
    return -use.worst, use.name


def _claim(
    claim: Claim, load: Load, runs: Mapping[str, Sequence[Figures]], cpus: int
) -> ClaimReport:
    """The report of a claim; the first of the schedulers is the policy's."""
    line = claim.span.source.position(claim.span.start)[0]
    if claim.report is not None:
        return ClaimReport(claim.text, line, None, None, claim.metric, "workloads do not report")
    figure = _figure(claim, load, next(iter(runs.values())), cpus)
    if figure is None:
        return ClaimReport(claim.text, line, None, None, claim.metric, FEW)
    bound: float | None = claim.bound
    theirs, why = None, ""
    if claim.baseline is not None:
        if claim.baseline in runs:
            theirs = _figure(claim, load, runs[claim.baseline], cpus)
            why = "" if theirs else f"{claim.baseline}: {FEW}"
        else:
            why = f"a bound by {claim.baseline} needs guests"
        bound = theirs.median * claim.bound / 1000 if theirs else None
    within = None if bound is None else claim.holds(figure.median, bound)
    return ClaimReport(
        claim.text, line, figure, within, claim.metric, why, bound, claim.baseline, theirs
    )


def _figure(claim: Claim, load: Load, runs: Sequence[Figures], cpus: int) -> Range | None:
    """A scheduler's figure; None if a run had too few samples."""
    mine = [number for number, each in enumerate(load.groups) if each.class_name == claim.target]
    groups = [[run.groups[number] for number in mine] for run in runs]
    if claim.metric is None:
        pairs = zip(groups, runs, strict=True)
        return _range([1000 * _share(each, run, cpus) for each, run in pairs])
    return _quantile_range(groups, claim.statistic, is_woken=claim.metric == "wakeup")


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
