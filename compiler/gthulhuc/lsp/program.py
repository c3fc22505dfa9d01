# SPDX-License-Identifier: Apache-2.0
"""A file with its libraries, as far as it can be parsed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from gthulhuc import frontend, includes
from gthulhuc.diagnostics import Collector
from gthulhuc.includes import Loader, Parser
from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax import ast
from gthulhuc.syntax.parse import parse

Definition: TypeAlias = ast.SetItem | ast.Tunable | ast.RuleBlock

_MOST_KEPT = 64
_MOST_FILES = 1000


@dataclass(frozen=True, slots=True)
class Program:
    """A file, its own items, those of it and its libraries, and the definitions among these.

    `sources` are all its files. `is_whole` is false if one of them has a syntax error, so that
    items may be missing.
    """

    source: Source
    own: tuple[ast.Item, ...]
    items: tuple[ast.Item, ...]
    sources: tuple[Source, ...]
    definitions: dict[str, Definition]
    is_whole: bool


def read(source: Source, load: Loader, parser: Parser = parse) -> Program:
    """Returns a file with its libraries; `load` returns the content of included files."""
    report = Collector()
    file = parser(source, report)
    if file is None:
        return Program(source, (), (), (source,), {}, is_whole=False)
    whole = includes.expand(file, report, load, _decode, parser)
    definitions: dict[str, Definition] = {}
    for item in whole.items:
        if isinstance(item, Definition):
            definitions.setdefault(item.name.text, item)
    sources = whole.sources or (source,)
    return Program(
        source, file.items, whole.items, sources, definitions, is_whole=not report.has_errors
    )


def _decode(name: str, data: bytes, report: Collector) -> Source:
    source, problems = frontend.decode(name, data)
    report.extend(problems)
    return source


class Cache:
    """Parses each text of a file once; the files that were not asked for long are forgotten."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, ast.File | None, Collector]] = {}

    def parse(self, source: Source, report: Collector) -> ast.File | None:
        """Returns the AST of a file, as `gthulhuc.syntax.parse` does."""
        known = self._known.pop(source.name, None)
        if known is None or known[0] != source.text:
            found = Collector()
            known = source.text, parse(source, found), found
        self._known[source.name] = known
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]
        report.extend(known[2].sorted())
        return known[1]


def files_in(folder: Path) -> Iterator[str]:
    """Yields the names of the policies in a folder and below it, except hidden ones."""
    found = (path for path in folder.rglob("*.gpl") if not _is_hidden(path.relative_to(folder)))
    for path, _ in zip(found, range(_MOST_FILES), strict=False):
        yield str(path)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
