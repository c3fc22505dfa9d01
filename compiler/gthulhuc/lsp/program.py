# SPDX-License-Identifier: Apache-2.0
"""A file with its libraries, as far as it can be parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass as mutable
from dataclasses import field
from pathlib import Path
from typing import TypeAlias

from gthulhuc import frontend, includes
from gthulhuc.diagnostics import Collector, Diagnostic
from gthulhuc.includes import Loader, Parser
from gthulhuc.lsp.pieces import Pieces
from gthulhuc.passes.memo import Memo
from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax import ast
from gthulhuc.syntax.parse import parse

Definition: TypeAlias = ast.SetItem | ast.Tunable | ast.RuleBlock

_MOST_KEPT = 64
_MOST_FILES = 1000


@dataclass(frozen=True, slots=True)
class Program:
    """A text, its own items, the file with those of its libraries, and the definitions in it.

    `file` is None if the text cannot be parsed at all. `is_whole` is false if a file has a syntax
    error, so that items may be missing. Spans may be in pieces of a text (`pieces.located`).
    """

    source: Source
    own: tuple[ast.Item, ...]
    file: ast.File | None
    definitions: dict[str, Definition]
    is_whole: bool

    @property
    def items(self) -> tuple[ast.Item, ...]:
        """The items of the text and of its libraries."""
        return self.file.items if self.file is not None else ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """The text and its libraries."""
        return self.file.sources if self.file is not None and self.file.sources else (self.source,)


def read(
    source: Source, load: Loader, parser: Parser = parse, report: Collector | None = None
) -> Program:
    """Returns a text with its libraries, and reports mistakes of syntax.

    `load` returns the content of included files.
    """
    report = Collector() if report is None else report
    file = parser(source, report) if source.is_text else None
    if file is None:
        return Program(source, (), None, {}, is_whole=False)
    whole = includes.expand(file, report, load, _decode, parser)
    definitions: dict[str, Definition] = {}
    for item in whole.items:
        if isinstance(item, Definition):
            definitions.setdefault(item.name.text, item)
    return Program(source, file.items, whole, definitions, is_whole=not report.has_errors)


def _decode(name: str, data: bytes, report: Collector) -> Source:
    source, problems = frontend.decode(name, data)
    report.extend(problems)
    return source


class Cache:
    """Parses each file once, and again only what has changed.

    The files that were not asked for longest are forgotten.
    """

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def parse(self, source: Source, report: Collector) -> ast.File | None:
        """Returns the AST of a file, as `Pieces.parse` does."""
        known = self._known.pop(source.name, None) or _Known()
        self._known[source.name] = known
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]
        if known.text != source.text:
            found = Collector()
            known.file = known.pieces.parse(source, found)
            known.text, known.problems = source.text, found.sorted()
        report.extend(known.problems)
        return known.file

    def memo(self, name: str) -> Memo:
        """Returns what was found about a file, for the passes."""
        return self._known.setdefault(name, _Known()).memo


@mutable
class _Known:
    memo: Memo = field(default_factory=Memo)
    pieces: Pieces = field(default_factory=Pieces)
    text: str | None = None
    file: ast.File | None = None
    problems: list[Diagnostic] = field(default_factory=list)


def files_in(folder: Path) -> Iterator[str]:
    """Yields the names of the policies in a folder and below it, except hidden ones."""
    found = (path for path in folder.rglob("*.gpl") if not _is_hidden(path.relative_to(folder)))
    for path, _ in zip(found, range(_MOST_FILES), strict=False):
        yield str(path)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
