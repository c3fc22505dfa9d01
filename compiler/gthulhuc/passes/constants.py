# SPDX-License-Identifier: Apache-2.0
"""Finds predicates that do not depend on the task.

Afterwards, as far as `logic` can tell, no rule takes all tasks or none, and every part of a
predicate has an effect.
"""

from __future__ import annotations

from functools import partial

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reasoning.logic import boxes, covers


def check(draft: Draft, report: Collector) -> Draft:
    """Reports the outermost constant parts of each predicate; returns the draft as it was."""
    for index, rule in enumerate(draft.rules):
        if rule.match is not None:
            check_rule = partial(_check_rule, draft, index, rule.match, report)
            draft.memo.of("not constant", rule.match, check_rule, report)
    return draft


def _check_rule(draft: Draft, index: int, match: checked.Predicate, report: Collector) -> None:
    name = draft.rules[index].block.name.text
    truth = _constant(match)
    if truth is True:
        later = len(draft.rules) - index - 1
        count = f"the {later} rules" if later > 1 else "the rule"
        report.error(
            codes.ALWAYS_TRUE,
            f"rule `{name}` matches every task",
            match.span,
            "always true",
            hint="move its actions to `default`",
            note=f"{count} after it can never take a task" if later else (),
        )
    elif truth is False:
        message = f"rule `{name}` can never match a task"
        report.error(codes.NEVER_TRUE, message, match.span, "never true")
    else:
        _check_parts(match, report)


def _constant(predicate: checked.Predicate) -> bool | None:
    """True or False when the predicate certainly has that value for every task, else None."""
    if _is_open(predicate):
        return None
    parts = boxes(predicate)
    if parts is None:
        return None
    if not parts:
        return False
    return True if covers(parts, {}) else None


def _is_open(predicate: checked.Predicate) -> bool:
    """Whether the predicate is plainly true for some task and false for another."""
    match predicate:
        case checked.Not(operand=operand):
            return _is_open(operand)
        case checked.Equals():
            return True
        case checked.Under(paths=paths):
            return b"/" not in paths
    return False


def _check_parts(predicate: checked.Predicate, report: Collector) -> None:
    match predicate:
        case checked.And() | checked.Or():
            for operand in predicate.operands:
                _check_part(operand, report)
        case checked.Not():
            _check_parts(predicate.operand, report)


def _check_part(predicate: checked.Predicate, report: Collector) -> None:
    hint = "remove it"
    truth = _constant(predicate)
    if truth is True:
        message = "this part of the predicate is always true"
        report.error(codes.ALWAYS_TRUE, message, predicate.span, hint=hint)
    elif truth is False:
        message = "this part of the predicate is never true"
        report.error(codes.NEVER_TRUE, message, predicate.span, hint=hint)
    else:
        _check_parts(predicate, report)
