# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Judges claims: exact ones by the median of their runs, and with their range.

Those of a wall clock by an interval, of the ratio to a baseline's figures or of the median: chance
has a part in them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import significance, stats
from gthulhu_lab.errors import GuestError
from gthulhu_lab.request import Clock
from gthulhu_lab.significance import Interval
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.claims import Claim, Method, line_of, of_method
from gthulhu_lab.verify.experiments import SceneExperiment
from gthulhu_lab.verify.runs import AnyRun, RecordedRun, ReportedRun
from gthulhu_lab.verify.scene import Scene
from gthulhuc.claims import Expectation


class Outcome(StrEnum):
    """The verdict on a claim. All but the first fail."""

    OK = "ok"
    FAIL = "FAIL"
    NOT_MEASURED = "not measured"
    # Only on a wall clock: the interval includes the bound.
    NOISY = "too noisy"
    FEW = "too few runs"


class Failure(BaseModel):
    """A guest without figures: the scheduler was ejected, the kernel complained, a program died."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str
    seed: int
    reason: str
    clock: Clock = Clock.ICOUNT

    @classmethod
    def of(cls, experiment: SceneExperiment, error: GuestError) -> Self:
        """The failure of an experiment's guest."""
        return cls(
            workload=experiment.scene.block.workload,
            line=experiment.scene.line,
            scheduler=experiment.name,
            seed=experiment.variation.seed,
            reason=str(error),
            clock=experiment.clock,
        )


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
    reason: str  # the reason of no figure, or the next step
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

    def of_clock(self, *, is_exact: bool) -> list[AnyRun]:
        """The runs on the deterministic clock, or those on the other."""
        both: list[AnyRun] = [*self.runs, *self.reports]
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
    turns: int = 0  # of timed claims; 0: there were none
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
class _Runs:
    """The runs of one method by scheduler, and each scheduler's first failure."""

    runs: dict[str, list[AnyRun]] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

    def figures(self, claim: Claim, scheduler: str | None) -> dict[int, float]:
        """A scheduler's figure of each run that has one, by the run's seed."""
        runs = self.runs.get(scheduler or "", ())
        return {run.seed: value for run in runs if (value := run.figure(claim)) is not None}

    def lacks(self, claim: Claim, scheduler: str | None) -> str:
        """Why a run of a scheduler has too little for the claim; empty if none has."""
        runs = self.runs.get(scheduler or "", ())
        if claim.report and any(run.figure(claim) is None for run in runs):
            if claim.needed:
                return f"a run had fewer than {claim.needed:,} operations"
            return "a run did not complete a single operation"
        fewest = min((run.samples(claim) for run in runs), default=0)
        if not claim.report and fewest < claim.needed:
            return f"found {fewest:,} samples, expected at least {claim.needed:,}"
        return ""

    def measure(self, claim: Claim, scheduler: str) -> tuple[Spread | None, str]:
        """A scheduler's figure of each run, or None and the reason."""
        if scheduler in self.failures:
            return None, self.failures[scheduler].reason
        if reason := self.lacks(claim, scheduler):
            return None, reason
        return Spread.of(self.figures(claim, scheduler).values()), ""


def judge_all(
    policy: str,
    scenes: Sequence[Scene],
    kernels: Sequence[str],
    done: Sequence[tuple[SceneExperiment, AnyRun | GuestError]],
) -> Iterator[Block]:
    """The verdicts on the blocks of all scenes, by kernel. `policy`: as for judge()."""
    timed = len(kernels) * sum(len(of_method(each.claims, Method.TIMED)) for each in scenes)
    for kernel, scene in product(kernels, scenes):
        found = [each for each in done if (each[0].kernel, each[0].scene) == (kernel, scene)]
        runs = [outcome for _, outcome in found if not isinstance(outcome, GuestError)]
        failures = [
            Failure.of(experiment, outcome)
            for experiment, outcome in found
            if isinstance(outcome, GuestError)
        ]
        yield judge(scene.block, scene.claims, policy, kernel, runs, failures, timed)


def judge(
    block: Expectation,
    claims: Sequence[Claim],
    policy: str,
    kernel: str,
    runs: Sequence[AnyRun],
    failures: Sequence[Failure],
    timed: int = 1,
) -> Block:
    """The verdict on a block. `policy`: its scheduler's name among the runs.

    `timed`: the number of all claims on a wall clock, with those of other blocks.
    """
    found = {method: _Runs() for method in Method}
    for run in runs:
        found[_method(run)].runs.setdefault(run.scheduler, []).append(run)
    for method, each in found.items():
        for failure in failures:
            if (failure.clock is Clock.ICOUNT) == method.is_exact:
                each.failures.setdefault(failure.scheduler, failure)
    return Block(
        text=" ".join(block.span.text.partition("{")[0].split()),
        workload=block.workload,
        line=line_of(block.span),
        kernel=kernel,
        claims=tuple(
            _judge_exact(claim, policy, found[claim.method])
            if claim.method.is_exact
            else _judge_timed(claim, policy, found[claim.method], timed)
            for claim in claims
        ),
        runs=tuple(run for run in runs if isinstance(run, RecordedRun)),
        failures=tuple(failures),
        reports=tuple(run for run in runs if isinstance(run, ReportedRun)),
    )


def _method(run: AnyRun) -> Method:
    if isinstance(run, RecordedRun):
        return Method.RECORDED
    return Method.COUNTED if run.environment.clock is Clock.ICOUNT else Method.TIMED


def _judge_exact(claim: Claim, policy: str, found: _Runs) -> Judged:
    """Judge a claim by the median of its runs."""
    measured, reason = found.measure(claim, policy)
    theirs: Spread | None = None
    bound: float | None = claim.bound
    if claim.baseline is not None:
        theirs, their_reason = found.measure(claim, claim.baseline)
        reason = reason or (f"{claim.baseline}: {their_reason}" if their_reason else "")
        bound = claim.bound / 1000 * theirs.median if theirs else None
    outcome = Outcome.NOT_MEASURED
    if policy in found.failures:
        outcome = Outcome.FAIL
    elif measured is not None and bound is not None and not reason:
        outcome = Outcome.OK if claim.holds(measured.median, bound) else Outcome.FAIL
    others = {name: found.measure(claim, name)[0] for name in found.runs if name != policy}
    return _judged(claim, outcome, measured, theirs, bound, reason, others)


def _judge_timed(claim: Claim, policy: str, found: _Runs, timed: int) -> Judged:
    """Judge a claim by its whole confidence interval."""
    baseline = claim.baseline
    bound = claim.bound / (1 if baseline is None else 1000)
    ours, theirs = found.figures(claim, policy), found.figures(claim, baseline)
    turns = sorted(ours if baseline is None else ours.keys() & theirs.keys())
    measured = Spread.of(ours[turn] for turn in turns)
    against = None if baseline is None else Spread.of(theirs[turn] for turn in turns)
    interval = None if measured is None else _interval(measured, against, timed)
    if policy in found.failures:
        outcome, reason = Outcome.FAIL, found.failures[policy].reason
    elif too_few := found.lacks(claim, policy) or found.lacks(claim, baseline):
        # Leaving such turns out would bias the result.
        outcome, reason = Outcome.NOT_MEASURED, too_few
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
        ends = {claim.holds(interval.low, bound), claim.holds(interval.high, bound)}
        outcome, reason = (Outcome.OK if True in ends else Outcome.FAIL), ""
        if len(ends) > 1:
            outcome = Outcome.NOISY
            reason = (
                "the interval includes the bound: take more turns "
                f"(--turns {2 * len(turns)}), or a bound with more room"
            )
    others = {
        name: Spread.of(found.figures(claim, name).values())
        for name in found.runs
        if name != policy
    }
    return _judged(claim, outcome, measured, against, bound, reason, others, interval)


def _interval(measured: Spread, against: Spread | None, timed: int) -> Interval | None:
    """The interval of the median, or of the ratio within turns; None with too few turns."""
    error = significance.ERROR / timed
    if against is None:
        found = significance.median(measured.runs, error)
    else:
        found = significance.ratio(measured.runs, against.runs, error)
    return None if math.isinf(found.high) else found


def _judged(
    claim: Claim,
    outcome: Outcome,
    measured: Spread | None,
    theirs: Spread | None,
    bound: float | None,
    reason: str,
    others: Mapping[str, Spread | None],
    interval: Interval | None = None,
) -> Judged:
    return Judged(
        text=claim.text,
        line=line_of(claim.span),
        target=claim.target,
        metric=claim.metric,
        outcome=outcome,
        measured=measured,
        bound=bound,
        baseline=claim.baseline,
        baseline_measured=theirs,
        reason=reason,
        method=claim.method,
        interval=interval,
        beside={name: spread for name, spread in others.items() if spread is not None},
    )
