# SPDX-License-Identifier: Apache-2.0
"""Joins the conditions of a large policy to one graph of steps, which the scheduler walks.

Each step asks one question about a task; its answers lead to other steps or to a class. Equal steps
are one (hash consing), so parts that rules have in common are stored once. C for each condition is
easier to read and faster, but the kernel's stack and its verifier bound how much of it there can
be. Of the graph only the table grows, so small policies get C, and large ones the graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gthulhuc import ir
from gthulhuc.irmatch import (
    All,
    AnyOf,
    Ask,
    Between,
    Comparison,
    Condition,
    Counts,
    Decisions,
    Earlier,
    Form,
    Id,
    NamedId,
    RangeTable,
    Step,
    Target,
    Test,
)

MOST_INLINE = 256
"""Tests of all conditions that are printed as C."""
MOST_INLINE_OF_ONE = 64
"""Tests of one condition that are printed as C."""


def build(
    classes: Sequence[ir.TaskClass],
    comparisons: Sequence[Comparison],
    ranges: Sequence[RangeTable],
    ids: Sequence[Id],
) -> Decisions | None:
    """Returns the graph of a policy's conditions; None if they are few enough for C."""
    asked = [cls for cls in classes if cls.condition is not None and not cls.by_name]
    sizes = [_size(cls.condition) for cls in asked]
    if sum(sizes) <= MOST_INLINE and max(sizes, default=0) <= MOST_INLINE_OF_ONE:
        return None
    graph = _Graph(comparisons, ranges, ids)
    has_kthreads = any(cls.kthreads for cls in classes)
    entry: Target = ""
    later: ir.TaskClass | None = None
    for cls in reversed(classes):
        if cls.condition is None:
            continue
        if cls.by_name:
            if later is not None:
                entry = graph.step(Earlier(later.id), "", entry)
            later = None
            continue
        taken: Target = graph.count(cls.id, entry) if cls.monitor else cls.id
        user = has_kthreads and not cls.kthreads
        rule = graph.condition(cls.condition, taken, entry)
        entry = graph.step(Test("kthread", "", True), entry, rule) if user else rule
        later = cls
    return graph.finish(entry)


def _size(condition: Condition | None) -> int:
    if isinstance(condition, All | AnyOf):
        return sum(_size(operand) for operand in condition.operands)
    return 1


class _Graph:
    """The steps so far; each leads only to earlier ones, so the graph has no cycle."""

    def __init__(
        self, comparisons: Sequence[Comparison], ranges: Sequence[RangeTable], ids: Sequence[Id]
    ) -> None:
        self._comparisons: Mapping[str, Comparison] = {
            comparison.id: comparison for comparison in comparisons
        }
        self._ranges = {table.fact: table.ranges for table in ranges}
        self._ids: dict[str, list[int]] = {}
        for id_ in ids:
            self._ids.setdefault(id_.fact, []).append(id_.index)
        self._steps: list[Step] = []
        self._lengths: list[int] = []
        self._known: dict[tuple[Ask, Target, Target], int] = {}

    def finish(self, entry: Target) -> Decisions:
        """Returns the graph that begins at `entry`."""
        return Decisions(entry, tuple(self._steps), self._length(entry))

    def step(self, ask: Ask, yes: Target, no: Target) -> Target:
        """Returns the step with this question; none where both answers lead to the same."""
        yes, no = self._after(yes, ask, is_yes=True), self._after(no, ask, is_yes=False)
        return yes if yes == no else self._number(ask, yes, no)

    def count(self, class_id: str, then: Target) -> Target:
        """Returns the step that counts a task for a rule with `monitor`."""
        return self._number(Counts(class_id), then, then)

    def condition(self, condition: Condition, yes: Target, no: Target) -> Target:
        """Returns the first step of a condition."""
        match condition:
            case Test():
                return self._test(condition, yes, no)
            case All(operands=operands):
                for operand in reversed(operands):
                    yes = self.condition(operand, yes, no)
                return yes
            case AnyOf(operands=operands):
                for operand in reversed(operands):
                    no = self.condition(operand, yes, no)
                return no

    def _test(self, test: Test, yes: Target, no: Target) -> Target:
        comparison = self._comparisons[test.fact]
        if comparison.form is Form.RUNTIME and comparison.operator != "calls":
            # While it is unknown, neither this test nor the opposite one holds.
            return self.step(test, yes, no)
        if not test.holds:
            yes, no = no, yes
        if comparison.form is Form.RANGE:
            pairs = self._ranges.get(comparison.id) or _pairs(comparison)
            return self._between(test.subject, pairs, yes, no)
        if comparison.form is Form.RESOLVED:
            for index in reversed(self._ids[comparison.id]):
                no = self.step(NamedId(test.subject, index), yes, no)
            return no
        return self.step(Test(test.subject, test.fact, True), yes, no)

    def _between(
        self, subject: str, pairs: Sequence[tuple[int, int]], yes: Target, no: Target
    ) -> Target:
        """Steps that find out whether a number is in one of the ranges, which ascend."""
        if len(pairs) == 1:
            return self.step(Between(subject, *pairs[0]), yes, no)
        middle = len(pairs) // 2
        low = self._between(subject, pairs[:middle], yes, no)
        high = self._between(subject, pairs[middle:], yes, no)
        return self.step(Between(subject, pairs[0][0], pairs[middle][0] - 1), low, high)

    def _number(self, ask: Ask, yes: Target, no: Target) -> int:
        key = (ask, yes, no)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._steps)
            self._steps.append(Step(ask, yes, no))
            self._lengths.append(1 + max(self._length(yes), self._length(no)))
        return number

    def _after(self, target: Target, ask: Ask, *, is_yes: bool) -> Target:
        """Where a path leads on which the answer to a question is known."""
        while isinstance(target, int) and self._steps[target].ask == ask:
            step = self._steps[target]
            target = step.yes if is_yes else step.no
        return target

    def _length(self, target: Target) -> int:
        return self._lengths[target] if isinstance(target, int) else 0


def _pairs(comparison: Comparison) -> list[tuple[int, int]]:
    found = []
    for text in comparison.values:
        low, high = text.split("..")
        found.append((int(low), int(high)))
    return found
