# SPDX-License-Identifier: Apache-2.0
"""The parse tree that both parsers produce for the adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias


class Token:
    """A token: its number in the grammar, and its place."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: int, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end


class Node:
    """The match of a grammar rule; `is_damaged` if it contains a syntax error."""

    __slots__ = ("children", "end", "is_damaged", "rule", "start")

    def __init__(self, rule: str, children: list[Child], start: int, end: int) -> None:
        self.rule = rule
        self.children = children
        self.start = start
        self.end = end
        self.is_damaged = False

    def first(self, rule: str) -> Node | None:
        """Returns the first child that is a node of a rule, or None."""
        for child in self.children:
            if isinstance(child, Node) and child.rule == rule:
                return child
        return None

    def one(self, rule: str) -> Node:
        """Returns the first child that is a node of a rule; there must be one."""
        found = self.first(rule)
        assert found is not None
        return found

    def each(self, rule: str) -> Iterator[Node]:
        """Yields all children that are nodes of a rule."""
        return (child for child in self.children if isinstance(child, Node) and child.rule == rule)

    def token(self, kind: int) -> Token | None:
        """Returns the first child that is a token of a kind, or None."""
        for child in self.children:
            if isinstance(child, Token) and child.kind == kind:
                return child
        return None

    def tokens(self, kind: int) -> Iterator[Token]:
        """Yields all children that are tokens of a kind."""
        return (child for child in self.children if isinstance(child, Token) and child.kind == kind)


Child: TypeAlias = Node | Token
