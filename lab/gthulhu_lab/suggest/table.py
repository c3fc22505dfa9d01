# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A suggestion as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gthulhu_lab.plain_table import aligned
from gthulhu_lab.suggest.result import ChangeReport, GroupReport, Suggestion
from gthulhu_lab.suggest.words import per_cent, time

_MOST_GROUPS = 10
_LEAST_SHARE = 0.005
_MOST_BLAMED = 2
_CAUTION = (
    "Predicted by a model; no kernel has run it. docs/replay.md says how far predictions were from "
    "guests."
)


def render(found: Suggestion) -> str:
    """Returns the whole text, without the policy's own."""
    lines = ["", *_groups(found.groups), ""]
    if found.rules:
        lines += [*_rules(found), ""]
    if found.trials:
        lines += [*_trials(found), ""]
    if found.changes:
        lines += [*_changes(found.changes), ""]
    lines += [*found.notes, f"{found.outcome.value.capitalize()}: {found.why}"]
    lines += [_CAUTION] * bool(found.changes)
    return "\n".join([*lines, ""])


def _groups(groups: Sequence[GroupReport]) -> Iterator[str]:
    yield "tasks of the record"
    rows: list[Sequence[str]] = [
        (
            "name", "cgroup", "tasks", "CPU time", "burst", "wake-ups", "period", "wait p50", "p99",
            "it waits for",
        )
    ]  # fmt: skip
    shown = [each for each in groups if each.share >= _LEAST_SHARE or each.p99 is not None]
    rows += [_group(each) for each in shown[:_MOST_GROUPS]]
    yield from aligned(rows, right=range(2, 9))
    if left := len(groups) - min(len(shown), _MOST_GROUPS):
        yield f"  and {left:,} more with little CPU time or few wake-ups (--json has all)"


def _group(group: GroupReport) -> Sequence[str]:
    blamed = list(group.for_whom.items())[:_MOST_BLAMED]
    return (
        group.comm,
        group.cgroup,
        f"{group.tasks:,}",
        per_cent(group.share),
        time(group.burst),
        f"{group.wakeups:,}",
        time(group.period),
        time(group.p50),
        time(group.p99),
        ", ".join(f"{name} {per_cent(part)}" for name, part in blamed),
    )


def _rules(found: Suggestion) -> Iterator[str]:
    for each in found.rules:
        state = "" if each.is_kept else "   (left out)"
        yield f"rule {each.name}: {each.match}{state}"
        yield f"  {each.reason}"


def _trials(found: Suggestion) -> Iterator[str]:
    yield "replayed"
    for each in found.trials:
        gains = ", ".join(f"{rule} waits {_times(gain)}" for rule, gain in each.gains.items())
        losses = ", ".join(f"{name} by {per_cent(loss - 1)}" for name, loss in each.losses.items())
        slows = f"; slows {losses}" if losses else ""
        yield f"  {each.actions}: {gains or 'nobody gains'}{slows}"


def _times(gain: float) -> str:
    return f"{gain:.1f} x shorter" if gain >= 1 else f"{1 / gain:.1f} x longer"


def _changes(changes: Sequence[ChangeReport]) -> Iterator[str]:
    yield "prediction: EEVDF, then the policy"
    rows: list[Sequence[str]] = [
        ("rule", "tasks", "wake-ups", "wait p50", "", "p99", "", "CPU time", "", "")
    ]
    rows += [
        (
            each.rule or "-",
            each.group,
            f"{each.wakeups:,}",
            time(each.eevdf_p50),
            time(each.policy_p50),
            time(each.eevdf_p99),
            time(each.policy_p99),
            f"{100 * each.eevdf_share:.1f} %",
            f"{100 * each.policy_share:.1f} %",
            _effect(each),
        )
        for each in changes
    ]
    yield from aligned(rows, right=range(2, 9))


def _effect(change: ChangeReport) -> str:
    if change.gain >= 1.25:
        return f"{change.gain:.1f} x shorter"
    if change.loss > 1.005:
        return f"{per_cent(change.loss - 1)} slower"
    return "the same" if change.loss > 0.995 else "no slower"
