# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of simulations as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gthulhu_lab.plain_table import aligned
from gthulhu_lab.simulation.report import (
    ClaimReport,
    OperationReport,
    Range,
    Report,
    SchedulerReport,
)
from gthulhu_lab.verify.table import shown

_CAUTION = (
    "Outside the validated range: these figures compare schedulers; a real machine has others."
)
_FREE = "The work of the kernel and of the scheduler took no time here (--no-costs)."
_FINE = "Events of different CPUs interleaved (--fine)."
_SHOWN = 5  # of lines, and of locks
_WORTH_SHOWING = 0.01  # of the time that the kernel and the scheduler take


def render(report: Report) -> str:
    """Returns the whole text."""
    lines = []
    for load in report.loads:
        place = f"{report.policy}:{load.line}: " if load.line else ""
        lines += ["", f"{place}{load.name}   (simulated)", *_claims(load.claims)]
        lines += _schedulers(load.schedulers)
        lines += _cost_table(load.schedulers)
        lines += _worst_table(load.schedulers)
    seeds = f"{len(report.seeds)} seed{'s' * (len(report.seeds) != 1)}"
    lines += [
        "",
        f"machine {report.machine}: {report.machine_summary} (profile {report.machine_digest})",
        f"{seeds} of {report.seconds:g} s (median, and the range in parentheses)",
        _CAUTION,
        *(() if report.costs else (_FREE,)),
        *((_FINE,) if report.fine else ()),
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
            (claim.why or _baseline(claim)) if claim.figure else "",
        )
        for claim in claims
    ]
    yield from aligned(rows, right=(2,))


def _baseline(claim: ClaimReport) -> str:
    """The bound that a baseline makes, and its own figure."""
    if claim.bound is None or claim.baseline_figure is None:
        return ""
    theirs = shown(claim.baseline_figure.median, claim.metric)
    spread = _spread(claim.baseline_figure, claim.metric)
    return f"bound {shown(claim.bound, claim.metric)}; {claim.baseline} {theirs}  {spread}".rstrip()


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
    yield from aligned(rows, right=range(2, len(head)))


def _cost_table(schedulers: Sequence[SchedulerReport]) -> Iterator[str]:
    head = ("", "kernel", "wake-up", "switch", "idle search",
            "a switch: path", "lines", "line waits", "lock waits")  # fmt: skip
    rows: list[Sequence[str]] = [head]
    for scheduler in schedulers:
        costs = scheduler.costs
        if not costs:
            return
        switch = costs.switch
        rows.append((
            scheduler.name,
            f"{100 * costs.kernel_share.median:.1f} %",
            *(_mean(each) for each in (costs.wakeup, switch, costs.search)),
            *(
                (_ns(switch.path_ns), _ns(switch.transfer_ns), _ns(switch.line_wait_ns),
                 _ns(switch.lock_wait_ns))
                if switch
                else ("-",) * 4
            ),
        ))  # fmt: skip
    yield ""
    yield from aligned(rows, right=range(1, len(head)))


def _worst_table(schedulers: Sequence[SchedulerReport]) -> Iterator[str]:
    """The worst lines, then the worst locks of each scheduler."""
    rows: list[Sequence[str]] = [
        ("", "", "", "of the kernel's time", "the worst", "number", "each", "after a wait of")
    ]
    for scheduler in schedulers:
        costs = scheduler.costs
        if not costs:
            return
        for name, uses in (("lines", costs.lines), ("locks", costs.locks)):
            rows += [
                (
                    "" if number or name == "locks" else scheduler.name,
                    "" if number else name,
                    use.name,
                    f"{100 * use.share:.1f} %",
                    f"{100 * use.worst:.1f} %",
                    f"{use.number:,}",
                    _ns(use.ns / use.number),
                    _ns(use.wait_ns / use.number),
                )
                for number, use in enumerate(uses[:_SHOWN])
                if use.share >= _WORTH_SHOWING
            ]
    yield ""
    yield from aligned(rows, right=range(3, 8))


def _mean(operation: OperationReport | None) -> str:
    return "-" if operation is None else _ns(operation.time.median)


def _ns(value: float) -> str:
    return f"{value:,.0f} ns"


def _time(figure: Range | None) -> str:
    return "-" if figure is None else shown(figure.median, "wait")


def _spread(figure: Range | None, metric: str | None) -> str:
    if figure is None:
        return ""
    return f"({shown(figure.low, metric)} .. {shown(figure.high, metric)})"
