# SPDX-License-Identifier: Apache-2.0
"""The draft that the passes hand on: the AST and what they have concluded from it so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.claims import Expectation, Promise
from gthulhuc.passes.memo import Memo
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.target import Target
from gthulhuc.tunables import Tunable, Value

Definition: TypeAlias = ast.SetItem | ast.Tunable | ast.RuleBlock


@dataclass(frozen=True, slots=True)
class GivenCpus:
    """`cpus` as written; its `cpus` is None for `all`."""

    cpus: checked.Cpus | None
    span: Span


@dataclass(frozen=True, slots=True)
class GivenMigrate:
    how: checked.Migrate
    returns: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Given:
    """The actions that a rule or `default` itself states; None for the others."""

    priority: checked.Level | None = None
    weight: Value | None = None
    slice_ns: tuple[Value, Value] | None = None
    cpus: GivenCpus | None = None
    migrate: GivenMigrate | None = None
    preempt: checked.Preempt | None = None
    max_wait_ns: Value | None = None
    inherit: Span | None = None
    monitor: Span | None = None
    stops_preempt: bool = False
    """`preempt off`, which only a `when` block may say."""
    share: checked.Share | None = None
    numbers: Mapping[str, Value] = field(default_factory=dict)


NOTHING_GIVEN = Given()


@dataclass(frozen=True, slots=True)
class DraftRule:
    """A rule on its way through the passes; `match` is None if its predicate had an error."""

    block: ast.RuleBlock
    match: checked.Predicate | None = None
    given: Given = NOTHING_GIVEN
    actions: checked.Actions | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A policy on its way through the passes.

    `names` maps names to their definitions. `lost_names` are those whose definition the parser or a
    pass dropped after an error; uses of them are not reported again. `used` are the names that
    something refers to. `target` is the machine to check against; None accepts any. `memo` has what
    was found about an earlier text.
    """

    file: ast.File
    target: Target | None = None
    names: Mapping[str, Definition] = field(default_factory=dict)
    lost_names: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    tunables: Mapping[str, Tunable] = field(default_factory=dict)
    policy: ast.PolicyBlock | None = None
    kernel_min: tuple[int, int] | None = None
    watchdog_ns: int | None = None
    cgroups: checked.Cgroups = checked.Cgroups.AUTO
    rules: tuple[DraftRule, ...] = ()
    default_block: ast.DefaultBlock | None = None
    default_given: Given = NOTHING_GIVEN
    default: checked.Actions | None = None
    expectations: tuple[Expectation, ...] = ()
    promises: tuple[Promise, ...] = ()
    tests: tuple[checked.Test, ...] = ()
    whens: tuple[checked.When, ...] = ()
    memo: Memo = field(default_factory=Memo)
