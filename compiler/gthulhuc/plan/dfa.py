# SPDX-License-Identifier: Apache-2.0
"""Many globs, one automaton: a table that reads a string once and says which of them match.

Subset construction over all patterns at once and Moore's minimisation (Hopcroft, Ullman,
"Introduction to Automata Theory", chapter 3). Bytes that no pattern tells apart share a column.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

STAR = -1
"""Pattern element: any string, the empty one included."""

Element = int
"""A set of bytes as a bit mask (bit b: byte b), or STAR."""
Pattern = tuple[Element, ...]

ANY_BYTE = (1 << 256) - 2
"""Every byte but NUL, which ends a string."""
MAX_STATES = 4096


class TooManyStatesError(Exception):
    """The patterns together need more states than a table in the kernel should have."""


@dataclass(frozen=True, slots=True)
class Dfa:
    """A table: from state 0 on, `next_state[state * nr_columns + column[byte]]`.

    Bit i of `accepts[state]` says that a pattern of group i matches.
    """

    column: tuple[int, ...]
    nr_columns: int
    next_state: tuple[int, ...]
    accepts: tuple[int, ...]

    def match(self, text: bytes) -> int:
        """Bit i of the result: pattern group i matches the whole text."""
        state = 0
        for byte in text:
            state = self.next_state[state * self.nr_columns + self.column[byte]]
        return self.accepts[state]


def literal(text: bytes) -> Pattern:
    """The pattern that only this text matches."""
    return tuple(1 << byte for byte in text)


def glob(text: bytes) -> Pattern:
    """A checked glob as a pattern: `*`, `?`, `[a-z]`, `[!a-z]`, everything else for itself."""
    elements: list[Element] = []
    position = 0
    while position < len(text):
        char = text[position]
        if char == ord("*"):
            if not elements or elements[-1] != STAR:
                elements.append(STAR)
        elif char == ord("?"):
            elements.append(ANY_BYTE)
        elif char == ord("[") and (end := text.find(b"]", position + 2)) > 0:
            elements.append(_byte_set(text[position + 1 : end]))
            position = end
        else:
            elements.append(1 << char)
        position += 1
    return tuple(elements)


def _byte_set(body: bytes) -> int:
    """The bytes that `[body]` stands for."""
    negated = body[:1] in (b"!", b"^")
    body = body[1:] if negated else body
    members = 0
    position = 0
    while position < len(body):
        first = last = body[position]
        if body[position + 1 : position + 2] == b"-" and position + 2 < len(body):
            last = body[position + 2]
            position += 2
        members |= sum(1 << byte for byte in range(first, last + 1))
        position += 1
    return ANY_BYTE & ~members if negated else members


def build(groups: list[tuple[Pattern, ...]]) -> Dfa:
    """The smallest automaton whose accepted bit i says that a pattern of group i matches.

    Raises TooManyStatesError past MAX_STATES.
    """
    patterns = [(pattern, bit) for bit, group in enumerate(groups) for pattern in group]
    column, samples = _columns([pattern for pattern, _ in patterns])
    rows, accepts = _subsets(patterns, samples)
    rows, accepts = _minimise(rows, accepts)
    return Dfa(
        column=column,
        nr_columns=len(samples),
        next_state=tuple(state for row in rows for state in row),
        accepts=tuple(accepts),
    )


def _columns(patterns: list[Pattern]) -> tuple[tuple[int, ...], list[int]]:
    """Column of each byte, and one sample byte per column."""
    sets = sorted({element for pattern in patterns for element in pattern if element != STAR})
    columns: dict[tuple[bool, ...], int] = {}
    column, samples = [], []
    for byte in range(256):
        signature = tuple(bool(members >> byte & 1) for members in sets)
        if signature not in columns:
            columns[signature] = len(columns)
            samples.append(byte)
        column.append(columns[signature])
    return tuple(column), samples


Position = tuple[int, int]
"""Pattern number and how many of its elements are behind us."""


def _closure(patterns: list[tuple[Pattern, int]], positions: set[Position]) -> frozenset[Position]:
    """The positions and those that a STAR lets one reach without reading a byte."""
    todo = list(positions)
    while todo:
        number, index = todo.pop()
        pattern = patterns[number][0]
        step = (number, index + 1)
        if index < len(pattern) and pattern[index] == STAR and step not in positions:
            positions.add(step)
            todo.append(step)
    return frozenset(positions)


def _subsets(
    patterns: list[tuple[Pattern, int]], samples: list[int]
) -> tuple[list[list[int]], list[int]]:
    """Rows of next states and accepted bits, state 0 the start."""
    start = _closure(patterns, {(number, 0) for number in range(len(patterns))})
    numbers = {start: 0}
    states = [start]
    rows: list[list[int]] = []
    for state in states:  # grows while it is walked
        row = []
        for byte in samples:
            reached = set()
            for number, index in state:
                pattern = patterns[number][0]
                if index < len(pattern):
                    element = pattern[index]
                    if element == STAR:
                        reached.add((number, index))
                    elif element >> byte & 1:
                        reached.add((number, index + 1))
            target = _closure(patterns, reached)
            if target not in numbers:
                if len(states) == MAX_STATES:
                    raise TooManyStatesError
                numbers[target] = len(states)
                states.append(target)
            row.append(numbers[target])
        rows.append(row)
    accepts = [
        _bits(patterns[number][1] for number, index in state if index == len(patterns[number][0]))
        for state in states
    ]
    return rows, accepts


def _bits(numbers: Iterable[int]) -> int:
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


def _minimise(rows: list[list[int]], accepts: list[int]) -> tuple[list[list[int]], list[int]]:
    """Merge states that no string tells apart; blocks are numbered by their first state."""
    block = _number(accepts)
    while True:
        refined = _number([(block[i], *(block[t] for t in row)) for i, row in enumerate(rows)])
        if max(refined) == max(block):
            break
        block = refined
    first = {number: state for state, number in reversed(list(enumerate(block)))}
    order = [first[number] for number in range(len(first))]
    return [[block[t] for t in rows[s]] for s in order], [accepts[s] for s in order]


def _number(keys: Sequence[Hashable]) -> list[int]:
    """Equal keys get equal numbers, in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
