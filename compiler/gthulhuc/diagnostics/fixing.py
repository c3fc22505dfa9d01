# SPDX-License-Identifier: Apache-2.0
"""Applies the fixes of diagnostics to a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gthulhuc.diagnostics.model import Diagnostic, Edit
from gthulhuc.source import Source

_MOST_ROUNDS = 10


def certain(found: Iterable[Diagnostic], source: Source) -> list[tuple[Edit, ...]]:
    """Returns the fixes for a file that have no alternative and do not touch each other."""
    chosen: list[tuple[Edit, ...]] = []
    taken: list[tuple[int, int]] = []
    for item in found:
        if len(item.fixes) != 1 or not item.fixes[0].edits:
            continue
        edits = item.fixes[0].edits
        places = [(edit.span.start, edit.span.end) for edit in edits]
        is_own = all(edit.span.source.name == source.name for edit in edits)
        if is_own and not any(a <= d and c <= b for a, b in places for c, d in taken):
            chosen.append(edits)
            taken += places
    return chosen


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Returns a text with edits, which do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def fixed(
    source: Source, check: Callable[[Source], Sequence[Diagnostic]]
) -> tuple[Source, int, Sequence[Diagnostic]]:
    """Returns a source with all certain fixes, their number, and the problems that are left.

    A fix that leaves as many problems as before is tried once only.
    """
    found = check(source)
    count = 0
    for _ in range(_MOST_ROUNDS):
        fixes = certain(found, source)
        if not fixes:
            break
        text = apply(source.text, [edit for edits in fixes for edit in edits])
        if text == source.text:
            break
        source, count = Source(source.name, text), count + len(fixes)
        found = check(source)
    return source, count, found
