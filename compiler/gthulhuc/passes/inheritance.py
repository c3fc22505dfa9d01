# SPDX-License-Identifier: Apache-2.0
"""What a block leaves out.

A rule has it from `default`, `default` from the language. The weight follows the level of the
rule instead; `exclusive` and `preempt` are never taken over.
After it: every rule and `default` have complete actions.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc.checked import Actions, Cpus, Level, Migrate
from gthulhuc.diagnostics import Collector
from gthulhuc.passes.draft import Draft, Given
from gthulhuc.passes.values import UNITS_NS

WEIGHT_OF_LEVEL = {
    Level.URGENT: 400,
    Level.HIGH: 200,
    Level.NORMAL: 100,
    Level.LOW: 50,
    Level.IDLE: 5,
}

_LANGUAGE = Actions(
    priority=Level.NORMAL,
    weight=WEIGHT_OF_LEVEL[Level.NORMAL],
    slice_min_ns=1 * UNITS_NS["ms"],
    slice_max_ns=5 * UNITS_NS["ms"],
    cpus=None,
    migrate=Migrate.BALANCED,
    migrate_return=False,
    preempt=False,
)


def fill_in(draft: Draft, report: Collector) -> Draft:
    """Completes the actions of all blocks; finds no errors."""
    default = _complete(draft.default_given, _LANGUAGE)
    rules = tuple(replace(rule, actions=_complete(rule.given, default)) for rule in draft.rules)
    return replace(draft, default=default, rules=rules)


def _complete(given: Given, base: Actions) -> Actions:
    level = base.priority if given.priority is None else given.priority
    slice_ns = given.slice_ns or (base.slice_min_ns, base.slice_max_ns)
    cpus = base.cpus
    if given.cpus is not None:
        own = given.cpus
        cpus = None if own.cpus is None else Cpus(own.cpus, own.exclusive, own.span)
    how, comes_back = base.migrate, base.migrate_return
    if given.migrate is not None:
        how, comes_back = given.migrate.how, given.migrate.comes_back
    return Actions(
        priority=level,
        weight=WEIGHT_OF_LEVEL[level] if given.weight is None else given.weight,
        slice_min_ns=slice_ns[0],
        slice_max_ns=slice_ns[1],
        cpus=cpus,
        migrate=how,
        migrate_return=comes_back,
        preempt=given.preempt is not None,
    )
