# SPDX-License-Identifier: Apache-2.0
"""Patterns: automata of globs, regular expressions and paths, and how their matches begin and end.

A pattern is the position automaton of its expression (Glushkov 1961), run on bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from gthulhuc import globs, regexes
from gthulhuc.positions import Positions

_MOST_POSITIONS = 3000
MOST_KEPT = 1 << 14
LONGEST_HEAD = 64
MOST_HEADS = 64


class Pattern:
    """An automaton over bytes; equal only to itself, so make each once (`glob_pattern` etc.)."""

    def __init__(self, tree: regexes.Regex) -> None:
        self.heads = _heads(tree, backwards=False)
        self.tails = _heads(tree, backwards=True)
        self.example = _example(tree)
        found = Positions()
        found.add(tree, 0)
        # Bit 0 is the start, bit p + 1 position p.
        self._follow = [_bits(found.first), *map(_bits, found.follow)]
        self._last = _bits(p for p, patterns in enumerate(found.accepts) if patterns)
        self._last |= bool(found.empty)
        self._masks = [0] * 256
        for position, members in enumerate(found.sets):
            for byte in members:
                self._masks[byte] |= 2 << position
        self._next: dict[int, int] = {}

    def reach(self, state: int) -> int:
        """Returns the positions that can come next."""
        found = self._next.get(state)
        if found is None:
            found, rest = 0, state
            while rest:
                lowest = rest & -rest
                found |= self._follow[lowest.bit_length() - 1]
                rest ^= lowest
            self._next[state] = found
        return found

    def step(self, state: int, byte: int) -> int:
        """Returns the state after one more byte; 0 when nothing can match any more."""
        return self.reach(state) & self._masks[byte]

    def accepts(self, state: int) -> bool:
        """Whether the string read so far matches."""
        return bool(state & self._last)

    def matches(self, value: bytes) -> bool:
        """Whether a string matches as a whole."""
        state = 1
        for byte in value:
            state = self.step(state, byte)
        return self.accepts(state)

    def kinds(self) -> list[int]:
        """Returns a number for each byte, equal for bytes that no position tells apart."""
        return self._masks


def _bits(positions: Iterable[int]) -> int:
    bits = 0
    for position in positions:
        bits |= 2 << position
    return bits


def _heads(tree: regexes.Regex, *, backwards: bool) -> frozenset[bytes]:
    """Prefixes of which each match, with a NUL after it, has one; `backwards`: of its reverse."""
    end = regexes.OneOf(frozenset((0,)))
    whole = regexes.Sequence((end, tree) if backwards else (tree, end))
    return frozenset(head for head, _ in _edges(whole, backwards))


def _edges(tree: regexes.Regex, backwards: bool) -> set[tuple[bytes, bool]]:
    """Prefixes of which each match has one, and whether the prefix is the whole match."""
    match tree:
        case regexes.OneOf():
            is_any = len(tree.bytes) > MOST_HEADS >> 2
            return {(b"", False)} if is_any else {(bytes((b,)), True) for b in tree.bytes}
        case regexes.Choice():
            return set[tuple[bytes, bool]]().union(*(_edges(p, backwards) for p in tree.parts))
        case regexes.Repeat():
            if tree.low == 0:
                return {(b"", False)}
            return {(head, False) for head, _ in _edges(tree.part, backwards)}
    found = {(b"", True)}
    parts = tree.parts[::-1] if backwards else tree.parts
    run = _run(parts)
    if run:
        found = {(run[:LONGEST_HEAD], len(run) < LONGEST_HEAD)}
    for part in parts[len(run) :]:
        whole = [head for head, is_whole in found if is_whole]
        more = _edges(part, backwards) if whole else set()
        is_product = min(len(whole), len(more)) > 1 and len(whole) * len(more) > MOST_HEADS
        is_long = max(map(len, whole), default=LONGEST_HEAD) >= LONGEST_HEAD
        if is_product or is_long:
            return {(head, False) for head, _ in found}
        joined = {(head + tail, is_whole) for head in whole for tail, is_whole in more}
        found = {(head, False) for head, is_whole in found if not is_whole} | joined
    return found


def _run(parts: tuple[regexes.Regex, ...]) -> bytes:
    """The literal bytes that a sequence begins with, usually all but a trailing `*`."""
    run = bytearray()
    for part in parts:
        if not isinstance(part, regexes.OneOf) or len(part.bytes) != 1:
            break
        run.extend(part.bytes)
    return bytes(run)


def _example(tree: regexes.Regex) -> bytes:
    """One of the shortest matches, of bytes that are rare in patterns; wrong for an empty set."""
    match tree:
        case regexes.OneOf():
            return bytes((max(tree.bytes, default=0),))
        case regexes.Sequence():
            return b"".join(map(_example, tree.parts))
        case regexes.Choice():
            return min(map(_example, tree.parts), key=len)
        case regexes.Repeat():
            return _example(tree.part) * tree.low


_BYTES = [regexes.OneOf(frozenset((byte,))) for byte in range(256)]


def _literal(value: bytes) -> list[regexes.Regex]:
    return [_BYTES[byte] for byte in value]


_ANYTHING = regexes.Repeat(regexes.OneOf(regexes.ANY), 0, None)


def _choice(parts: list[regexes.Regex]) -> Pattern | None:
    if sum(regexes.size(part) for part in parts) > _MOST_POSITIONS:
        return None
    return Pattern(parts[0] if len(parts) == 1 else regexes.Choice(tuple(parts)))


@lru_cache(maxsize=MOST_KEPT)
def glob_pattern(patterns: tuple[bytes, ...]) -> Pattern | None:
    """Returns the pattern of several globs; None when it is too large to reason about."""
    return _choice([_of_glob(pattern) for pattern in patterns])


def _of_glob(pattern: bytes) -> regexes.Regex:
    return regexes.Sequence(
        tuple(
            _ANYTHING if isinstance(atom, globs.Star) else regexes.OneOf(atom.bytes)
            for atom in globs.parse(pattern)
        )
    )


@lru_cache(maxsize=MOST_KEPT)
def regex_pattern(pattern: bytes) -> Pattern | None:
    """Returns the pattern of a regular expression; None when it is too large to reason about."""
    return _choice([regexes.parse(pattern)])


@lru_cache(maxsize=MOST_KEPT)
def under_pattern(paths: tuple[bytes, ...]) -> Pattern | None:
    """Returns the pattern of the paths and all paths below; None when it is too large."""
    below = regexes.Sequence((*_literal(b"/"), _ANYTHING))
    parts: list[regexes.Regex] = []
    for path in paths:
        if path == b"/":
            return Pattern(below)
        tail = regexes.Choice((regexes.Sequence(()), below))
        parts.append(regexes.Sequence((*_literal(path), tail)))
    return _choice(parts)
