# SPDX-License-Identifier: Apache-2.0
"""The passes in their order.

Each is a pure function from draft to draft that reports what it finds and goes on: a thing that
it refuses is left out of the draft, and the passes behind it say nothing about that thing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.diagnostics import Collector
from gthulhuc.passes import (
    actions,
    constants,
    inheritance,
    levels,
    names,
    placement,
    predicates,
    reachability,
    sets,
    settings,
    structure,
    unsupported,
    unused,
)
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast

Pass: TypeAlias = Callable[[Draft, Collector], Draft]

PASSES: tuple[Pass, ...] = (
    structure.split_file,  # one policy block, at most one default, each statement once
    unsupported.refuse,  # what the language has and this compiler does not: by name
    names.define,  # every definition under its own name
    settings.read,  # kernel, watchdog
    sets.check,  # sets that use sets: no cycle, no explosion
    predicates.resolve,  # sets put in, fields, operators and values checked
    actions.read,  # words and values of each action, in base units
    inheritance.fill_in,  # what a rule leaves out
    placement.check,  # exclusive CPUs, pins and migration
    levels.check,  # preemption has somebody to preempt
    constants.check,  # no predicate always or never true
    reachability.check,  # every rule can take a task
    unused.check,  # no set without a use
)


def run(file: ast.File, report: Collector) -> checked.Policy | None:
    """The checked policy of a file, or None when an error was reported."""
    draft = Draft(file, lost_names=file.lost_names)
    for apply in PASSES:
        draft = apply(draft, report)
    if report.has_errors:
        return None
    return _finished(draft)


def _finished(draft: Draft) -> checked.Policy:
    """The draft of which no pass found anything wrong as a policy."""
    assert draft.policy is not None
    assert draft.default is not None
    rules = []
    for rule in draft.rules:
        assert rule.match is not None
        assert rule.actions is not None
        name = rule.block.name.text
        rules.append(checked.Rule(name, rule.match, rule.actions, rule.block.span))
    return checked.Policy(
        name=draft.policy.name.text,
        source=draft.policy.span,
        kernel_min=draft.kernel_min,
        watchdog_ns=draft.watchdog_ns,
        rules=tuple(rules),
        default=draft.default,
        default_span=draft.default_block.span if draft.default_block else None,
    )
