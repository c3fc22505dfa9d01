# SPDX-License-Identifier: Apache-2.0
"""Writes the AST as JSON: each node is an object with its kind and place (`line:column`)."""

from __future__ import annotations

import dataclasses
import json

from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast


def to_json(file: ast.File) -> str:
    """Returns the file as indented JSON with a final newline."""
    return json.dumps(_plain(file), indent=2, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    match value:
        case Span():
            line, column = value.source.position(value.start)
            return f"{line}:{column}"
        case bytes():
            # A string may contain any byte; bytes that are not text become surrogates.
            return value.decode(errors="backslashreplace")
        case tuple() | frozenset():
            items = sorted(value) if isinstance(value, frozenset) else value
            return [_plain(item) for item in items]
        case Source():
            return value.shown
    if dataclasses.is_dataclass(value):
        node: dict[str, object] = {"node": type(value).__name__}
        for field in dataclasses.fields(value):
            if field.name == "sources":  # includes, which are still items of the tree
                continue
            node["at" if field.name == "span" else field.name] = _plain(getattr(value, field.name))
        return node
    return value
