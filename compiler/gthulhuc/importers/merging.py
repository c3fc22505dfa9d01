# SPDX-License-Identifier: Apache-2.0
"""Makes one rule of neighbours that differ in one value: of a strategy's pods, for example.

A policy may ask for 64 labels, pods and namespaces, and a list counts once.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gthulhuc.diagnostics import Collector
from gthulhuc.importers.document import Document, NameSet, Rule, one_of
from gthulhuc.source import Source, Span
from gthulhuc.syntax.text import unquote

_ONE_VALUE = re.compile(r'(label "(?:[^"\\]|\\.)*"|[a-z]+) == ("(?:[^"\\]|\\.)*")')
_LONG = 8
"""Values of which a list becomes a `set`, whose text needs no formatting."""


def merged(document: Document) -> Document:
    """The document with fewer rules for the same tasks.

    Only neighbours become one rule, so that no task gets another first rule.
    """
    rules: list[Rule] = []
    sets = list(document.sets)
    for group in _groups(document.rules):
        first, at = group[0], _difference(group[0], group[-1])
        if at is None:
            rules.append(first)
            continue
        values = tuple(dict.fromkeys(_value(rule.match[at]) for rule in group))
        field = _field(first.match[at])
        part = one_of(field, values)
        if len(values) > _LONG:
            sets.append(NameSet(f"values-{len(sets) + 1}", values))
            part = f"{field} in {sets[-1].name}"
        match = (*first.match[:at], part, *first.match[at + 1 :])
        rules.append(replace(first, match=match))
    return replace(document, rules=tuple(rules), sets=tuple(sets))


def _groups(rules: tuple[Rule, ...]) -> list[list[Rule]]:
    """The rules in order, in groups that differ in one and the same value."""
    groups: list[list[Rule]] = []
    for rule in rules:
        group = groups[-1] if groups else []
        at = _difference(group[0], rule) if group else None
        if at is not None and at == (_difference(group[0], group[-1]) if group[1:] else at):
            group.append(rule)
        else:
            groups.append([rule])
    return groups


def _difference(one: Rule, other: Rule) -> int | None:
    """Where the only values differ that differ in two rules; None: they differ otherwise."""
    if (one.actions, one.comments) != (other.actions, other.comments):
        return None
    if len(one.match) != len(other.match):
        return None
    pairs = enumerate(zip(one.match, other.match, strict=True))
    differing = [(at, pair) for at, pair in pairs if pair[0] != pair[1]]
    if len(differing) != 1:
        return None
    at, (mine, others) = differing[0]
    both = _ONE_VALUE.fullmatch(mine), _ONE_VALUE.fullmatch(others)
    if both[0] is None or both[1] is None or both[0][1] != both[1][1]:
        return None
    return at


def _field(part: str) -> str:
    found = _ONE_VALUE.fullmatch(part)
    assert found is not None
    return found[1]


def _value(part: str) -> bytes:
    found = _ONE_VALUE.fullmatch(part)
    assert found is not None
    literal = Source("", found[2])
    value = unquote(Span(literal, 0, len(found[2])), Collector())
    assert value is not None
    return value
