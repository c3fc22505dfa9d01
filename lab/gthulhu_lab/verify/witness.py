# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Searches facts that put a task into a rule, and proves them with the language's reference.

A rule's predicate is taken apart into goals, a comparison that has to hold or not to hold, and each
goal tries the texts and numbers that the policy itself is written with. An earlier rule that takes
the task instead adds a goal: that this rule does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from gthulhu_lab.errors import LabError
from gthulhu_lab.verify.facts import FIRST_ID, Facts, Ids, calls_of, class_of, ids_of
from gthulhu_lab.verify.texts import OF_A_PATH, is_possible, texts_of
from gthulhuc import checked, reference
from gthulhuc.checked import Predicate
from gthulhuc.fields import Field, Kind, of_kind
from gthulhuc.passes.reasoning.contents import field_of, leaves
from gthulhuc.reference import DEFAULT

_MOST_TRIES = 2000
_MOST_VALUES = 50_000  # of fields, in a search that may lead nowhere
_FEW = 20
_OF_A_POD = (Field.NAMESPACE, Field.POD, Field.CONTAINER)
_CGROUP_OF_A_POD = b"/pod"  # where the policy does not say


class NoWitnessError(LabError):
    """The lab cannot start a task that this rule takes."""


def find(
    policy: checked.Policy, rule: str | None, name: bytes, functions: Collection[str] = ()
) -> Facts:
    """Facts of a group in a rule (None: `default`) whose tasks are else called `name`.

    Those that put all its threads and children there are preferred. `functions`: what its tasks
    enter. Raises NoWitnessError.
    """
    wanted = DEFAULT if rule is None else rule
    ids = ids_of(policy)
    best, most = None, 0
    group = _Group(name, ids, calls_of(policy, functions))
    found = islice(_candidates(policy, wanted, group), _MOST_TRIES)
    for facts in (variant for each in found for variant in _variants(each)):
        kinds = [
            class_of(policy, facts, ids, leader=leader, child=child) == wanted
            for leader, child in product((True, False), repeat=2)
        ]
        if sum(kinds) > most:
            best, most = facts, sum(kinds)
        if all(kinds):
            break
    if best is None:
        raise NoWitnessError(*_why_not(policy, wanted))
    return best


def _variants(facts: Facts) -> Iterator[Facts]:
    """The facts, and with the names of ancestors for the tasks: children have those as theirs."""
    yield facts
    for name in facts.above:
        yield replace(facts, process=name, comm=name)


def _why_not(policy: checked.Policy, wanted: str) -> tuple[str, str]:
    message = f"found no facts that put a task into `{wanted}`"
    for rule in policy.rules:
        if rule.name != wanted:
            continue
        if rule.actions.monitor:
            return message, "The rule has `monitor`, so it takes no task."
        for leaf in leaves(rule.match):
            if reason := field_of(leaf).row.no_guest:
                return message, f"Its predicate compares `{field_of(leaf).value}`: {reason}."
    return message, "The lab tries the names, paths and numbers of the policy's own text."


# ---- the search ---------------------------------------------------------------------------------

_Known = dict[str, bytes | int | bool | None]
"""Facts that are settled, by field; of a label: by `label KEY`."""


@dataclass(frozen=True, slots=True)
class _Goal:
    predicate: Predicate
    holds: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Facts about a group's tasks: their usual name, and the calls that they may be found in."""

    name: bytes
    ids: Ids
    calls: frozenset[checked.Calls]


def _candidates(policy: checked.Policy, wanted: str, group: _Group) -> Iterator[Facts]:
    """Facts that put at least one kind of thread into a rule."""
    rules = {rule.name: rule for rule in policy.rules}
    for leader in (True, False):
        goals = [] if wanted == DEFAULT else [_Goal(rules[wanted].match, holds=True)]
        # Each round has one more rule that is not to take the task.
        while True:
            search = _Search(group, leader, goals)
            taker = None
            for facts in islice(search.solutions(), _MOST_TRIES):
                verdict = reference.classify(policy, facts.task(group.ids, leader=leader))
                if verdict.name == wanted:
                    yield facts
                taker = taker or (verdict.rule if verdict.name != wanted else None)
            if taker is None or any(goal.predicate is taker.match for goal in goals):
                break
            goals.append(_Goal(taker.match, holds=False))


class _Search:
    """A backtracking search that settles one fact after the other."""

    def __init__(self, group: _Group, leader: bool, goals: Sequence[_Goal]) -> None:
        self._name = group.name
        self._ids = group.ids
        self._calls = group.calls
        self._leader = leader
        self._goals = tuple(goals)
        self._left = _MOST_VALUES
        self._leaves = [leaf for goal in goals for leaf in leaves(goal.predicate)]

    def solutions(self) -> Iterator[Facts]:
        """Facts under which all goals are as wanted."""
        for known in self._settle(self._goals, {}):
            yield self._facts(known)

    def _settle(self, goals: tuple[_Goal, ...], known: _Known) -> Iterator[_Known]:
        if not goals:
            yield known
            return
        goal, rest = goals[0], goals[1:]
        match goal.predicate:
            case checked.Not(operand=operand):
                yield from self._settle((_Goal(operand, not goal.holds), *rest), known)
            case checked.And(operands=operands) | checked.Or(operands=operands):
                parts = [_Goal(operand, goal.holds) for operand in operands]
                if isinstance(goal.predicate, checked.And) == goal.holds:
                    yield from self._settle((*parts, *rest), known)
                else:
                    for part in parts:
                        yield from self._settle((part, *rest), known)
            case leaf:
                for more in self._ways(leaf, known):
                    if self._value(leaf, more) is goal.holds:
                        yield from self._settle(rest, more)

    def _ways(self, leaf: Predicate, known: _Known) -> Iterator[_Known]:
        """Yields the known facts with each value of the field that a comparison is about."""
        subject = field_of(leaf)
        if subject in (Field.KTHREAD, Field.LEADER):
            yield known
            return
        key = self._key(leaf)
        if key in known:
            yield known
            return
        for value in self._values(leaf, key):
            self._left -= 1
            if self._left < 0:
                return
            yield {**known, key: value}

    def _key(self, leaf: Predicate) -> str:
        subject = field_of(leaf)
        if subject in OF_A_PATH:
            return str(Field.CGROUP.value)
        if subject is Field.COMM and self._leader:
            return str(Field.PROCESS.value)  # a main thread has its process's name
        if subject is Field.LABEL:
            assert isinstance(leaf, checked.Equals | checked.Glob | checked.Regex | checked.Has)
            return f"label {(leaf.subject.key or b'').decode('latin-1')}"
        if isinstance(leaf, checked.Calls):
            return _key_of_calls(leaf)
        return str(subject.value)

    def _values(self, leaf: Predicate, key: str) -> Iterator[bytes | int | bool | None]:
        """Yields the values that a field may have, the usual first."""
        subject = field_of(leaf)
        if subject is Field.INTERACTIVE:
            yield from (False, True)
            return
        if isinstance(leaf, checked.Calls):
            yield from (True, False) if leaf in self._calls else (False,)
            return
        about = [each for each in self._leaves if self._key(each) == key]
        if subject.row.kind in (Kind.ID, Kind.NUMBER):
            low, high = subject.row.bounds
            numbers = dict.fromkeys([0, *(n for each in about for n in self._numbers(each))])
            yield from (number for number in numbers if low <= number <= high)
            return
        usual: bytes | None = self._name
        if subject in OF_A_PATH:
            usual = b"/"
        elif subject not in (Field.COMM, Field.PROCESS):
            usual = None
        texts = list(dict.fromkeys(text for each in about for text in texts_of(each)))
        # As `comm ~ "a*" and comm ~ "*b"` asks for; of a long list each alone will do.
        joined = [first + second for first, second in product(texts[:_FEW], repeat=2)]
        for text in dict.fromkeys([usual, *texts, *joined]):
            if text is None or is_possible(subject, text):
                yield text

    def _numbers(self, leaf: Predicate) -> Iterator[int]:
        match leaf:
            case checked.InRanges(ranges=ranges):
                for low, high in ranges:
                    yield from (low, high, low - 1, high + 1)
            case checked.IdNamed(subject=subject, names=names):
                numbers = self._ids.users if subject.field is Field.UID else self._ids.groups
                yield from (numbers[name] for name in names)
        yield FIRST_ID - 1

    def _value(self, leaf: Predicate, known: _Known) -> reference.Truth:
        return reference.value(leaf, self._facts(known).task(self._ids, leader=self._leader))

    def _facts(self, known: _Known) -> Facts:
        def text(key: Field, usual: bytes) -> bytes:
            value = known.get(key.value, usual)
            assert isinstance(value, bytes)
            return value

        process = text(Field.PROCESS, self._name)
        pod = {
            key.value: value
            for key in _OF_A_POD
            if isinstance(value := known.get(key.value), bytes)
        }
        above = [known.get(key.value) for key in (Field.ANCESTOR, Field.PARENT)]
        return Facts(
            process=process,
            comm=process if self._leader else text(Field.COMM, self._name),
            above=tuple(name for name in above if isinstance(name, bytes)),
            cgroup=text(Field.CGROUP, _CGROUP_OF_A_POD if pod else b"/"),
            pod=pod,
            labels={
                key.removeprefix("label ").encode("latin-1"): value
                for key, value in known.items()
                if key.startswith("label ") and isinstance(value, bytes)
            },
            numbers={
                key: int(value)
                for key in of_kind(Kind.ID, Kind.NUMBER)
                if (value := known.get(key.value))
            },
            interactive=bool(known.get(Field.INTERACTIVE.value)),
            # Calls that no goal decides count as seen.
            calls=frozenset(
                leaf for leaf in self._calls if known.get(_key_of_calls(leaf)) is not False
            ),
        )


def _key_of_calls(leaf: checked.Calls) -> str:
    return f"calls {leaf.function} {leaf.within_ns} {leaf.via_softirq}"
