# SPDX-License-Identifier: Apache-2.0
"""Fills in what a block leaves out.

A rule inherits from `default`, `default` from the language. Weight and `max-wait` follow the
rule's own level instead; `exclusive`, `preempt`, `share`, `inherit` and `monitor` are never
inherited. Afterwards every rule and `default` have complete actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gthulhuc.actions import BY_NAME, LANGUAGE, LEVELS, name_of
from gthulhuc.checked import Actions
from gthulhuc.diagnostics import Collector
from gthulhuc.passes.draft import Draft, DraftRule, Given
from gthulhuc.source import Span
from gthulhuc.syntax import ast


def fill_in(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with complete actions in every block; reports nothing."""
    stated = draft.default_block.statements if draft.default_block else ()
    default = _complete(draft.default_given, LANGUAGE, written(stated))
    rules = tuple(
        DraftRule(rule.block, rule.match, rule.given, _actions(rule, default))
        for rule in draft.rules
    )
    return replace(draft, default=default, rules=rules)


def _actions(rule: DraftRule, default: Actions) -> Actions:
    """The complete actions of a rule, with those that it or `default` states in `written`."""
    own = written(rule.block.statements)
    named = {word for word, _ in own}
    left = tuple(
        item for item in default.written if item[0] not in named and BY_NAME[item[0]].is_taken_over
    )
    return _complete(rule.given, default, own + left)


def written(statements: Iterable[ast.Statement]) -> tuple[tuple[str, Span], ...]:
    """Returns the words of these actions, and their places."""
    found = []
    for item in statements:
        if (word := name_of(item)) != "match":
            start = item.span.start
            found.append((word, Span(item.span.source, start, start + len(word))))
    return tuple(found)


def _complete(given: Given, base: Actions, written: tuple[tuple[str, Span], ...]) -> Actions:
    level = base.priority if given.priority is None else given.priority
    slice_ns = given.slice_ns or (base.slice_min_ns, base.slice_max_ns)
    how, returns = base.migrate, base.migrate_return
    if given.migrate is not None:
        how, returns = given.migrate.how, given.migrate.returns
    wait_ns = given.max_wait_ns
    return Actions(
        priority=level,
        weight=LEVELS[level].weight if given.weight is None else given.weight,
        slice_min_ns=slice_ns[0],
        slice_max_ns=slice_ns[1],
        max_wait_ns=LEVELS[level].max_wait_ns if wait_ns is None else wait_ns,
        cpus=base.cpus if given.cpus is None else given.cpus.cpus,
        migrate=how,
        migrate_return=returns,
        preempt=given.preempt,
        inherit=given.inherit is not None,
        monitor=given.monitor is not None,
        share=given.share,
        numbers={**base.numbers, **given.numbers},
        written=written,
    )
