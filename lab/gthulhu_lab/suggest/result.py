# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A suggestion as data (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from gthulhu_lab.suggest.groups import Group, Key
from gthulhu_lab.suggest.policy import Named, reason
from gthulhu_lab.suggest.trials import Trial
from gthulhu_lab.suggest.words import name, title

SCHEMA = 1


class Outcome(StrEnum):
    """The end of a suggestion."""

    SUGGESTED = "suggested"
    NOT_REPLAYED = "suggested, not replayed"
    NOTHING = "nothing to gain"
    UNKNOWN = "no verdict"


@dataclass(frozen=True, slots=True)
class GroupReport:
    """A group of the record. Times are in ns; None: too few. `for_whom`: parts of the waits."""

    comm: str
    cgroup: str
    tasks: int
    share: float
    wakeups: int
    p50: int | None
    p99: int | None
    burst: float
    period: int | None
    for_whom: dict[str, float]


@dataclass(frozen=True, slots=True)
class RuleReport:
    """A rule that is suggested, or was and has been dropped. `kind`: it answers or computes."""

    name: str
    match: str
    kind: str
    reason: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """A group in the replays. `loss`: how many times as long it waits, or its work takes."""

    group: str
    rule: str | None
    wakeups: int
    eevdf_p50: int | None
    policy_p50: int | None
    eevdf_p99: int | None
    policy_p99: int | None
    eevdf_share: float
    policy_share: float
    gain: float
    loss: float
    unknown: float


@dataclass(frozen=True, slots=True)
class TrialReport:
    """A policy that was replayed, of the ladder or with fewer rules."""

    actions: str
    rules: list[str]
    is_good: bool
    gains: dict[str, float]
    losses: dict[str, float]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Everything found. `policy`: its text, None without a policy. `why`: the outcome's reason."""

    schema: int
    record: str
    seconds: float
    cpus: int
    outcome: Outcome
    why: str
    unknown: float | None
    groups: list[GroupReport]
    rules: list[RuleReport]
    notes: list[str]
    trials: list[TrialReport]
    changes: list[ChangeReport]
    policy: str | None

    def as_json(self) -> dict[str, object]:
        """Returns it as JSON's types."""
        return asdict(self)


def groups_of(groups: Mapping[Key, Group]) -> list[GroupReport]:
    """Returns the groups, the one with most CPU time first."""
    return [
        GroupReport(
            name(each.key.comm),
            name(each.key.cgroup),
            len(each.members),
            each.share,
            len(each.waits),
            each.wait_ns("p50"),
            each.wait_ns("p99"),
            each.burst_ns,
            each.period_ns,
            {title(key): part for key, part in each.blamed if part >= 0.01},
        )
        for each in sorted(groups.values(), key=lambda each: (-each.share, each.key))
    ]


def rules_of(members: Sequence[Named], kept: Sequence[Named]) -> list[RuleReport]:
    """Returns the rules, those too that the replay has dropped."""
    return [
        RuleReport(
            each.rule,
            " and ".join(each.match),
            "answers" if each.waiter else "computes",
            reason(each),
            each in kept,
        )
        for each in members
    ]


def trials_of(trials: Sequence[Trial]) -> list[TrialReport]:
    """Returns what was replayed, in that order."""
    return [
        TrialReport(
            each.rung.name,
            [member.rule for member in each.members if each.rung.takes(member)],
            each.is_good,
            each.gains,
            {title(change.group.key): change.loss for change in each.losses},
        )
        for each in trials
    ]


def changes_of(trial: Trial, kept: Sequence[Named]) -> Iterator[ChangeReport]:
    """Yields the groups of a replay that have a rule, or can be judged; rules first."""
    rules = {each.group.key: each.rule for each in kept}
    order = sorted(
        trial.changes.items(),
        key=lambda each: (each[0] not in rules, -each[1].gain, -each[1].group.share, each[0]),
    )
    for key, each in order:
        if key in rules or each.is_judged:
            yield ChangeReport(
                title(key),
                rules.get(key),
                each.policy.wakeups,
                each.eevdf.wakeup["p50"],
                each.policy.wakeup["p50"],
                each.eevdf.wakeup["p99"],
                each.policy.wakeup["p99"],
                each.eevdf.share,
                each.policy.share,
                each.gain,
                each.loss,
                each.unknown,
            )
