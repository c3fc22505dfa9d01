# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Judges claims: each by the median of its runs, and with their range."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import stats
from gthulhu_lab.benchmark import ENOUGH_RUNS
from gthulhu_lab.verify.recording import Run, Waits, line_of
from gthulhu_lab.verify.scene import NEEDED
from gthulhuc import checked

_PERCENT = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9, "max": 100.0}
_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Outcome(StrEnum):
    """What became of a claim. All but the first fail."""

    OK = "ok"
    FAIL = "FAIL"
    NOT_MEASURED = "not measured"


class Failure(BaseModel):
    """A guest without figures: the scheduler was ejected, the kernel complained, a program died."""

    model_config = ConfigDict(frozen=True)

    workload: str
    line: int
    scheduler: str
    seed: int
    reason: str


class Spread(BaseModel):
    """The figures of perturbed runs, in their order: ns, or thousandths of all CPU time."""

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


class Judged(BaseModel):
    """A claim and what was found.

    `bound` is in the unit of the figures, made of the baseline's median where there is one.
    """

    model_config = ConfigDict(frozen=True)

    text: str  # as it stands in the policy
    line: int
    target: str
    metric: str | None
    outcome: Outcome
    measured: Spread | None
    bound: float | None
    baseline: str | None
    baseline_measured: Spread | None
    reason: str  # why it was not measured


class Block(BaseModel):
    """An `expect` block and its claims under one kernel."""

    model_config = ConfigDict(frozen=True)

    text: str  # its head
    workload: str
    line: int
    kernel: str
    claims: tuple[Judged, ...]
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...]

    @property
    def holds(self) -> bool:
        return all(claim.outcome is Outcome.OK for claim in self.claims)


class Verification(BaseModel):
    """All that `gthulhu verify` found. Without a date: the same input gives the same bytes.

    `--json` writes it, and docs/verify.schema.json is its published form: a change of meaning
    raises `form`.
    """

    model_config = ConfigDict(frozen=True)

    form: Literal[1] = 1
    policy: str
    sha256: str  # of its source
    seeds: tuple[int, ...]
    blocks: tuple[Block, ...]

    @property
    def holds(self) -> bool:
        return all(block.holds for block in self.blocks)

    @property
    def is_enough(self) -> bool:
        """Whether there were as many runs as a verdict takes."""
        return len(self.seeds) >= ENOUGH_RUNS


def baseline_name(baseline: checked.Baseline) -> str:
    """A scheduler's name among the runs."""
    return baseline.name


def judge(
    block: checked.Expectation,
    policy: str,
    kernel: str,
    runs: Sequence[Run],
    failures: Sequence[Failure],
) -> Block:
    """The verdict on a block. `policy`: its scheduler's name among the runs."""
    by_scheduler: dict[str, list[Run]] = {}
    for run in runs:
        by_scheduler.setdefault(run.scheduler, []).append(run)
    reasons = {failure.scheduler: failure for failure in reversed(failures)}
    return Block(
        text=" ".join(block.span.text.partition("{")[0].split()),
        workload=block.workload,
        line=line_of(block),
        kernel=kernel,
        claims=tuple(_judged(claim, policy, by_scheduler, reasons) for claim in block.claims),
        runs=tuple(runs),
        failures=tuple(failures),
    )


def _judged(
    claim: checked.Claim,
    policy: str,
    runs: Mapping[str, Sequence[Run]],
    failures: Mapping[str, Failure],
) -> Judged:
    measured, reason = _measure(claim, policy, runs, failures)
    theirs: Spread | None = None
    bound: float | None = value_of(claim.bound)
    if claim.baseline is not None:
        name = baseline_name(claim.baseline)
        theirs, their_reason = _measure(claim, name, runs, failures)
        reason = reason or (f"{name}: {their_reason}" if their_reason else "")
        bound = value_of(claim.bound) / 1000 * theirs.median if theirs else None
    outcome = Outcome.NOT_MEASURED
    if policy in failures:
        outcome = Outcome.FAIL
    elif measured is not None and bound is not None and not reason:
        holds = _OPERATORS[claim.operator](measured.median, bound)
        outcome = Outcome.OK if holds else Outcome.FAIL
    return Judged(
        text=" ".join(claim.span.text.split()),
        line=line_of(claim),
        target=claim.target,
        metric=claim.metric,
        outcome=outcome,
        measured=measured,
        bound=bound,
        baseline=None if claim.baseline is None else baseline_name(claim.baseline),
        baseline_measured=theirs,
        reason=reason,
    )


def value_of(value: checked.Value) -> int:
    """A value, of a tunable the one that it has when nobody sets it."""
    return value if isinstance(value, int) else value.default


def _measure(
    claim: checked.Claim,
    scheduler: str,
    runs: Mapping[str, Sequence[Run]],
    failures: Mapping[str, Failure],
) -> tuple[Spread | None, str]:
    """A claim's figure of each run, and why that says nothing."""
    if scheduler in failures:
        return None, failures[scheduler].reason
    found = runs.get(scheduler, ())
    fewest = min((samples_of(claim, run) for run in found), default=0)
    needed = NEEDED.get(claim.statistic, 0)
    if fewest < needed:
        return None, f"{fewest:,} samples, and it takes {needed:,}"
    return Spread.of([figure(claim, run) for run in found]), ""


def samples_of(claim: checked.Claim, run: Run) -> int:
    """How many samples a run has for a claim; a share needs none."""
    return 0 if claim.metric is None else waits_of(claim.target, claim.metric, run).samples.count


def waits_of(target: str, metric: str, run: Run) -> Waits:
    """The waits that a claim is about."""
    figures = run.classes[target]
    return figures.wakeup if metric == "wakeup" else figures.wait


def figure(claim: checked.Claim, run: Run) -> float:
    """What a run says about a claim: ns, or thousandths of all CPU time."""
    if claim.metric is None:
        return 1000 * run.classes[claim.target].cpu_us / sum(run.cpu_us.values())
    samples_us = waits_of(claim.target, claim.metric, run).samples.all_us()
    if claim.statistic == "mean":
        return 1000 * sum(samples_us) / len(samples_us)
    return 1000 * stats.percentile(samples_us, _PERCENT[claim.statistic])
