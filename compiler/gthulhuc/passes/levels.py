# SPDX-License-Identifier: Apache-2.0
"""Checks that `preempt` can have an effect.

Afterwards every class that may preempt has a class of a lower level somewhere in the policy.
"""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast


def check(draft: Draft, report: Collector) -> Draft:
    """Checks `preempt` against the lowest level in use; returns the draft as it was."""
    classes = [(rule.block.name.text, rule.given, rule.actions) for rule in draft.rules]
    classes.append(("default", draft.default_given, draft.default))
    # A refused level is unknown, so any class might have a lower one.
    if any(actions is None for _, _, actions in classes) or _has_unknown_level(draft):
        return draft
    levels = {name: {actions.priority} for name, _, actions in classes if actions is not None}
    preempts = [(name, given.preempt) for name, given, _ in classes]
    for when in draft.whens:
        for change in when.changes:
            if change.priority is not None:
                levels[change.rule].add(change.priority)
            if isinstance(change.preempt, checked.Preempt):
                preempts.append((change.rule, change.preempt))
    lowest = max(level for found in levels.values() for level in found)
    for name, preempt in preempts:
        highest = min(levels[name])
        if preempt is None or highest < lowest:
            continue
        report.error(
            codes.MEANINGLESS,
            f"`preempt` has no effect at level {highest.name.lower()}: no class has a lower level",
            preempt.span,
            hint=f"raise the priority of `{name}`, or remove `preempt`",
            note="a task preempts only tasks of a lower level",
        )
    return draft


def _has_unknown_level(draft: Draft) -> bool:
    blocks = [(rule.block.statements, rule.given) for rule in draft.rules]
    if draft.default_block is not None:
        blocks.append((draft.default_block.statements, draft.default_given))
    damaged = not draft.file.is_whole
    return damaged or any(
        given.priority is None and any(isinstance(item, ast.Priority) for item in statements)
        for statements, given in blocks
    )
