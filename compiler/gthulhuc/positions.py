# SPDX-License-Identifier: Apache-2.0
"""Builds the position automaton of a tree: its numbered bytes, and which may follow which.

Glushkov, "The abstract theory of automata", 1961: no empty moves, and one state per byte of the
expression. Repetitions are expanded.
"""

from __future__ import annotations

from dataclasses import field

from gthulhuc.records import dataclass
from gthulhuc.regexes import Choice, OneOf, Regex, Repeat, Sequence

MAX_POSITIONS = 400_000
_START = -1


class TooManyPositionsError(Exception):
    """The patterns together are longer than a table in the kernel should be."""


@dataclass(slots=True)
class Positions:
    """Positions of all patterns; `sets`: their bytes; `accepts`: the patterns that end there.

    Globs and literals are a tree: what they begin with is there once for all of them, which keeps
    the sets of positions small. `owner`: the only pattern that a position leads to, -1 if there are
    several.
    """

    sets: list[frozenset[int]] = field(default_factory=list)
    follow: list[set[int]] = field(default_factory=list)
    accepts: list[list[int]] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    """Patterns that the empty string matches."""

    _tree: dict[tuple[int, Regex], int] = field(default_factory=dict)

    def add(self, tree: Regex, pattern: int) -> None:
        """Numbers the bytes of one more pattern."""
        for part in tree.parts if isinstance(tree, Choice) else (tree,):
            if isinstance(part, Sequence) and part.parts and all(map(_is_simple, part.parts)):
                self._add_simple(part.parts, pattern)
            else:
                self._add_any(part, pattern)

    def _add_simple(self, parts: tuple[Regex, ...], pattern: int) -> None:
        """Adds bytes and stars to the tree."""
        begins = [_START]  # the positions that the next part can follow
        for index, part in enumerate(parts):
            is_tail = isinstance(part, Repeat) and index == len(parts) - 1
            # Nothing follows a star at the end: all globs of a pattern share it.
            at = self._child(_tail(pattern) if is_tail else begins[-1], part, pattern)
            for before in begins:
                if before == _START:
                    if at not in self.first:
                        self.first.append(at)
                else:
                    self.follow[before].add(at)
            begins = [*begins, at] if isinstance(part, Repeat) else [at]
        for end in begins:
            if end == _START:
                self.empty.append(pattern)
            elif pattern not in self.accepts[end]:
                self.accepts[end].append(pattern)

    def _child(self, before: int, part: Regex, pattern: int) -> int:
        found = self._tree.get((before, part))
        if found is None:
            inner = part.part if isinstance(part, Repeat) else part
            assert isinstance(inner, OneOf)
            (found,) = self._byte(inner.bytes).first
            self.owner.append(pattern)
            if isinstance(part, Repeat):
                self.follow[found].add(found)
            self._tree[before, part] = found
        elif self.owner[found] != pattern:
            self.owner[found] = -1
        return found

    def _add_any(self, tree: Regex, pattern: int) -> None:
        begin = len(self.sets)
        part = self._part(tree)
        self.owner.extend([pattern] * (len(self.sets) - begin))
        self.first.extend(sorted(part.first))
        for position in part.last:
            self.accepts[position].append(pattern)
        if part.is_optional:
            self.empty.append(pattern)

    def _part(self, tree: Regex) -> _Part:
        match tree:
            case OneOf(bytes=members):
                return self._byte(members)
            case Sequence(parts=parts):
                result = _Part(set(), set(), is_optional=True)
                for part in parts:
                    result = self._then(result, self._part(part))
                return result
            case Choice(parts=parts):
                options = [self._part(part) for part in parts]
                return _Part(
                    set().union(*(option.first for option in options)),
                    set().union(*(option.last for option in options)),
                    is_optional=any(option.is_optional for option in options),
                )
            case Repeat():
                return self._repeat(tree)

    def _byte(self, members: frozenset[int]) -> _Part:
        number = len(self.sets)
        if number == MAX_POSITIONS:
            raise TooManyPositionsError
        self.sets.append(members)
        self.follow.append(set())
        self.accepts.append([])
        return _Part({number}, {number}, is_optional=False)

    def _then(self, left: _Part, right: _Part) -> _Part:
        for position in left.last:
            self.follow[position] |= right.first
        return _Part(
            left.first | right.first if left.is_optional else left.first,
            left.last | right.last if right.is_optional else right.last,
            is_optional=left.is_optional and right.is_optional,
        )

    def _repeat(self, tree: Repeat) -> _Part:
        result = _Part(set(), set(), is_optional=True)
        for _ in range(tree.low):
            result = self._then(result, self._part(tree.part))
        if tree.high is None:
            loop = self._part(tree.part)
            for position in loop.last:
                self.follow[position] |= loop.first
            return self._then(result, _Part(loop.first, loop.last, is_optional=True))
        for _ in range(tree.high - tree.low):
            part = self._part(tree.part)
            result = self._then(result, _Part(part.first, part.last, is_optional=True))
        return result


@dataclass(frozen=True, slots=True)
class _Part:
    """Positions that a subtree can begin and end with."""

    first: set[int]
    last: set[int]
    is_optional: bool


def _tail(pattern: int) -> int:
    """The place in the tree of a pattern's last star."""
    return _START - 1 - pattern


def _is_simple(part: Regex) -> bool:
    """Whether a part is a byte or a star, as those of globs and literals are."""
    if isinstance(part, Repeat):
        return part.low == 0 and part.high is None and isinstance(part.part, OneOf)
    return isinstance(part, OneOf)
