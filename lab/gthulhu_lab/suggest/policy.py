# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The text of a suggested policy: a rule for each group, with its reason, and promises."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gthulhu_lab.errors import LabError
from gthulhu_lab.suggest import matching, thresholds
from gthulhu_lab.suggest.decide import Decision, Waiter
from gthulhu_lab.suggest.groups import ROOT, Group, Key
from gthulhu_lab.suggest.words import blamed, per_cent, time, title
from gthulhuc import checked, frontend
from gthulhuc.diagnostics import Diagnostic
from gthulhuc.formatter import format_source
from gthulhuc.importers.document import Document, Rule, to_text, unique, word
from gthulhuc.source import Source

_WIDTH = 96
_MOST_BLAMED = 3
_SLICES_US = (500, 1000, 2000, 4000)
_BURSTS = 4
"""Bursts in a slice: nearly all end before it does."""
_BATCH_SLICE = "10ms"
_CLAIMS = (
    "\n# Half of the wait in the record, under loads of the lab: for `gthulhu tune` and `verify`.\n"
)
_FEWEST_OF_P99 = 1200
"""Waits in a promise's window; with fewer than 1,000 it says nothing."""
_LEAST_WINDOW_S, _MOST_WINDOW_S = 10, 3600
_SAFE = 4
"""A prediction is within a factor of 2: what is promised is double that, and half of before."""


@dataclass(frozen=True, slots=True)
class Named:
    """A group that gets a rule. `waiter`: None for one that computes."""

    rule: str
    group: Group
    match: tuple[str, ...]
    waiter: Waiter | None


@dataclass(frozen=True, slots=True)
class Rung:
    """Actions to try. `batch`: for groups that compute, at least so long at a time."""

    name: str
    waiter: tuple[tuple[str, str], ...]
    batch: tuple[tuple[str, str], ...] = ()
    batch_burst_ns: int = 0

    def takes(self, member: Named) -> bool:
        """Returns whether a group gets a rule."""
        if member.waiter is not None:
            return True
        return bool(self.batch) and member.group.burst_ns >= self.batch_burst_ns


_EQUAL = ("weight", "100")
_HIGH = ("priority", "high")
_OFTEN = ("preempt", "budget 50ms per 100ms")
_AFTER = ("preempt", "after 500us budget 20ms per 100ms")
_LOW = (("priority", "low"), _EQUAL, ("slice", _BATCH_SLICE))
_PAID = (("priority", "low"), ("weight", "120"), ("slice", "3ms"))
"""For what waits longest: some more of the CPUs, and slices after which others get a turn."""
LADDER = (
    Rung("first, and batch low", (_HIGH, _EQUAL, _OFTEN), _LOW),
    Rung("first, and long batch low", (_HIGH, _EQUAL, _OFTEN), _PAID, thresholds.LONG_BURST_NS),
    Rung("first, and batch as it is", (_HIGH, _EQUAL, _OFTEN)),
    Rung("first, after 500 µs", (_HIGH, _EQUAL, _AFTER)),
    Rung("first, without preemption", (_HIGH, _EQUAL)),
)
"""From the strongest to the mildest. Equal weights: an early turn, and no more of the CPUs."""


@dataclass(frozen=True, slots=True)
class Promised:
    """A p99 that a rule's tasks have in the record and in the replay, in ns."""

    recorded_ns: int
    predicted_ns: int


def named(decision: Decision, groups: Mapping[Key, Group]) -> tuple[Named, ...]:
    """Returns the groups of a decision with names and predicates of rules."""
    pairs: list[tuple[Group, Waiter | None]] = [(each.group, each) for each in decision.waiters]
    pairs += [(group, None) for group in decision.batch]
    names = unique(_word(group) for group, _ in pairs)
    return tuple(
        Named(name, group, matching.predicate(group, groups.values()), waiter)
        for name, (group, waiter) in zip(names, pairs, strict=True)
    )


def _word(group: Group) -> str:
    """A name from the thread's, and in a cgroup from its last part."""
    parts = [group.key.comm.replace(b"#", b"")]
    if group.key.cgroup != ROOT:
        parts.append(group.key.cgroup.rpartition(b"/")[2])
    return word("-".join(part.decode(errors="replace") for part in parts), "tasks")


def write(
    name: str,
    head: Sequence[str],
    members: Iterable[Named],
    rung: Rung,
    promises: Mapping[str, Promised] | None = None,
    seconds: float = 1.0,
) -> str:
    """Returns the text of a policy, as `gthulhu fmt` has it."""
    mine = [each for each in members if rung.takes(each)]
    rules = tuple(
        Rule(each.rule, each.match, _actions(each, rung), tuple(wrapped(reason(each))))
        for each in mine
    )
    text = to_text(Document(name, tuple(head), rules, settings=("kernel >= 6.16",)))
    text += _expectations(mine)
    for each in mine:
        if each.waiter and promises and (promised := promises.get(each.rule)):
            text += _promise(each, promised, seconds)
    formatted, problems = format_source(Source("the suggested policy", text))
    if formatted is None:
        raise LabError(f"the suggested policy cannot be read: {problems[0].message}")
    return formatted


def _actions(member: Named, rung: Rung) -> tuple[tuple[str, str], ...]:
    if member.waiter is None:
        return rung.batch
    first, *rest = rung.waiter
    return (first, ("slice", _slice(member.group)), *rest)


def _slice(group: Group) -> str:
    us = next((us for us in _SLICES_US if us * 1000 >= _BURSTS * group.burst_ns), _SLICES_US[-1])
    return f"{us // 1000}ms" if us >= 1000 else f"{us}us"


def reason(member: Named) -> str:
    """Returns why a group gets its rule."""
    group = member.group
    burst = time(group.burst_ns)
    if member.waiter is None:
        return (
            f"{title(group.key)} computes for {burst} at a time and takes {per_cent(group.share)} "
            "of the CPU time. Others wait for it."
        )
    return (
        f"{title(group.key)} computes for {burst} at a time, was woken {len(group.waits):,} times "
        f"and waits {time(group.wait_ns('p50'))} at p50 and {time(group.wait_ns('p99'))} at p99. "
        f"Meanwhile its CPU runs {blamed(group, _MOST_BLAMED)}."
    )


def wrapped(paragraph: str) -> Iterator[str]:
    """Yields lines of a comment."""
    yield from textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False)


def _expectations(members: Sequence[Named]) -> str:
    """Claims for `gthulhu tune` and `gthulhu verify`: loads of the lab stand for the tasks."""
    batch = next((f" as {each.rule}" for each in members if each.waiter is None), "")
    found = [
        f"expect waker as {each.rule} under hogs 2x{batch} {{\n"
        f"p99(wakeup {each.rule}) < {_bound(each)}\n}}\n"
        for each in members
        if each.waiter
    ]
    return _CLAIMS + "\n".join(found)


def _bound(member: Named) -> str:
    return f"{(member.group.wait_ns('p99') or 0) // 2000}us"


def _promise(member: Named, promised: Promised, seconds: float) -> str:
    if _SAFE * promised.predicted_ns > promised.recorded_ns:
        return ""
    rate = len(member.group.waits) / seconds
    window = max(_LEAST_WINDOW_S, math.ceil(_FEWEST_OF_P99 / rate))
    if window > _MOST_WINDOW_S:
        return ""
    return (
        "\n# The same on the running machine: `gthulhu swap --trial` judges it.\n"
        f"promise {member.rule} over {window}s {{ p99(wakeup {member.rule}) < {_bound(member)} }}\n"
    )


def checked_policy(text: str) -> tuple[checked.Policy | None, Sequence[Diagnostic]]:
    """Returns the checked policy, and all that the compiler says of it."""
    return frontend.check(Source("the suggested policy", text))


def refused(text: str, found: Sequence[Diagnostic]) -> set[str]:
    """Returns the rules that the compiler says something of; empty: none of the rules."""
    heads = {
        text.index(f"\nrule {each} {{"): each
        for each in (line.split()[1] for line in text.splitlines() if line.startswith("rule "))
    }
    return {
        heads[max(start for start in heads if start <= problem.span.start)]
        for problem in found
        if any(start <= problem.span.start for start in heads)
    }
