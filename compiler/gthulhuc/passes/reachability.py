# SPDX-License-Identifier: Apache-2.0
"""Rules that earlier rules leave nothing for.

After it: no rule is behind others that, as far as single comparisons show, take all it matches.
Sound, not complete; linear in the rules but for globs, whose trials have a budget.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from gthulhuc import checked, globs
from gthulhuc.checked import And, Equals, Field, Glob, Not, Or, Under
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.logic import canonical, is_always, is_never, pushed

_MOST_GLOB_TRIALS = 1_000_000


def check(draft: Draft, report: Collector) -> Draft:
    """Reports each rule that can take no task because of those before it."""
    taken = _Taken()
    for index, rule in enumerate(draft.rules):
        # A constant predicate was reported, and what it would take or leave says nothing new.
        if rule.match is None or is_never(pushed(rule.match)) or is_always(pushed(rule.match)):
            continue
        by = taken.covers(rule.match)
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
        taken.add(rule.match, index)
    return draft


@dataclass(slots=True)
class _Taken:
    """What the rules so far take, each with the number of the first rule that does."""

    _values: dict[tuple[Field, bytes], int] = field(default_factory=dict)
    _globs: dict[tuple[Field, bytes], int] = field(default_factory=dict)
    _regexes: list[tuple[Field, re.Pattern[bytes], int]] = field(default_factory=list)
    _paths: dict[bytes, int] = field(default_factory=dict)
    _others: dict[Hashable, int] = field(default_factory=dict)
    _trials: int = 0

    def add(self, predicate: checked.Predicate, rule: int) -> None:
        """Notes all that a rule takes."""
        match predicate:
            case Or():
                for operand in predicate.operands:
                    self.add(operand, rule)
            case Equals():
                for value in predicate.values:
                    self._values.setdefault((predicate.field, value), rule)
            case Glob():
                for pattern in predicate.patterns:
                    if (predicate.field, pattern) not in self._globs:
                        self._globs[predicate.field, pattern] = rule
                        regex = globs.to_regex(pattern)
                        self._regexes.append((predicate.field, regex, rule))
            case Under():
                self._paths.setdefault(predicate.path, rule)
            case And() | Not():
                self._others.setdefault(canonical(predicate), rule)

    def covers(self, predicate: checked.Predicate) -> frozenset[int]:
        """The rules that together take all that a predicate matches; empty when some is left."""
        match predicate:
            case Or():
                return _all_of(self.covers(operand) for operand in predicate.operands)
            case And():
                same = self._other(predicate)
                parts = (self.covers(operand) for operand in predicate.operands)
                return same or next((part for part in parts if part), frozenset())
            case Equals():
                return _all_of(
                    self._covers_value(predicate.field, item) for item in predicate.values
                )
            case Glob():
                found = (self._globs.get((predicate.field, item)) for item in predicate.patterns)
                return _all_of(_one(rule) for rule in found)
            case Under():
                return _one(self._rule_above(predicate.path))
            case Not():
                return self._other(predicate)

    def _other(self, predicate: checked.Predicate) -> frozenset[int]:
        return _one(self._others.get(canonical(predicate)))

    def _covers_value(self, of: Field, value: bytes) -> frozenset[int]:
        rule = self._values.get((of, value))
        if rule is None and of is Field.CGROUP:
            rule = self._rule_above(value)
        if rule is None and self._trials < _MOST_GLOB_TRIALS:
            self._trials += len(self._regexes)
            tried = (
                no for kind, regex, no in self._regexes if kind is of and regex.fullmatch(value)
            )
            rule = next(tried, None)
        return _one(rule)

    def _rule_above(self, path: bytes) -> int | None:
        """The rule that takes the path, or one of its parents, with `under`."""
        while path:
            if (rule := self._paths.get(path)) is not None:
                return rule
            path = path.rpartition(b"/")[0]
        return self._paths.get(b"/")


def _one(rule: int | None) -> frozenset[int]:
    return frozenset() if rule is None else frozenset((rule,))


def _all_of(parts: Iterable[frozenset[int]]) -> frozenset[int]:
    """The union, or nothing when a part is empty."""
    found: set[int] = set()
    for part in parts:
        if not part:
            return frozenset()
        found |= part
    return frozenset(found)
