# SPDX-License-Identifier: Apache-2.0
"""Reads a grammar of ANTLR's, as much of its notation as `Gpl.g4` uses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

_PIECES = re.compile(
    r"//[^\n]*|'(?:\\.|[^'\\])*'|~?\[(?:\\.|[^\]\\])*\]|->\s*\w+(?:\(\w+\))?|\w+|[:;|()*+?.~]"
)


@dataclass(frozen=True)
class Name:
    text: str


@dataclass(frozen=True)
class Literal:
    """A literal or a set of characters, as a regular expression."""

    regex: str


@dataclass(frozen=True)
class Group:
    """Alternatives, each a sequence; `suffix` repeats them (`*`, `+`, `?`, `*?`)."""

    alternatives: tuple[tuple[Part, ...], ...]
    suffix: str = ""


Part: TypeAlias = Name | Literal | Group


@dataclass
class Grammar:
    """The rules of a grammar by name, in the grammar's order."""

    rules: dict[str, Group] = field(default_factory=dict)
    fragments: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)

    @property
    def tokens(self) -> list[str]:
        """Returns the tokens in the order in which ANTLR numbers them (from 1)."""
        return [name for name in self.rules if name[0].isupper() and name not in self.fragments]

    @property
    def visible(self) -> list[str]:
        """Returns the tokens that the parser may see: those that a rule names."""
        named = set().union(
            *(_names(rule) for name, rule in self.rules.items() if name[0].islower())
        )
        return [name for name in self.tokens if name in named]


def read(text: str) -> Grammar:
    """Returns the grammar in the text of a .g4 file."""
    pieces = [piece for piece in _PIECES.findall(text) if not piece.startswith("//")]
    start = pieces.index(";") + 1  # after `grammar NAME ;`
    grammar = Grammar()
    reader = _Reader(pieces, start)
    while reader.at < len(pieces):
        is_fragment = reader.take("fragment")
        name = reader.next()
        reader.take(":")
        grammar.rules[name] = reader.group()
        if (command := reader.peek()).startswith("->"):
            grammar.hidden.add(name)
            reader.take(command)
        reader.take(";")
        if is_fragment:
            grammar.fragments.add(name)
    return grammar


@dataclass
class _Reader:
    pieces: list[str]
    at: int

    def peek(self) -> str:
        return self.pieces[self.at]

    def next(self) -> str:
        self.at += 1
        return self.pieces[self.at - 1]

    def take(self, piece: str) -> bool:
        is_there = self.peek() == piece
        self.at += is_there
        return is_there

    def group(self) -> Group:
        alternatives = []
        parts: list[Part] = []
        while True:
            piece = self.peek()
            if piece in (";", ")", "|") or piece.startswith("->"):
                alternatives.append(tuple(parts))
                parts = []
                if piece != "|":
                    return Group(tuple(alternatives))
                self.next()
            else:
                parts.append(self._part())

    def _part(self) -> Part:
        piece = self.next()
        if piece == "(":
            part: Part = self.group()
            self.take(")")
        elif piece == "~":
            part = Literal(f"[^{self.next()[1:-1]}]")
        elif piece[0] in "'[~.":
            part = Literal(_regex(piece))
        else:
            part = Name(piece)
        suffix = self.next() if self.peek() in ("*", "+", "?") else ""
        if suffix and self.peek() == "?":
            suffix += self.next()
        if not suffix:
            return part
        inner = part.alternatives if isinstance(part, Group) else ((part,),)
        return Group(inner, suffix)


def _regex(piece: str) -> str:
    if piece == ".":
        return "(?s:.)"
    if piece.startswith("'"):
        return re.escape(piece[1:-1].replace("\\'", "'").replace("\\\\", "\\"))
    return "[^" + piece[2:-1] + "]" if piece.startswith("~") else piece


def _names(group: Group) -> set[str]:
    found: set[str] = set()
    for alternative in group.alternatives:
        for part in alternative:
            if isinstance(part, Group):
                found |= _names(part)
            elif isinstance(part, Name):
                found.add(part.text)
    return found
