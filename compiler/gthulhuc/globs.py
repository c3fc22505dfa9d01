# SPDX-License-Identifier: Apache-2.0
"""The globs of the language, over bytes.

`*` matches any number of bytes, including `/`; `?` one byte; `[a-z0]` one of a set and `[!a-z]` one
outside of it. In a set, `]` at the start and `-` at either end are literal. All other bytes match
themselves, a backslash too; `[*]` is a star.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from gthulhuc.records import dataclass


class GlobError(ValueError):
    """The pattern is malformed at the bytes from `start` to `end`."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


@dataclass(frozen=True, slots=True)
class Star:
    """Any number of bytes."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One byte out of a set."""

    bytes: frozenset[int]


Atom: TypeAlias = Star | OneOf

ANY_BYTE = OneOf(frozenset(range(1, 256)))  # no name in the kernel contains a NUL


def parse(pattern: bytes) -> tuple[Atom, ...]:
    """Returns the atoms of a pattern, with runs of stars as one. Raises GlobError."""
    atoms: list[Atom] = []
    at = 0
    while at < len(pattern):
        char = pattern[at : at + 1]
        if char == b"[":
            atom, at = _bracket(pattern, at)
            atoms.append(atom)
            continue
        at += 1
        if char == b"*":
            if not atoms or not isinstance(atoms[-1], Star):
                atoms.append(Star())
        else:
            atoms.append(ANY_BYTE if char == b"?" else OneOf(frozenset(char)))
    return tuple(atoms)


def shortest(pattern: bytes) -> int:
    """Returns the length in bytes of the shortest match. Raises GlobError."""
    return sum(isinstance(atom, OneOf) for atom in parse(pattern))


def to_regex(pattern: bytes) -> re.Pattern[bytes]:
    """Returns an equivalent regular expression for `fullmatch`. Raises GlobError."""
    return re.compile(b"".join(_atom_regex(atom) for atom in parse(pattern)), re.DOTALL)


def _atom_regex(atom: Atom) -> bytes:
    if isinstance(atom, Star):
        return b".*"
    if atom == ANY_BYTE:
        return b"."
    return b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(atom.bytes)) + b"]"


def _bracket(pattern: bytes, start: int) -> tuple[OneOf, int]:
    """The set that starts at `start`, and the position after it."""
    at = start + 1
    negated = pattern[at : at + 1] == b"!"
    at += negated
    end = pattern.find(b"]", at + 1)
    if end < 0:
        raise GlobError("`[` is not closed", start, len(pattern))
    if pattern[at : at + 1] == b"^":
        raise GlobError("write `[!` instead of `[^`", start, at + 1)
    members: set[int] = set()
    while at < end:
        low = pattern[at]
        if at + 2 < end and pattern[at + 1 : at + 2] == b"-":
            high = pattern[at + 2]
            if high < low:
                raise GlobError("a range runs backwards", at, at + 3)
            members.update(range(low, high + 1))
            at += 3
        else:
            members.add(low)
            at += 1
    chosen = ANY_BYTE.bytes - members if negated else frozenset(members)
    if not chosen:
        raise GlobError("this set matches nothing", start, end + 1)
    return OneOf(chosen), end + 1
