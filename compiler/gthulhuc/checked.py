# SPDX-License-Identifier: Apache-2.0
"""The checked policy: the result of the passes, from which the plan follows.

All names are resolved, all values are in base units and in range, and all defaults of the language
are filled in. A checked policy has no errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, IntEnum
from typing import TypeAlias

from gthulhuc.claims import Expectation, Promise
from gthulhuc.conditions import Condition
from gthulhuc.fields import Field
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax.text import quote
from gthulhuc.tunables import Tunable, Value


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a comparison: a field, for a label also its key.

    For one argument of `cmdline`, the key is its number in digits.
    """

    field: Field
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Equals:
    """The string is one of these (`==` and `in`; at least one, no duplicates)."""

    subject: Subject
    values: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Glob:
    """The string matches one of these globs (`~`), in the syntax of `gthulhuc.globs`."""

    subject: Subject
    patterns: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Regex:
    """The whole string matches this valid regular expression (`=~`)."""

    subject: Subject
    pattern: bytes
    span: Span


@dataclass(frozen=True, slots=True)
class Under:
    """The cgroup, or the program's file, is one of these paths or below it, by whole components.

    A path is absolute, without a trailing slash unless it is the root.
    """

    subject: Subject
    paths: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Has:
    """The label exists (`label "k"` alone), or the flag is set.

    Flags are fields of Kind.FLAG.
    """

    subject: Subject
    span: Span


@dataclass(frozen=True, slots=True)
class InRanges:
    """The number lies in one of these ranges (all comparisons of numbers).

    Both ends are included; the ranges are sorted, and neither touch nor overlap.
    """

    subject: Subject
    ranges: tuple[tuple[int, int], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IdNamed:
    """The uid or gid is that of one of these users or groups, looked up at load."""

    subject: Subject
    names: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Calls:
    """The thread entered this kernel function within the last `within_ns`."""

    function: str
    within_ns: int
    via_softirq: bool
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


Predicate: TypeAlias = (
    Equals | Glob | Regex | Under | Has | InRanges | IdNamed | Calls | Not | And | Or
)


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


class Cgroups(Enum):
    """The cgroups' own settings that a policy respects."""

    AUTO = "auto"
    """All, on a machine whose cgroups have the cpu controller."""
    OFF = "off"
    WEIGHT = "weight"
    LIMIT = "limit"
    ON = "on"

    @property
    def weighs(self) -> bool:
        """Whether `cpu.weight` counts."""
        return self in (Cgroups.AUTO, Cgroups.WEIGHT, Cgroups.ON)

    @property
    def limits(self) -> bool:
        """Whether `cpu.max` and `cpu.max.burst` count."""
        return self in (Cgroups.AUTO, Cgroups.LIMIT, Cgroups.ON)


class CpuGroup(Enum):
    """Groups whose CPUs only the machine defines.

    `any` and the two `of`: the loader chooses a number of CPUs that are near each other. `irq`: the
    CPUs that serve interrupts, and `not irq`: those that do not. They move with the interrupts.
    """

    NODE = "node"
    LLC = "llc"
    FAST = "fast"
    SLOW = "slow"
    ANY = "any"
    OF_LLC = "of llc"
    OF_NODE = "of node"
    IRQ = "irq"
    NOT_IRQ = "not irq"

    @property
    def is_chosen(self) -> bool:
        """Whether the loader chooses the CPUs."""
        return self in (CpuGroup.ANY, CpuGroup.OF_LLC, CpuGroup.OF_NODE)

    @property
    def moves(self) -> bool:
        """Whether it has other CPUs when interrupts move."""
        return self in (CpuGroup.IRQ, CpuGroup.NOT_IRQ)

    def text(self, which: int | bytes | None) -> str:
        """Returns the group as in the language: `node 1`, `fast`, `4 of llc`, `irq "eth0"`."""
        if which is None:
            return self.value
        if isinstance(which, bytes):
            return f"{self.value} {quote(which)}"
        is_of = self in (CpuGroup.OF_LLC, CpuGroup.OF_NODE)
        return f"{which} {self.value}" if is_of else f"{self.value} {which}"


GivenGroup: TypeAlias = tuple[CpuGroup, int | bytes | None]
"""A group with its number, or the glob for names of interrupts."""


@dataclass(frozen=True, slots=True)
class Cpus:
    """The CPUs of a class: listed ones and those of groups, together never empty.

    `cpus` are sorted, without duplicates. In `groups`, `node 1` is (NODE, 1), `fast` (FAST, None),
    `4 of llc` (OF_LLC, 4), `irq "eth*"` (IRQ, b"eth*").
    If neither `exclusive` nor `prefer` is set, it is a hard pin. `core`: it is exclusive, and the
    siblings of its CPUs are kept free, too.
    """

    cpus: tuple[int, ...]
    groups: tuple[GivenGroup, ...]
    exclusive: bool
    core: bool
    prefer: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Preempt:
    """May preempt lower levels after those have run for `after_ns`.

    For at most `budget_ns` per `period_ns` on each CPU; both are None without a budget.
    """

    after_ns: Value
    budget_ns: Value | None
    period_ns: Value | None
    span: Span


@dataclass(frozen=True, slots=True)
class Share:
    """The part of its CPUs that a class has as a whole, in thousandths.

    At least `low` while it wants it, and at most `high`, even if CPUs are idle. None: no bound.
    """

    low: int | None
    high: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Actions:
    """The complete actions of a class, with inherited values and the language's defaults."""

    priority: Level
    weight: Value
    slice_min_ns: Value
    slice_max_ns: Value
    max_wait_ns: Value
    cpus: Cpus | None
    migrate: Migrate
    migrate_return: bool
    preempt: Preempt | None
    inherit: bool
    monitor: bool
    share: Share | None = None
    numbers: Mapping[str, Value] = field(default_factory=dict)
    """By action, those of `gthulhuc.actions.NUMBERS` that are set."""
    written: tuple[tuple[str, Span], ...] = field(default=(), compare=False)
    """The words and places of the actions that the policy states, here or in `default`. All others
    are defaults of the language."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, in file order; `name` is a word of the language ([A-Za-z_][A-Za-z0-9_-]*).

    `kthreads`: its predicate, or a set in it, contains `kthread`, so it may take kernel threads.
    """

    name: str
    match: Predicate
    kthreads: bool
    actions: Actions
    span: Span


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about the task of a test.

    `value`: a string, or the name of a user or group; a number; whether a flag is set; None: the
    task has no such value. For `calls`, a call with its age as `within_ns`; for `cmdline`, all
    arguments.
    """

    subject: Subject
    value: bytes | int | bool | Calls | tuple[bytes, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class TestLine:
    """A task and the rule that it is to have; `rule` may be `default`."""

    facts: tuple[Fact, ...]
    rule: str
    span: Span


@dataclass(frozen=True, slots=True)
class Test:
    """One `test` block."""

    name: str
    lines: tuple[TestLine, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Change:
    """The actions of a rule that a `when` block replaces; None for the others.

    `preempt` is False for `preempt off`.
    """

    rule: str
    priority: Level | None
    weight: Value | None
    slice_ns: tuple[Value, Value] | None
    max_wait_ns: Value | None
    preempt: Preempt | bool | None
    numbers: Mapping[str, Value]
    written: tuple[tuple[str, Span], ...]
    """The words of these actions, and their places."""


@dataclass(frozen=True, slots=True)
class When:
    """One `when` block; `text` is its condition as written."""

    condition: Condition
    text: str
    changes: tuple[Change, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy without errors; `sources` are all of its files, the main one first."""

    name: str
    source: Span
    sources: tuple[Span, ...]
    kernel_min: tuple[int, int] | None
    watchdog_ns: int | None
    tunables: tuple[Tunable, ...]
    rules: tuple[Rule, ...]
    default: Actions
    default_span: Span | None
    expectations: tuple[Expectation, ...]
    promises: tuple[Promise, ...] = ()
    tests: tuple[Test, ...] = ()
    cgroups: Cgroups = Cgroups.AUTO
    whens: tuple[When, ...] = ()
