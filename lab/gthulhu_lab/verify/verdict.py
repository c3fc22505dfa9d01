# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Judges claims: exact ones by the median of their runs, and with their range.

Those of a wall clock by an interval, of the ratio to a baseline's figures or of the median: chance
has a part in them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import significance, stats
from gthulhu_lab.request import Clock
from gthulhu_lab.verify.method import Method, method_of, report_of
from gthulhu_lab.verify.runs import RecordedRun, ReportedRun, Waits, line_of, reported_name
from gthulhu_lab.verify.scene import needed
from gthulhuc import checked

_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Outcome(StrEnum):
    """The verdict on a claim. All but the first fail."""

    OK = "ok"
    FAIL = "FAIL"
    NOT_MEASURED = "not measured"
    # Only on a wall clock: the interval includes the bound.
    NOISY = "too noisy"
    FEW = "too few runs"


# The outcome by whether the claim holds at the two ends of the interval.
_OUTCOMES = {
    frozenset({True}): Outcome.OK,
    frozenset({False}): Outcome.FAIL,
    frozenset({True, False}): Outcome.NOISY,
}


class Failure(BaseModel):
    """A guest without figures: the scheduler was ejected, the kernel complained, a program died."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str
    seed: int
    reason: str
    clock: Clock = Clock.ICOUNT


class Spread(BaseModel):
    """The figures of runs, in their order: ns, thousandths of all CPU time, or per second."""

    model_config = ConfigDict(frozen=True)

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return stats.median(self.runs)

    @property
    def low(self) -> float:
        return min(self.runs)

    @property
    def high(self) -> float:
        return max(self.runs)

    @classmethod
    def of(cls, values: Sequence[float]) -> Self | None:
        """None without any."""
        return cls(runs=tuple(values)) if values else None


class Interval(BaseModel):
    """The confidence interval of a wall clock's figure, or of its ratio to the baseline's."""

    model_config = ConfigDict(frozen=True)

    middle: float
    low: float
    high: float


class Judged(BaseModel):
    """A claim, its figures and the verdict.

    `bound` is in the unit of the figures, made of the baseline's median where there is one. Of a
    claim that was timed the figures are those of the turns that all have one of, in their order;
    `bound` and `interval` are then of the ratio, and too few turns leave no interval.
    """

    model_config = ConfigDict(frozen=True)

    text: str  # as it stands in the policy
    line: int
    target: str
    metric: str | None  # wakeup, wait, rate or time; None: a share
    outcome: Outcome
    measured: Spread | None
    bound: float | None
    baseline: str | None
    baseline_measured: Spread | None
    reason: str  # why it was not measured, or what to do next
    method: Method = Method.RECORDED
    interval: Interval | None = None
    # The same figure under each scheduler that ran in the block besides; of a wall clock by turns.
    beside: dict[str, Spread] = {}

    @property
    def figure(self) -> str:
        """The claim's text without operator and bound."""
        return self.text[: self.text.index(")") + 1]

    @property
    def warning(self) -> str:
        """A warning if the outcome depends on the machine, too."""
        if self.method.is_exact or self.baseline is not None:
            return ""
        return (
            f"`{self.text}` depends on this machine and its other work; with `N% of eevdf` it "
            "depends on the policy"
        )


class Block(BaseModel):
    """An `expect` block and its claims under one kernel."""

    model_config = ConfigDict(frozen=True)

    text: str  # its head
    workload: str
    line: int
    kernel: str
    claims: tuple[Judged, ...]
    runs: tuple[RecordedRun, ...]
    failures: tuple[Failure, ...]
    reports: tuple[ReportedRun, ...] = ()

    def of_clock(self, *, is_exact: bool) -> list[RecordedRun | ReportedRun]:
        """The runs on the deterministic clock, or those on the other."""
        both: list[RecordedRun | ReportedRun] = [*self.runs, *self.reports]
        return [run for run in both if (run.environment.clock is Clock.ICOUNT) == is_exact]

    @property
    def holds(self) -> bool:
        return all(claim.outcome is Outcome.OK for claim in self.claims)


class Verification(BaseModel):
    """The result of `gthulhu verify`. It has no date: only `wall_s`, the run time, differs.

    `--json` writes it, and docs/verify.schema.json is its published form: a change of meaning
    raises `form`.
    """

    model_config = ConfigDict(frozen=True)

    form: Literal[1] = 1
    policy: str
    sha256: str  # of its source
    seeds: tuple[int, ...]
    blocks: tuple[Block, ...]
    turns: int = 0  # of what was timed; 0: nothing was
    beside: tuple[str, ...] = ()  # schedulers that were asked for, beside those of the claims

    @property
    def timed(self) -> int:
        """The number of claims judged by an interval; they share one chance of error."""
        return sum(not claim.method.is_exact for block in self.blocks for claim in block.claims)

    @property
    def holds(self) -> bool:
        return all(block.holds for block in self.blocks)

    @property
    def is_enough(self) -> bool:
        """Whether there were as many runs as a verdict takes."""
        return len(self.seeds) >= stats.ENOUGH_RUNS


@dataclass(frozen=True, slots=True)
class _Found:
    """The runs of one method by scheduler, and each scheduler's first failure."""

    runs: dict[str, list[RecordedRun | ReportedRun]] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)


def judge(
    block: checked.Expectation,
    policy: str,
    kernel: str,
    runs: Sequence[RecordedRun | ReportedRun],
    failures: Sequence[Failure],
    timed: int = 1,
) -> Block:
    """The verdict on a block. `policy`: its scheduler's name among the runs.

    `timed`: of how many claims on a wall clock, in all, its own are.
    """
    found = {method: _Found() for method in Method}
    for run in runs:
        found[_method(run)].runs.setdefault(run.scheduler, []).append(run)
    for method, each in found.items():
        for failure in failures:
            if (failure.clock is Clock.ICOUNT) == method.is_exact:
                each.failures.setdefault(failure.scheduler, failure)
    return Block(
        text=" ".join(block.span.text.partition("{")[0].split()),
        workload=block.workload,
        line=line_of(block),
        kernel=kernel,
        claims=tuple(
            _timed(claim, policy, found[Method.TIMED], timed)
            if method_of(claim) is Method.TIMED
            else _judged(claim, policy, found[method_of(claim)])
            for claim in block.claims
        ),
        runs=tuple(run for run in runs if isinstance(run, RecordedRun)),
        failures=tuple(failures),
        reports=tuple(run for run in runs if isinstance(run, ReportedRun)),
    )


def _method(run: RecordedRun | ReportedRun) -> Method:
    if isinstance(run, RecordedRun):
        return Method.RECORDED
    return Method.COUNTED if run.environment.clock is Clock.ICOUNT else Method.TIMED


def _judged(claim: checked.Claim, policy: str, found: _Found) -> Judged:
    measured, reason = _measure(claim, policy, found)
    theirs: Spread | None = None
    bound: float | None = value_of(claim.bound)
    if claim.baseline is not None:
        name = claim.baseline.name
        theirs, their_reason = _measure(claim, name, found)
        reason = reason or (f"{name}: {their_reason}" if their_reason else "")
        bound = value_of(claim.bound) / 1000 * theirs.median if theirs else None
    outcome = Outcome.NOT_MEASURED
    if policy in found.failures:
        outcome = Outcome.FAIL
    elif measured is not None and bound is not None and not reason:
        holds = _OPERATORS[claim.operator](measured.median, bound)
        outcome = Outcome.OK if holds else Outcome.FAIL
    others = {name: _measure(claim, name, found)[0] for name in found.runs if name != policy}
    return _said(claim, outcome, measured, theirs, bound, reason, others)


def _timed(claim: checked.Claim, policy: str, found: _Found, timed: int) -> Judged:
    """Judge a claim by its whole confidence interval."""
    baseline = None if claim.baseline is None else claim.baseline.name
    bound = value_of(claim.bound) / (1 if baseline is None else 1000)
    ours, theirs = _by_turn(claim, policy, found), _by_turn(claim, baseline, found)
    turns = sorted(ours if baseline is None else ours.keys() & theirs.keys())
    measured = Spread.of([ours[turn] for turn in turns])
    against = None if baseline is None else Spread.of([theirs[turn] for turn in turns])
    interval = None if measured is None else _interval(measured, against, timed)
    if policy in found.failures:
        outcome, reason = Outcome.FAIL, found.failures[policy].reason
    elif _has_nothing(claim, policy, found) or _has_nothing(claim, baseline, found):
        outcome, reason = Outcome.NOT_MEASURED, _too_few(claim)
    elif measured is None:
        other = found.failures.get(baseline or policy)
        outcome = Outcome.NOT_MEASURED
        reason = f"{other.scheduler}: {other.reason}" if other else "no turn was completed"
    elif interval is None:
        least = significance.enough(timed)
        outcome = Outcome.FEW
        reason = (
            f"a verdict on {timed} such claim{'s' * (timed != 1)} needs at least {least} turns: "
            f"--turns {max(least, significance.USUAL_TURNS)}"
        )
    else:
        holds = _OPERATORS[claim.operator]
        sides = frozenset({holds(interval.low, bound), holds(interval.high, bound)})
        outcome = _OUTCOMES[sides]
        reason = _more_turns(len(turns)) if outcome is Outcome.NOISY else ""
    others = {
        name: Spread.of(list(_by_turn(claim, name, found).values()))
        for name in found.runs
        if name != policy
    }
    return _said(claim, outcome, measured, against, bound, reason, others, interval)


def _more_turns(turns: int) -> str:
    return (
        "the interval includes the bound: take more turns "
        f"(--turns {2 * turns}), or a bound with more room"
    )


def _too_few(claim: checked.Claim) -> str:
    if least := needed(claim):
        return f"a run had fewer than {least:,} operations"
    return "a run did not complete a single operation"


def _has_nothing(claim: checked.Claim, scheduler: str | None, found: _Found) -> bool:
    """Whether any run lacks the figure. Leaving such turns out would bias the result."""
    runs = found.runs.get(scheduler or "", ())
    return any(isinstance(r, ReportedRun) and reported_name(claim) not in r.figures for r in runs)


def _interval(measured: Spread, against: Spread | None, timed: int) -> Interval | None:
    """The interval of the median, or of the ratio within turns; None with too few turns."""
    error = significance.ERROR / timed
    if against is None:
        found = significance.median(measured.runs, error)
    else:
        found = significance.ratio(measured.runs, against.runs, error)
    if math.isinf(found.high):
        return None
    return Interval(middle=found.middle, low=found.low, high=found.high)


def _by_turn(claim: checked.Claim, scheduler: str | None, found: _Found) -> dict[int, float]:
    """A scheduler's figure of each turn that has one, by the turn's seed."""
    return {
        run.seed: value
        for run in found.runs.get(scheduler or "", ())
        if isinstance(run, ReportedRun) and (value := run.figures.get(reported_name(claim)))
    }


def _said(
    claim: checked.Claim,
    outcome: Outcome,
    measured: Spread | None,
    theirs: Spread | None,
    bound: float | None,
    reason: str,
    others: Mapping[str, Spread | None],
    interval: Interval | None = None,
) -> Judged:
    method = method_of(claim)
    return Judged(
        text=" ".join(claim.span.text.split()),
        line=line_of(claim),
        target=claim.target,
        metric=claim.metric or report_of(claim),
        outcome=outcome,
        measured=measured,
        bound=bound,
        baseline=None if claim.baseline is None else claim.baseline.name,
        baseline_measured=theirs,
        reason=reason,
        method=method,
        interval=interval,
        beside={name: spread for name, spread in others.items() if spread is not None},
    )


def value_of(value: checked.Value) -> int:
    """A value; of a tunable its default."""
    return value if isinstance(value, int) else value.default


def _measure(claim: checked.Claim, scheduler: str, found: _Found) -> tuple[Spread | None, str]:
    """A claim's figure of each run, or None and the reason."""
    if scheduler in found.failures:
        return None, found.failures[scheduler].reason
    runs = found.runs.get(scheduler, ())
    if method_of(claim) is not Method.RECORDED:
        if _has_nothing(claim, scheduler, found):
            return None, _too_few(claim)
        name = reported_name(claim)
        return Spread.of([run.figures[name] for run in runs if isinstance(run, ReportedRun)]), ""
    recorded = [run for run in runs if isinstance(run, RecordedRun)]
    fewest = min((samples_of(claim, run) for run in recorded), default=0)
    if fewest < (least := needed(claim)):
        return None, f"found {fewest:,} samples, expected at least {least:,}"
    return Spread.of([figure(claim, run) for run in recorded]), ""


def samples_of(claim: checked.Claim, run: RecordedRun | ReportedRun) -> int:
    """How many samples a run has for a claim; a share needs none."""
    if isinstance(run, ReportedRun):
        return run.operations.get(claim.target, 0)
    return 0 if claim.metric is None else waits_of(claim.target, claim.metric, run).samples.count


def waits_of(target: str, metric: str, run: RecordedRun) -> Waits:
    """The waits that a claim is about."""
    figures = run.classes[target]
    return figures.wakeup if metric == "wakeup" else figures.wait


def figure(claim: checked.Claim, run: RecordedRun) -> float:
    """A claim's figure of a run: ns, or thousandths of all CPU time."""
    if claim.metric is None:
        return 1000 * run.classes[claim.target].cpu_us / sum(run.cpu_us.values())
    samples_us = waits_of(claim.target, claim.metric, run).samples.all_us()
    return 1000 * stats.named(claim.statistic, samples_us)
