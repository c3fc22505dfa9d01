# SPDX-License-Identifier: Apache-2.0
"""Converts questions about strings to trees: literals, globs, paths, regular expressions."""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc import globs, regexes
from gthulhuc.regexes import ANY, Choice, OneOf, Regex, Repeat, Sequence

ANYTHING = Repeat(OneOf(ANY), 0, None)
NO_SLASH = Repeat(OneOf(ANY - {ord("/")}), 0, None)
SOMETHING = Repeat(OneOf(ANY - {ord("/")}), 1, None)


def literal(text: bytes) -> Regex:
    """Returns a pattern that matches only this text."""
    return Sequence(tuple(OneOf(frozenset({byte})) for byte in text))


def glob(pattern: bytes) -> Regex:
    """Returns the pattern of a valid glob."""
    return Sequence(
        tuple(
            ANYTHING if isinstance(atom, globs.Star) else OneOf(atom.bytes)
            for atom in globs.parse(pattern)
        )
    )


def below(path: bytes) -> Regex:
    """Returns the pattern of a cgroup's path and all paths below, by whole components."""
    if path == b"/":
        return Sequence((literal(b"/"), ANYTHING))
    return Sequence((literal(path), optional(literal(b"/"), ANYTHING)))


def optional(*parts: Regex) -> Regex:
    """Returns parts in sequence."""
    return Repeat(Sequence(parts), 0, 1)


def any_of(parts: Iterable[Regex]) -> Regex:
    """Returns a choice of at least one part."""
    choices = tuple(parts)
    return choices[0] if len(choices) == 1 else Choice(choices)


def question(operator: str, values: Iterable[bytes]) -> Regex:
    """Returns the pattern of a question with `is`, `glob`, `regex` or `under`.

    Raises ValueError for another operator.
    """
    match operator:
        case "is":
            return any_of(literal(value) for value in values)
        case "glob":
            return any_of(glob(value) for value in values)
        case "regex":
            return any_of(regexes.parse(value) for value in values)
        case "under":
            return any_of(below(value) for value in values)
    raise ValueError(operator)
