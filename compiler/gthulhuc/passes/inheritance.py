# SPDX-License-Identifier: Apache-2.0
"""Fills in what a block leaves out.

A rule inherits from `default`, `default` from the language. Weight and `max-wait` follow the
rule's own level instead; `exclusive`, `preempt`, `inherit` and `monitor` are never inherited.
Afterwards every rule and `default` have complete actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gthulhuc.checked import Actions, Level, Migrate
from gthulhuc.diagnostics import Collector
from gthulhuc.passes.draft import Draft, DraftRule, Given
from gthulhuc.passes.values import UNITS_NS
from gthulhuc.source import Span
from gthulhuc.syntax import ast

WEIGHT_OF_LEVEL = {
    Level.URGENT: 400,
    Level.HIGH: 200,
    Level.NORMAL: 100,
    Level.LOW: 50,
    Level.IDLE: 5,
}
MAX_WAIT_OF_LEVEL = {
    Level.URGENT: 5 * UNITS_NS["ms"],
    Level.HIGH: 20 * UNITS_NS["ms"],
    Level.NORMAL: 100 * UNITS_NS["ms"],
    Level.LOW: 500 * UNITS_NS["ms"],
    Level.IDLE: 2 * UNITS_NS["s"],
}

LANGUAGE = Actions(
    priority=Level.NORMAL,
    weight=WEIGHT_OF_LEVEL[Level.NORMAL],
    slice_min_ns=1 * UNITS_NS["ms"],
    slice_max_ns=5 * UNITS_NS["ms"],
    max_wait_ns=MAX_WAIT_OF_LEVEL[Level.NORMAL],
    cpus=None,
    migrate=Migrate.BALANCED,
    migrate_return=False,
    preempt=None,
    inherit=False,
    monitor=False,
)
"""The defaults of `default`, and the actions of kernel threads that no rule takes."""

_WORDS: dict[type, str] = {
    ast.Priority: "priority",
    ast.Weight: "weight",
    ast.Slice: "slice",
    ast.Cpus: "cpus",
    ast.Migrate: "migrate",
    ast.Preempt: "preempt",
    ast.MaxWait: "max-wait",
    ast.Inherit: "inherit",
    ast.Monitor: "monitor",
}
_NEVER_TAKEN_OVER = {"weight", "max-wait", "preempt", "inherit", "monitor"}


def fill_in(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with complete actions in every block; reports nothing."""
    stated = draft.default_block.statements if draft.default_block else ()
    default = replace(_complete(draft.default_given, LANGUAGE), written=_written(stated))
    rules = tuple(replace(rule, actions=_actions(rule, default)) for rule in draft.rules)
    return replace(draft, default=default, rules=rules)


def _actions(rule: DraftRule, default: Actions) -> Actions:
    """The complete actions of a rule, with those that it or `default` states in `written`."""
    own = _written(rule.block.statements)
    taken = {word for word, _ in own} | _NEVER_TAKEN_OVER
    left = tuple(item for item in default.written if item[0] not in taken)
    return replace(_complete(rule.given, default), written=own + left)


def _written(statements: Iterable[ast.Statement]) -> tuple[tuple[str, Span], ...]:
    """The words of these actions, and their places."""
    found = []
    for item in statements:
        if (word := _WORDS.get(type(item))) is not None:
            start = item.span.start
            found.append((word, Span(item.span.source, start, start + len(word))))
    return tuple(found)


def _complete(given: Given, base: Actions) -> Actions:
    level = base.priority if given.priority is None else given.priority
    slice_ns = given.slice_ns or (base.slice_min_ns, base.slice_max_ns)
    how, comes_back = base.migrate, base.migrate_return
    if given.migrate is not None:
        how, comes_back = given.migrate.how, given.migrate.comes_back
    wait_ns = given.max_wait_ns
    return Actions(
        priority=level,
        weight=WEIGHT_OF_LEVEL[level] if given.weight is None else given.weight,
        slice_min_ns=slice_ns[0],
        slice_max_ns=slice_ns[1],
        max_wait_ns=MAX_WAIT_OF_LEVEL[level] if wait_ns is None else wait_ns,
        cpus=base.cpus if given.cpus is None else given.cpus.cpus,
        migrate=how,
        migrate_return=comes_back,
        preempt=given.preempt,
        inherit=given.inherit is not None,
        monitor=given.monitor is not None,
    )
