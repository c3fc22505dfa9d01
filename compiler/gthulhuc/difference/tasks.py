# SPDX-License-Identifier: Apache-2.0
"""Finds the tasks that have one class under a policy and another one under a second policy.

For each pair of classes, the tasks that both predicates take are boxes of `passes.reasoning.logic`.
A task in a box is tried with the reference interpreter. If an earlier rule takes it, the tasks of
that rule are taken away, and the search goes on with what is left. So a pair without a task is
proved to have none, and a pair with one has a witness. If neither is found, the tasks may change.

Whether a rule with `inherit` took a task that started this one is a fact like any other, and the
same under both policies: an ancestor that changes class is a change of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.checked import Policy, Predicate, Rule
from gthulhuc.difference.values import NoTaskError
from gthulhuc.difference.witness import INHERITS, task_in
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.passes.reasoning.languages import Walks
from gthulhuc.passes.reasoning.logic import KTHREAD, NO, YES, Box, boxes, less, merged
from gthulhuc.passes.reasoning.overlap import Overlap
from gthulhuc.reference import DEFAULT, KERNEL_THREADS, Classification, Task, classify
from gthulhuc.source import Source, Span

_MOST_WORK = 20_000_000  # some ten seconds, in steps of the walks that decide emptiness
_PAIR = 500  # the least work for a pair
_TRIAL = 10  # the work for a rule when a task is tried
_MOST_BOXES = 2000
_FEW = 100  # classes, among which an index would find no less
_NOWHERE = Span(Source("", ""), 0, 0)


@dataclass(frozen=True)
class Move:
    """Tasks that change class, from one to another.

    `witness`: one of them, with its classification under either policy; None if there may be such
    tasks, which is not decided. Without names, that is so of all classes that have no other move.
    """

    before: str | None
    after: str | None
    witness: Task | None = None
    old: Classification | None = None
    new: Classification | None = None


def moves(old: Policy, new: Policy) -> list[Move]:
    """Returns all moves of tasks between two policies, in the order of the old and new rules."""
    search = _Search(_Side.of(old), _Side.of(new), tuple(_calls(old, new)))
    return list(search.moves())


def _calls(*policies: Policy) -> Iterator[checked.Calls]:
    for policy in policies:
        for rule in policy.rules:
            yield from (leaf for leaf in leaves(rule.match) if isinstance(leaf, checked.Calls))


_Class: TypeAlias = Rule | str
"""A rule, `default` or `kernel threads`."""


@dataclass(frozen=True)
class _Side:
    """A policy, and the rules that take tasks.

    `shapes`: what each takes, equal for two rules that take the same. `first`: the first rule of
    each shape. `places`: of each rule, by its id.
    """

    policy: Policy
    rules: tuple[Rule, ...]
    shapes: tuple[Hashable, ...]
    first: Mapping[Hashable, int]
    places: Mapping[int, int]

    @classmethod
    def of(cls, policy: Policy) -> _Side:
        rules = tuple(rule for rule in policy.rules if not rule.actions.monitor)
        shapes = tuple(map(_shape, rules))
        first = {each: place for place, each in reversed(list(enumerate(shapes)))}
        return cls(policy, rules, shapes, first, {id(rule): i for i, rule in enumerate(rules)})

    def place(self, of: _Class) -> int:
        """Returns the place of a class among the rules; those that are no rule come last."""
        return len(self.rules) if isinstance(of, str) else self.places[id(of)]

    def shape(self, of: _Class) -> Hashable:
        """Returns what a class of this policy takes; None for one that is no rule."""
        return None if isinstance(of, str) else self.shapes[self.places[id(of)]]

    def takes_before(self, what: Hashable, place: int) -> bool:
        """Whether a rule before a place takes the same."""
        return self.first.get(what, place) < place


def _shape(rule: Rule) -> Hashable:
    name = rule.name if rule.actions.inherit else None
    return name, rule.kthreads, shape(rule.match)


def shape(predicate: Predicate) -> Predicate:
    """Returns a predicate without its places: equal ones take the same tasks."""
    match predicate:
        case checked.Not():
            return checked.Not(shape(predicate.operand), _NOWHERE)
        case checked.And() | checked.Or():
            return replace(predicate, operands=tuple(map(shape, predicate.operands)), span=_NOWHERE)
    return replace(predicate, span=_NOWHERE)


def _name(of: _Class) -> str:
    return of if isinstance(of, str) else of.name


@dataclass
class _Search:
    old: _Side
    new: _Side
    calls: tuple[checked.Calls, ...]
    _boxes: dict[int, list[Box] | None] = field(default_factory=dict)
    _index: Overlap | None = None
    _work: int = 0
    _begin: int = field(default_factory=lambda: Walks.steps)

    def moves(self) -> Iterator[Move]:
        for before, afters in self._pairs():
            for after in self._near(before, afters):
                if self._is_hidden(before, after):
                    continue
                if self._is_spent(_PAIR):
                    yield Move(None, None)
                    return
                if (move := self._move(before, after)) is not None:
                    yield move

    def _is_spent(self, work: int) -> bool:
        """Adds to the work so far; returns whether that is as much as a comparison is worth."""
        self._work += work
        return self._work + Walks.steps - self._begin > _MOST_WORK

    def _pairs(self) -> Iterator[tuple[_Class, list[_Class]]]:
        """The classes that tasks may leave, each with those that they may come to.

        Rules that both policies begin with keep their tasks. Of those that both end with, each
        keeps the tasks that no changed rule takes.
        """
        first, last = self._unchanged()
        changed: list[tuple[Rule, ...]] = []
        kept: list[tuple[_Class, ...]] = []
        for side in (self.old, self.new):
            end = len(side.rules) - last
            changed.append(side.rules[first:end])
            kept.append((*side.rules[end:], DEFAULT, KERNEL_THREADS))
        for rule in changed[0]:
            yield rule, _others(rule, (*changed[1], *kept[1]))
        for before in kept[0]:
            yield before, _others(before, changed[1])

    def _unchanged(self) -> tuple[int, int]:
        """The number of rules at the start, and at the end, that are the same in both policies."""
        olds, news = (
            [(rule.name, known) for rule, known in zip(side.rules, side.shapes, strict=True)]
            for side in (self.old, self.new)
        )
        most = min(len(olds), len(news))
        first = next((i for i in range(most) if olds[i] != news[i]), most)
        most -= first
        return first, next((i for i in range(most) if olds[-1 - i] != news[-1 - i]), most)

    def _is_hidden(self, before: _Class, after: _Class) -> bool:
        """Whether either policy has an earlier rule with the same predicate."""
        was, becomes = self.old.shape(before), self.new.shape(after)
        is_gone = self.new.takes_before(was, self.new.place(after))
        return is_gone or self.old.takes_before(becomes, self.old.place(before))

    def _near(self, before: _Class, afters: list[_Class]) -> list[_Class]:
        """Those of some new classes that may match a task which an old one matches."""
        parts = None if isinstance(before, str) else self._boxes_of(before)
        if parts is None or len(afters) < _FEW:
            return afters
        if self._index is None:
            self._index = Overlap()
            for number, rule in enumerate(self.new.rules):
                for box in self._boxes_of(rule) or ():
                    self._index.add(box, number)
        near = set()
        for box in parts:
            hits = (*self._index.near(box), *self._index.far(box))
            near |= {id(self.new.rules[hit[1]]) for hit in hits if hit is not None}
        return [
            each
            for each in afters
            if isinstance(each, str) or id(each) in near or self._boxes_of(each) is None
        ]

    # ---- one pair ------------------------------------------------------------------------------

    def _move(self, before: _Class, after: _Class) -> Move | None:
        """The move from one class to another; None if there is certainly none."""
        undecided = Move(_name(before), _name(after))
        left, stuck = self._both(before, after), list[Box]()
        if left is None:
            return undecided
        hidden = self._hidden(before, after) if left else {}
        while left or (stuck and hidden):
            taker = None if left else next(iter(hidden.values()))
            if left:
                stuck.append(box := left.pop())
                try:
                    task = task_in(box, self.calls)
                except NoTaskError:
                    stuck.pop()
                    continue
                if task is None:
                    continue
                self._is_spent(_TRIAL * (len(self.old.rules) + len(self.new.rules)))
                old, new = classify(self.old.policy, task), classify(self.new.policy, task)
                if (old.name, new.name) == (undecided.before, undecided.after):
                    return replace(undecided, witness=task, old=old, new=new)
                taker = hidden.get(id(old.rule)) or hidden.get(id(new.rule))
            if taker is not None:
                del hidden[id(taker)]
                rest = self._less([*left, *stuck], taker)
                if rest is None:
                    return undecided
                same = set(map(id, stuck))
                left = [each for each in rest if id(each) not in same]
                stuck = [each for each in rest if id(each) in same]
        return undecided if stuck else None

    def _hidden(self, before: _Class, after: _Class) -> dict[int, Rule]:
        """The rules that come before either class: they may take its tasks."""
        earlier = (
            *self.old.rules[: self.old.place(before)],
            *self.new.rules[: self.new.place(after)],
        )
        return {id(rule): rule for rule in earlier}

    def _both(self, before: _Class, after: _Class) -> list[Box] | None:
        """The boxes of the tasks that two classes match; None if they are too many."""
        olds, news = self._boxes_of(before), self._boxes_of(after)
        if olds is None or news is None or len(olds) * len(news) > _MOST_BOXES:
            return None
        # The last is tried first.
        pairs = (merged([one, other]) for one in olds[::-1] for other in news[::-1])
        return [pair for pair in pairs if pair is not None]

    def _less(self, rest: list[Box], rule: Rule) -> list[Box] | None:
        """Returns boxes without the tasks that a rule takes, if that is known; None if too many."""
        left: list[Box] | None = rest
        for part in self._boxes_of(rule) or ():
            if left is None or self._is_spent(len(left)):
                return None
            left = less(left, part)
        return left

    def _boxes_of(self, of: _Class) -> list[Box] | None:
        """The boxes of the tasks that a class matches; None if they are too many."""
        if isinstance(of, str):
            return [{KTHREAD: YES if of == KERNEL_THREADS else NO}]
        if id(of) not in self._boxes:
            self._boxes[id(of)] = _boxes(of)
        return self._boxes[id(of)]


def _boxes(rule: Rule) -> list[Box] | None:
    found = boxes(rule.match)
    if found is None:
        return None
    if rule.actions.inherit:
        found = [*found, {(INHERITS, rule.name): YES}]
    if rule.kthreads:
        return found
    users = (merged([box, {KTHREAD: NO}]) for box in found)
    return [box for box in users if box is not None]


def _others(before: _Class, afters: Sequence[_Class]) -> list[_Class]:
    return [each for each in afters if _name(each) != _name(before)]
