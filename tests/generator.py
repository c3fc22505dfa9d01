# SPDX-License-Identifier: Apache-2.0
"""Random policies over the whole language.

Values follow from the compiler's tables: a new field of a known kind, and a new action that is one
number, are drawn without a change here. A `Vocabulary` says what the policies talk about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from gthulhuc import actions, checked
from gthulhuc.actions import Action
from gthulhuc.fields import QOS_CLASSES, Field, Kind
from gthulhuc.frontend import check
from gthulhuc.passes.reading.comparisons import WITHIN_NS
from gthulhuc.passes.reading.conditions import OVER_NS, PROFILES, RESOURCES
from gthulhuc.source import Source
from patterns import glob, regex
from vocabulary import MACHINE, Vocabulary

_US, _MS, _S = 1_000, 1_000_000, 1_000_000_000
_TUNED = 0.2
"""The share of values that are tunables, where a vocabulary has them."""

Item = TypeVar("Item")


def draw(seed: int, words: Vocabulary = MACHINE) -> tuple[str, checked.Policy]:
    """Returns the policy of a number and its text: valid."""
    choice = Random(seed)
    while True:
        text = Policies(choice, words).text(name(seed))
        policy, _ = check(Source(f"{name(seed)}.gpl", text), target=words.target)
        if policy:
            return text, policy


def name(seed: int) -> str:
    """Returns the name of the policy of a number."""
    return f"s{seed}"


class Policies:
    """Draws the texts of policies; most are valid."""

    def __init__(self, choice: Random, words: Vocabulary = MACHINE) -> None:
        self._choice = choice
        self._words = words
        self._tunables: list[str] = []
        self._listed: list[bytes] = []

    def text(self, name: str) -> str:
        """Returns the text of a policy."""
        self._tunables = []
        self._listed = self._sample(self._words.names)
        settings = self._some(
            0.3, f"kernel >= {self._pick(self._words.kernels)}", f"watchdog {self._int(10, 30)}s"
        )
        rules = [self._rule(f"r{number}") for number in range(self._pick(self._words.sizes))]
        items = list(rules)
        if self._is(0.5):
            items.append(_block("default", self._actions(default=True)))
        if self._words.has_conditions:
            taking = [n for n, rule in enumerate(rules) if "\n    monitor\n" not in rule]
            items += [self._when(taking) for _ in range(self._int(0, 2)) if taking]
        if self._is(0.1):
            items.append("expect pipes as r0 under hogs 2x { p99(wakeup r0) < 300us }")
            end = self._pick(("", " else eevdf", " else rollback"))
            items.append(f"promise r0 over 10s {{ p99(wakeup r0) < 300us share(r0) > 1%{end} }}")
        if any(re.search(r"\b(listed|matching)\b", rule) for rule in rules):
            items.append(f"set listed = {_list(self._listed)}")
            items.append(f"set matching = comm in listed or {self._comparison()}")
        items += self._tunables
        self._choice.shuffle(items)
        return "\n".join([f"policy {name} {{ {' '.join(settings)} }}", *items, ""])

    def _rule(self, name: str) -> str:
        return _block(f"rule {name}", [f"match {self._predicate(2)}", *self._actions()])

    def _when(self, rules: Sequence[int]) -> str:
        changes = [f"rule r{n} {{ {' '.join(self._changes())} }}" for n in self._sample(rules)]
        return _block(f"when {self._condition(1)}", changes)

    # ---- chance ----

    def _is(self, chance: float) -> bool:
        return self._choice.random() < chance

    def _pick(self, items: Sequence[Item]) -> Item:
        return self._choice.choice(items)

    def _int(self, low: int, high: int) -> int:
        return self._choice.randint(low, high)

    def _some(self, chance: float, *texts: str) -> list[str]:
        return [text for text in texts if self._is(chance)]

    def _sample(self, items: Sequence[Item]) -> list[Item]:
        return self._choice.sample(items, self._int(1, min(4, len(items))))

    # ---- predicates ----

    def _predicate(self, depth: int) -> str:
        if depth == 0 or self._is(0.6):
            return "matching" if self._is(0.05) else self._comparison()
        parts = []
        for _ in range(self._int(2, 3)):
            inner = self._predicate(depth - 1)
            is_joined = " and " in inner or " or " in inner
            parts.append("not " * self._is(0.2) + (f"({inner})" if is_joined else inner))
        return self._pick((" and ", " or ")).join(parts)

    def _comparison(self) -> str:
        subject = self._pick(_SUBJECTS + _PROGRAMS if self._words.has_programs else _SUBJECTS)
        return _FORMS[subject.row.kind](self, subject)

    def _name(self, subject: Field) -> str:
        return self._string(subject.value, self._words.names)

    def _path(self, subject: Field) -> str:
        if self._is(0.4):
            paths = self._sample(self._words.paths)
            return f"{subject.value} under {_list(paths) if self._is(0.5) else _quoted(paths[0])}"
        return self._string(subject.value, self._words.paths)

    def _argument(self, subject: Field) -> str:
        number = f"[{self._int(0, 3)}]" if self._is(0.4) else ""
        return self._string(f"{subject.value}{number}", self._words.names)

    def _unit(self, subject: Field) -> str:
        return self._string(subject.value, self._words.units)

    def _qos(self, subject: Field) -> str:
        return self._equal(subject.value, QOS_CLASSES)

    def _label(self, subject: Field) -> str:
        label = f"{subject.value} {_quoted(self._pick(self._words.label_keys))}"
        return label if self._is(0.2) else self._string(label, self._words.names)

    def _string(self, subject: str, values: tuple[bytes, ...]) -> str:
        form = self._int(0, 7)
        if form < 3:
            return self._equal(subject, values)
        if form == 3:
            return f"{subject} in {_list(self._many(self._pick(values)))}"
        if form == 4 and values is self._words.names:
            return f"{subject} in listed"
        if form < 7:
            patterns = [glob(self._choice, values) for _ in range(self._int(1, 3))]
            return f"{subject} ~ {_list(patterns) if len(patterns) > 1 else _quoted(patterns[0])}"
        return f"{subject} =~ '{regex(self._choice).decode()}'"

    def _equal(self, subject: str, values: tuple[bytes, ...]) -> str:
        if self._is(0.3):
            return f"{subject} in {_list(self._sample(values))}"
        return f"{subject} {self._pick(('==', '!='))} {_quoted(self._pick(values))}"

    def _many(self, value: bytes) -> list[bytes]:
        """The value and up to 300 that differ in their ends: a table, not a chain."""
        if not value.endswith((b".service", b".scope")):
            return [value, *(b"%b%d" % (value[:12], n) for n in range(self._amount(2, 300)))]
        stem, dot, kind = value.rpartition(b".")
        return [b"%b%d%b%b" % (stem, n, dot, kind) for n in range(self._amount(2, 300))]

    def _number(self, subject: Field) -> str:
        low, high = sorted(self._choices_of(subject))
        return self._pick((
            f"{subject.value} {self._pick(('==', '!=', '<', '<=', '>', '>='))} {low}",
            f"{subject.value} in {low}..{high}",
            f"{subject.value} in [{low}, {high}]",
        ))  # fmt: skip

    def _choices_of(self, subject: Field) -> tuple[int, int]:
        low, high = subject.row.bounds
        if high - low < 100:
            return self._int(low, high), self._int(low, high)
        fitting = [number for number in self._words.numbers if low <= number <= high]
        return self._pick(fitting), self._pick(fitting)

    def _id(self, subject: Field) -> str:
        known = self._words.users if subject is Field.UID else self._words.groups
        if not known or self._is(0.6):
            return self._number(subject)
        text = f'"{self._pick([*known])}"'
        if self._is(0.5):
            return f"{subject.value} in [{text}, {self._pick(self._words.numbers)}]"
        return f"{subject.value} {self._pick(('==', '!='))} {text}"

    def _flag(self, subject: Field) -> str:
        return str(subject.value)

    def _calls(self, subject: Field) -> str:
        within = _duration(self._amount(*WITHIN_NS))
        via = self._pick(("", " via softirq"))
        return f'{subject.value} "{self._pick(self._words.functions)}" within {within}{via}'

    # ---- conditions ----

    def _condition(self, depth: int) -> str:
        if depth == 0 or self._is(0.6):
            return "not " * self._is(0.2) + self._pick(_STATES)(self)
        parts = [self._condition(0) for _ in range(self._int(2, 3))]
        joined = self._pick((" and ", " or ")).join(parts)
        return f"not ({joined})" if self._is(0.2) else joined

    def _power(self) -> str:
        return f'power == "{self._pick(PROFILES)}"'

    def _battery(self) -> str:
        return f"battery < {self._int(1, 100)}%"

    def _on_battery(self) -> str:
        return "on-battery"

    def _pressure(self) -> str:
        over = _duration(self._amount(*OVER_NS))
        return f"pressure {self._pick(RESOURCES)} > {self._int(1, 99)}% for {over}"

    def _time(self) -> str:
        low, high = (f"{self._int(0, 23):02}:{self._int(0, 59):02}" for _ in range(2))
        return f"time in {low}..{high}"

    # ---- actions ----

    def _actions(self, *, default: bool = False) -> list[str]:
        found = {
            action.name: _STATEMENTS[action.name](self, action)
            for action in actions.ACTIONS
            if action.name != "match" and (action.name != "share" or self._words.has_shares)
            if not (default and action.not_in_default)
            if self._is(0.35 if action.is_taken_over or action.unit is not None else 0.2)
        }
        # The compiler refuses what has no effect.
        if re.fullmatch(r"cpus \d+( exclusive)?", found.get("cpus", "")):
            found.pop("migrate", None)
        if "preempt" in found:
            found["priority"] = self._pick(_PREEMPTING)
        return [*found.values()]

    def _changes(self) -> list[str]:
        """Actions of a `when` block, at least one."""
        words = self._sample(actions.CHANGEABLE)
        rows = [action for action in actions.ACTIONS if action.name in words]
        found = {action.name: _STATEMENTS[action.name](self, action) for action in rows}
        if "preempt" in found and self._is(0.5):
            found["preempt"] = "preempt off"
        elif "preempt" in found:
            found["priority"] = self._pick(_PREEMPTING)
        return [*found.values()]

    def _priority(self, _: Action) -> str:
        return f"priority {self._pick([level.name.lower() for level in checked.Level])}"

    def _one_amount(self, action: Action) -> str:
        if action.words and self._is(0.3):
            return f"{action.name} {self._pick([*action.words])}"
        return f"{action.name} {self._value(action.unit or '', *self._bounds(action))}"

    def _slice(self, action: Action) -> str:
        low, high = self._bounds(action)
        if self._is(0.5):
            return f"slice {self._value('ns', low, high)}"
        middle = self._amount(low, high)
        return f"slice {self._value('ns', low, middle)}..{self._value('ns', middle, high)}"

    def _share(self, _: Action) -> str:
        low, high = self._int(1, 8), self._int(8, 100)
        return f"share {self._pick((f'{low}%', f'{low}%..{high}%', f'..{high}%'))}"

    def _cpus(self, _: Action) -> str:
        kind = self._pick(("exclusive", "one", "list", "group", "all"))
        if kind == "all":
            return "cpus all"
        if kind == "exclusive":
            return f"cpus {self._int(1, self._words.cpus - 1)} exclusive"
        low, high = sorted((self._int(0, self._words.cpus - 1), self._int(0, self._words.cpus - 1)))
        listed = str(low) if kind == "one" or low == high else f"{low}-{high}"
        if kind == "group" and self._words.cpu_groups:
            group = self._pick(self._words.cpu_groups)
            listed = group if group.startswith("not ") else self._pick((group, f"{low}, {group}"))
        return f"cpus {listed}{self._pick(('', ' prefer'))}"

    def _migrate(self, _: Action) -> str:
        how = self._pick([migrate.value for migrate in checked.Migrate])
        return f"migrate {how}{self._pick(('', ' return')) if how != 'never' else ''}"

    def _preempt(self, action: Action) -> str:
        after = f" after {self._value('ns', 10 * _US, _MS)}" if self._is(0.6) else ""
        period = self._amount(5 * _MS, 100 * _MS)
        budget = f" budget {self._value('ns', 100 * _US, period // 2)} per {_duration(period)}"
        return f"{action.name}{after}{budget if self._is(0.6) else ''}"

    def _word(self, action: Action) -> str:
        return action.name

    # ---- amounts ----

    def _bounds(self, action: Action) -> tuple[int, int]:
        return self._words.limits.get(action.name, action.bounds)

    def _value(self, unit: str, low: int, high: int) -> str:
        show, amount = _SHOWN[unit], self._amount(low, high)
        if unit == "%" or low == high or not (self._words.has_tunables and self._is(_TUNED)):
            return show(amount)
        name = f"t{len(self._tunables)}"
        self._tunables.append(f"tunable {name} = {show(amount)} in {show(low)}..{show(high)}")
        return name

    def _amount(self, low: int, high: int) -> int:
        """A number with two digits, as likely small as large."""
        number = math.exp(self._choice.uniform(math.log(low), math.log(high)))
        rounded = int(float(f"{number:.2g}"))
        return min(max(rounded, low), high)


def _duration(ns: int) -> str:
    """The duration in its largest whole unit, without what is below 1 us."""
    us = ns // _US
    return next(f"{us // unit}{name}" for name, unit in _UNITS if us % unit == 0)


_UNITS = (("s", 1_000_000), ("ms", 1_000), ("us", 1))
_SHOWN: dict[str, Callable[[int], str]] = {
    "": str,
    "ns": _duration,
    "%": lambda thousandths: f"{max(thousandths // 10, 1)}%",
}


_FORMS: dict[Kind, Callable[[Policies, Field], str]] = {
    Kind.NAME: Policies._name,
    Kind.TEXT: Policies._name,
    Kind.PATH: Policies._path,
    Kind.FILE: Policies._path,
    Kind.ARGUMENTS: Policies._argument,
    Kind.UNIT: Policies._unit,
    Kind.QOS: Policies._qos,
    Kind.LABEL: Policies._label,
    Kind.ID: Policies._id,
    Kind.NUMBER: Policies._number,
    Kind.FLAG: Policies._flag,
    Kind.CALLS: Policies._calls,
}
_STATES = (
    Policies._power, Policies._battery, Policies._on_battery, Policies._pressure, Policies._time,
)  # fmt: skip
_PREEMPTING = ("priority urgent", "priority high")
# Names and paths have the most forms.
_PROGRAMS = [field for field in Field if field.row.kind in (Kind.FILE, Kind.ARGUMENTS)] * 2
_SUBJECTS = [
    field
    for field in Field
    for _ in range(4 if field.row.kind is Kind.PATH else 2)
    if field not in _PROGRAMS
]
_STATEMENTS: dict[str, Callable[[Policies, Action], str]] = {
    **dict.fromkeys(actions.NAMES, Policies._word),
    **dict.fromkeys(actions.AMOUNTS, Policies._one_amount),
    "priority": Policies._priority,
    "slice": Policies._slice,
    "share": Policies._share,
    "cpus": Policies._cpus,
    "migrate": Policies._migrate,
    "preempt": Policies._preempt,
}


# ---- text ----


def _block(head: str, statements: list[str]) -> str:
    return "\n".join([f"{head} {{", *(f"    {statement}" for statement in statements), "}"])


def _quoted(value: bytes) -> str:
    plain = {ord(" "), *range(ord("#"), 127)} - {ord("\\")}
    return '"' + "".join(chr(c) if c in plain else f"\\x{c:02x}" for c in value) + '"'


def _list(values: Sequence[bytes]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"
