# SPDX-License-Identifier: Apache-2.0
"""Limits the nesting of predicates, on the tokens, before any parser recurses."""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.source import Span
from gthulhuc.syntax.generated import kinds as k

# A parenthesis costs a parser several stack frames; Python's limit is far above this one.
MAX_DEPTH = 100


def may_be_too_deep(text: str) -> bool:
    """Whether a text has enough of what nests to be nested too deeply; quick on a large one."""
    return text.count("(") + text.count("not") > MAX_DEPTH


def first_too_deep(kinds: Iterable[int]) -> int | None:
    """Returns the index of the first token that is nested too deeply, or None."""
    depth = 0
    nots = 0
    opened: list[int] = []
    for index, kind in enumerate(kinds):
        if kind == k.NOT:
            nots += 1
        elif kind == k.LPAREN:
            opened.append(nots + 1)
            depth += nots + 1
            nots = 0
        else:
            nots = 0
            if kind == k.RPAREN and opened:
                depth -= opened.pop()
            elif kind in (k.LBRACE, k.RBRACE):
                opened.clear()
                depth = 0
        if depth + nots > MAX_DEPTH:
            return index
    return None


def report_too_deep(span: Span, report: Collector) -> None:
    """Reports a token that is nested too deeply."""
    report.error(
        codes.TOO_DEEP,
        f"nested deeper than {MAX_DEPTH}",
        span,
        hint="name parts of the predicate with `set`",
    )
