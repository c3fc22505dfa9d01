# SPDX-License-Identifier: Apache-2.0
"""Builds policies for tests, without the front end."""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc import checked
from gthulhuc.checked import Actions, Equals, Has, Level, Migrate, Predicate, Rule, Subject
from gthulhuc.claims import Expectation
from gthulhuc.fields import Field
from gthulhuc.source import Source, Span
from gthulhuc.tunables import Tunable

MS = 1_000_000
SOURCE = Source("test.gpl", "policy test {}\n" + "rule\n" * 20)

ACTIONS = Actions(
    priority=Level.NORMAL,
    weight=100,
    slice_min_ns=5 * MS,
    slice_max_ns=5 * MS,
    max_wait_ns=100 * MS,
    cpus=None,
    migrate=Migrate.BALANCED,
    migrate_return=False,
    preempt=None,
    inherit=False,
    monitor=False,
)


def span(line: int = 1) -> Span:
    """Returns a place on a line of SOURCE."""
    start = 0 if line == 1 else 15 + 5 * (line - 2) % 100
    return Span(SOURCE, start, start + 4)


def names(field: Field, *values: str | bytes) -> Equals:
    """`field in [values]`."""
    data = tuple(v.encode() if isinstance(v, str) else v for v in values)
    return Equals(Subject(field), data, span())


def rule(name: str, match: Predicate, actions: Actions = ACTIONS, *, line: int = 2) -> Rule:
    """Returns a rule; it may take kernel threads if it contains `kthread`."""
    return Rule(name, match, asks_for_kthread(match), actions, span(line))


def asks_for_kthread(match: Predicate) -> bool:
    """Whether a predicate contains `kthread`."""
    match match:
        case checked.Not(operand=operand):
            return asks_for_kthread(operand)
        case checked.And(operands=operands) | checked.Or(operands=operands):
            return any(asks_for_kthread(operand) for operand in operands)
        case Has(subject=subject):
            return subject.field is Field.KTHREAD
    return False


def policy(
    rules: Iterable[Rule],
    default: Actions = ACTIONS,
    *,
    name: str = "test",
    tunables: tuple[Tunable, ...] = (),
    expectations: tuple[Expectation, ...] = (),
) -> checked.Policy:
    """Returns a policy of these rules."""
    return checked.Policy(
        name=name,
        source=span(),
        sources=(span(),),
        kernel_min=None,
        watchdog_ns=None,
        tunables=tunables,
        rules=tuple(rules),
        default=default,
        default_span=None,
        expectations=expectations,
    )
