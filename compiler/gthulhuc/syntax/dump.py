# SPDX-License-Identifier: Apache-2.0
"""The AST as JSON: each node an object with its kind and its place (`line:column`)."""

from __future__ import annotations

import dataclasses
import json

from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast


def to_json(file: ast.File) -> str:
    """The file as indented JSON, with a line break at its end."""
    return json.dumps(_plain(file), indent=2, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    match value:
        case Span():
            line, column = value.source.position(value.start)
            return f"{line}:{column}"
        case bytes():
            # Any byte may stand in a string; those that are no text become surrogates.
            return value.decode(errors="backslashreplace")
        case tuple() | frozenset():
            items = sorted(value) if isinstance(value, frozenset) else value
            return [_plain(item) for item in items]
        case Source():
            return value.shown
    if dataclasses.is_dataclass(value):
        node: dict[str, object] = {"node": type(value).__name__}
        for field in dataclasses.fields(value):
            if field.name == "sources":  # of includes, which the tree still names
                continue
            node["at" if field.name == "span" else field.name] = _plain(getattr(value, field.name))
        return node
    return value
