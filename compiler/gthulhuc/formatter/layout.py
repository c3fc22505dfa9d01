# SPDX-License-Identifier: Apache-2.0
"""Lays out the pieces of a policy: words, values and operators in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from gthulhuc.formatter.doc import (
    Break,
    Doc,
    HardBreak,
    IfBroken,
    Line,
    Remark,
    group,
    nest,
    render,
)
from gthulhuc.formatter.pieces import Piece
from gthulhuc.syntax.generated import kinds

WIDTH = 100
INDENT = 4
_LONGEST_FACTS = 60  # of a line in a test, beyond which its arrow stands out of the column
# `priority`, `max-wait` and `watchdog` are the longest words that begin a line; and a space.
_VALUE_COLUMN = 9
_CLOSING = {kinds.LBRACKET: kinds.RBRACKET, kinds.LPAREN: kinds.RPAREN}
_NO_SPACE_BEFORE = frozenset({kinds.RPAREN, kinds.RBRACKET, kinds.DOTS})
_NO_SPACE_AFTER = frozenset({kinds.LPAREN, kinds.LBRACKET, kinds.DOTS, kinds.MINUS})


def comment_lines(piece: Piece, indent: int) -> list[Line]:
    """Returns the comments above a piece, each on its line."""
    margin = " " * indent
    return [Line(margin + note.text, None, note.blank_before) for note in piece.above]


def statement_lines(pieces: Sequence[Piece], indent: int = INDENT) -> list[Line]:
    """Returns a statement or setting: its word, and its value in the column of values."""
    word, *value = pieces
    doc: Doc = word.text
    if value:
        gap = " " * max(1, _VALUE_COLUMN - len(word.text))
        content = (_between(word, value[0], gap), _sequence(value, word.kind))
        doc = (word.text, nest(_VALUE_COLUMN, group(*content)))
    return _lines(doc, pieces, indent)


def item_lines(pieces: Sequence[Piece], name_width: int) -> list[Line]:
    """Returns an item without braces; if `=` follows, its name is padded to a width."""
    doc: list[Doc] = [pieces[0].text]
    for before, piece in pairwise(pieces[:3]):
        padding = max(0, name_width - len(before.text)) if piece.kind == kinds.ASSIGN else 0
        doc += [_between(before, piece, " " + " " * padding), piece.text]
    if len(pieces) > 3:
        space = _between(pieces[2], pieces[3], " ")
        value = group(space, _sequence(pieces[3:], pieces[0].kind))
        # The brackets of a list indent its elements.
        doc.append(value if pieces[3].kind == kinds.LBRACKET else nest(INDENT, value))
    return _lines(tuple(doc), pieces, 0)


def head_lines(pieces: Sequence[Piece], indent: int = 0) -> list[Line]:
    """Returns the head of a block with its opening brace."""
    return _lines(nest(INDENT, group(_sequence(pieces, pieces[0].kind))), pieces, indent)


def claim_lines(claims: Sequence[Sequence[Piece]]) -> list[list[Line]]:
    """Returns the claims of an expectation, with metrics, operators and values in columns."""
    ends = [_index(claim, kinds.RPAREN) + 1 for claim in claims]
    heads = [_flat(claim[:end]) for claim, end in zip(claims, ends, strict=True)]
    head_width = max((len(head) for head in heads), default=0)
    operators = [claim[end].text for claim, end in zip(claims, ends, strict=True)]
    operator_width = max((len(text) for text in operators), default=0)
    result = []
    for claim, end, head in zip(claims, ends, heads, strict=True):
        padding = head_width - len(head) + operator_width - len(claim[end].text)
        gap = _between(claim[end - 1], claim[end], " " * (1 + padding))
        rest = _sequence(claim[end:])
        start = _sequence(claim[:end])
        result.append(_lines(nest(INDENT, group(start, gap, rest)), claim, INDENT))
    return result


def test_lines(tasks: Sequence[Sequence[Piece]]) -> list[list[Line]]:
    """Returns the lines of a test, with the arrows in a column."""
    arrows = [_index(task, kinds.ARROW) for task in tasks]
    heads = [_flat(task[:arrow]) for task, arrow in zip(tasks, arrows, strict=True)]
    width = max((len(head) for head in heads if len(head) <= _LONGEST_FACTS), default=0)
    result = []
    for task, arrow, head in zip(tasks, arrows, heads, strict=True):
        gap = _between(task[arrow - 1], task[arrow], " " * max(1, 1 + width - len(head)))
        doc = nest(INDENT, group(_sequence(task[:arrow], kinds.TEST), gap, _sequence(task[arrow:])))
        result.append(_lines(doc, task, INDENT))
    return result


def otherwise_lines(pieces: Sequence[Piece]) -> list[Line]:
    """Returns the last line of a promise: `else` and what follows."""
    return _lines(nest(INDENT, group(_sequence(pieces))), pieces, INDENT)


def aligned(lines: Sequence[Line]) -> list[str]:
    """Returns the lines as text; comments at the ends of adjacent lines form a column."""
    result: list[str] = []
    run: list[Line] = []
    for line in [*lines, Line("")]:
        if run and (line.remark is None or line.blank_before):
            column = max(len(member.text) for member in run) + 2
            result += [f"{member.text:<{column}}{member.remark}".rstrip() for member in run]
            run = []
        if line.blank_before:
            result.append("")
        if line.remark is None:
            result.append(line.text)
        else:
            run.append(line)
    return result[:-1]


def _lines(doc: Doc, pieces: Sequence[Piece], indent: int) -> list[Line]:
    lines = render(doc, indent, WIDTH)
    lines[-1] = replace(lines[-1], remark=pieces[-1].trailing)
    return lines


def _flat(pieces: Sequence[Piece]) -> str:
    """The pieces on one line; empty if a comment prevents that."""
    lines = render(_sequence(pieces), 0, 1 << 30)
    return lines[0].text if len(lines) == 1 else ""


def _sequence(pieces: Sequence[Piece], construct: int = 0) -> Doc:
    """Pieces with the spaces between them; brackets form a group of their own.

    `construct` is the word that they belong to, if that matters.
    """
    stack: list[list[Doc]] = [[]]
    openings: list[tuple[Piece, bool]] = []  # and whether it begins a list
    before: Piece | None = None
    for piece in pieces:
        space: Doc = "" if before is None else _separator(before, piece, construct)
        if before is not None:
            space = _between(before, piece, space)
        if openings and piece.kind == _CLOSING[openings[-1][0].kind]:
            opening, is_list = openings.pop()
            inside = stack.pop()
            stack[-1].append(_bracketed(opening, inside, space, piece, is_list=is_list))
        elif piece.kind in _CLOSING:
            stack[-1].append(space)
            stack.append([])
            openings.append((piece, piece.kind == kinds.LBRACKET and not _is_index(before)))
        else:
            stack[-1] += [space, _text(piece)]
        before = piece
    return tuple(stack[0])


def _is_index(before: Piece | None) -> bool:
    """Whether a bracket after a piece is that of `cmdline[0]`: a list follows an operator."""
    return before is not None and before.kind == kinds.WORD


def _bracketed(
    opening: Piece, inside: Sequence[Doc], last_space: Doc, closing: Piece, *, is_list: bool
) -> Doc:
    """`[...]` or `(...)`; `inside` starts with the first piece after the bracket."""
    if not inside:
        return group(opening.text, last_space, _text(closing))
    comma = IfBroken(",") if is_list else ""
    # `last_space` holds the comments after the last element; the comma goes before them.
    if isinstance(last_space, tuple):
        *notes, last_break = last_space
        return group(opening.text, nest(INDENT, *inside, comma, *notes), last_break, _text(closing))
    return group(opening.text, nest(INDENT, *inside), comma, last_space, _text(closing))


def _separator(before: Piece, piece: Piece, construct: int) -> Doc:
    """The space between two pieces without a comment between them."""
    if before.kind in _CLOSING or piece.kind in _CLOSING.values():
        return Break("")
    if before.comma:
        is_cpu_list = construct == kinds.CPUS and before.kind == piece.kind == kinds.NUMBER
        return "" if is_cpu_list else Break()
    is_open = piece.kind == kinds.DOTS and before.kind == kinds.SHARE  # `share ..50%`
    if (piece.kind in _NO_SPACE_BEFORE and not is_open) or before.kind in _NO_SPACE_AFTER:
        return ""
    if kinds.MINUS in (piece.kind, before.kind) and kinds.NUMBER in (piece.kind, before.kind):
        return ""
    if piece.kind in _CLOSING and before.kind in (kinds.WORD, kinds.SHARE):
        return ""
    if construct == kinds.TEST and piece.kind in (kinds.WORD, kinds.NOT):
        is_name = before.kind in (kinds.NOT, kinds.VIA, kinds.WITHIN)
        return " " if is_name else Break()
    if construct in (kinds.MATCH, kinds.SET, kinds.WHEN) and piece.kind in (kinds.AND, kinds.OR):
        return Break()
    return " "


def _between(before: Piece, piece: Piece, space: Doc) -> Doc:
    """The space between two pieces, or the comments there."""
    if before.trailing is None and not piece.above:
        return space
    parts: list[Doc] = [] if before.trailing is None else [Remark(before.trailing)]
    for note in piece.above:
        parts += [HardBreak(note.blank_before), note.text]
    return (*parts, HardBreak())


def _text(piece: Piece) -> str:
    return piece.text + "," * piece.comma


def _index(pieces: Sequence[Piece], kind: int) -> int:
    return next(index for index, piece in enumerate(pieces) if piece.kind == kind)
