# SPDX-License-Identifier: Apache-2.0
"""Replaces each `include` by the items of the library.

Afterwards the file holds the items of all its libraries, each library once, and no include. Later
passes need not know: the spans of each item point into the file it came from.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.source import Source, as_text
from gthulhuc.syntax import ast

Loader: TypeAlias = Callable[[str], bytes]
"""Returns the content of a file by its name. Raises OSError."""
Parser: TypeAlias = Callable[[Source, Collector], ast.File | None]
Decoder: TypeAlias = Callable[[str, bytes, Collector], Source]

MOST_FILES = 1000
MAX_DEPTH = 50


def expand(
    file: ast.File, report: Collector, load: Loader, decode: Decoder, parse: Parser
) -> ast.File:
    """Returns the file with the items of its libraries."""
    if not any(isinstance(item, ast.Include) for item in file.items):
        return file
    reader = _Reader(report, load, decode, parse)
    reader.seen[key(file.source.name)] = None
    items = reader.items_of(file, [key(file.source.name)])
    return ast.File(
        file.source,
        tuple(items),
        file.lost_names | reader.lost_names,
        file.is_whole and reader.is_whole,
        file.span,
        (file.source, *reader.sources),
    )


@dataclass(slots=True)
class _Reader:
    report: Collector
    load: Loader
    decode: Decoder
    parse: Parser
    seen: dict[str, ast.File | None] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    lost_names: set[str] = field(default_factory=set)
    is_whole: bool = True

    def items_of(self, file: ast.File, chain: list[str]) -> list[ast.Item]:
        items: list[ast.Item] = []
        for item in file.items:
            if isinstance(item, ast.Include):
                items += self._library(item, file.source, chain)
            else:
                items.append(item)
        return items

    def _library(self, item: ast.Include, by: Source, chain: list[str]) -> list[ast.Item]:
        name = self._name(item, by)
        if name is None:
            self.is_whole = False
            return []
        own = key(name)
        if own in chain:
            message = "a file includes itself"
            cycle = [*chain[chain.index(own) :], own]
            steps = " -> ".join(f"`{Path(step).name}`" for step in cycle)
            self.report.error(codes.INCLUDE_CYCLE, message, item.span, note=steps)
            return []
        if own in self.seen:
            return []
        self.seen[own] = None
        file = self._read(item, name, chain)
        if file is None:
            self.is_whole = False
            return []
        self.lost_names |= file.lost_names
        self.is_whole = self.is_whole and file.is_whole
        policies = [each for each in file.items if isinstance(each, ast.PolicyBlock)]
        if policies:
            head = policies[0].span.to(policies[0].name.span)
            self.report.error(
                codes.NOT_A_LIBRARY,
                "cannot include a file that has a `policy` block",
                item.span,
                secondary=[Label(head, "the block is here")],
                hint="move shared definitions into a file without a `policy` block",
            )
        kept = self.items_of(file, [*chain, own])
        return [each for each in kept if not isinstance(each, ast.PolicyBlock)]

    def _name(self, item: ast.Include, by: Source) -> str | None:
        path = item.path.value.decode(errors="surrogateescape")
        if not path or "\n" in path:
            self.report.error(codes.CANNOT_INCLUDE, "invalid file name", item.path.span)
            return None
        # `..` stays: after a symbolic link it leads elsewhere than the text suggests.
        return str(Path(by.name).parent / path)

    def _read(self, item: ast.Include, name: str, chain: list[str]) -> ast.File | None:
        why = ""
        if len(chain) > MAX_DEPTH:
            why = f"nested deeper than {MAX_DEPTH}"
        elif len(self.sources) >= MOST_FILES:
            why = f"more than {MOST_FILES} files"
        else:
            try:
                data = self.load(name)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or str(error)
        if why:
            shown = item.path.value.decode(errors="replace")
            note = f"looked for {as_text(name)}" if name != shown else ()
            message = f"cannot include `{shown}`: {why}"
            self.report.error(codes.CANNOT_INCLUDE, message, item.path.span, note=note)
            return None
        source = self.decode(name, data, self.report)
        self.sources.append(source)
        return self.parse(source, self.report)


def key(name: str) -> str:
    """Returns a key that is equal for all names of one file."""
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):
        return name
