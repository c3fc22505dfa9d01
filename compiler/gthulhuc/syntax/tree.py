# SPDX-License-Identifier: Apache-2.0
"""The parse tree, as both parsers hand it to the adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias


class Token:
    """A token of the grammar, by its number there, and its place."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: int, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end


class Node:
    """What a rule of the grammar matched; `is_damaged` when there was a syntax error in it."""

    __slots__ = ("children", "end", "is_damaged", "rule", "start")

    def __init__(self, rule: str, children: list[Child], start: int, end: int) -> None:
        self.rule = rule
        self.children = children
        self.start = start
        self.end = end
        self.is_damaged = False

    def first(self, rule: str) -> Node | None:
        """The first part that is a node of a rule."""
        for child in self.children:
            if isinstance(child, Node) and child.rule == rule:
                return child
        return None

    def one(self, rule: str) -> Node:
        """The first part that is a node of a rule, which must be there."""
        found = self.first(rule)
        assert found is not None
        return found

    def each(self, rule: str) -> Iterator[Node]:
        """All parts that are nodes of a rule."""
        return (child for child in self.children if isinstance(child, Node) and child.rule == rule)

    def token(self, kind: int) -> Token | None:
        """The first part that is a token of a kind."""
        return next(self.tokens(kind), None)

    def tokens(self, kind: int) -> Iterator[Token]:
        """All parts that are tokens of a kind."""
        return (child for child in self.children if isinstance(child, Token) and child.kind == kind)


Child: TypeAlias = Node | Token
