# SPDX-License-Identifier: Apache-2.0
"""Lays out a file: its items, their blocks, and the empty lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from gthulhuc.formatter.doc import Line
from gthulhuc.formatter.layout import (
    INDENT,
    claim_lines,
    comment_lines,
    head_lines,
    item_lines,
    otherwise_lines,
    statement_lines,
    test_lines,
)
from gthulhuc.formatter.pieces import Piece
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated import kinds

_Block: TypeAlias = (
    ast.PolicyBlock
    | ast.RuleBlock
    | ast.DefaultBlock
    | ast.Expect
    | ast.Promise
    | ast.TestBlock
    | ast.When
)
_Part: TypeAlias = (
    ast.Setting | ast.Statement | ast.Claim | ast.Otherwise | ast.TestLine | ast.RuleBlock
)


def file_lines(file: ast.File, pieces: Sequence[Piece]) -> list[Line]:
    """Returns all lines of a file without syntax errors."""
    *tokens, end = pieces
    groups = _split(tokens, file.items)
    widths = _name_widths(file.items, groups)
    lines: list[Line] = []
    was_block = False
    for item, group, width in zip(file.items, groups, widths, strict=True):
        is_block = isinstance(item, _Block)
        body = _block_lines(item, group) if isinstance(item, _Block) else item_lines(group, width)
        lines += _with_comments(group[0], body, 0, blank=is_block or was_block)
        was_block = is_block
    lines += comment_lines(end, 0)
    if lines:
        lines[0] = replace(lines[0], blank_before=False)
    return lines


def _block_lines(item: _Block, pieces: Sequence[Piece], indent: int = 0) -> list[Line]:
    """The lines of a block; a rule of a `when` block is indented."""
    opening = next((i for i, piece in enumerate(pieces) if piece.kind == kinds.LBRACE), None)
    if opening is None:  # `policy p` needs no block
        return head_lines(pieces)
    closing = pieces[-1]
    parts = _split(pieces[opening + 1 : -1], _parts(item))
    last_notes = comment_lines(closing, indent + INDENT)
    head = pieces[: opening + 1]
    if not parts and not last_notes and head[-1].trailing is None:
        whole = replace(head[-1], text="{}", trailing=closing.trailing)
        return head_lines([*head[:-1], whole], indent)
    inside: list[Line] = []
    for part, body in zip(parts, _bodies(item, parts, indent + INDENT), strict=True):
        inside += _with_comments(part[0], body, indent + INDENT, blank=False)
    inside += last_notes
    if inside:
        inside[0] = replace(inside[0], blank_before=False)
    return [*head_lines(head, indent), *inside, Line(" " * indent + "}", closing.trailing)]


def _bodies(item: _Block, parts: Sequence[Sequence[Piece]], indent: int) -> list[list[Line]]:
    if isinstance(item, ast.TestBlock):
        return test_lines(parts)
    if isinstance(item, ast.When):
        rules = zip(item.rules, parts, strict=True)
        return [_block_lines(rule, part, indent) for rule, part in rules]
    if not isinstance(item, ast.Expect | ast.Promise):
        return [statement_lines(part, indent) for part in parts]
    claims, last = parts[: len(item.claims)], parts[len(item.claims) :]
    return claim_lines(claims) + [otherwise_lines(part) for part in last]


def _parts(item: _Block) -> Sequence[_Part]:
    match item:
        case ast.PolicyBlock():
            return item.settings
        case ast.Expect():
            return item.claims
        case ast.TestBlock():
            return item.lines
        case ast.When():
            return item.rules
        case ast.Promise():
            return (*item.claims, *([item.otherwise] if item.otherwise else []))
        case _:
            return item.statements


def _with_comments(first: Piece, body: list[Line], indent: int, *, blank: bool) -> list[Line]:
    """The lines with the comments above them; `blank` puts an empty line first."""
    body[0] = replace(body[0], blank_before=first.blank_before)
    lines = [*comment_lines(first, indent), *body]
    lines[0] = replace(lines[0], blank_before=lines[0].blank_before or blank)
    return lines


def _split(pieces: Sequence[Piece], nodes: Sequence[ast.Item | _Part]) -> list[Sequence[Piece]]:
    """The pieces of each node; together these are all pieces."""
    at = {piece.start: index for index, piece in enumerate(pieces)}
    starts = [at[node.span.start] for node in nodes]
    ends = [*starts[1:], len(pieces)] if starts else []
    return [pieces[start:end] for start, end in zip(starts, ends, strict=True)]


def _name_widths(items: Sequence[ast.Item], groups: Sequence[Sequence[Piece]]) -> list[int]:
    """For each item the width of the longest name in its column.

    A column has items of one kind, without an empty line or a comment between them.
    """
    widths: list[int] = []
    run: list[int] = []
    for index, (item, group) in enumerate(zip(items, groups, strict=True)):
        is_named = isinstance(item, ast.SetItem | ast.Tunable)
        goes_on = (
            bool(run)
            and is_named
            and type(item) is type(items[index - 1])
            and not group[0].above
            and not group[0].blank_before
        )
        if not goes_on:
            widths += [max(run, default=0)] * len(run)
            run = []
        run.append(len(group[1].text) if is_named else 0)
    return widths + [max(run, default=0)] * len(run)
