# SPDX-License-Identifier: Apache-2.0
"""Finds rules that one pattern alone decides, and numbers them, where they are many.

A table has a bit for each pattern, so it has room for 63. For rules that consist of nothing but a
pattern, the first one that matches is enough: an earlier rule takes the task anyway. Its number
needs few bits, and the table need not remember which later patterns match. So one table has room
for more than a thousand rules, or for a hundred whose globs have a `*` at both ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gthulhuc import checked, irmatch
from gthulhuc.fields import Field
from gthulhuc.irmatch import All, Condition, Test
from gthulhuc.plan import dfa, kubernetes, patterns
from gthulhuc.records import dataclass
from gthulhuc.source import Span

FEW = 63
"""Up to so many rules about a field, each pattern has a bit of its own."""
_MAX_CELLS = 1 << 17
_PARTS = (1, 3, 7)
"""Numbers of ladders to try for a field; one table is left for other patterns."""
_FIELDS = (Field.COMM, Field.PROCESS, Field.PARENT, Field.CGROUP, Field.UNIT)
# Ancestors are several names: numbers of theirs cannot be joined.


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that decides a rule: its operator and values, as those of a question."""

    operator: str
    values: tuple[bytes, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Ladder:
    """Rules about one field, in their order, with the table that has their numbers, from 1 on."""

    field: Field
    patterns: tuple[Pattern, ...]
    automaton: irmatch.Automaton

    def condition(self, number: int) -> Condition:
        """Returns the condition of a rule: its number is that of the first that matches."""
        return All(
            tuple(
                Test(self.field.value, fact, bool(number >> bit & 1))
                for bit, fact in enumerate(self.automaton.comparisons)
            )
        )


class Ladders:
    """The ladders of a policy; `condition` has the condition of each rule on one, by its place."""

    def __init__(self, rules: Iterable[checked.Rule]) -> None:
        found: dict[Field, list[tuple[Span, Pattern]]] = {}
        for rule in rules:
            if (row := _decided(rule)) is not None:
                field, pattern = row
                found.setdefault(field, []).append((rule.span, pattern))
        self.all: list[Ladder] = []
        self.conditions: dict[Span, Condition] = {}
        for field, rows in found.items():
            if len(rows) > FEW:
                self._divide(field, rows)

    def of(self, *fields: Field) -> list[Ladder]:
        """Returns the ladders about some fields."""
        return [ladder for ladder in self.all if ladder.field in fields]

    def _divide(self, field: Field, rows: Sequence[tuple[Span, Pattern]]) -> None:
        """One ladder for all rules, or several; none if they would be too many."""
        for nr_parts in _PARTS:
            size = -(-len(rows) // nr_parts)
            parts = [rows[start : start + size] for start in range(0, len(rows), size)]
            try:
                ladders = [
                    _built(field, [pattern for _, pattern in part], len(self.all) + number)
                    for number, part in enumerate(parts)
                ]
            except dfa.TooManyStatesError:
                continue
            self.all += ladders
            for ladder, part in zip(ladders, parts, strict=True):
                for number, (span, _) in enumerate(part, 1):
                    self.conditions[span] = ladder.condition(number)
            return


def _decided(rule: checked.Rule) -> tuple[Field, Pattern] | None:
    """The field and the pattern that alone decide a rule."""
    actions = rule.actions
    if rule.kthreads or actions.inherit or actions.monitor:
        return None
    match rule.match:
        case checked.Glob(subject=subject, patterns=globs):
            field, pattern = subject.field, ("glob", tuple(sorted(globs)))
        case checked.Regex(subject=subject, pattern=regex):
            field, pattern = subject.field, ("regex", (regex,))
        case checked.Under(paths=paths):
            field, pattern = Field.CGROUP, ("under", tuple(sorted(paths)))
        case checked.Equals(subject=subject, values=values) if subject.field in (
            Field.CGROUP,
            Field.UNIT,
        ):
            field, pattern = subject.field, ("is", tuple(sorted(values)))
        case _:
            return None
    if field not in _FIELDS:
        return None
    return field, Pattern(*pattern, rule.match.span)


def _built(field: Field, rows: Sequence[Pattern], number: int) -> Ladder:
    """Raises TooManyStatesError."""
    trees = [patterns.question(row.operator, row.values) for row in rows]
    marked = [kubernetes.UNIT] if field is Field.UNIT else []
    table = dfa.build([*trees, *marked], _MAX_CELLS, ranked=len(trees))
    nr_bits = len(rows).bit_length()
    kind = "name" if field in (Field.COMM, Field.PROCESS, Field.PARENT) else field.value
    automaton = irmatch.Automaton(
        comparisons=tuple(f"{kind}_first_{number}_{bit}" for bit in range(nr_bits)),
        marker=nr_bits if marked else None,
        column=table.column,
        nr_columns=table.nr_columns,
        next_state=table.next_state,
        accepts=tuple(_bits(accepted, len(trees), nr_bits) for accepted in table.accepts),
    )
    return Ladder(field, tuple(rows), automaton)


def _bits(accepted: dfa.Accepts, nr_ranked: int, nr_bits: int) -> dfa.Accepts:
    """The bits of the number of the first pattern, and that of the marker."""
    first = next((index + 1 for index in accepted if index < nr_ranked), 0)
    marker = (nr_bits,) if nr_ranked in accepted else ()
    return (*(bit for bit in range(nr_bits) if first >> bit & 1), *marker)
