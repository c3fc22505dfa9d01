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
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
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
        if at is not None:
            values = tuple(dict.fromkeys(_value(rule.match[at]) for rule in group))
            part = one_of(_field(first.match[at]), values)
            first = replace(first, match=(*first.match[:at], part, *first.match[at + 1 :]))
        match = tuple(_with_set(part, sets) for part in first.match)
        rules.append(replace(first, match=match))
    return replace(document, rules=tuple(rules), sets=tuple(sets))


def _with_set(part: str, sets: list[NameSet]) -> str:
    """A comparison with a long list as one with a `set`, which is added to the others."""
    field, is_list, rest = part.partition(" in [")
    if not is_list or part.count('", "') < _LONG:
        return part
    values = tuple(_unquoted(found[0]) for found in _LITERAL.finditer(rest))
    sets.append(NameSet(f"values-{len(sets) + 1}", values))
    return f"{field} in {sets[-1].name}"


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
    return _unquoted(found[2])


def _unquoted(literal: str) -> bytes:
    """The bytes of a literal, most of which have no escapes."""
    if "\\" not in literal:
        return literal[1:-1].encode()
    value = unquote(Span(Source("", literal), 0, len(literal)), Collector())
    assert value is not None
    return value
