# SPDX-License-Identifier: Apache-2.0
"""Text to tokens: whatever no parser should have to deal with is reported and mended here."""

from __future__ import annotations

import re
from typing import TypeAlias

from antlr4 import InputStream, Token

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.source import Source, Span
from gthulhuc.syntax.generated.GplLexer import GplLexer

# A parenthesis costs the parser several stack frames; Python's limit is far beyond this one.
MAX_DEPTH = 100

AntlrToken: TypeAlias = Token

_MENDED = {
    GplLexer.C_AND: (GplLexer.AND, "and"),
    GplLexer.C_OR: (GplLexer.OR, "or"),
    GplLexer.C_NOT: (GplLexer.NOT, "not"),
    GplLexer.C_NOT_GLOB: (GplLexer.GLOB, "not FIELD ~ ..."),
}
# The runtime caches its decisions for ASCII only: a comment in Greek would take a hundred times as
# long. All such characters mean the same to the lexer, but for the two that can begin a unit.
_NOT_ASCII = re.compile("[^\x00-\x7f\u00b5\u03bc]")
_OPEN = {GplLexer.OPEN_STRING: GplLexer.STRING, GplLexer.OPEN_RAW: GplLexer.RAW}
_ODD_HELP = {
    ";": "nothing ends a statement; leave it out",
    ":": "a word and its value stand side by side, as in `priority urgent`",
    "/": "a comment begins with `#`",
}


def token_span(source: Source, token: AntlrToken) -> Span:
    """The place of a token; the end of the file for the token that stands for it."""
    if token.type == Token.EOF:
        return Span(source, len(source.text), len(source.text))
    return Span(source, token.start, token.stop + 1)


def is_open_string(token: AntlrToken) -> bool:
    """Whether the token is a string that was not closed, and so may have swallowed anything."""
    if token.type not in (GplLexer.STRING, GplLexer.RAW):
        return False
    text = token.text
    escapes = len(text) - 1 - len(text[:-1].rstrip("\\"))
    return len(text) < 2 or text[-1] != text[0] or (text[0] == '"' and escapes % 2 == 1)


def tokenize(source: Source, report: Collector) -> list[AntlrToken] | None:
    """The tokens that the parser shall see, the last one for the end of the file.

    None when the text is nested so deeply that it shall not be parsed at all.
    """
    lexer = GplLexer(InputStream(_NOT_ASCII.sub("\x7f", source.text)))
    lexer.removeErrorListeners()
    kept: list[AntlrToken] = []
    odd: list[AntlrToken] = []
    while True:
        token = lexer.nextToken()
        if token.type == GplLexer.ODD:
            odd.append(token)
            continue
        if token.channel == Token.DEFAULT_CHANNEL and _mend(source, token, report):
            kept.append(token)
        if token.type == Token.EOF:
            break
    _report_odd(source, odd, report)
    return kept if _depth_is_fine(source, kept, report) else None


def _mend(source: Source, token: AntlrToken, report: Collector) -> bool:
    """Reports a token the language does not have and makes it the one that was meant.

    False when the token is to be dropped.
    """
    span = token_span(source, token)
    if token.type in _MENDED:
        kind, word = _MENDED[token.type]
        report.error(
            codes.FOREIGN_SPELLING,
            f"`{span.text}` is not an operator",
            span,
            hint=f"write `{word}`",
        )
        token.type = kind
    elif token.type == GplLexer.C_COMMENT:
        head = Span(source, span.start, span.start + 2)
        report.error(
            codes.FOREIGN_SPELLING,
            f"`{head.text}` does not begin a comment",
            head,
            hint="a comment begins with `#` and ends with the line",
        )
        return False
    elif token.type in _OPEN:
        report.error(
            codes.OPEN_STRING,
            "a string is not closed",
            span,
            f"the closing `{span.text[0]}` is missing on this line",
        )
        token.type = _OPEN[token.type]
    return True


def _report_odd(source: Source, tokens: list[AntlrToken], report: Collector) -> None:
    """One diagnostic for each run of characters that begin no token."""
    runs: list[Span] = []
    for token in tokens:
        span = token_span(source, token)
        if runs and runs[-1].end == span.start:
            runs[-1] = runs[-1].to(span)
        else:
            runs.append(span)
    for span in runs:
        char = span.text[0]
        shown = f"`{char}`" if char.isprintable() else f"U+{ord(char):04X}"
        what = "character" if span.end == span.start + 1 else "characters, beginning with"
        report.error(
            codes.ODD_CHARACTER,
            f"unexpected {what} {shown}",
            span,
            hint=_ODD_HELP.get(char, ()),
        )


def _depth_is_fine(source: Source, tokens: list[AntlrToken], report: Collector) -> bool:
    depth = 0
    nots = 0
    opened: list[int] = []
    for token in tokens:
        if token.type == GplLexer.NOT:
            nots += 1
        elif token.type == GplLexer.LPAREN:
            opened.append(nots + 1)
            depth += nots + 1
            nots = 0
        else:
            nots = 0
            if token.type == GplLexer.RPAREN and opened:
                depth -= opened.pop()
            elif token.type in (GplLexer.LBRACE, GplLexer.RBRACE):
                opened.clear()
                depth = 0
        if depth + nots > MAX_DEPTH:
            report.error(
                codes.TOO_DEEP,
                f"nested deeper than {MAX_DEPTH}",
                token_span(source, token),
                hint="give parts of the predicate a name with `set`",
            )
            return False
    return True
