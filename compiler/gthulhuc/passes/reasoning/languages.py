# SPDX-License-Identifier: Apache-2.0
"""Sets of strings that patterns and literals describe, and a test for emptiness.

Emptiness is a breadth-first walk over the product of all patterns and the tree of excluded words;
it is bounded, and answers "not empty" when it gives up, so that no false conclusion follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache
from itertools import combinations, product

from gthulhuc.passes.reasoning.patterns import LONGEST_HEAD, MOST_HEADS, MOST_KEPT, Pattern
from gthulhuc.records import dataclass

_MOST_STATES = 2000
_MOST_STEPS = 400_000

_NONE: frozenset[Pattern] = frozenset()


@dataclass(frozen=True, slots=True)
class Strings:
    """A set of a field's values: strings, and possibly "absent" and "not known yet".

    `values`: exactly these strings. If it is None: all strings that match every pattern of `within`
    and none of `without`, except `excluded`. `longest` bounds the length in bytes.
    """

    values: frozenset[bytes] | None = None
    within: frozenset[Pattern] = frozenset()
    without: frozenset[Pattern] = frozenset()
    excluded: frozenset[bytes] = frozenset()
    absent: bool = False
    unknown: bool = False
    longest: int | None = None
    # Found about the set once: the sets of a policy in an editor are asked after each edit.
    _known: dict[str, bool] = field(init=False, default_factory=dict, compare=False, repr=False)
    _ends: dict[bool, frozenset[bytes]] = field(
        init=False, default_factory=dict, compare=False, repr=False
    )

    def is_empty(self) -> bool:
        """True only when the set is certainly empty."""
        if self.absent or self.unknown:
            return False
        if self.values is not None:
            return not self.values
        if not self.within and not self.without:
            return False  # no list has all strings of a field
        if "empty" not in self._known:
            self._known["empty"], steps = _emptiness(self)
            Walks.steps += steps
        return self._known["empty"]

    def has(self, word: bytes) -> bool:
        """Whether the set has a string without a NUL, regardless of its length."""
        if self.values is not None:
            return word in self.values
        return (
            word not in self.excluded
            and all(pattern.matches(word) for pattern in self.within)
            and not any(pattern.matches(word) for pattern in self.without)
        )

    def word(self) -> bytes | None:
        """Returns a string of the set, a readable one if it can; None if it finds none."""
        if self.values is None:
            return _walk(self)[0]
        fitting = [v for v in self.values if self.longest is None or len(v) <= self.longest]
        return min(fitting, key=lambda value: (not value, value), default=None)

    def heads(self) -> frozenset[bytes]:
        """Returns prefixes of which each string of the set has one; a NUL marks a string's end."""
        return self._ends_of(backwards=False)

    def tails(self) -> frozenset[bytes]:
        """Returns the heads of the reversed strings."""
        return self._ends_of(backwards=True)

    def _ends_of(self, *, backwards: bool) -> frozenset[bytes]:
        if backwards not in self._ends:
            ends: Iterable[bytes]
            if self.values is not None:
                step = -1 if backwards else 1
                ends = {(value[::step] + b"\0")[:LONGEST_HEAD] for value in self.values}
            else:
                within = self.within
                ends = _longest([each.tails if backwards else each.heads for each in within])
            self._ends[backwards] = self._with_none(ends)
        return self._ends[backwards]

    def _with_none(self, heads: Iterable[bytes]) -> frozenset[bytes]:
        """Adds the heads for "absent" and "unknown"; no string begins like them."""
        none = {b"\0absent": self.absent, b"\0unknown": self.unknown}
        return frozenset((*heads, *(head for head, is_in in none.items() if is_in)))

    def is_known(self) -> Strings:
        """Returns the set without "not known yet"."""
        return replace(self, unknown=False) if self.unknown else self

    def complement(self, *, has_absent: bool, is_late: bool) -> list[Strings]:
        """Returns all other values, as sets whose union they are."""
        absent, unknown = has_absent and not self.absent, is_late and not self.unknown

        def part(  # `replace` takes several times as long, and policies have many complements
            values: frozenset[bytes] | None = None,
            within: frozenset[Pattern] = _NONE,
            without: frozenset[Pattern] = _NONE,
            excluded: frozenset[bytes] = frozenset(),
        ) -> Strings:
            return Strings(values, within, without, excluded, absent, unknown, self.longest)

        if self.values is not None:
            return [part(excluded=self.values)]
        pieces = [part(without=frozenset((item,))) for item in self.within]
        pieces += [part(within=frozenset((item,))) for item in self.without]
        return [*pieces, part(self.excluded)]


def all_of(sets: list[Strings]) -> Strings:
    """Returns the intersection of at least one set."""
    if len(sets) == 1:
        return sets[0]
    within = frozenset().union(*(item.within for item in sets))
    without = frozenset().union(*(item.without for item in sets))
    excluded = frozenset().union(*(item.excluded for item in sets))
    named = [item.values for item in sets if item.values is not None]
    values = None
    if named:
        values = frozenset(
            value
            for value in frozenset.intersection(*named) - excluded
            if all(item.matches(value) for item in within)
            and not any(item.matches(value) for item in without)
        )
        within = without = frozenset()
        excluded = frozenset()
    return Strings(
        values,
        within,
        without,
        excluded,
        all(item.absent for item in sets),
        all(item.unknown for item in sets),
        sets[0].longest,
    )


def _longest(several: list[frozenset[bytes]]) -> frozenset[bytes]:
    """The most specific heads; every string has one head of each set."""
    if not several:
        return frozenset((b"",))
    return max(several, key=lambda heads: min(map(len, heads), default=LONGEST_HEAD))


@lru_cache(maxsize=MOST_KEPT)
def _emptiness(strings: Strings) -> tuple[bool, int]:
    """Whether a set is certainly empty, and the steps that this takes.

    Boxes that are split against each other ask it of the same few sets thousands of times. The
    steps count each time, so that a bound on them does not depend on earlier policies.
    """
    before = Walks.steps
    is_empty = not _has_example(strings) and (_disagree(strings.within) or _no_word(strings))
    steps, Walks.steps = Walks.steps - before, before
    return is_empty, steps


def _has_example(strings: Strings) -> bool:
    """Whether an example proves that the set has a string, which is the common case."""
    for word in [pattern.example for pattern in strings.within] or [b"", b"/", b"\xff"]:
        if strings.longest is not None and len(word) > strings.longest:
            continue
        Walks.steps += len(word) * (len(strings.within) + len(strings.without))
        if strings.has(word):
            return True
    return False


def _disagree(patterns: frozenset[Pattern]) -> bool:
    """Whether no string can begin, or end, as all patterns require."""
    for one, other in combinations(patterns, 2):
        for heads, others in ((one.heads, other.heads), (one.tails, other.tails)):
            is_small = len(heads) * len(others) <= MOST_HEADS
            pairs = product(heads, others) if is_small else ((b"", b""),)
            if not any(a.startswith(b) or b.startswith(a) for a, b in pairs):
                return True
    return False


class Walks:
    """The steps of all walks since the start; callers bound their work with it."""

    steps = 0


def _no_word(strings: Strings) -> bool:
    """Whether a complete walk finds no word; False when it gives up."""
    return _walk(strings) == (None, True)


def _walk(strings: Strings) -> tuple[bytes | None, bool]:
    """One of the shortest words; without one, None and whether the walk was complete."""
    patterns = [*strings.within, *strings.without]
    wanted = len(strings.within)
    tree = _tree(strings.excluded)
    samples = _samples(patterns)
    start = (tuple(1 for _ in patterns), 0)
    seen = {start}
    level = [(start, b"")]
    length = steps = 0
    Walks.steps += len(patterns) * 50
    while level:
        for (states, node), word in level:
            hits = [item.accepts(state) for item, state in zip(patterns, states, strict=True)]
            is_excluded = node >= 0 and tree[node][1]
            if all(hits[:wanted]) and not any(hits[wanted:]) and not is_excluded:
                return word, False
        if strings.longest is not None and length == strings.longest:
            return None, True
        length += 1
        following = []
        for (states, node), word in level:
            children = tree[node][0] if node >= 0 else {}
            to_try = _bytes_to_try(samples, children)
            steps += len(to_try) * len(patterns)
            Walks.steps += len(to_try) * len(patterns)
            for byte in to_try:
                pairs = zip(patterns, states, strict=True)
                moved = tuple(item.step(state, byte) for item, state in pairs)
                if not all(moved[:wanted]):
                    continue
                state = (moved, children.get(byte, -1))
                if state not in seen:
                    seen.add(state)
                    following.append((state, word + _BYTES_AS_TEXT[byte]))
            if len(seen) > _MOST_STATES or steps > _MOST_STEPS:
                return None, False
        level = following
    return None, True


def _tree(words: frozenset[bytes]) -> list[tuple[dict[int, int], bool]]:
    """A tree of words: each node's children by byte, and whether a word ends there."""
    children: list[dict[int, int]] = [{}]
    ends = [False]
    for word in words:
        node = 0
        for byte in word:
            found = children[node].get(byte)
            if found is None:
                found = children[node][byte] = len(children)
                children.append({})
                ends.append(False)
            node = found
        ends[node] = True
    return list(zip(children, ends, strict=True))


_READABLE = b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
_READABLE_FIRST = [*_READABLE, *(byte for byte in range(1, 256) if byte not in _READABLE)]
_BYTES_AS_TEXT = [bytes((byte,)) for byte in range(256)]


def _samples(patterns: list[Pattern]) -> list[list[int]]:
    """Groups of bytes that no pattern tells apart."""
    groups: dict[tuple[int, ...], list[int]] = {}
    masks = [pattern.kinds() for pattern in patterns]
    for byte in _READABLE_FIRST:
        groups.setdefault(tuple([kinds[byte] for kinds in masks]), []).append(byte)
    return list(groups.values())


def _bytes_to_try(samples: list[list[int]], children: dict[int, int]) -> list[int]:
    """One byte of each group that leaves the tree, and all that follow it."""
    off = [next((byte for byte in group if byte not in children), 0) for group in samples]
    return [*(byte for byte in off if byte), *children]
