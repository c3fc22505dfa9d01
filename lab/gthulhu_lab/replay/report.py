# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of replays by the rules of a policy, and what they cannot tell, as data (JSON)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from gthulhu_lab.replay.actions import Cause, Course
from gthulhu_lab.replay.figures import QUANTILES, TaskFigures, quantile
from gthulhu_lab.replay.run import Run, Subject
from gthulhuc import ir

OPEN_LOOP = frozenset({Cause.NETWORK, Cause.INTERRUPT})
"""Wake-ups from outside, whose senders may wait for answers."""
UNKNOWN = OPEN_LOOP | {Cause.LIMIT, Cause.CUT, Cause.UNTOLD}
"""Wake-ups that would come at other times, or not at all, under another scheduler."""
SAME = 1.25
"""Figures that differ by a smaller factor are the same."""
SAME_NS = 20_000
"""Times that differ by less are the same."""
_SAME_SHARE = 0.02
_FEWEST = 20


class Verdict(StrEnum):
    """The effect of a policy on the tasks of a rule, compared with EEVDF."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    REFUSED = "refused"
    FEW = "too few wake-ups"


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """Of a rule's tasks in a run. Times are in ns; None: too few waits.

    `share`: of all CPU time.
    """

    wakeups: int
    wakeup: dict[str, int | None]
    waits: int
    wait: dict[str, int | None]
    share: float
    switches: int
    migrations: int


@dataclass(frozen=True, slots=True)
class RuleReport:
    """A rule: its figures in the record, replayed under EEVDF, and under the policy.

    `unknown`: the part of its wake-ups that cannot be predicted. `verdict`: by p99 of the waits
    after wake-ups, or if there are too few of them, by the share of CPU time.
    """

    name: str
    tasks: int
    recorded: RuleFigures
    eevdf: RuleFigures
    policy: RuleFigures
    unknown: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TaskReport:
    """A task that gains or loses: its time of waiting in ns for each second of the record."""

    task: int
    name: str
    rule: str
    eevdf_ns: float
    policy_ns: float
    reason: str

    @property
    def gain_ns(self) -> float:
        """How much less it waits."""
        return self.eevdf_ns - self.policy_ns


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """A policy. `repeated`: the part of the tasks' CPU time that is more than the record has."""

    policy: str
    sha256: str
    rules: list[RuleReport]
    repeated: float
    diff: list[TaskReport]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a record that cannot be predicted, and those that are inferred.

    `wakeups`: of tasks of programs, by what causes them. `unknown`: the part of them of
    that kind. `skipped`: periods in which a source did nothing, and which are replayed. `merged`:
    wake-ups that left no trace, as the task was awake, and were inferred. `lost`: events.
    """

    wakeups: dict[str, int]
    unknown: float
    skipped: int
    merged: int
    lost: int


@dataclass(frozen=True, slots=True)
class Report:
    """A whole replay. `schema` changes when a member's meaning does.

    `not_known`: what a record lacks that is an import.
    """

    schema: int
    record: str
    scheduler: str
    kernel: str
    not_known: list[str]
    machine: str
    machine_digest: str
    machine_summary: str
    seconds: float
    cost_scale: float | None
    most_unknown: float
    parts: Parts
    policies: list[PolicyReport]

    @property
    def is_refused(self) -> bool:
        """Whether more of the record cannot be predicted than is allowed."""
        return self.parts.unknown > self.most_unknown

    def as_json(self) -> dict[str, object]:
        """Returns the report as JSON's types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Limits:
    """Above which part of unknown wake-ups no verdict is given.

    `is_open_loop`: those from outside do not count: no sender waits for an answer.
    """

    most_unknown: float
    is_open_loop: bool

    @property
    def unknown(self) -> frozenset[Cause]:
        """The causes that count."""
        return UNKNOWN - OPEN_LOOP if self.is_open_loop else UNKNOWN


def parts_of(subject: Subject, limits: Limits) -> Parts:
    """Returns what of a record cannot be predicted."""
    replayable = subject.replayable
    whole = _causes(each for each in replayable.courses if not each.is_kernel)
    return Parts(
        {cause.value: whole[cause] for cause in Cause},
        _part(whole, limits.unknown),
        sum(timer.skipped for timer in replayable.timers),
        replayable.merged,
        replayable.lost,
    )


def _causes(courses: Iterable[Course]) -> Counter[Cause]:
    found: Counter[Cause] = Counter()
    for course in courses:
        found.update(course.causes)
    return found


def _part(causes: Counter[Cause], unknown: frozenset[Cause]) -> float:
    return sum(causes[cause] for cause in unknown) / max(1, causes.total())


def unknown_part(courses: Iterable[Course], limits: Limits) -> float:
    """Returns the part of tasks' wake-ups that cannot be predicted."""
    return _part(_causes(each for each in courses if not each.is_kernel), limits.unknown)


def rules_of(
    subject: Subject, scheduler: ir.Ir, eevdf: Run, policy: Run, limits: Limits
) -> list[RuleReport]:
    """Returns a report for each rule that has tasks, in the policy's order."""
    names = [each.name for each in scheduler.classes]
    class_of = classes(subject, policy)
    found = []
    by_name: dict[str, list[int]] = defaultdict(list)
    for task, number in class_of.items():
        by_name[names[number]].append(task)
    courses = {each.number: each for each in subject.replayable.courses}
    for name in dict.fromkeys(names):
        if not (tasks := by_name.get(name)):
            continue
        mine = [courses[task] for task in tasks]
        unknown = unknown_part(mine, limits)
        recorded, other, own = (
            figures_of(members, run, subject)
            for members, run in (
                (set(tasks), subject.tasks),
                (with_forked(tasks, eevdf), eevdf.tasks),
                (with_forked(tasks, policy), policy.tasks),
            )
        )
        is_refused = unknown > limits.most_unknown
        verdict = Verdict.REFUSED if is_refused else compare(other, own)
        found.append(RuleReport(name, len(tasks), recorded, other, own, unknown, verdict))
    return found


def classes(subject: Subject, run: Run) -> dict[int, int]:
    """Returns the class of each recorded task: the one in which it began to run most often."""
    found = {}
    for course in subject.replayable.courses:
        figures = run.tasks.get(course.number)
        numbers = figures.classes if figures else Counter[int]()
        known = {number: times for number, times in numbers.items() if number >= 0}
        if known:
            found[course.number] = max(known, key=lambda number: known[number])
    return found


def with_forked(tasks: Iterable[int], run: Run) -> set[int]:
    """Returns the tasks, and those that they made again in a replay."""
    wanted = set(tasks)
    return wanted | {again for again, task in run.forked.items() if task in wanted}


def figures_of(
    members: set[int], tasks: Mapping[int, TaskFigures], subject: Subject
) -> RuleFigures:
    """Returns the figures of some tasks together."""
    mine = [tasks[task] for task in sorted(members & tasks.keys())]
    woken = sorted(ns for each in mine for ns in each.woken)
    waits = sorted(ns for each in mine for ns in each.waits)
    machine = subject.machine
    whole_ns = subject.replayable.length_ns * (machine.cpus - len(machine.offline))
    return RuleFigures(
        len(woken),
        _quantiles(woken),
        len(waits),
        _quantiles(waits),
        sum(each.ran_ns for each in mine) / whole_ns,
        sum(each.switches for each in mine),
        sum(each.migrations for each in mine),
    )


def _quantiles(waits: list[int]) -> dict[str, int | None]:
    return {name: quantile(waits, part) for name, part in QUANTILES.items()}


def compare(one: RuleFigures, other: RuleFigures) -> Verdict:
    """Returns what the second run does to the tasks of a rule, compared with the first."""
    if min(one.wakeups, other.wakeups) < _FEWEST:
        return _compare_shares(one.share, other.share)
    for word in ("p99", "p90", "p50"):
        before, after = one.wakeup[word], other.wakeup[word]
        if before is not None and after is not None:
            return compare_times(before, after)
    return Verdict.FEW


def compare_times(before_ns: float, after_ns: float) -> Verdict:
    """Returns whether a time becomes shorter."""
    if abs(before_ns - after_ns) < SAME_NS:
        return Verdict.SAME
    if after_ns * SAME < before_ns:
        return Verdict.BETTER
    return Verdict.WORSE if after_ns > SAME * before_ns else Verdict.SAME


def _compare_shares(before: float, after: float) -> Verdict:
    if abs(before - after) < _SAME_SHARE:
        return Verdict.SAME
    return Verdict.BETTER if after > before else Verdict.WORSE


def diff_of(
    subject: Subject, scheduler: ir.Ir, eevdf: Run, policy: Run, most: int
) -> list[TaskReport]:
    """Returns the tasks whose waiting changes most, with the reason; the largest gain first."""
    names = [each.name for each in scheduler.classes]
    rules = {task: names[number] for task, number in classes(subject, policy).items()}
    seconds = subject.replayable.length_ns / 1e9
    found = []
    for course in subject.replayable.courses:
        task = course.number
        if task not in rules:
            continue
        before, after = eevdf.tasks.get(task), policy.tasks.get(task)
        if before is None or after is None:
            continue
        before_ns, after_ns = sum(before.waits) / seconds, sum(after.waits) / seconds
        reason = _reason(before, after, rules, is_gain=before_ns > after_ns)
        name = course.task.name.decode(errors="replace")
        number = course.task.number
        found.append(TaskReport(number, name, rules[task], before_ns, after_ns, reason))
    found.sort(key=lambda each: -abs(each.gain_ns))
    return sorted(found[:most], key=lambda each: -each.gain_ns)


def _reason(
    before: TaskFigures, after: TaskFigures, rules: Mapping[int, str], *, is_gain: bool
) -> str:
    """After whose tasks it waits, in the run in which it waits longer."""
    by_rule: Counter[str] = Counter()
    figures = before if is_gain else after
    for task, ns in figures.after_ns.items():
        by_rule[rules.get(task, "no rule") if task else ""] += ns
    if not by_rule or not (whole := by_rule.total()):
        return "it hardly waits"
    name, ns = by_rule.most_common(1)[0]
    where = f"after tasks of `{name}`" if name else "for an idle CPU"
    when = "under EEVDF" if is_gain else "under the policy"
    return f"{100 * ns / whole:.0f} % of its waiting {when} is {where}"


def as_rows(report: PolicyReport) -> Sequence[tuple[str, str, RuleFigures]]:
    """Returns the figures of each rule and run, with their names."""
    return [
        (rule.name, run, figures)
        for rule in report.rules
        for run, figures in (
            ("recorded", rule.recorded), ("eevdf", rule.eevdf), (report.policy, rule.policy)
        )
    ]  # fmt: skip
