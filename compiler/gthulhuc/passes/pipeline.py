# SPDX-License-Identifier: Apache-2.0
"""Runs the passes in their order.

Each pass is a pure function from draft to draft that reports its findings and goes on. It removes
what it refuses from the draft, so that later passes do not report it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.diagnostics import Collector
from gthulhuc.passes import (
    actions,
    constants,
    expectations,
    fleeting,
    inheritance,
    levels,
    lints,
    names,
    overlaps,
    placement,
    predicates,
    promises,
    reachability,
    sets,
    settings,
    shares,
    structure,
    tests,
    tunables,
    unused,
    whens,
)
from gthulhuc.passes.draft import Draft, DraftRule
from gthulhuc.passes.memo import Memo
from gthulhuc.passes.reasoning.contents import asks_for_kthreads
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.target import Target

Pass: TypeAlias = Callable[[Draft, Collector], Draft]

PASSES: tuple[Pass, ...] = (
    structure.split_file,  # one policy block, at most one default, each statement once
    names.define,  # definitions by name
    tunables.read,  # values with their ranges
    settings.read,  # kernel, watchdog, cgroups
    sets.check,  # sets that use sets: no cycle, no explosion
    predicates.resolve,  # sets expanded, fields, operators and values checked
    actions.read,  # words and values of each action
    whens.read,  # conditions, and the actions that they replace
    inheritance.fill_in,  # actions that a rule leaves out
    placement.check,  # exclusive CPUs, pins and migration
    shares.check,  # the guaranteed shares have room
    levels.check,  # preemption has a lower level to preempt
    constants.check,  # no constant predicate
    reachability.check,  # every rule can take a task
    expectations.read,  # claims that can be measured
    promises.read,  # claims that a running scheduler can count
    overlaps.check,  # conditions that can hold, and do not contradict each other
    tests.read,  # tasks that the reference can decide about
    lints.check,  # correct but probably not meant
    fleeting.check,  # no session by its id
    unused.check,  # no unused set or tunable
)


def run(file: ast.File, report: Collector, target: Target | None = None) -> checked.Policy | None:
    """Returns the checked policy of a file; None when an error was reported."""
    *_, draft = stages(file, report, target)
    return None if report.has_errors else finished(draft)


def stages(
    file: ast.File, report: Collector, target: Target | None = None, memo: Memo | None = None
) -> Iterator[Draft]:
    """Yields the draft after each pass; `memo` has what was found about an earlier text."""
    memo = Memo() if memo is None else memo
    draft = Draft(file, target, lost_names=file.lost_names, memo=memo)
    for apply in PASSES:
        draft = apply(draft, report)
        yield draft
    memo.forget()


def finished(draft: Draft) -> checked.Policy:
    """Returns the policy of the last draft, if no error was reported."""
    assert draft.policy is not None
    assert draft.default is not None
    sources = draft.file.sources or (draft.file.source,)
    return checked.Policy(
        name=draft.policy.name.text,
        source=draft.policy.span,
        sources=tuple(Span(source, 0, len(source.text)) for source in sources),
        kernel_min=draft.kernel_min,
        watchdog_ns=draft.watchdog_ns,
        tunables=tuple(draft.tunables.values()),
        rules=tuple(_rule(rule) for rule in draft.rules),
        default=draft.default,
        default_span=draft.default_block.span if draft.default_block else None,
        expectations=draft.expectations,
        promises=draft.promises,
        tests=draft.tests,
        cgroups=draft.cgroups,
        whens=draft.whens,
    )


def _rule(rule: DraftRule) -> checked.Rule:
    assert rule.match is not None
    assert rule.actions is not None
    kthreads = asks_for_kthreads(rule.match)
    return checked.Rule(rule.block.name.text, rule.match, kthreads, rule.actions, rule.block.span)
