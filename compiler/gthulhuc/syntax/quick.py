# SPDX-License-Identifier: Apache-2.0
"""Parses files without syntax errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gthulhuc.source import Source
from gthulhuc.syntax.depth import first_too_deep, may_be_too_deep
from gthulhuc.syntax.generated import QuickParser
from gthulhuc.syntax.tree import Node, Token

_TOKENS = re.compile(QuickParser.TOKENS)
# Most tokens come after a blank: one match for both is quicker than two.
_SPACED = re.compile(rf"[ \t\r\n]*+(?:{QuickParser.TOKENS}|\Z)")
_EOF = -1
LONGEST_WORD = 255


def parse(source: Source) -> Node | None:
    """Returns the tree of a file; None on any error, which `recovery` then reports."""
    tokens = tokenize(source.text)
    if tokens is None or (may_be_too_deep(source.text) and _is_too_deep(tokens)):
        return None
    parser = QuickParser.Parser(tokens)
    try:
        tree: Node = parser.policyFile()
    except QuickParser.Fail:
        return None
    return tree


def _is_too_deep(tokens: list[Token]) -> bool:
    return first_too_deep(token.kind for token in tokens) is not None


def scan(text: str) -> Iterator[re.Match[str]]:
    """Yields the tokens, comments and blanks of a text; skips all else.

    `lastindex` is None for comments and blanks; else `QuickParser.KINDS` has the kind.
    """
    return _TOKENS.finditer(text)


def tokenize(text: str) -> list[Token] | None:
    """Returns the tokens of a text, the last one for its end; None if one is invalid."""
    kinds, keywords, word = QuickParser.KINDS, QuickParser.KEYWORDS, QuickParser.WORD
    tokens: list[Token] = []
    end = 0
    for found in _SPACED.finditer(text):
        if found.start() != end:
            return None
        end = found.end()
        group = found.lastindex
        if group is None:
            continue
        kind = kinds[group]
        start = found.start(group)
        if kind == word:
            if end - start > LONGEST_WORD:
                return None
            kind = keywords.get(found[group], word)
        tokens.append(Token(kind, start, end))
    if end != len(text):
        return None
    tokens.append(Token(_EOF, end, end))
    return tokens
