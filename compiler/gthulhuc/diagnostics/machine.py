# SPDX-License-Identifier: Apache-2.0
"""Renders diagnostics for programs: one line each, JSON, SARIF 2.1.0, GitHub's annotations."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from gthulhuc import __version__
from gthulhuc.diagnostics.human import visible
from gthulhuc.diagnostics.model import Diagnostic, Fix, Label
from gthulhuc.diagnostics.pages import PAGES
from gthulhuc.source import Span

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def short(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns `file:line:column: severity[code]: message` for each, as other compilers print it."""
    return "".join(
        f"{visible(item.span.source.name)}:{_place(item.span)}: "
        f"{item.severity.value}[{item.code.id}]: {visible(item.message)}\n"
        for item in diagnostics
    )


def as_json(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns a JSON array; lines and columns count from 1, columns in characters."""
    return json.dumps([_plain(item) for item in diagnostics], indent=2) + "\n"


def github(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns workflow commands that annotate the lines of a pull request."""
    return "".join(_annotation(item) + "\n" for item in diagnostics)


def sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns the log of one run in SARIF 2.1.0."""
    rules = sorted({item.code for item in diagnostics}, key=lambda code: code.id)
    index = {code.id: number for number, code in enumerate(rules)}
    driver = {
        "name": "gthulhuc",
        "version": __version__,
        "rules": [
            {
                "id": code.id,
                "name": code.name,
                "shortDescription": {"text": _one_line(PAGES[code.id].what)},
                "help": {"text": _one_line(PAGES[code.id].why)},
            }
            for code in rules
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, index[item.code.id]) for item in diagnostics],
    }
    return (
        json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"
    )


def _one_line(text: str) -> str:
    """The text of a page, which is wrapped, as one line."""
    return " ".join(text.split())


def _place(span: Span) -> str:
    line, column = span.source.position(span.start)
    return f"{line}:{column}"


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(max(span.end, span.start))
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _plain(item: Diagnostic) -> dict[str, object]:
    return {
        "code": item.code.id,
        "name": item.code.name,
        "severity": item.severity.value,
        "message": item.message,
        "file": item.span.source.shown,
        **_region(item.span),
        "label": item.primary.text,
        "related": [
            {"file": label.span.source.shown, **_region(label.span), "label": label.text}
            for label in item.secondary
        ],
        "help": list(item.help),
        "fixes": [
            {
                "title": fix.title,
                "edits": [
                    {"file": edit.span.source.shown, **_region(edit.span), "text": edit.text}
                    for edit in fix.edits
                ],
            }
            for fix in item.fixes
        ],
        "notes": list(item.notes),
    }


def _annotation(item: Diagnostic) -> str:
    region = _region(item.span)
    properties = {
        "file": item.span.source.shown,
        "line": region["line"],
        "col": region["column"],
        "endLine": region["end_line"],
        "endColumn": region["end_column"],
        "title": f"{item.code.id} {item.code.name}",
    }
    text = "\n".join([item.message, *(f"help: {each}" for each in item.help), *item.notes])
    # People read the log on terminals, too.
    text = "\n".join(visible(line) for line in text.split("\n"))
    shown = ",".join(
        f"{key}={_escaped(visible(str(value)), ':,')}" for key, value in properties.items()
    )
    return f"::{item.severity.value} {shown}::{_escaped(text, '')}"


def _escaped(text: str, marks: str) -> str:
    """Text inside a workflow command, with percent codes for what would end it."""
    result = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    for mark in marks:
        result = result.replace(mark, f"%{ord(mark):02X}")
    return result


def _result(item: Diagnostic, index: int) -> dict[str, object]:
    text = ". ".join([item.message, *item.help, *item.notes])
    return {
        "ruleId": item.code.id,
        "ruleIndex": index,
        "level": item.severity.value,
        "message": {"text": text},
        "locations": [_location(item.primary)],
        "relatedLocations": [
            {"id": number, **_location(label)} for number, label in enumerate(item.secondary)
        ],
        "fixes": [_fix(fix) for fix in item.fixes if fix.edits],
    }


def _fix(fix: Fix) -> dict[str, object]:
    names = dict.fromkeys(edit.span.source.name for edit in fix.edits)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": _uri(name)},
                "replacements": [
                    {
                        "deletedRegion": _sarif_region(edit.span),
                        "insertedContent": {"text": edit.text},
                    }
                    for edit in fix.edits
                    if edit.span.source.name == name
                ],
            }
            for name in names
        ],
    }


def _sarif_region(span: Span) -> dict[str, int]:
    region = _region(span)
    return {
        "startLine": region["line"],
        "startColumn": region["column"],
        "endLine": region["end_line"],
        "endColumn": region["end_column"],
    }


def _location(label: Label) -> dict[str, object]:
    location: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(label.span.source.name)},
            "region": _sarif_region(label.span),
        }
    }
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _uri(name: str) -> str:
    return Path(name).as_uri() if Path(name).is_absolute() else quote(os.fsencode(name))
