# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Decides which groups of a record answer, and for which that compute they wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gthulhu_lab.suggest import thresholds
from gthulhu_lab.suggest.groups import Group, Key


@dataclass(frozen=True, slots=True)
class Waiter:
    """A group that answers, and waits too long; `others`: the groups that it waits for."""

    group: Group
    others: tuple[Group, ...]
    blame: float
    """The part of its waiting time that these groups ran in."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`waiters`: the most blamed wait first; `batch`: the groups that compute, largest first."""

    waiters: tuple[Waiter, ...]
    batch: tuple[Group, ...]


def decide(groups: Mapping[Key, Group]) -> Decision:
    """Returns which groups get a rule."""
    found = [waiter for group in groups.values() if (waiter := _waiter(group, groups))]
    found.sort(key=lambda each: -(each.group.late_ns or 0) / max(1.0, each.group.burst_ns))
    del found[thresholds.MOST_RULES :]
    mine = {each.group.key for each in found}
    blamed = {other.key for each in found for other in each.others}
    batch = [group for key, group in groups.items() if key in blamed - mine and is_batch(group)]
    return Decision(tuple(found), tuple(sorted(batch, key=lambda each: -each.share)))


def is_batch(group: Group) -> bool:
    """Returns whether a group computes for long, and takes much of the CPUs."""
    return group.burst_ns >= thresholds.BATCH_BURST_NS and group.share >= thresholds.BATCH_SHARE


def is_late(group: Group) -> bool:
    """Returns whether a group of short bursts waits long, for its work."""
    late_ns = group.wait_ns("p99")
    return (
        late_ns is not None
        and len(group.waits) >= thresholds.FEWEST_WAKEUPS
        and group.burst_ns <= thresholds.LONGEST_SHORT_BURST_NS
        and late_ns >= max(thresholds.LATE_NS, thresholds.LATE_BURSTS * group.burst_ns)
    )


def _waiter(group: Group, groups: Mapping[Key, Group]) -> Waiter | None:
    if group.is_outside or not is_late(group) or is_batch(group):
        return None
    longer = thresholds.LONGER_BURST * group.burst_ns
    others: list[Group] = []
    blame = 0.0
    for key, part in group.blamed:
        other = groups.get(key)
        if other and not other.is_outside and other is not group and other.burst_ns >= longer:
            others.append(other)
            blame += part
    if blame < thresholds.LEAST_BLAME:
        return None
    return Waiter(group, tuple(others), blame)


def reason_for_none(groups: Mapping[Key, Group]) -> str:
    """Returns why no group gets a rule."""
    mine: Sequence[Group] = [each for each in groups.values() if not each.is_outside]
    late = [each for each in mine if is_late(each)]
    if late:
        return "late"
    return "few" if all(len(each.waits) < thresholds.FEWEST_WAKEUPS for each in mine) else "prompt"
