# SPDX-License-Identifier: Apache-2.0
"""Tokens with the comments and empty lines around them: all visible parts of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax.generated import kinds
from gthulhuc.syntax.tree import Token

_COMMENT = re.compile(r"#[^\r\n]*")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a line of its own; `blank_before`: an empty line is above it."""

    text: str
    blank_before: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A token, the comments on the lines above it, and the one after it on its line.

    `comma`: a comma follows the token, before the comment.
    """

    kind: int
    text: str
    start: int
    above: tuple[Comment, ...]
    blank_before: bool
    trailing: str | None = None
    comma: bool = False


def read_pieces(source: Source, tokens: Iterable[Token]) -> list[Piece]:
    """Returns the pieces of a file without errors, the last one for its end."""
    pieces: list[Piece] = []
    end = 0
    for token in tokens:
        trailing, above, blank = _between(source.text[end : token.start], is_first=not pieces)
        if trailing is not None:
            pieces[-1] = replace(pieces[-1], trailing=trailing)
        text = source.text[token.start : token.end]
        pieces.append(Piece(token.kind, text, token.start, above, blank))
        end = token.end
    return _with_commas(pieces)


def _between(gap: str, *, is_first: bool) -> tuple[str | None, tuple[Comment, ...], bool]:
    """The comment after one token, those above the next, and whether there is an empty line.

    `gap` is the text between the two: blanks and comments.
    """
    trailing: str | None = None
    above: list[Comment] = []
    end = 0
    for found in _COMMENT.finditer(gap):
        breaks = len(_LINE_BREAK.findall(gap, end, found.start()))
        end = found.end()
        text = found[0].rstrip()
        if breaks == 0 and not is_first:
            trailing = text
        else:
            above.append(Comment(text, breaks > 1))
    return trailing, tuple(above), len(_LINE_BREAK.findall(gap, end)) > 1


def _with_commas(pieces: list[Piece]) -> list[Piece]:
    """Joins each comma to the piece before it; drops the one at the end of a list."""
    result: list[Piece] = []
    moved: tuple[Comment, ...] = ()
    for piece, following in zip(pieces, [*pieces[1:], pieces[-1]], strict=True):
        if piece.kind != kinds.COMMA:
            result.append(replace(piece, above=(*moved, *piece.above)) if moved else piece)
            moved = ()
            continue
        before = result[-1]
        moved = piece.above
        trailing = before.trailing
        if trailing is None and not moved:
            trailing = piece.trailing
        elif piece.trailing is not None:
            moved = (*moved, Comment(piece.trailing, blank_before=False))
        is_last = following.kind == kinds.RBRACKET
        result[-1] = replace(before, trailing=trailing, comma=not is_last)
    return result
