# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of replays as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gthulhu_lab.plain_table import aligned
from gthulhu_lab.replay.report import PolicyReport, Report, RuleFigures, TaskReport, Verdict
from gthulhu_lab.verify.table import shown

_CAUTION = (
    "Predicted by a model: docs/replay.md says how far predictions were from guests, and what a "
    "replay cannot tell."
)
_WORDS = ("p50", "p90", "p99", "p999")


def render(report: Report) -> str:
    """Returns the whole text."""
    lines = [line for policy in report.policies for line in _policy(report, policy)]
    lines += ["", *_parts(report), "", *_conditions(report), ""]
    return "\n".join(lines)


def _policy(report: Report, policy: PolicyReport) -> Iterator[str]:
    yield ""
    yield f"{policy.policy}   (replayed)"
    head = (
        "rule", "", "tasks", "wake-ups", "wait p50", "p90", "p99", "p99.9", "CPU time",
        "switches", "migrations", "verdict",
    )  # fmt: skip
    rows: list[Sequence[str]] = [head]
    for rule in policy.rules:
        runs = (("recorded", rule.recorded), ("eevdf", rule.eevdf), ("policy", rule.policy))
        for name, figures in runs:
            is_first, is_last = name == "recorded", name == "policy"
            rows.append((
                rule.name if is_first else "",
                name,
                f"{rule.tasks:,}" if is_first else "",
                *_cells(figures),
                _verdict(report, rule.verdict, rule.unknown) if is_last else "",
            ))  # fmt: skip
    yield from aligned(rows, right=range(2, len(head) - 1))
    if policy.repeated >= 0.005:
        yield (
            f"  {100 * policy.repeated:.0f} % of the tasks' CPU time is more than the record has: "
            "tasks that get on faster repeat what they did."
        )
    yield from (f"  {note}" for note in policy.notes)
    if policy.diff:
        yield from _diff(policy.diff)


def _cells(figures: RuleFigures) -> Iterator[str]:
    yield f"{figures.wakeups:,}"
    for word in _WORDS:
        ns = figures.wakeup[word]
        yield "-" if ns is None else shown(ns, "wait")
    yield f"{100 * figures.share:.1f} %"
    yield f"{figures.switches:,}"
    yield f"{figures.migrations:,}"


def _verdict(report: Report, verdict: Verdict, unknown: float) -> str:
    if report.is_refused:
        return "refused"
    if verdict is Verdict.REFUSED:
        return f"refused: {100 * unknown:.0f} % unknown"
    return verdict.value


def _diff(found: Sequence[TaskReport]) -> Iterator[str]:
    yield ""
    yield "  tasks whose waiting changes most, in time for each second"
    rows: list[Sequence[str]] = [("", "task", "", "rule", "eevdf", "policy", "reason")]
    rows += [
        (
            "gains" if each.gain_ns > 0 else "loses",
            each.name,
            str(each.task),
            each.rule,
            shown(each.eevdf_ns, "wait"),
            shown(each.policy_ns, "wait"),
            each.reason,
        )
        for each in found
    ]
    yield from aligned(rows, right=(2, 4, 5))


def _parts(report: Report) -> Iterator[str]:
    parts = report.parts
    whole = sum(parts.wakeups.values())
    yield f"{whole:,} wake-ups of programs' tasks in the record"
    rows = [
        (f"{number:,}", f"{100 * number / max(1, whole):.1f} %", cause)
        for cause, number in parts.wakeups.items()
        if number
    ]
    yield from aligned(rows, right=(0, 1))
    if parts.skipped:
        yield f"  {parts.skipped:,} periods that sources skipped are replayed"
    if parts.merged:
        yield f"  {parts.merged:,} wake-ups of tasks that were awake left no trace and are inferred"
    if parts.lost:
        yield f"  {parts.lost:,} events are missing in the record"
    yield (
        f"{100 * parts.unknown:.1f} % of them cannot be predicted: they come from outside, whose "
        "senders may wait for answers,"
    )
    yield "  or end a wait by its time limit, or come from a task that is not replayed."
    yield "Spinning, user locks without the kernel, and retries leave no trace in a record."
    if report.is_refused:
        yield (
            f"No verdict: more than {100 * report.most_unknown:.0f} % cannot be predicted. If no "
            "sender outside waits for answers, say --open-loop; --most-unknown sets the part."
        )


def _conditions(report: Report) -> Iterator[str]:
    yield (
        f"record {report.record}: {report.seconds:.3g} s under {report.scheduler}, kernel "
        f"{report.kernel}"
    )
    if report.not_known:
        yield f"it is an import, and lacks {'; '.join(report.not_known)}"
    yield f"machine {report.machine}: {report.machine_summary} (profile {report.machine_digest})"
    if report.cost_scale is not None:
        yield (
            f"costs of the kernel's work: {report.cost_scale:.2g} x the usual ones, fitted to "
            "wake-ups of idle CPUs in the record"
        )
    yield _CAUTION
