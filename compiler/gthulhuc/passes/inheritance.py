# SPDX-License-Identifier: Apache-2.0
"""What a block leaves out.

A rule has it from `default`, `default` from the language. Weight and longest wait follow the
rule's own level instead; `exclusive`, `preempt`, `inherit` and `monitor` are never taken over.
After it: every rule and `default` have complete actions.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc.checked import Actions, Level, Migrate
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
"""What `default` leaves out, and what kernel threads have that no rule takes."""


def fill_in(draft: Draft, report: Collector) -> Draft:
    """Completes the actions of all blocks; finds no errors."""
    default = _complete(draft.default_given, LANGUAGE)
    rules = tuple(replace(rule, actions=_complete(rule.given, default)) for rule in draft.rules)
    return replace(draft, default=default, rules=rules)


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
