# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a policy that a search may change, and the values that each may take.

A knob is a tunable, or an action of a class. Its values are in order, so that the search and its
model of what matters can use that one is near another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gthulhuc import actions, bounds, checked
from gthulhuc.checked import Actions, Level, Migrate
from gthulhuc.passes.reading.values import QUANTITIES, show
from gthulhuc.reference import DEFAULT
from gthulhuc.tunables import Tunable, Value

US, MS = 1_000, 1_000_000
WORDS = ("priority", "slice", "weight", "max-wait", "migrate", "preempt")
"""The actions that a search may change."""
NONE, ON, OFF = "none", "on", "off"
_SHORTEST_SLICE_NS, _LONGEST_SLICE_NS = 100 * US, 100 * MS
_REACH = 10  # how far from the present value: a tenth, and ten times
_NICE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # of each power of ten
_ENOUGH = 12  # values of a knob, if its range has so many
_AFTERS_NS = (0, *(n * US for n in (20, 50, 100, 200, 500)), *(n * MS for n in (1, 2, 5)))
_PERIOD_NS = 100 * MS
_PARTS = (5, 10, 20, 30, 50, 70, 80, 90)  # of the period, in percent
_LEVELS = {level.name.lower(): level for level in Level}

Choice: TypeAlias = int | tuple[int, int] | str
"""A number, the two ends of a slice, or a word."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One part of a policy. `cls`: the class of an action, empty for a tunable.

    `word`: `tunable`, an action, or `after` and `budget` of `preempt`. `now`: the index of the
    present value. `period_ns`: of a budget.
    """

    name: str
    cls: str
    word: str
    unit: str
    values: tuple[Choice, ...]
    now: int
    period_ns: int = 0

    def shape(self, index: int) -> str:
        """Returns what a value needs of the scheduler's structure; numbers need the same."""
        value = self.values[index]
        return value if isinstance(value, str) else ""

    def text(self, index: int) -> str:
        """Returns a value as a policy writes it."""
        return shown(self.values[index], self.unit)


Candidate: TypeAlias = tuple[int, ...]
"""The index of each knob's value, in the order of the knobs."""


@dataclass(frozen=True, slots=True)
class Space:
    """All knobs of a search; `left_out` says what else could change, and why it does not.

    `levels`: the present level of each class.
    """

    knobs: tuple[Knob, ...]
    left_out: tuple[str, ...] = ()
    levels: tuple[tuple[str, Level], ...] = ()

    @property
    def now(self) -> Candidate:
        """The policy as it is."""
        return tuple(knob.now for knob in self.knobs)

    def settled(self, candidate: Candidate) -> Candidate:
        """Returns the candidate with the present value of each knob that has no effect in it.

        A class of the lowest level has nobody to preempt, and the compiler refuses that it may.
        """
        chosen = dict(zip((knob.name for knob in self.knobs), candidate, strict=True))
        levels = dict(self.levels)
        for knob in self.knobs:
            if knob.word == "priority":
                levels[knob.cls] = level_of(str(knob.values[chosen[knob.name]]))
        lowest = max(levels.values(), default=Level.IDLE)
        for knob in self.knobs:
            if knob.word == "preempt":
                if levels[knob.cls] == lowest:
                    chosen[knob.name] = knob.values.index(OFF)
                is_on = knob.values[chosen[knob.name]] == ON
            elif knob.word in ("after", "budget") and not is_on:
                chosen[knob.name] = knob.now
        return tuple(chosen.values())


def shown(value: Choice, unit: str) -> str:
    """Returns a value as a policy writes it."""
    if isinstance(value, tuple):
        return "..".join(dict.fromkeys(shown(each, unit) for each in value))
    return value if isinstance(value, str) else show(value, QUANTITIES[unit])


def find(
    policy: checked.Policy,
    words: Collection[str],
    classes: Collection[str],
    running: Collection[str],
) -> Space:
    """Returns the knobs of a policy: its tunables, and actions of these words.

    `classes`: those whose actions may change; `running`: those that have tasks in a load.
    """
    left_out: list[str] = []
    knobs = [*_tunables(policy, left_out)]
    for name, own in _classes(policy):
        if not words or name not in classes:
            continue
        if name not in running:
            left_out.append(f"{_named(name)}: no load has tasks of it")
            continue
        for word in words:
            if reason := _kept(policy, name, own, word, classes, running):
                left_out.append(f"`{word}` of {_named(name)}: {reason}")
            else:
                knobs += _of_action(name, own, word, policy.watchdog_ns)
    levels = tuple((name, own.priority) for name, own in _classes(policy))
    return Space(tuple(knobs), tuple(left_out), levels)


def possible(policy: checked.Policy) -> Iterator[str]:
    """Yields what `--actions` could vary, a line for each class."""
    for name, own in _classes(policy):
        parts = [
            f"{knob.word} {knob.text(knob.now)}"
            for word in WORDS
            if not _is_tunable(own, word)
            for knob in _of_action(name, own, word, policy.watchdog_ns)[:1]
        ]
        yield f"{_named(name)}: {', '.join(parts)}"


def classes_of(policy: checked.Policy) -> tuple[str, ...]:
    """Returns the names of the classes whose actions count."""
    return tuple(name for name, _ in _classes(policy))


def own_words(rule: checked.Rule) -> set[str]:
    """Returns the actions that a rule itself states."""
    return {
        word
        for word, span in rule.actions.written
        if span.source.name == rule.span.source.name
        and rule.span.start <= span.start < rule.span.end
    }


def _classes(policy: checked.Policy) -> Iterator[tuple[str, Actions]]:
    yield from ((rule.name, rule.actions) for rule in policy.rules if not rule.actions.monitor)
    yield DEFAULT, policy.default


def _named(name: str) -> str:
    return f"`{DEFAULT}`" if name == DEFAULT else f"rule `{name}`"


# ---- Tunables ----


def _tunables(policy: checked.Policy, left_out: list[str]) -> Iterator[Knob]:
    acting = {each.name for _, own in _classes(policy) for each in _of(_values(own))}
    claims = [claim for block in policy.expectations for claim in block.claims]
    claims += [claim for promise in policy.promises for claim in promise.claims]
    claimed = {each.name for each in _of(claim.bound for claim in claims)}
    for tunable in policy.tunables:
        reason = ""
        if tunable.name in claimed:
            reason = "claims have it as their bound"
        elif tunable.name not in acting:
            reason = "no action has it, or only one of a `when` block"
        elif tunable.span.source.name != policy.source.source.name:
            reason = f"it is in {tunable.span.source.shown}, which others may include"
        elif tunable.low == tunable.high:
            reason = "its range has one value"
        if reason:
            left_out.append(f"tunable `{tunable.name}`: {reason}")
            continue
        values = ladder(tunable.low, tunable.high, tunable.default, tunable.unit)
        now = values.index(tunable.default)
        yield Knob(tunable.name, "", "tunable", tunable.unit, values, now)


def _values(own: Actions) -> Iterator[Value]:
    yield from (own.weight, own.slice_min_ns, own.slice_max_ns, own.max_wait_ns)
    yield from own.numbers.values()
    yield from _preempt_values(own)


def _preempt_values(own: Actions) -> Iterator[Value]:
    if own.preempt is not None:
        found = (own.preempt.after_ns, own.preempt.budget_ns, own.preempt.period_ns)
        yield from (value for value in found if value is not None)


def _of(values: Iterable[Value]) -> Iterator[Tunable]:
    yield from (value for value in values if isinstance(value, Tunable))


# ---- Actions ----


def _kept(
    policy: checked.Policy,
    name: str,
    own: Actions,
    word: str,
    classes: Collection[str],
    running: Collection[str],
) -> str:
    """Why an action is not to change; empty if it may."""
    if _is_tunable(own, word):
        return "a tunable gives it"
    if name != DEFAULT:
        rule = next(rule for rule in policy.rules if rule.name == name)
        if rule.span.source.name != policy.source.source.name:
            return f"the rule is in {rule.span.source.shown}, which others may include"
        return ""
    span = policy.default_span
    if span is not None and span.source.name != policy.source.source.name:
        return f"it is in {span.source.shown}, which others may include"
    for rule in policy.rules:
        measured = rule.name in running and rule.name in classes
        if actions.BY_NAME[word].is_taken_over and word not in own_words(rule) and not measured:
            return f"rule `{rule.name}` has it from there, and is not measured"
    return ""


def _is_tunable(own: Actions, word: str) -> bool:
    values: Mapping[str, Iterable[Value]] = {
        "slice": (own.slice_min_ns, own.slice_max_ns),
        "weight": (own.weight,),
        "max-wait": (own.max_wait_ns,),
        "preempt": _preempt_values(own),
    }
    return any(True for _ in _of(values.get(word, ())))


def _of_action(name: str, own: Actions, word: str, watchdog_ns: int | None) -> list[Knob]:
    match word:
        case "priority":
            near = [level for level in Level if abs(level - own.priority) <= 1]
            return [_words(name, word, [each.name.lower() for each in near], level_word(own))]
        case "migrate":
            return [_words(name, word, [how.value for how in Migrate], own.migrate.value)]
        case "slice":
            return [_slice(name, own)]
        case "weight":
            return [_number(name, word, own.weight, actions.BY_NAME[word].bounds)]
        case "max-wait":
            low, high = actions.BY_NAME[word].bounds
            return [
                _number(name, word, own.max_wait_ns, (low, min(high, (watchdog_ns or high) - 1)))
            ]
    return [*_preempt(name, own)]


def level_word(own: Actions) -> str:
    """Returns the level of actions as the language writes it."""
    return own.priority.name.lower()


def level_of(word: str) -> Level:
    """Returns the level that a word stands for."""
    return _LEVELS[word]


def _words(name: str, word: str, values: Sequence[str], now: str) -> Knob:
    return Knob(f"{name}.{word}", name, word, "", tuple(values), values.index(now))


def _number(name: str, word: str, value: Value, limits: tuple[int, int]) -> Knob:
    assert isinstance(value, int)
    unit = actions.BY_NAME[word].unit or ""
    values = ladder(max(limits[0], value // _REACH), min(limits[1], value * _REACH), value, unit)
    return Knob(f"{name}.{word}", name, word, unit, values, values.index(value))


def _slice(name: str, own: Actions) -> Knob:
    low, high = own.slice_min_ns, own.slice_max_ns
    assert isinstance(low, int)
    assert isinstance(high, int)
    least = max(bounds.SHORTEST_SLICE_NS, _SHORTEST_SLICE_NS, low // _REACH)
    most = min(_LONGEST_SLICE_NS, high * _REACH)
    found = [(each, each) for each in ladder(min(least, low), max(most, high), high, "ns")]
    pairs = sorted({*found, (low, high)}, key=_by_length)
    return Knob(f"{name}.slice", name, "slice", "ns", tuple(pairs), pairs.index((low, high)))


def _by_length(pair: tuple[int, int]) -> tuple[int, int]:
    return pair[0] * pair[1], pair[0]


def _preempt(name: str, own: Actions) -> Iterator[Knob]:
    given = own.preempt
    yield _words(name, "preempt", (OFF, ON), OFF if given is None else ON)
    after = given.after_ns if given is not None else 0
    assert isinstance(after, int)
    afters = tuple(sorted({*_AFTERS_NS, after}))
    yield Knob(f"{name}.after", name, "after", "ns", afters, afters.index(after))
    yield _budget(name, given)


def _budget(name: str, given: checked.Preempt | None) -> Knob:
    """The budget, with the period that the policy has."""
    budget, period = NONE if given is None else (given.budget_ns or NONE), _PERIOD_NS
    if given is not None and isinstance(given.period_ns, int):
        period = given.period_ns
    numbers = {max(period * part // 100, _SHORTEST_SLICE_NS) for part in _PARTS}
    if isinstance(budget, int):
        numbers.add(budget)
    values: tuple[Choice, ...] = (*sorted(number for number in numbers if number < period), NONE)
    assert not isinstance(budget, Tunable)
    return Knob(f"{name}.budget", name, "budget", "ns", values, values.index(budget), period)


# ---- Numbers ----


def ladder(low: int, high: int, now: int, unit: str) -> tuple[int, ...]:
    """Returns round numbers from `low` to `high`, with both and `now`, ascending.

    There are about ten in each power of ten; a narrow range is divided evenly.
    """
    least = US if unit == "ns" else 1
    found = {number for number in _round_numbers(high, least) if low <= number <= high}
    if len(found) < _ENOUGH:
        step = max((high - low) / _ENOUGH, least)
        found |= {
            round((low + step * number) / least) * least
            for number in range(1, _ENOUGH)
            if low + step * number < high
        }
    return tuple(sorted({*found, low, high, now}))


def _round_numbers(high: int, least: int) -> Iterator[int]:
    scale = least
    while scale <= high:
        yield from (scale * nice // 10 for nice in _NICE if scale * nice // 10 >= least)
        scale *= 10
