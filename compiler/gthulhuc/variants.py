# SPDX-License-Identifier: Apache-2.0
"""The actions of a rule while the conditions of `when` blocks hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gthulhuc.actions import LEVELS
from gthulhuc.checked import Actions, Change, Policy, When


def changed(actions: Actions, changes: Iterable[Change]) -> Actions:
    """Returns the actions of a rule with changes, of which later ones win.

    Weight and `max-wait` follow the level, unless the rule or a change states them.
    """
    stated = {word for word, _ in actions.written}
    level, weight, wait = actions.priority, actions.weight, actions.max_wait_ns
    slice_ns = actions.slice_min_ns, actions.slice_max_ns
    preempt, numbers = actions.preempt, dict(actions.numbers)
    for change in changes:
        stated |= {word for word, _ in change.written}
        level = level if change.priority is None else change.priority
        weight = weight if change.weight is None else change.weight
        wait = wait if change.max_wait_ns is None else change.max_wait_ns
        slice_ns = change.slice_ns or slice_ns
        if change.preempt is not None:
            preempt = None if isinstance(change.preempt, bool) else change.preempt
        numbers.update(change.numbers)
    return replace(
        actions,
        priority=level,
        weight=weight if "weight" in stated else LEVELS[level].weight,
        max_wait_ns=wait if "max-wait" in stated else LEVELS[level].max_wait_ns,
        slice_min_ns=slice_ns[0],
        slice_max_ns=slice_ns[1],
        preempt=preempt,
        numbers=numbers,
    )


def of_rule(name: str, whens: Iterable[When]) -> Iterator[tuple[When, Change]]:
    """Yields the `when` blocks that change a rule, and how."""
    for when in whens:
        yield from ((when, change) for change in when.changes if change.rule == name)


def varied(policy: Policy, when: When) -> Policy:
    """Returns the policy as it is while one of its conditions holds."""
    changes = {change.rule: change for change in when.changes}
    rules = tuple(
        replace(rule, actions=changed(rule.actions, [changes[rule.name]]))
        if rule.name in changes
        else rule
        for rule in policy.rules
    )
    return replace(policy, rules=rules)
