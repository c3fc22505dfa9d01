# SPDX-License-Identifier: Apache-2.0
"""Text to tokens: whatever no parser should have to deal with is reported and mended here."""

from __future__ import annotations

import re
from typing import TypeAlias

from antlr4 import InputStream, Token

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.source import Source, Span
from gthulhuc.syntax.depth import first_too_deep, report_too_deep
from gthulhuc.syntax.generated.GplLexer import GplLexer
from gthulhuc.syntax.text import is_open_text

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
    return is_open_text(token.text)


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
    at = first_too_deep(token.type for token in kept)
    if at is not None:
        report_too_deep(token_span(source, kept[at]), report)
        return None
    return kept


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
