# SPDX-License-Identifier: Apache-2.0
"""Reads the file of labels, for cgroups that no container manager knows.

    [[cgroup]]
    path = "/system.slice/postgresql@*.service"
    labels = { tier = "db" }

`path` is a glob over the whole path, as in policies; `namespace`, `pod` and `container` are texts.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from gthulhu.agent.known import Known
from gthulhuc import globs

_NAMES = ("namespace", "pod", "container")


class StaticError(Exception):
    """The file of labels is invalid."""


@dataclass(frozen=True)
class Entry:
    """The labels of the cgroups whose paths match."""

    pattern: re.Pattern[bytes]
    known: Known


def read(text: str) -> tuple[Entry, ...]:
    """The entries of a file. Raises StaticError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StaticError(str(error)) from None
    entries = data.pop("cgroup", [])
    if data:
        raise StaticError(f"unknown key `{next(iter(data))}`; entries begin with `[[cgroup]]`")
    if not isinstance(entries, list):
        raise StaticError("`cgroup` is not a list; begin each entry with `[[cgroup]]`")
    return tuple(_entry(entry) for entry in entries)


def known_of(entries: tuple[Entry, ...], path: str) -> Known | None:
    """The labels of a cgroup; a later entry wins over an earlier one. None: no entry matches."""
    found = None
    for entry in entries:
        if entry.pattern.fullmatch(os.fsencode(path)):
            found = entry.known if found is None else found.merged(entry.known)
    return found


def _entry(entry: dict[str, Any]) -> Entry:
    entry = dict(entry)
    path = entry.pop("path", None)
    labels = entry.pop("labels", {})
    names = {name: entry.pop(name, None) for name in _NAMES}
    if entry:
        raise StaticError(f"unknown key `{next(iter(entry))}`")
    if not isinstance(path, str) or not path.startswith(("/", "*")):
        raise StaticError('an entry needs `path = "/..."`')
    if not isinstance(labels, dict) or not all(isinstance(v, str) for v in labels.values()):
        raise StaticError(f'{path}: `labels` expects texts, as in `{{ tier = "db" }}`')
    for name, value in names.items():
        if value is not None and not isinstance(value, str):
            raise StaticError(f"{path}: `{name}` expects a text")
    try:
        pattern = globs.to_regex(os.fsencode(path))
    except globs.GlobError as error:
        raise StaticError(f"{path}: {error}") from None
    return Entry(pattern, Known(labels=labels, **names))
