# SPDX-License-Identifier: Apache-2.0
"""Rules that earlier rules leave nothing for.

After it: no rule is behind others that, as far as `logic` can see, take all it matches. Sound, not
complete. Rules that list names are looked up, so that their number does not matter; the trials
with all other rules have a budget, past which nothing more is concluded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace

from gthulhuc.checked import Equals
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.contents import asks_for_kthreads
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.languages import Strings
from gthulhuc.passes.logic import KTHREAD, NO, Box, boxes, covers, intersection, is_empty, less

_MOST_TRIALS = 300_000


def check(draft: Draft, report: Collector) -> Draft:
    """Reports each rule that can take no task because of those before it."""
    taken = Taken()
    for index, rule in enumerate(draft.rules):
        if rule.match is None:
            continue
        parts = boxes(rule.match)
        # A constant predicate was reported, and what it would take or leave says nothing new.
        if not parts or (not isinstance(rule.match, Equals) and covers(parts, {})):
            continue
        if not asks_for_kthreads(rule.match):
            parts = [box for box in map(_without_kthreads, parts) if box is not None]
        by = taken.covers(parts)
        if by:
            earlier = [draft.rules[number].block.name for number in sorted(by)]
            labels = [Label(name.span, f"`{name.text}` takes them first") for name in earlier]
            report.error(
                codes.UNREACHABLE,
                f"rule `{rule.block.name.text}` can never take a task",
                rule.block.name.span,
                "all that it matches is taken before",
                secondary=labels[:5],
                hint="move it before the rule that takes its tasks, or leave it out",
            )
        elif rule.given.monitor is None:
            taken.add(parts, index)
    return draft


def _without_kthreads(box: Box) -> Box | None:
    """The box for a rule that kernel threads are not offered to."""
    had = box.get(KTHREAD)
    values = NO if had is None else intersection([had, NO])
    return None if is_empty(values) else {**box, KTHREAD: values}


@dataclass(slots=True)
class Taken:
    """What the rules so far take, each with the number of the first rule that does."""

    # By subject, whether kernel threads are left out, and value.
    _listed: dict[tuple[Hashable, bool], dict[bytes, int]] = field(default_factory=dict)
    # Boxes that list the values of a subject among others, by each of those values.
    _by_value: dict[tuple[Hashable, bytes], list[tuple[Box, int]]] = field(default_factory=dict)
    _others: list[tuple[Box, int]] = field(default_factory=list)
    _trials: int = 0

    def add(self, parts: list[Box], rule: int) -> None:
        """Notes all that a rule takes."""
        for box in parts:
            listed = _listed(box)
            if listed is None:
                self._others.append((box, rule))
                continue
            subject, values = listed
            if _is_plain(box):
                known = self._listed.setdefault((subject, KTHREAD in box), {})
                for value in values:
                    known.setdefault(value, rule)
            else:
                for value in values:
                    self._by_value.setdefault((subject, value), []).append((box, rule))

    def covers(self, parts: list[Box]) -> frozenset[int]:
        """The rules that together take all of the boxes; empty when some may be left."""
        found: set[int] = set()
        for box in parts:
            by = self._covers_box(box)
            if by is None:
                return frozenset()
            found |= by
        return frozenset(found)

    def _covers_box(self, box: Box) -> set[int] | None:
        by: set[int] = set()
        rest: list[Box] = []
        remaining = self._unlisted(box, by)
        if remaining is None:
            return by
        rest.append(remaining)
        for part, rule in self._candidates(remaining):
            self._trials += 1
            if self._trials > _MOST_TRIALS:
                return None
            left = less(rest, part)
            if left is None:
                return None
            if left != rest:
                by.add(rule)
            if not left:
                return by
            rest = left
        return None

    def _candidates(self, box: Box) -> Iterator[tuple[Box, int]]:
        """Boxes that may take something of a box; values listed elsewhere are left out."""
        for subject, values in box.items():
            if isinstance(values, Strings) and values.values is not None:
                for value in values.values:
                    yield from self._by_value.get((subject, value), ())
        yield from self._others

    def _unlisted(self, box: Box, by: set[int]) -> Box | None:
        """The box without the listed values that earlier rules take; None when nothing is left."""
        for subject, values in box.items():
            if not isinstance(values, Strings) or values.values is None:
                continue
            rows = [self._listed.get((subject, False), {})]
            if box.get(KTHREAD) == NO:
                rows.append(self._listed.get((subject, True), {}))
            left = set(values.values)
            for row in rows:
                hits = {value: row[value] for value in left if value in row}
                by.update(hits.values())
                left -= hits.keys()
            if left == values.values:
                continue
            smaller = replace(values, values=frozenset(left), _known={})
            if is_empty(smaller):
                return None
            box = {**box, subject: smaller}
        return box


def _is_plain(box: Box) -> bool:
    """Whether a box is about a single subject, kernel threads aside."""
    return len(box) == 1 or (len(box) == 2 and box.get(KTHREAD) == NO)


def _listed(box: Box) -> tuple[Hashable, frozenset[bytes]] | None:
    """The first subject of which the box lists all values, and those."""
    for subject, values in box.items():
        if not isinstance(values, Strings) or values.absent or values.unknown:
            continue
        if values.values is not None:
            return subject, values.values
    return None
