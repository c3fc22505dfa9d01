# SPDX-License-Identifier: Apache-2.0
"""Reads ananicy's files: one JSON object per line, `#` before comments.

A broken line is reported with its place; the others are still read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass

SUFFIXES = (".types", ".cgroups", ".rules")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Entry:
    """One object; `place` is `file:line`."""

    place: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class File:
    """A file's objects, and findings about its other lines."""

    name: str
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]


def read_folder(folder: str) -> list[File]:
    """Returns all files of ananicy in a folder and below, in the order of their paths."""
    root = Path(folder)
    paths = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    files = []
    for path in paths:
        shown = f"{folder.rstrip('/')}/{path.relative_to(root)}"
        try:
            files.append(read_file(shown, path.read_bytes()))
        except OSError as error:
            finding = Finding(shown, f"cannot read: {error.strerror}", is_error=True)
            files.append(File(shown, (), (finding,)))
    return files


def read_file(name: str, data: bytes) -> File:
    """Returns the objects in a file's bytes."""
    entries: list[Entry] = []
    findings: list[Finding] = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            place = f"{name}:{number}:{error.start + 1}"
            message = f"skipped: not UTF-8: byte 0x{raw[error.start]:02x}"
            findings.append(Finding(place, message, is_error=True))
            continue
        start = len(line) - len(line.lstrip())
        if not line.strip() or line[start] == "#":
            continue
        try:
            fields, end = _object(line, start)
        except _LineError as error:
            place = f"{name}:{number}:{error.at + 1}"
            findings.append(Finding(place, f"skipped: {error}", is_error=True))
            continue
        entries.append(Entry(f"{name}:{number}", fields))
        rest = line[end:].lstrip()
        if rest and not rest.startswith("#"):
            place = f"{name}:{number}:{len(line) - len(rest) + 1}"
            message = "ignored: text after the object; the object itself is taken"
            findings.append(Finding(place, message, is_error=True))
    return File(name, tuple(entries), tuple(findings))


class _LineError(ValueError):
    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def _object(line: str, start: int) -> tuple[dict[str, Any], int]:
    """The object at `start`, and where it ends. Raises _LineError."""
    try:
        value, end = _DECODER.raw_decode(line, start)
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg}", error.pos) from error
    except RecursionError as error:
        raise _LineError("nested too deeply", start) from error
    if not isinstance(value, dict):
        raise _LineError("not an object: `{` is missing", start)
    return value, end
