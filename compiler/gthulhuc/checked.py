# SPDX-License-Identifier: Apache-2.0
"""The checked policy: what the passes make of the AST and the plan is derived from.

Every name is resolved, every value converted to its base unit and in range, every
default of the language filled in. Nothing in here can be wrong any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypeAlias

from gthulhuc.source import Span


class Field(Enum):
    """Facts about a task that a predicate can ask for."""

    COMM = "comm"
    PROCESS = "process"
    CGROUP = "cgroup"


@dataclass(frozen=True, slots=True)
class Equals:
    """The field is one of these strings (`==` and `in`; never empty, no duplicates)."""

    field: Field
    values: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Glob:
    """The field matches one of these globs (`~`): `*`, `?`, `[a-z]`, `[!a-z]`; `*` crosses `/`."""

    field: Field
    patterns: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Under:
    """The cgroup is `path` or below it, by whole components.

    The path is absolute, without a trailing slash but for the root.
    """

    path: bytes
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    operand: Predicate
    span: Span


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Predicate, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Predicate, ...]
    span: Span


Predicate: TypeAlias = Equals | Glob | Under | Not | And | Or


class Level(IntEnum):
    """The five priorities, the most urgent first."""

    URGENT = 0
    HIGH = 1
    NORMAL = 2
    LOW = 3
    IDLE = 4


class Migrate(Enum):
    """How readily a task leaves a busy CPU for an idle one."""

    NEVER = "never"
    LAZY = "lazy"
    BALANCED = "balanced"
    EAGER = "eager"


@dataclass(frozen=True, slots=True)
class Cpus:
    """A hard CPU set: sorted, no duplicates, never empty."""

    cpus: tuple[int, ...]
    exclusive: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Actions:
    """What a class sets, with everything it left out filled in from `default` and the language."""

    priority: Level
    weight: int
    slice_min_ns: int
    slice_max_ns: int
    cpus: Cpus | None
    migrate: Migrate
    migrate_return: bool
    preempt: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, in file order; `name` is a word of the language ([A-Za-z_][A-Za-z0-9_-]*)."""

    name: str
    match: Predicate
    actions: Actions
    span: Span


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy without errors."""

    name: str
    source: Span
    kernel_min: tuple[int, int] | None
    watchdog_ns: int | None
    rules: tuple[Rule, ...]
    default: Actions
    default_span: Span | None
