# SPDX-License-Identifier: Apache-2.0
"""An index of boxes that finds those that may overlap another one, by how their values begin.

All strings of a set begin with one of its heads. Two heads agree if one is a prefix of the other;
two sets without agreeing heads are disjoint. Tails are the heads of the reversed strings. A NUL,
which no value contains, marks the end of a value; numbers are compared as digits.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from gthulhuc.passes.reasoning.languages import Strings

Ranges: TypeAlias = tuple[tuple[int, int], ...]
Box: TypeAlias = Mapping[Hashable, Strings | Ranges]
Numbered: TypeAlias = tuple[Box, int]

_LONGEST = 64
_FEW = 8
_DIGITS = 17  # hexadecimal, of all numbers of the language with `_BIAS` added
_BIAS = 1 << 64


class Overlap:
    """An index of numbered boxes."""

    def __init__(self) -> None:
        self._groups: dict[frozenset[Hashable], _Group] = {}

    def add(self, box: Box, number: int) -> None:
        """Adds a box under a number."""
        subjects = frozenset(box)
        group = self._groups.get(subjects)
        if group is None:
            group = self._groups[subjects] = _Group()
        group.add(box, number)

    def near(self, box: Box) -> Iterator[Numbered]:
        """Yields possible overlaps among boxes whose subjects this box has, too."""
        for subjects in self._near(frozenset(box)):
            yield from self._groups[subjects].overlapping(box)

    def far(self, box: Box) -> Iterator[Numbered | None]:
        """Yields possible overlaps among the others; None stands for several that were skipped."""
        subjects = frozenset(box)
        for asked, group in self._groups.items():
            if not asked <= subjects:
                yield None
                yield from group.overlapping(box)

    def _near(self, subjects: frozenset[Hashable]) -> Iterable[frozenset[Hashable]]:
        if 1 << len(subjects) > len(self._groups):
            return [asked for asked in self._groups if asked <= subjects]
        sizes = range(len(subjects) + 1)
        subsets = (frozenset(some) for size in sizes for some in combinations(subjects, size))
        return [asked for asked in subsets if asked in self._groups]


@dataclass(slots=True)
class _Group:
    """Boxes with the same subjects."""

    boxes: list[Numbered] = field(default_factory=list)
    # For each subject and view, the boxes by key.
    keys: dict[tuple[Hashable, int], _Keys] = field(default_factory=dict)

    def add(self, box: Box, number: int) -> None:
        for subject, values in box.items():
            for side, view in enumerate(_views(values)):
                keys = self.keys.setdefault((subject, side), _Keys())
                for key in view():
                    keys.add(key, len(self.boxes))
        self.boxes.append((box, number))

    def overlapping(self, box: Box) -> Iterator[Numbered]:
        """Yields boxes that may overlap another one, by the most selective view."""
        best: tuple[int, _Keys, frozenset[bytes]] | None = None
        for subject, values in box.items():
            for side, view in enumerate(_views(values)):
                keys = self.keys.get((subject, side))
                if keys is None:
                    continue
                wanted = view()
                count = sum(map(keys.count, wanted))
                if not count:
                    return
                if best is None or count < best[0]:
                    best = count, keys, wanted
        if best is None or best[0] >= len(self.boxes):
            yield from self.boxes
            return
        _, keys, wanted = best
        for place in sorted({place for key in wanted for place in keys.agreeing(key)}):
            yield self.boxes[place]


class _Keys:
    """Places by keys; two keys agree if one is a prefix of the other."""

    def __init__(self) -> None:
        self._places: dict[bytes, list[int]] = {}
        self._sorted: list[bytes] = []
        self._new: list[bytes] = []
        self._lengths: set[int] = set()

    def add(self, key: bytes, place: int) -> None:
        places = self._places.get(key)
        if places is None:
            self._places[key] = [place]
            self._new.append(key)
            self._lengths.add(len(key))
        else:
            places.append(place)

    def count(self, key: bytes) -> int:
        """Returns the approximate number of places whose keys agree with this one."""
        shorter = sum(map(len, self._shorter(key)))
        first, last = self._longer(key)
        return shorter + last - first

    def agreeing(self, key: bytes) -> Iterator[int]:
        """Yields the places of all keys that agree with this one."""
        for places in self._shorter(key):
            yield from places
        first, last = self._longer(key)
        for longer in self._sorted[first:last]:
            yield from self._places[longer]

    def _shorter(self, key: bytes) -> list[list[int]]:
        """The places of the keys that this one begins with, itself included."""
        return [
            places
            for length in self._lengths
            if length <= len(key) and (places := self._places.get(key[:length])) is not None
        ]

    def _longer(self, key: bytes) -> tuple[int, int]:
        if len(self._new) > _FEW:
            # Sorting them together takes a fraction of the time of one by one, for long lists.
            self._sorted = sorted([*self._sorted, *self._new])
        else:
            for new in self._new:
                insort(self._sorted, new)
        self._new = []
        first = bisect_right(self._sorted, key)
        return first, bisect_right(self._sorted, key + b"\xff" * _LONGEST, first)


def _views(values: Strings | Ranges) -> list[Callable[[], frozenset[bytes]]]:
    if isinstance(values, Strings):
        return [values.heads, values.tails]
    return [lambda: _heads_of_ranges(values)]


@lru_cache(maxsize=1024)
def _heads_of_ranges(ranges: Ranges) -> frozenset[bytes]:
    return frozenset(head for bounds in ranges for head in _number_heads(*bounds))


def _number_heads(low: int, high: int) -> Iterator[bytes]:
    """Prefixes of a range's numbers: one digit longer than their common prefix."""
    first, last = (f"{_BIAS + end:0{_DIGITS}x}" for end in (low, high))
    same = next((i for i in range(_DIGITS) if first[i] != last[i]), _DIGITS)
    common = first[:same]
    if same == _DIGITS:
        yield common.encode()
        return
    for digit in range(int(first[same], 16), int(last[same], 16) + 1):
        yield f"{common}{digit:x}".encode()
