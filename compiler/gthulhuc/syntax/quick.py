# SPDX-License-Identifier: Apache-2.0
"""Parses files without syntax errors, with the parser derived from the grammar."""

from __future__ import annotations

import re

from gthulhuc.source import Source
from gthulhuc.syntax.depth import first_too_deep
from gthulhuc.syntax.generated import QuickParser
from gthulhuc.syntax.tree import Node, Token

_TOKENS = re.compile(QuickParser.TOKENS)
_EOF = -1
LONGEST_WORD = 255


def parse(source: Source) -> Node | None:
    """Returns the tree of a file; None on any error, which ANTLR then reports."""
    tokens = tokenize(source.text)
    if tokens is None or first_too_deep(token.kind for token in tokens) is not None:
        return None
    parser = QuickParser.Parser(tokens)
    try:
        tree: Node = parser.policyFile()
    except QuickParser.Fail:
        return None
    return tree


def first_items(tokens: list[Token]) -> tuple[list[Node], int]:
    """Returns the items before the first invalid one, and the index of that one's first token.

    If all are valid, it is the index of the end.
    """
    parser = QuickParser.Parser(tokens)
    items: list[Node] = []
    start = 0
    try:
        while parser.kind != _EOF:
            items.append(parser.item())
            start = parser.at
    except QuickParser.Fail:
        pass
    return items, start


def tokenize(text: str) -> list[Token] | None:
    """Returns the tokens of a text, the last one for its end; None if one is invalid."""
    kinds, keywords, word = QuickParser.KINDS, QuickParser.KEYWORDS, QuickParser.WORD
    tokens: list[Token] = []
    end = 0
    for found in _TOKENS.finditer(text):
        start = found.start()
        if start != end:
            return None
        end = found.end()
        group = found.lastindex
        if group is None:
            continue
        kind = kinds[group]
        if kind == word:
            if end - start > LONGEST_WORD:
                return None
            kind = keywords.get(found[0], word)
        tokens.append(Token(kind, start, end))
    if end != len(text):
        return None
    tokens.append(Token(_EOF, end, end))
    return tokens
