# SPDX-License-Identifier: Apache-2.0
"""Warnings about policies that are correct and most likely not what was meant.

After it: nothing new; warnings, each with a name of its own.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc import checked
from gthulhuc.checked import Actions, Calls, Field, Has
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.contents import contains
from gthulhuc.passes.draft import Draft, DraftRule, Given
from gthulhuc.passes.values import UNITS_NS, least, show_ns
from gthulhuc.source import Span
from gthulhuc.syntax import ast

SHORTEST_KEPT_NS = 100 * UNITS_NS["us"]
"""Below this a timer's own delay is a good part of the slice (invariant I8 ends here)."""


def check(draft: Draft, report: Collector) -> Draft:
    """Warns of each rule, and of `default`."""
    for index, rule in enumerate(draft.rules):
        _warn_of_pins(rule, report)
        _warn_of_slice(rule.block.name.text, rule.given, rule.block.statements, report)
        if index + 1 < len(draft.rules):
            _warn_of_no_difference(rule, draft.default, report)
    if draft.default_block is not None:
        statements = draft.default_block.statements
        _warn_of_slice("default", draft.default_given, statements, report)
    _warn_of_starvation(draft, report)
    return draft


def _warn_of_pins(rule: DraftRule, report: Collector) -> None:
    cpus = rule.given.cpus
    if cpus is None or cpus.cpus is None or cpus.cpus.prefer or rule.match is None:
        return
    if contains(rule.match, _comes_and_goes):
        report.warning(
            codes.COMES_AND_GOES,
            "tasks are pinned by a predicate that comes and goes",
            cpus.span,
            secondary=[Label(rule.match.span, "true and false again while the task runs")],
            hint="write `cpus .. prefer`, or match on something that stays",
        )


def _comes_and_goes(predicate: checked.Predicate) -> bool:
    is_flag = isinstance(predicate, Has) and predicate.subject.field is Field.INTERACTIVE
    return is_flag or isinstance(predicate, Calls)


def _warn_of_slice(
    name: str, given: Given, statements: tuple[ast.Statement, ...], report: Collector
) -> None:
    if given.slice_ns is None or least(given.slice_ns[0]) >= SHORTEST_KEPT_NS:
        return
    span = next(item.span for item in statements if isinstance(item, ast.Slice))
    shown = show_ns(least(given.slice_ns[0]))
    report.warning(
        codes.SHORT_SLICE,
        f"a slice of {shown} is shorter than a machine keeps",
        span,
        hint=f"slices from {show_ns(SHORTEST_KEPT_NS)} are kept to within 25us",
    )


def _warn_of_no_difference(rule: DraftRule, default: Actions | None, report: Collector) -> None:
    # A rule that states nothing is an exemption from the rules behind it, and says so.
    if rule.given == Given() or rule.actions is None or default is None:
        return
    plain = replace(default, preempt=None)
    if rule.actions == plain and default.preempt is None:
        name = rule.block.name
        report.warning(
            codes.SAME_AS_DEFAULT,
            f"the actions of rule `{name.text}` are those of `default`",
            name.span,
            hint="leave the actions out when it is to keep tasks from the rules behind it",
        )


def _warn_of_starvation(draft: Draft, report: Collector) -> None:
    classes: list[tuple[str, Span | None, Actions | None]] = [
        (f"rule `{rule.block.name.text}`", rule.block.name.span, rule.actions)
        for rule in draft.rules
    ]
    default_at = draft.default_block.span if draft.default_block else None
    classes.append(("`default`", default_at, draft.default))
    for name, _, actions in classes:
        if actions is None or actions.preempt is None or actions.preempt.budget_ns is not None:
            continue
        below = [
            (other, at)
            for other, at, its in classes
            if its is not None and its.priority > actions.priority and not its.monitor
        ]
        if not below or actions.monitor:
            continue
        heads = [(other, at) for other, at in below if at is not None][:3]
        labels = [Label(_first_line(at), f"{other} can be starved") for other, at in heads]
        report.warning(
            codes.STARVATION,
            f"{name} may interrupt {_these(below)} without a limit",
            actions.preempt.span,
            secondary=labels,
            hint="give it a budget, as in `preempt budget 10ms per 100ms`",
            note="between two interruptions of a CPU the task there runs for 100us at least, "
            "and `max-wait` still gets a task its turn",
        )


def _these(below: list[tuple[str, Span | None]]) -> str:
    if len(below) == 1:
        return below[0][0]
    return f"{len(below)} classes of a lower level"


def _first_line(span: Span) -> Span:
    return Span(span.source, span.start, min(span.end, span.start + len("default")))
