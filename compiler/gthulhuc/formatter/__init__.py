# SPDX-License-Identifier: Apache-2.0
"""The formatter: one layout for every policy, which keeps its comments and its meaning.

It moves tokens and comments and changes none, except the comma after the last element of a list:
there is one exactly if the closing bracket is on a line of its own.
"""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, Diagnostic
from gthulhuc.formatter.file import file_lines
from gthulhuc.formatter.layout import aligned
from gthulhuc.formatter.pieces import Piece, read_pieces
from gthulhuc.source import Source
from gthulhuc.syntax.parse import parse
from gthulhuc.syntax.quick import tokenize


def format_source(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """Returns the formatted text of a source; after syntax errors, None and the diagnostics."""
    report = Collector()
    file = parse(source, report)
    tokens = None if report.has_errors else tokenize(source.text)
    if file is None or tokens is None:
        return None, report.sorted()
    pieces = read_pieces(source, tokens)
    lines = aligned(file_lines(file, pieces))
    text = "".join(line + "\n" for line in lines)
    _assert_same(pieces, text)
    return text, []


def _assert_same(pieces: list[Piece], text: str) -> None:
    """Checks the result against the source, so that a defect here never damages a file."""
    source = Source("", text)
    tokens = tokenize(text)
    after = [] if tokens is None else read_pieces(source, tokens)
    if _content(pieces) != _content(after):
        raise AssertionError("the formatter would have changed the policy")


def _content(pieces: list[Piece]) -> tuple[list[tuple[str, bool]], list[str]]:
    tokens = [(piece.text, piece.comma) for piece in pieces]
    notes = []
    for piece in pieces:
        notes += [note.text for note in piece.above]
        notes += [] if piece.trailing is None else [piece.trailing]
    return tokens, notes
