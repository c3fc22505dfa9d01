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
    sets = list(document.sets)
    rules = tuple(group.rule(sets) for group in _groups(document.rules))
    return replace(document, rules=rules, sets=tuple(sets))


def _groups(rules: tuple[Rule, ...]) -> list[_Group]:
    """The rules in order, in groups that differ in one and the same value."""
    groups: list[_Group] = []
    for rule in rules:
        if not groups or not groups[-1].takes(rule):
            groups.append(_Group(rule))
    return groups


class _Group:
    """Neighbours that differ in one value; it is that of `field` in the part `at` of their match.

    A single rule has neither.
    """

    def __init__(self, first: Rule) -> None:
        self._first = first
        self._at: int | None = None
        self._field = ""
        self._literals: list[str] = []

    def takes(self, rule: Rule) -> bool:
        """Adds a rule if it belongs to the group."""
        first = self._first
        if (rule.actions, rule.comments) != (first.actions, first.comments):
            return False
        if len(rule.match) != len(first.match):
            return False
        pairs = zip(first.match, rule.match, strict=True)
        differing = [at for at, (mine, others) in enumerate(pairs) if mine != others]
        if len(differing) != 1 or self._at not in (None, differing[0]):
            return False
        return self._adds(differing[0], rule)

    def _adds(self, at: int, rule: Rule) -> bool:
        found = _ONE_VALUE.fullmatch(rule.match[at])
        if found is None:
            return False
        if self._at is None:
            own = _ONE_VALUE.fullmatch(self._first.match[at])
            if own is None or own[1] != found[1]:
                return False
            self._at, self._field, self._literals = at, own[1], [own[2]]
        elif found[1] != self._field:
            return False
        self._literals.append(found[2])
        return True

    def rule(self, sets: list[NameSet]) -> Rule:
        """The rule for all of them; long lists become sets, which are added to the others."""
        parts = [_with_set(part, sets) for part in self._first.match]
        if self._at is not None:
            values = tuple(dict.fromkeys(map(_unquoted, self._literals)))
            parts[self._at] = _one_of(self._field, values, sets)
        return replace(self._first, match=tuple(parts))


def _with_set(part: str, sets: list[NameSet]) -> str:
    """A comparison with a long list as one with a set."""
    field, is_list, rest = part.partition(" in [")
    if not is_list or part.count('", "') < _LONG:
        return part
    return _one_of(field, tuple(_unquoted(found[0]) for found in _LITERAL.finditer(rest)), sets)


def _one_of(field: str, values: tuple[bytes, ...], sets: list[NameSet]) -> str:
    """A comparison with a list, or with a set if that is long."""
    if len(values) <= _LONG:
        return one_of(field, values)
    sets.append(NameSet(f"values-{len(sets) + 1}", values))
    return f"{field} in {sets[-1].name}"


def _unquoted(literal: str) -> bytes:
    """The bytes of a literal, most of which have no escapes."""
    if "\\" not in literal:
        return literal[1:-1].encode()
    value = unquote(Span(Source("", literal), 0, len(literal)), Collector())
    assert value is not None
    return value
