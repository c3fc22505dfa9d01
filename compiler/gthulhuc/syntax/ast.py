# SPDX-License-Identifier: Apache-2.0
"""The syntax tree: the content of a file with its places, without any interpretation."""

from __future__ import annotations

from typing import TypeAlias

from gthulhuc.records import dataclass
from gthulhuc.source import Source, Span


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word or an operator, as written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its sign and unit (`500us`, `-5`, `20%`, `6.13`), or `22:00`, as written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A string; `value` has its escapes resolved."""

    value: bytes
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    low: Scalar
    high: Scalar
    span: Span


@dataclass(frozen=True, slots=True)
class ListLiteral:
    items: tuple[Element, ...]
    span: Span


Scalar: TypeAlias = Number | Word
Element: TypeAlias = Text | Number | Word
Operand: TypeAlias = Text | Number | Word | Range | ListLiteral


# ---- predicates ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison:
    """`field [argument] [within T [via word]] [operator operand]`, or a set's name alone.

    `argument`: the `"k"` of `label "k"`, or the `0` of `cmdline[0]`. In a condition of `when`,
    `via` is the `cpu` and `within` the `5s` of `pressure cpu > 20% for 5s`.
    """

    field: Word
    argument: Text | Number | None
    within: Scalar | None
    via: Word | None
    operator: Word | None
    operand: Operand | None
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


@dataclass(frozen=True, slots=True)
class Broken:
    """A predicate with a reported error; no pass reports it again."""

    span: Span


Predicate: TypeAlias = Comparison | Not | And | Or | Broken


# ---- statements of a rule -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    predicate: Predicate
    span: Span


@dataclass(frozen=True, slots=True)
class Priority:
    level: Word
    span: Span


@dataclass(frozen=True, slots=True)
class Amount:
    """An action that is one number; `word` is the action's."""

    word: str
    value: Scalar
    span: Span


@dataclass(frozen=True, slots=True)
class Slice:
    low: Scalar
    high: Scalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class Share:
    """`share A..B`; at least one of the two is there, and `share A` has no upper bound."""

    low: Scalar | None
    high: Scalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class CpuTerm:
    """`3`, `0-3` (`first` and `last`), `node 1`, `fast` (`kind`, and `first` as its number).

    `of`: the `llc` of `4 of llc`. `name`: the string of `irq "eth0"`, which `negated` turns into
    `not irq "eth0"`.
    """

    kind: Word | None
    first: Number | None
    last: Number | None
    of: Word | None
    name: Text | None
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Cpus:
    """`modifier` is the first word after the list, and `extent` the second one."""

    terms: tuple[CpuTerm, ...]
    modifier: Word | None
    extent: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class Migrate:
    how: Word
    modifier: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class Preempt:
    """`modifier`: the `off` of `preempt off`."""

    modifier: Word | None
    after: Scalar | None
    budget: Scalar | None
    period: Scalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class Inherit:
    span: Span


@dataclass(frozen=True, slots=True)
class Monitor:
    span: Span


Statement: TypeAlias = (
    Match | Priority | Amount | Slice | Share | Cpus | Migrate | Preempt | Inherit | Monitor
)


# ---- items --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    name: Word
    operator: Word | None
    value: Scalar
    span: Span


@dataclass(frozen=True, slots=True)
class PolicyBlock:
    name: Word
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Include:
    path: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Tunable:
    name: Word
    value: Scalar
    low: Scalar
    high: Scalar
    span: Span


@dataclass(frozen=True, slots=True)
class SetItem:
    name: Word
    value: ListLiteral | Predicate
    span: Span


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """`is_whole` is false if a statement was dropped for a syntax error."""

    name: Word
    statements: tuple[Statement, ...]
    is_whole: bool
    span: Span


@dataclass(frozen=True, slots=True)
class DefaultBlock:
    statements: tuple[Statement, ...]
    is_whole: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Load:
    name: Word
    amount: Number
    rule: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """`metric(argument [rule]) operator value [of reference]`."""

    metric: Word
    argument: Word
    rule: Word | None
    operator: Word
    value: Scalar
    reference: Word | Text | None
    span: Span


@dataclass(frozen=True, slots=True)
class Expect:
    workload: Word
    rule: Word | None
    loads: tuple[Load, ...]
    claims: tuple[Claim, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Otherwise:
    """`else ACTION`: what follows when a promise breaks."""

    action: Word
    span: Span


@dataclass(frozen=True, slots=True)
class Promise:
    """Claims that hold on the running machine, in each window."""

    rule: Word
    window: Scalar
    claims: tuple[Claim, ...]
    otherwise: Otherwise | None
    span: Span


@dataclass(frozen=True, slots=True)
class Fact:
    """`[not] field values [within T] [via word]`: something that is so about a task."""

    is_negated: bool
    field: Word
    values: tuple[Text | Number, ...]
    within: Scalar | None
    via: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class TestLine:
    """`facts -> rule`."""

    facts: tuple[Fact, ...]
    rule: Word
    span: Span


@dataclass(frozen=True, slots=True)
class TestBlock:
    """Tasks, each with the rule that it is to have."""

    name: Text
    lines: tuple[TestLine, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class When:
    """`when CONDITION { rules }`; each rule has the actions that hold meanwhile."""

    condition: Predicate
    rules: tuple[RuleBlock, ...]
    span: Span


Item: TypeAlias = (
    PolicyBlock
    | Include
    | Tunable
    | SetItem
    | RuleBlock
    | DefaultBlock
    | Expect
    | Promise
    | TestBlock
    | When
)


@dataclass(frozen=True, slots=True)
class File:
    """A file; `lost_names` are the names of definitions dropped for a syntax error.

    `is_whole` is false if an item was dropped. `sources` are the files that it was assembled from,
    the main one first; empty if there is only one.
    """

    source: Source
    items: tuple[Item, ...]
    lost_names: frozenset[str]
    is_whole: bool
    span: Span
    sources: tuple[Source, ...] = ()
