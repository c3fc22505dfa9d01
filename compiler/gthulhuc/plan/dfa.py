# SPDX-License-Identifier: Apache-2.0
"""Builds one automaton for many patterns: a table that reads a string once and finds all matches.

Subset construction over all patterns at once and Moore's minimisation (Hopcroft, Ullman,
"Introduction to Automata Theory", chapter 3). Bytes that no pattern tells apart share a column.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from gthulhuc.positions import Positions, TooManyPositionsError
from gthulhuc.records import dataclass
from gthulhuc.regexes import ANY, Regex

MAX_STATES = 65_000
MAX_CELLS = 1 << 20
"""The limit before minimisation: as much as the compiler does in a second or two."""

_MAX_RANKED_WORK = 2_000_000
"""Positions that follow the states of a ranked automaton, which may have thousands of patterns."""

Accepts = tuple[int, ...]


class TooManyStatesError(Exception):
    """The patterns together need more states than a table in the kernel should have."""


@dataclass(frozen=True, slots=True)
class Dfa:
    """A table: from state 0 on, `next_state[state * nr_columns + column[byte]]`.

    `accepts[state]` are the patterns that match what was read.
    """

    column: tuple[int, ...]
    nr_columns: int
    next_state: tuple[int, ...]
    accepts: tuple[Accepts, ...]

    def match(self, text: bytes) -> Accepts:
        """Returns the numbers of the patterns that match the whole text."""
        state = 0
        for byte in text:
            state = self.next_state[state * self.nr_columns + self.column[byte]]
        return self.accepts[state]


def build(patterns: Sequence[Regex], max_cells: int = MAX_CELLS, *, ranked: int = 0) -> Dfa:
    """Returns the smallest automaton for these patterns.

    A state accepts only the first match among the first `ranked` patterns.

    Raises TooManyStatesError past MAX_STATES or `max_cells`, before it is minimised.
    """
    positions = Positions()
    try:
        for number, pattern in enumerate(patterns):
            positions.add(pattern, number)
    except TooManyPositionsError:
        raise TooManyStatesError from None
    column, nr_columns = _columns(positions)
    rows, accepts = _Subsets(positions, column, nr_columns, max_cells, ranked).build()
    rows, accepts = _minimise(rows, accepts)
    return Dfa(
        column=column,
        nr_columns=nr_columns,
        next_state=tuple(state for row in rows for state in row),
        accepts=tuple(accepts),
    )


def _columns(positions: Positions) -> tuple[tuple[int, ...], int]:
    """The column of each byte, and their number; bytes in the same sets share a column."""
    sets = sorted({tuple(sorted(members)) for members in positions.sets})
    signatures: list[list[int]] = [[] for _ in range(256)]
    for number, members in enumerate(sets):
        for byte in members:
            signatures[byte].append(number)
    column = _number([tuple(signature) for signature in signatures])
    return tuple(column), max(column) + 1


class _Subsets:
    """The subset construction; a state is the set of positions just read."""

    def __init__(
        self,
        positions: Positions,
        column: tuple[int, ...],
        nr_columns: int,
        max_cells: int,
        ranked: int,
    ) -> None:
        self._positions = positions
        self._ranked = ranked
        self._work = 0
        self._max_states = min(MAX_STATES, max_cells // nr_columns)
        self._nr_columns = nr_columns
        columns = {
            members: tuple(sorted({column[byte] for byte in members}))
            for members in set(positions.sets)
        }
        self._columns_of = [columns[members] for members in positions.sets]
        self._everywhere = frozenset(
            position
            for position, columns in enumerate(self._columns_of)
            if len(columns) == nr_columns
        )
        self._absorbing = _absorbing(positions)
        self._owned: dict[int, set[int]] = {}
        for position, pattern in enumerate(positions.owner):
            self._owned.setdefault(pattern, set()).add(position)
        self._numbers: dict[frozenset[int], int] = {}
        self._states: list[frozenset[int]] = []

    def build(self) -> tuple[list[list[int]], list[Accepts]]:
        """Rows of next states, and the patterns that each state accepts; state 0 is the start."""
        positions = self._positions
        self._states.append(
            frozenset()
        )  # the start is not a set of positions and never reached again
        accepts: list[Accepts] = [self._accepted(positions.empty)]
        rows = [self._row(positions.first)]
        at = 1
        while at < len(self._states):  # grows while it is walked
            state = self._states[at]
            accepts.append(self._accepted(p for at in state for p in positions.accepts[at]))
            rows.append(self._row(set().union(*(positions.follow[place] for place in state))))
            at += 1
        return rows, accepts

    def _accepted(self, found: Iterable[int]) -> Accepts:
        accepted = sorted(set(found))
        later = [pattern for pattern in accepted if pattern >= self._ranked]
        return (*accepted[: len(accepted) - len(later)][:1], *later)

    def _row(self, reachable: set[int] | list[int]) -> list[int]:
        self._work += len(reachable)
        if self._ranked and self._work > _MAX_RANKED_WORK:
            raise TooManyStatesError
        everywhere = self._everywhere.intersection(reachable)
        targets: dict[int, list[int]] = {}
        for position in everywhere.symmetric_difference(reachable):
            for column in self._columns_of[position]:
                targets.setdefault(column, []).append(position)
        # Most columns have the same targets as another one.
        known: dict[tuple[int, ...], int] = {}
        row = []
        for column in range(self._nr_columns):
            own = tuple(targets.get(column, ()))
            if own not in known:
                known[own] = self._state(everywhere.union(own))
            row.append(known[own])
        return row

    def _state(self, positions: frozenset[int]) -> int:
        sure = self._absorbing & positions
        if sure:
            # Where all that may follow matches, a pattern's other positions tell nothing more.
            owner = self._positions.owner
            kept = {owner[position]: position for position in sorted(sure)}
            owned = (self._owned[number] for number in kept)
            positions = positions.difference(*owned).union(kept.values())
            # Nor do those of the patterns after it, where only the first counts.
            surest = min(kept)
            if surest < self._ranked:
                positions = frozenset(
                    position
                    for position in positions
                    if not surest < owner[position] < self._ranked
                )
        number = self._numbers.get(positions)
        if number is None:
            number = len(self._states)
            if number >= self._max_states:
                raise TooManyStatesError
            self._numbers[positions] = number
            self._states.append(positions)
        return number


def _absorbing(positions: Positions) -> frozenset[int]:
    """Positions after which every further string matches their pattern."""
    owned = [number for number, owner in enumerate(positions.owner) if owner >= 0]
    ends = [number for number in owned if positions.accepts[number]]
    loops = {
        number
        for number in ends
        if positions.sets[number] == ANY and number in positions.follow[number]
    }
    return frozenset(n for n in ends if n in loops or positions.follow[n] & loops)


def _minimise(
    rows: list[list[int]], accepts: list[Accepts]
) -> tuple[list[list[int]], list[Accepts]]:
    """Merges states that no string tells apart; numbers blocks by their first state."""
    columns = list(zip(*rows, strict=True))
    block = _number(accepts)
    count = max(block) + 1
    while True:
        of_targets = [map(block.__getitem__, column) for column in columns]
        refined = _number(zip(block, *of_targets, strict=True))
        refined_count = max(refined) + 1
        if refined_count == count:
            break
        block, count = refined, refined_count
    first: dict[int, int] = {}
    for state, number in enumerate(block):
        first.setdefault(number, state)
    order = [first[number] for number in range(count)]
    return [[block[t] for t in rows[s]] for s in order], [accepts[s] for s in order]


def _number(keys: Iterable[Hashable]) -> list[int]:
    """Numbers keys in order of first appearance; equal keys get equal numbers."""
    numbers: defaultdict[Hashable, int] = defaultdict(itertools.count().__next__)
    return [numbers[key] for key in keys]
