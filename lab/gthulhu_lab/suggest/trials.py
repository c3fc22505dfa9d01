# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Replays suggested policies, and keeps the one that helps most and costs nobody much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from gthulhu_lab.replay import report
from gthulhu_lab.replay.figures import TaskFigures
from gthulhu_lab.replay.report import Limits, RuleFigures
from gthulhu_lab.replay.run import EEVDF, Run, Subject
from gthulhu_lab.simulation import play
from gthulhu_lab.suggest import policy, thresholds
from gthulhu_lab.suggest.decide import is_batch
from gthulhu_lab.suggest.groups import Group, Key
from gthulhu_lab.suggest.policy import Named, Rung

_WORDS = ("p99", "p90", "p50")


@dataclass(frozen=True, slots=True)
class Change:
    """A group in two replays: under EEVDF, and under the policy.

    `stretch`: how many times its CPU time it takes for its work, with its waits. `unknown`: the
    part of its wake-ups that cannot be predicted.
    """

    group: Group
    eevdf: RuleFigures
    policy: RuleFigures
    eevdf_stretch: float
    policy_stretch: float
    unknown: float

    @property
    def times(self) -> tuple[int, int] | None:
        """The longest quantile of waits after wake-ups that both have, up to p99."""
        if min(self.eevdf.wakeups, self.policy.wakeups) < thresholds.FEWEST_TO_JUDGE:
            return None
        for word in _WORDS:
            before, after = self.eevdf.wakeup[word], self.policy.wakeup[word]
            if before is not None and after is not None:
                return before, after
        return None

    @property
    def gain(self) -> float:
        """How many times as long it waited before."""
        if self.times is None or abs(self.times[0] - self.times[1]) < thresholds.LEAST_LOSS_NS:
            return 1.0
        return max(1, self.times[0]) / max(1, self.times[1])

    @property
    def loss(self) -> float:
        """How many times as long it waits, or if it computes or is rarely woken, its work takes."""
        if not is_batch(self.group) and self.times is not None:
            return 1 / self.gain
        if self.group.share < thresholds.LEAST_SHARE_TO_JUDGE:
            return 1.0
        return self.policy_stretch / self.eevdf_stretch

    @property
    def is_judged(self) -> bool:
        """Whether it is woken often enough, or takes enough CPU time."""
        return self.times is not None or self.group.share >= thresholds.LEAST_SHARE_TO_JUDGE

    @property
    def is_loss(self) -> bool:
        """Whether the policy slows it too much."""
        return self.loss > thresholds.MOST_LOSS


@dataclass(frozen=True, slots=True)
class Trial:
    """A policy that was replayed. `rules`: the groups that it has a rule for."""

    rung: Rung
    members: tuple[Named, ...]
    changes: Mapping[Key, Change]
    repeated: float

    @property
    def losses(self) -> list[Change]:
        """The groups that the policy slows too much."""
        return [each for each in self.changes.values() if each.is_loss]

    @property
    def gains(self) -> dict[str, float]:
        """By what factor each rule shortens its tasks' waits."""
        return {
            each.rule: self.changes[each.group.key].gain
            for each in self.members
            if each.waiter and each.group.key in self.changes
        }

    @property
    def useless(self) -> list[str]:
        """The rules without effect."""
        return [rule for rule, gain in self.gains.items() if gain < thresholds.LEAST_GAIN]

    @property
    def is_good(self) -> bool:
        """Whether all of its rules help, and nobody loses."""
        return bool(self.gains) and not self.losses and not self.useless

    @property
    def is_enough(self) -> bool:
        """Whether nothing else needs to be tried."""
        return self.is_good and min(self.gains.values()) >= thresholds.WANTED_GAIN

    @property
    def score(self) -> tuple[bool, float]:
        """Larger is better."""
        return not self.losses, sum(math.log(gain) for gain in self.gains.values())


class Trials:
    """Replays of a record under policies, each compared with one under EEVDF."""

    def __init__(
        self,
        subject: Subject,
        player: play.Player,
        groups: Mapping[Key, Group],
        limits: Limits,
        tell: Callable[[str], None],
    ) -> None:
        self._subject = subject
        self._player = player
        self._groups = groups
        self._limits = limits
        self._tell = tell
        tell("replaying under eevdf")
        self._eevdf = subject.replay(player, player.control(EEVDF))
        by_begin = {
            (each.task.number, each.task.begin_ns): each for each in subject.replayable.courses
        }
        self._courses = {
            key: [by_begin[each] for each in group.members if each in by_begin]
            for key, group in groups.items()
        }
        self.done: list[Trial] = []

    def best(self, members: Sequence[Named]) -> Trial | None:
        """Returns the policy to suggest; None: none helps without a loss."""
        mine = tuple(members)
        for rung in policy.LADDER:
            if self._try(rung, mine).is_enough:
                break
        best = max(self.done, key=lambda trial: trial.score)
        while not best.is_good and len(self.done) < thresholds.MOST_REPLAYS:
            if not (fewer := self._fewer(best)):
                break
            best = max((self._try(best.rung, each) for each in fewer), key=lambda each: each.score)
        return best if best.is_good else None

    @staticmethod
    def _fewer(trial: Trial) -> list[tuple[Named, ...]]:
        """The same without the rules that do not help; if all do, without each of them."""
        drop = [trial.useless] if trial.useless else [[rule] for rule in trial.gains]
        found = [tuple(each for each in trial.members if each.rule not in out) for out in drop]
        return [members for members in found if any(each.waiter for each in members)]

    def _try(self, rung: Rung, members: tuple[Named, ...]) -> Trial:
        names = ", ".join(each.rule for each in members if each.waiter)
        self._tell(f"replaying {names}: {rung.name}")
        found, problems = policy.checked_policy(policy.write("suggested", (), members, rung))
        if found is None:
            raise AssertionError(problems)
        run = self._subject.replay(self._player, self._player.policy(found, self._subject.machine))
        ran_ns = sum(each.ran_ns for each in run.tasks.values())
        changes = {
            key: self._change(group, run)
            for key, group in self._groups.items()
            if self._courses[key] and not group.is_outside
        }
        trial = Trial(rung, members, changes, run.repeated_ns / max(1, ran_ns))
        self.done.append(trial)
        return trial

    def _change(self, group: Group, mine: Run) -> Change:
        courses = self._courses[group.key]
        tasks = [each.number for each in courses]
        here, there = (report.with_forked(tasks, run) for run in (self._eevdf, mine))
        return Change(
            group,
            report.figures_of(here, self._eevdf.tasks, self._subject),
            report.figures_of(there, mine.tasks, self._subject),
            stretch(self._eevdf.tasks[task] for task in here & self._eevdf.tasks.keys()),
            stretch(mine.tasks[task] for task in there & mine.tasks.keys()),
            report.unknown_part(courses, self._limits),
        )


def stretch(tasks: Iterable[TaskFigures]) -> float:
    """Returns how many times their CPU time tasks take for their work, with all of their waits."""
    mine = list(tasks)
    ran_ns = sum(each.ran_ns for each in mine)
    waited_ns = sum(chain.from_iterable(each.waits for each in mine))
    return (ran_ns + waited_ns) / max(1, ran_ns)
