# SPDX-License-Identifier: Apache-2.0
"""Finds rules whose tasks are all taken by earlier rules.

Sound, not complete: it reports what `logic` can prove. Listed names are found by lookup and other
rules by an index of overlaps, so the number of rules matters little. Trials with overlapping rules
have a budget of work; once it is spent, there is no conclusion.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import partial

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reasoning.contents import asks_for_kthreads
from gthulhuc.passes.reasoning.languages import Strings, Walks
from gthulhuc.passes.reasoning.logic import (
    KTHREAD,
    NO,
    Box,
    boxes,
    covers,
    intersection,
    is_empty,
    less,
)
from gthulhuc.passes.reasoning.overlap import Overlap

_MOST_WORK = 400_000  # about a second, in steps of the walks that decide emptiness
_TRIAL = 50


def check(draft: Draft, report: Collector) -> Draft:
    """Reports each rule that earlier rules leave no task; returns the draft as it was."""
    taken = Taken()
    may_be_constant = report.has_errors
    for index, rule in enumerate(draft.rules):
        if rule.match is None:
            continue
        whole, parts = draft.memo.of("boxes", rule.match, partial(_boxes, rule.match), report)
        # A constant predicate was reported already; its effect on other rules is no news.
        if not whole:
            continue
        is_constant = partial(covers, whole, {})
        if may_be_constant and draft.memo.of("always", rule.match, is_constant, report):
            continue
        by = taken.covers(parts)
        if by:
            earlier = [draft.rules[number].block.name for number in sorted(by)]
            labels = [Label(name.span, f"`{name.text}` takes its tasks") for name in earlier]
            report.error(
                codes.UNREACHABLE,
                f"rule `{rule.block.name.text}` can never take a task",
                rule.block.name.span,
                "earlier rules take all tasks that it matches",
                secondary=labels[:5],
                hint="move it before the rule that takes its tasks, or remove it",
            )
        elif rule.given.monitor is None:
            taken.add(parts, index)
    return draft


def _boxes(match: checked.Predicate) -> tuple[list[Box], list[Box]]:
    """The boxes of a predicate, none if there are too many, and those of a rule with it."""
    whole = boxes(match) or []
    if asks_for_kthreads(match):
        return whole, whole
    return whole, [box for box in map(_without_kthreads, whole) if box is not None]


def _without_kthreads(box: Box) -> Box | None:
    """The box for a rule that takes no kernel threads; None if nothing is left."""
    had = box.get(KTHREAD)
    values = NO if had is None else intersection([had, NO])
    return None if is_empty(values) else {**box, KTHREAD: values}


@dataclass(slots=True)
class Taken:
    """The tasks that the rules so far take, with the first rule that takes each."""

    # Keys: the subject and whether kernel threads are excluded; then the value.
    _listed: dict[tuple[Hashable, bool], dict[bytes, int]] = field(default_factory=dict)
    _others: Overlap = field(default_factory=Overlap)
    # Budgets for rules about the same subjects and for rules about others. The latter can hide
    # a rule only in combination, so they must not use up the budget of the plain cases.
    _near: _Budget = field(default_factory=lambda: _Budget(_MOST_WORK))
    _far: _Budget = field(default_factory=lambda: _Budget(_MOST_WORK))

    def add(self, parts: list[Box], rule: int) -> None:
        """Adds the boxes that a rule takes."""
        for box in parts:
            listed = _listed(box) if _is_plain(box) else None
            if listed is None:
                self._others.add(box, rule)
                continue
            subject, values = listed
            known = self._listed.setdefault((subject, KTHREAD in box), {})
            for value in values:
                known.setdefault(value, rule)

    def covers(self, parts: list[Box]) -> frozenset[int]:
        """Returns the rules that together take all of the boxes; empty when some may be left."""
        found: set[int] = set()
        for box in parts:
            by = self._covers_box(box)
            if by is None:
                return frozenset()
            found |= by
        return frozenset(found)

    def _covers_box(self, box: Box) -> set[int] | None:
        by: set[int] = set()
        remaining = self._unlisted(box, by)
        if remaining is None:
            return by
        rest = [remaining]
        for budget, candidates in (
            (self._near, self._others.near(remaining)),
            (self._far, self._others.far(remaining)),
        ):
            for candidate in candidates:
                left = budget.less(rest, candidate and candidate[0])
                if left is None:
                    return None
                if candidate is not None and left != rest:
                    by.add(candidate[1])
                if not left:
                    return by
                rest = left
        return None

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
            smaller = replace(values, values=frozenset(left))
            if is_empty(smaller):
                return None
            box = {**box, subject: smaller}
        return box


@dataclass(slots=True)
class _Budget:
    """A budget of work."""

    remaining: int

    def less(self, rest: list[Box], part: Box | None) -> list[Box] | None:
        """Returns boxes without the values of another one; None once the budget is spent."""
        if self.remaining <= 0:
            return None
        before = Walks.steps
        left = rest if part is None else less(rest, part)
        self.remaining -= Walks.steps - before + len(rest) * _TRIAL
        return left


def _is_plain(box: Box) -> bool:
    """Whether a box has a single subject besides `kthread`."""
    return len(box) == 1 or (len(box) == 2 and box.get(KTHREAD) == NO)


def _listed(box: Box) -> tuple[Hashable, frozenset[bytes]] | None:
    """The first subject whose values the box lists, and the values."""
    for subject, values in box.items():
        if not isinstance(values, Strings) or values.absent or values.unknown:
            continue
        if values.values is not None:
            return subject, values.values
    return None
