# SPDX-License-Identifier: Apache-2.0
"""Reads the metadata that the compiler writes into an object."""

from __future__ import annotations

import json
import shlex
from io import BytesIO
from typing import Any

from gthulhuc.cli.frame import CommandError

SECTION = ".gthulhu"


def read_metadata(name: str, data: bytes) -> dict[str, Any]:
    """The metadata in an object's bytes. Raises CommandError if there is none."""
    from elftools.elf.elffile import ELFFile

    try:
        section = ELFFile(BytesIO(data)).get_section_by_name(SECTION)
        content = None if section is None else section.data()
    except Exception as error:  # the library raises any exception for a corrupt file
        raise CommandError(f"{name} is not an ELF object", _hint(name)) from error
    if content is None:
        raise CommandError(
            f"{name} was not compiled by gthulhuc: it has no section {SECTION}", _hint(name)
        )
    try:
        metadata = json.loads(content.rstrip(b"\0"))
    except (ValueError, RecursionError) as error:
        raise damaged(name) from error
    if not isinstance(metadata, dict):
        raise damaged(name)
    return metadata


def _hint(name: str) -> str:
    policy = name if name.endswith(".gpl") else "policy.gpl"
    return f"compile an object with `gthulhuc {shlex.quote(policy)}`"


def damaged(name: str) -> CommandError:
    """The error for corrupt metadata."""
    return CommandError(f"the metadata in {name} is corrupt", "compile the policy again")


def describe(metadata: dict[str, Any]) -> str:
    """The metadata for people: a table for each list of objects, a line for everything else."""
    from gthulhuc.diagnostics.human import visible

    lines: list[str] = []
    plain = {key: value for key, value in metadata.items() if not _is_table(value)}
    width = max((len(key) for key in plain), default=0)
    for key, value in plain.items():
        lines.append(f"{key:<{width}}  {_show(value)}".rstrip())
    for key, value in metadata.items():
        if _is_table(value):
            lines += ["", f"{key}:", *_table(value)]
    return "\n".join(visible(line) for line in lines) + "\n"


def _table(rows: list[dict[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [columns, *([_show(row.get(column)) for column in columns] for row in rows)]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    return [
        "  "
        + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _show(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{key} {_show(item)}" for key, item in value.items())
        case list():
            return ", ".join(_show(item) for item in value)
        case _:
            return str(value)
