# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of `gthulhu lab user-plane`."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from gthulhu_lab import clock, peers, stats, tables
from gthulhu_lab.tables import NONE, Table, number
from gthulhu_lab.user_plane import FUNCTIONS, UserPlaneComparison, UserPlaneRun

_PERCENTILES = (50, 99, 99.9)
_HEAD = (
    "", "hogs", "pings", "lost", "min", "avg", *(f"p{each:g}" for each in _PERCENTILES), "max",
    "requests p50", "unanswered", "bulk/s",
)  # fmt: skip


def show(comparison: UserPlaneComparison, console: Console, *, hops: bool) -> None:
    """The round trips of each scheduler with each load; `hops`: and where they waited."""
    tables.show(Table("ping's round trips in µs", _HEAD, _rows(comparison)), console)
    if hops:
        for load in comparison.loads:
            tables.show(_hops(comparison, load), console)
    console.print()
    tables.show_conditions(_conditions(comparison), console, width=10)


def _rows(comparison: UserPlaneComparison) -> list[list[str]]:
    return [
        [subject, f"{load}x", *cells(runs)]
        for load in comparison.loads
        for subject in comparison.subjects
        if (runs := comparison.of(subject, load))
    ]


def cells(runs: Sequence[UserPlaneRun]) -> list[str]:
    """A row's figures: of all pings of all runs, and of the bulk flow the median of the runs."""
    pings = [us for run in runs for us in run.pings_us]
    requests = [us for run in runs for us in run.requests_us]
    figures = [
        number(min(pings, default=None)),
        number(statistics.fmean(pings) if pings else None),
        *(number(stats.percentile_if_enough(pings, each)) for each in _PERCENTILES),
        number(max(pings, default=None)),
    ]
    return [
        f"{sum(run.sent for run in runs):,}",
        f"{sum(run.lost for run in runs):,}",
        *figures,
        number(stats.percentile_if_enough(requests, 50)),
        f"{sum(run.unanswered for run in runs):,}",
        f"{statistics.median(run.bulk_rate for run in runs):.1f}",
    ]


def _hops(comparison: UserPlaneComparison, load: int) -> Table:
    """Each thread's mean and longest wait after a wake-up."""
    subjects = [subject for subject in comparison.subjects if comparison.of(subject, load)]
    waits: dict[tuple[str, str], dict[str, list[int]]] = {}
    for subject in subjects:
        for run in comparison.of(subject, load):
            for hop in run.hops:
                found = waits.setdefault((hop.process, hop.role), {})
                found.setdefault(subject, []).extend(hop.waits_us)
    rows = []
    for (process, role), found in sorted(waits.items()):
        cells = [
            f"{statistics.fmean(found[subject]):,.0f} {max(found[subject]):,}"
            if found.get(subject)
            else NONE
            for subject in subjects
        ]
        rows.append([f"{process} {role}".strip(), *cells])
    for function in FUNCTIONS:
        cells = [_who(comparison.of(subject, load), function) for subject in subjects]
        rows.append([f"{function} on others", *cells])
    title = f"how long each thread waited when it was woken, hogs {load}x: mean and longest, in µs"
    return Table(title, ("", *subjects), rows)


def _who(runs: Sequence[UserPlaneRun], function: str) -> str:
    """How often a function of the UPF interrupted a task unrelated to its packet."""
    found = Counter[str]()
    for run in runs:
        found.update(run.current[function])
    others = sum(count for name, count in found.items() if is_other(name))
    return f"{others:,} of {found.total():,}" if found else NONE


def is_other(name: str) -> bool:
    """Whether a task is a bystander: not a sender, a kernel thread or the idle task."""
    senders = name in ("nr-gnb", "server")
    return not senders and name != "<idle>" and not name.startswith(("ksoftirqd/", "kworker/"))


def _conditions(comparison: UserPlaneComparison) -> list[tuple[str, str]]:
    lines = []
    if comparison.runs:
        where = comparison.runs[0].environment
        lines.append(("clock", clock.describe(where.clock, where.instruction_ns)))
        lines.append(("guest", f"{where.kernel}, {where.cpus} CPUs, QEMU {where.qemu}"))
    seeds = ", ".join(str(seed) for seed in comparison.seeds)
    lines.append(("runs", f"{comparison.seconds} s each, seeds {seeds}"))
    if comparison.stress_ng:
        lines.append(("hogs", "stress-ng's CPU workers"))
    lines += peers.absence(comparison.absent)
    lines += [
        ("failed", f"{failure.subject}, seed {failure.seed}: {failure.first_line}")
        for failure in comparison.failures
    ]
    return lines
