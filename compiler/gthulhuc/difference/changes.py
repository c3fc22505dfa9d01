# SPDX-License-Identifier: Apache-2.0
"""The changes between two policies besides those of the tasks of their classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from gthulhuc.bounds import show_ns
from gthulhuc.checked import Actions, Cgroups, Policy
from gthulhuc.explanation import by_word
from gthulhuc.passes.reading.values import QUANTITIES, show
from gthulhuc.reference import DEFAULT
from gthulhuc.tunables import Tunable, Value
from gthulhuc.variants import changed


@dataclass(frozen=True)
class Change:
    """A value that differs, as the language writes it; None if the policy does not set it."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class ClassChange:
    """A class with the actions that differ; a class of one policy alone has all of its actions."""

    name: str
    is_old: bool
    is_new: bool
    actions: tuple[Change, ...]


def classes(old: Policy | None, new: Policy) -> list[ClassChange]:
    """Returns the classes whose actions differ, and those that only one policy has.

    Without an old policy all classes are new.
    """
    olds, news = {} if old is None else _actions(old), _actions(new)
    found = []
    for name in dict.fromkeys((*olds, *news)):
        was, becomes = olds.get(name), news.get(name)
        changes = tuple(
            _changes({} if was is None else _words(was), {} if becomes is None else _words(becomes))
        )
        if changes:
            found.append(ClassChange(name, was is not None, becomes is not None, changes))
    return found


def settings(old: Policy, new: Policy) -> list[Change]:
    """Returns the settings of the policy that differ."""
    return _plain(_settings(old), _settings(new))


def tunables(old: Policy, new: Policy) -> list[Change]:
    """Returns the tunables that differ in their value, range or unit."""
    return _plain(_tunables(old), _tunables(new))


def promises(old: Policy, new: Policy) -> list[Change]:
    """Returns the promises that only one policy makes."""
    olds, news = _promises(old), _promises(new)
    gone = [Change(name, text, None) for name, text in olds if (name, text) not in news]
    return gone + [Change(name, None, text) for name, text in news if (name, text) not in olds]


def whens(old: Policy, new: Policy) -> list[Change]:
    """Returns what conditions change in only one policy: the actions of a rule under each."""
    olds, news = _whens(old), _whens(new)
    gone = [Change(name, text, None) for name, text in olds if (name, text) not in news]
    return gone + [Change(name, None, text) for name, text in news if (name, text) not in olds]


# ---- values -------------------------------------------------------------------------------------

_Shown = tuple[Hashable, str]
"""A value to compare, and its text."""


def _changes(olds: Mapping[str, _Shown], news: Mapping[str, _Shown]) -> list[Change]:
    found = []
    for name in dict.fromkeys((*olds, *news)):
        was, becomes = olds.get(name), news.get(name)
        if (was and was[0]) != (becomes and becomes[0]):
            found.append(Change(name, was and was[1], becomes and becomes[1]))
    return found


def _plain(olds: Mapping[str, str], news: Mapping[str, str]) -> list[Change]:
    return _changes(
        {name: (text, text) for name, text in olds.items()},
        {name: (text, text) for name, text in news.items()},
    )


def _actions(policy: Policy) -> dict[str, Actions]:
    return {**{rule.name: rule.actions for rule in policy.rules}, DEFAULT: policy.default}


def _words(actions: Actions) -> dict[str, _Shown]:
    """The actions of a class by their words; two ways to write the same CPUs are equal."""
    found: dict[str, _Shown] = {word: (text, text) for word, text in by_word(actions).items()}
    cpus, preempt = actions.cpus, actions.preempt
    if cpus is not None:
        same = cpus.cpus, frozenset(cpus.groups), cpus.exclusive, cpus.core, cpus.prefer
        found["cpus"] = same, found["cpus"][1]
    if preempt is not None:
        values = (preempt.after_ns, preempt.budget_ns, preempt.period_ns)
        found["preempt"] = tuple(map(_name, values)), found["preempt"][1]
    if actions.monitor:
        found["monitor"] = "", ""
    return found


def _name(value: Value | None) -> int | str | None:
    return value.name if isinstance(value, Tunable) else value


def _settings(policy: Policy) -> dict[str, str]:
    found = {"policy": policy.name}
    if policy.kernel_min is not None:
        found["kernel"] = ">= " + ".".join(map(str, policy.kernel_min))
    if policy.watchdog_ns is not None:
        found["watchdog"] = show_ns(policy.watchdog_ns)
    if policy.cgroups is not Cgroups.AUTO:
        found["cgroups"] = policy.cgroups.value
    return found


def _tunables(policy: Policy) -> dict[str, str]:
    found = {}
    for each in policy.tunables:
        value, low, high = (
            show(number, QUANTITIES[each.unit]) for number in (each.default, each.low, each.high)
        )
        found[each.name] = f"{value} in {low}..{high}"
    return found


def _promises(policy: Policy) -> list[tuple[str, str]]:
    found = []
    for promise in policy.promises:
        claims = [claim.span.one_line for claim in promise.claims]
        over = show_ns(promise.window_ns)
        text = f"over {over}: {', '.join(claims)}; else {promise.otherwise.value}"
        found.append((promise.rule, text))
    return found


def _whens(policy: Policy) -> list[tuple[str, str]]:
    """The rules that change, and for each its actions while that condition alone holds."""
    own = {rule.name: rule.actions for rule in policy.rules}
    found = []
    for when in policy.whens:
        for change in when.changes:
            shown = by_word(changed(own[change.rule], [change]))
            # A stated word that the class does not have is `preempt off`.
            stated = sorted(word for word, _ in change.written)
            texts = [f"{word} {shown.get(word, 'off')}".strip() for word in stated]
            found.append((change.rule, f"when {when.text}: {', '.join(texts)}"))
    return found
