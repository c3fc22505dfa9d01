# SPDX-License-Identifier: Apache-2.0
"""Splits text into tokens, and reports and repairs what no parser should have to handle."""

from __future__ import annotations

import re

from gthulhuc.diagnostics import Collector, Edit, Help, codes
from gthulhuc.diagnostics.suggest import write
from gthulhuc.source import Source, Span
from gthulhuc.syntax import lookalikes
from gthulhuc.syntax.depth import first_too_deep, report_too_deep
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.generated.QuickParser import FOREIGN, ITEMS, KEYWORDS, KINDS, TOKENS
from gthulhuc.syntax.quick import LONGEST_WORD
from gthulhuc.syntax.text import is_open_text
from gthulhuc.syntax.tree import Token

_ALL = re.compile(f"{TOKENS}|{FOREIGN}")
_EOF = -1
_REPLACED = {
    k.C_AND: (k.AND, "and"),
    k.C_OR: (k.OR, "or"),
    k.C_NOT: (k.NOT, "not"),
    k.C_NOT_GLOB: (k.GLOB, "not FIELD ~ ..."),
}
_OPEN = {k.OPEN_STRING: k.STRING, k.OPEN_RAW: k.RAW}
_ODD_HELP: dict[str, str] = {
    ";": Help("statements need no terminator; remove it", ""),
    ":": Help("write the value directly after the word, as in `priority urgent`", ""),
    "/": "a comment starts with `#`",
}
MOST_ERRORS = 100
"""Syntax errors after which the rest of a file is not checked."""


def token_span(source: Source, token: Token) -> Span:
    """Returns the place of a token; for the end-of-file token, the end of the file."""
    return Span(source, token.start, token.end)


def is_open_string(source: Source, token: Token) -> bool:
    """Whether the token is a string that is not closed, and so may have swallowed what follows."""
    return token.kind in (k.STRING, k.RAW) and is_open_text(source.text[token.start : token.end])


def tokenize(source: Source, report: Collector) -> list[Token] | None:
    """Returns the tokens for a parser, the last one for the end of the file.

    None if the text should not be parsed: it is nested too deeply or has too many errors.
    """
    kept: list[Token] = []
    odd: list[Span] = []
    errors = 0
    has_long_words = False
    found = _tokens(source.text)
    if _is_foreign(found):
        _report_foreign(source, found[0], report)
        return None
    for token in found:
        if token.kind == k.ODD:
            errors += _add_odd(token_span(source, token), odd)
        elif token.kind in _REPLACED or token.kind in _OPEN or token.kind == k.C_COMMENT:
            errors += 1
            if _repair(source, token, report):
                kept.append(token)
        else:
            kept.append(token)
            if token.kind == k.WORD and token.end - token.start > LONGEST_WORD:
                errors += 1
                has_long_words = True
                _report_long_word(token_span(source, token), report)
        if errors > MOST_ERRORS:
            _report_odd(odd, report)
            report_too_many(token_span(source, token), report)
            return None
    alike = _report_odd(odd, report)
    if has_long_words or alike:
        return None
    at = first_too_deep(token.kind for token in kept)
    if at is not None:
        report_too_deep(token_span(source, kept[at]), report)
        return None
    return kept


def report_too_many(span: Span, report: Collector) -> None:
    """Reports that a file has too many syntax errors, and where checking stopped."""
    report.error(
        codes.SYNTAX,
        f"more than {MOST_ERRORS} syntax errors; the rest of this file was not checked",
        span,
    )


def _tokens(text: str) -> list[Token]:
    """All tokens of a text except blanks and comments; every other character is in one."""
    found: list[Token] = []
    at = 0
    # No `*/` comes after this one; searching for it at each `/*` would take long.
    last_close = text.rfind("*/")
    while at < len(text):
        if text.startswith("/*", at) and at + 2 > last_close:
            found.append(Token(k.ODD, at, at + 1))
            at += 1
            continue
        match = _ALL.match(text, at)
        assert match is not None
        start, at = match.span()
        if match.lastindex is not None:
            kind = KINDS[match.lastindex]
            kind = KEYWORDS.get(match[0], kind) if kind == k.WORD else kind
            found.append(Token(kind, start, at))
    found.append(Token(_EOF, at, at))
    return found


def _report_long_word(span: Span, report: Collector) -> None:
    report.error(
        codes.SYNTAX,
        f"a word can have at most {LONGEST_WORD} characters",
        span,
        f"{span.end - span.start} characters",
    )


def _repair(source: Source, token: Token, report: Collector) -> bool:
    """Reports a token of another language and replaces it by the one that was meant.

    Returns False if the token is to be dropped.
    """
    span = token_span(source, token)
    if token.kind in _REPLACED:
        token.kind, word = _REPLACED[token.kind]
        report.error(
            codes.FOREIGN_SPELLING,
            f"`{span.text}` is not an operator",
            span,
            hint=write(word) if " " not in word else f"write `{word}`",
        )
    elif token.kind == k.C_COMMENT:
        head = Span(source, span.start, span.start + 2)
        report.error(
            codes.FOREIGN_SPELLING,
            f"`{head.text}` does not start a comment",
            head,
            hint=Help(
                "a comment starts with `#` and ends with the line",
                *(["#"] if head.text == "//" else []),
            ),
        )
        return False
    elif token.kind in _OPEN:
        report.error(
            codes.OPEN_STRING,
            "unterminated string",
            span,
            f"the closing `{span.text[0]}` is missing on this line",
            hint=_closed(span),
        )
        token.kind = _OPEN[token.kind]
    return True


def _closed(span: Span) -> Help:
    """Help that closes a string where its first word ends."""
    found = re.match(r"[^\s\])},]+", span.text)
    end = span.start + (found.end() if found else 1)
    at = Span(span.source, end, end)
    return Help(f"close it with `{span.text[0]}`", edits=[Edit(at, span.text[0])])


def _add_odd(span: Span, runs: list[Span]) -> bool:
    """Adds a character that starts no token to its run; returns whether it starts a run."""
    if runs and runs[-1].end == span.start:
        runs[-1] = runs[-1].to(span)
        return False
    runs.append(span)
    return True


def _is_foreign(tokens: list[Token]) -> bool:
    """Whether nothing in a file begins like a part of a policy, and something is wrong in it."""
    kinds = {token.kind for token in tokens}
    return len(tokens) > 1 and kinds.isdisjoint(ITEMS) and bool(kinds - {k.WORD, _EOF})


def _report_foreign(source: Source, token: Token, report: Collector) -> None:
    text = source.text[token.start : token.end]
    shown = f"`{text[:40]}`" if text.isprintable() else "a control character"
    report.error(
        codes.NOT_A_POLICY,
        f"this is not a policy: expected `policy NAME` or `rule NAME {{ .. }}`, found {shown}",
        token_span(source, token),
        hint="name the policy's source",
    )


def _report_odd(runs: list[Span], report: Collector) -> bool:
    """Reports each run of characters that start no token.

    Returns whether one looks like what was meant; then all that would follow is known.
    """
    alike = False
    for span in runs:
        meant = "".join(lookalikes.plain(char) or char for char in span.text)
        char = span.text[0]
        if meant != span.text:
            alike = True
            said = f"which looks like `{meant}`" if meant.strip() else "which looks like a space"
            hint: str = Help(f"write `{meant}`" if meant.strip() else "write a space", meant)
            report.error(codes.ODD_CHARACTER, f"{lookalikes.name(char)}, {said}", span, hint=hint)
            continue
        shown = f"`{char}`" if char.isprintable() else f"U+{ord(char):04X}"
        what = "character" if span.end == span.start + 1 else "characters, beginning with"
        report.error(
            codes.ODD_CHARACTER,
            f"unexpected {what} {shown}",
            span,
            hint=_ODD_HELP.get(char, ()),
        )
    return alike
