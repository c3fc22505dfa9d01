# SPDX-License-Identifier: Apache-2.0
"""Parses a text again after an edit: only the items whose text has changed.

A text is split into pieces at each line that begins with the word of an item. The spans of a piece
count from its start, so they stay true when an edit before it moves it; `located` gives them as
spans of the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gthulhuc.diagnostics import Collector, Diagnostic, Edit, Help, Label, codes
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated.QuickParser import ITEMS, KEYWORDS
from gthulhuc.syntax.parse import parse
from gthulhuc.syntax.tokens import MOST_ERRORS

_WORDS = (word for word, kind in KEYWORDS.items() if kind in ITEMS)
_ITEM = re.compile(rf"^(?:{'|'.join(_WORDS)})(?![\w-])", re.MULTILINE)


@dataclass(slots=True)
class _Home:
    """Where a piece is now: its text, its offset there, and the lines before it."""

    whole: Source
    start: int = 0
    lines: int = 0


_MOST_TOGETHER = 8
"""Pieces that are parsed as one after a mistake; else the whole text is parsed."""


class Piece(Source):
    """A part of a text, from the start of a line; equal only to itself."""

    __slots__ = ("home",)
    home: _Home

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name, text)
        object.__setattr__(self, "home", _Home(self))

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column in the whole text, both from 1."""
        line, column = Source.position(self, offset)
        return line + self.home.lines, column


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A piece with its AST; None if it cannot be parsed on its own."""

    piece: Piece
    file: ast.File | None
    problems: tuple[Diagnostic, ...]


class Pieces:
    """The pieces of one text, as it was last."""

    def __init__(self) -> None:
        self._known: dict[str, list[_Parsed]] = {}

    def parse(self, source: Source, report: Collector) -> ast.File | None:
        """Returns the AST of the text, and reports its mistakes, as `syntax.parse` does.

        Spans may be in pieces of it.
        """
        found = self._parsed(source)
        if found is None:
            self._known = {}
            return parse(source, report)
        self._known = {}
        start = lines = 0
        for each in found:
            self._known.setdefault(each.piece.text, []).append(each)
            home = each.piece.home
            home.whole, home.start, home.lines = source, start, lines
            start += len(each.piece.text)
            lines += each.piece.text.count("\n")
            report.extend(each.problems)
        files = [each.file for each in found if each.file is not None]
        return ast.File(
            source,
            tuple(item for file in files for item in file.items),
            frozenset().union(*(file.lost_names for file in files)),
            all(file.is_whole for file in files),
            Span(source, 0, len(source.text)),
        )

    def _parsed(self, source: Source) -> list[_Parsed] | None:
        """The pieces; None if the text can only be parsed as a whole."""
        found: list[_Parsed] = []
        pending: list[str] = []
        for text in _split(source.text):
            each = self._piece(source.name, text)
            if each.file is None or len(pending) > _MOST_TOGETHER:
                return None
            if not pending and not each.problems:
                found.append(each)
                continue
            # The message of a mistake depends on the text after it, up to the next item.
            pending.append(text)
            if not each.problems:
                together = self._piece(source.name, "".join(pending))
                if _has_item_at(together, len(together.piece.text) - len(text)):
                    found.append(together)
                    pending = []
        if pending:
            found.append(self._piece(source.name, "".join(pending)))
        problems = [problem for each in found for problem in each.problems]
        many = len(problems) > MOST_ERRORS // 2
        # A string that is not closed explains mistakes in the items after it.
        is_open = any(problem.code == codes.OPEN_STRING for problem in problems)
        if many or is_open or len(found) < 2 or any(each.file is None for each in found):
            return None
        return found

    def _piece(self, name: str, text: str) -> _Parsed:
        known = self._known.get(text)
        if known:
            return known.pop()
        piece, report = Piece(name, text), Collector()
        file = parse(piece, report)
        return _Parsed(piece, file, tuple(report.sorted()))


def _has_item_at(parsed: _Parsed, offset: int) -> bool:
    """Whether an item begins there; the word of an item may also be a name in another one."""
    items = parsed.file.items if parsed.file is not None else ()
    return any(item.span.start == offset for item in items)


def _split(text: str) -> Iterator[str]:
    """The parts of a text, the first with all that comes before its item."""
    starts = [found.start() for found in _ITEM.finditer(text)]
    ends = [*starts[1:], len(text)]
    for index, end in enumerate(ends):
        yield text[starts[index] if index else 0 : end]


# ---- spans of the whole text --------------------------------------------------------------------


def located(span: Span) -> Span:
    """Returns a span as one of a whole text."""
    if not isinstance(span.source, Piece):
        return span
    home = span.source.home
    return Span(home.whole, home.start + span.start, home.start + span.end)


def located_problem(problem: Diagnostic) -> Diagnostic:
    """Returns a diagnostic with all its spans in whole texts."""
    return replace(
        problem,
        primary=_label(problem.primary),
        secondary=tuple(map(_label, problem.secondary)),
        help=tuple(_help(text) if isinstance(text, Help) else text for text in problem.help),
    )


def _label(label: Label) -> Label:
    return Label(located(label.span), label.text)


def _help(text: Help) -> Help:
    edits = [Edit(located(edit.span), edit.text) for edit in text.edits]
    return Help(str(text), *text.instead, edits=edits)
