# SPDX-License-Identifier: Apache-2.0
"""Lists the items of a text, and the parts of it that an editor can fold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from gthulhuc.records import dataclass
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.quick import scan

_CLOSING = {"{": "}", "[": "]"}
_COMMENT = re.compile(r"[ \t]*#")


class Kind(Enum):
    """The kind of an item."""

    POLICY = "policy"
    INCLUDE = "include"
    TUNABLE = "tunable"
    LIST = "list"
    PREDICATE = "predicate"
    RULE = "rule"
    DEFAULT = "default"
    EXPECT = "expect"
    PROMISE = "promise"
    TEST = "test"
    WHEN = "when"


_KINDS: dict[type[ast.Item], Kind] = {
    ast.PolicyBlock: Kind.POLICY,
    ast.Include: Kind.INCLUDE,
    ast.Tunable: Kind.TUNABLE,
    ast.RuleBlock: Kind.RULE,
    ast.DefaultBlock: Kind.DEFAULT,
    ast.Expect: Kind.EXPECT,
    ast.Promise: Kind.PROMISE,
    ast.TestBlock: Kind.TEST,
    ast.When: Kind.WHEN,
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """An item: its name, its place, and the place of its name."""

    name: str
    kind: Kind
    span: Span
    name_span: Span


def symbols(items: Iterable[ast.Item]) -> Iterator[Symbol]:
    """Yields the items that have a name, and `default`, in their order."""
    for item in items:
        name = _name(item)
        if name is not None:
            yield Symbol(name[0], _kind(item), item.span, name[1])


def _name(item: ast.Item) -> tuple[str, Span] | None:
    match item:
        case ast.Include(path=text) | ast.TestBlock(name=text):
            return text.value.decode(errors="replace") or '""', text.span
        case ast.When(condition=condition):
            return condition.span.one_line, condition.span
        case ast.DefaultBlock(span=span):
            return "default", Span(span.source, span.start, span.start + len("default"))
        case ast.Expect(workload=word) | ast.Promise(rule=word):
            return word.text, word.span
        case _:
            return item.name.text, item.name.span


def _kind(item: ast.Item) -> Kind:
    if isinstance(item, ast.SetItem):
        return Kind.LIST if isinstance(item.value, ast.ListLiteral) else Kind.PREDICATE
    return _KINDS[type(item)]


@dataclass(frozen=True, slots=True)
class Fold:
    """A part that can be folded: its first and last line, both from 1."""

    first: int
    last: int
    is_comment: bool


def folds(source: Source) -> Iterator[Fold]:
    """Yields the blocks, the lists and the comments that take several lines."""
    opened: list[tuple[str, int]] = []
    for found in scan(source.text):
        sign = found[0]
        if sign in _CLOSING:
            opened.append((_CLOSING[sign], source.position(found.start())[0]))
        elif opened and sign == opened[-1][0]:
            first, last = opened.pop()[1], source.position(found.start())[0]
            if last > first + 1:
                yield Fold(first, last - 1, is_comment=False)
    yield from _comments(source)


def _comments(source: Source) -> Iterator[Fold]:
    """The runs of lines that have nothing but a comment."""
    first = 0
    for number, line in enumerate((*source.text.split("\n"), ""), 1):
        if _COMMENT.match(line):
            first = first or number
        elif first:
            if number - first > 1:
                yield Fold(first, number - 1, is_comment=True)
            first = 0
