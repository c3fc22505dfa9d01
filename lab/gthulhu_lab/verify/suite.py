# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a policy's `expect` blocks: select, check, compile, plan, boot, judge."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab import catalogue, experiment, significance, subjects, workloads
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import Subject
from gthulhu_lab.progress import Progress
from gthulhu_lab.verify import check, verdict
from gthulhu_lab.verify.method import Method, claims_of
from gthulhu_lab.verify.runs import RecordedRun, ReportedRun, line_of
from gthulhu_lab.verify.scene import Scene
from gthulhu_lab.verify.trials import Plan, SceneTrial
from gthulhu_lab.verify.verdict import Block, Failure, Verification
from gthulhuc import checked


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """Settings of a verification. `only`: a block's line or workload.

    `beside`: further schedulers to measure: `eevdf`, peers, and policies by their files.
    """

    seeds: int = 5
    turns: int = significance.USUAL_TURNS
    cpus: int = 4
    kernels: Sequence[str] = (DEFAULT_KERNEL,)
    jobs: int = 1
    use_cache: bool = True
    only: str | None = None
    beside: Sequence[str] = ()


def verify(path: str, options: VerifyOptions) -> Verification:
    """Check, compile, boot and judge; progress goes to stderr. Raises PolicyError, LabError."""
    policy, source = subjects.read_policy(path)
    blocks = select(policy, options.only)
    scenes = check.scenes(path, policy, blocks, catalogue.load(Path(path).parent))
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        compiled = _subjects(path, policy, blocks, options.beside)
        progress.step("building the workloads")
        workloads.build()
        plan = Plan(path, scenes, compiled, options.kernels, options.cpus, options.beside)
        timed = plan.timed(options.turns)
        trials = [*plan.exact(options.seeds), *timed]
        outcomes = experiment.run(
            [each.trial() for each in trials],
            progress,
            jobs=options.jobs,
            use_cache=options.use_cache,
        )
    return Verification(
        policy=path,
        sha256=hashlib.sha256(source).hexdigest(),
        seeds=tuple(experiment.seeds(options.seeds)),
        blocks=tuple(_judged(path, scenes, options.kernels, trials, outcomes)),
        turns=options.turns if timed else 0,
        beside=tuple(options.beside),
    )


def select(policy: checked.Policy, only: str | None) -> list[checked.Expectation]:
    """The blocks on a line or of a workload, or all. Raises LabError where there is none."""
    blocks = list(policy.expectations)
    if not blocks:
        raise LabError(f"{policy.name} has no `expect` block, so there is no claim to verify")
    if only is None:
        return blocks
    if only.isdecimal():
        line = int(only)
        chosen = [b for b in blocks if line_of(b) <= line <= _last_line(b)]
    else:
        chosen = [block for block in blocks if block.workload == only]
    if not chosen:
        there = ", ".join(f"{block.workload} (line {line_of(block)})" for block in blocks)
        raise LabError(
            f"no `expect` block is on line {only} or of that workload", f"It has {there}."
        )
    return chosen


def _last_line(block: checked.Expectation) -> int:
    return block.span.source.position(block.span.end)[0]


def _subjects(
    path: str,
    policy: checked.Policy,
    blocks: Sequence[checked.Expectation],
    beside: Sequence[str],
) -> dict[str, Subject]:
    """The policy, the baselines of its claims and further schedulers, by their names in a run."""
    baselines = {
        claim.baseline.name: claim.baseline
        for block in blocks
        for claim in block.claims
        if claim.baseline is not None
    }
    found = {name: subjects.named(name) for name in beside}
    found[path] = subjects.compiled_for_claims(policy)
    for name, baseline in baselines.items():
        # A policy is named relative to the one that names it.
        found[name] = subjects.named(str(Path(path).parent / name) if baseline.is_policy else name)
    return found


def _judged(
    path: str,
    scenes: Sequence[Scene],
    kernels: Sequence[str],
    trials: Sequence[SceneTrial],
    outcomes: Sequence[RecordedRun | ReportedRun | GuestError],
) -> list[Block]:
    """The verdicts on all blocks, by kernel."""
    timed = len(kernels) * sum(len(claims_of(each.block, Method.TIMED)) for each in scenes)
    judged = []
    for kernel in kernels:
        for scene in scenes:
            found = [
                (trial, outcome)
                for trial, outcome in zip(trials, outcomes, strict=True)
                if (trial.kernel, trial.scene) == (kernel, scene)
            ]
            runs = [outcome for _, outcome in found if not isinstance(outcome, GuestError)]
            failures = [
                _failure(trial, outcome)
                for trial, outcome in found
                if isinstance(outcome, GuestError)
            ]
            judged.append(verdict.judge(scene.block, path, kernel, runs, failures, timed))
    return judged


def _failure(trial: SceneTrial, error: GuestError) -> Failure:
    block = trial.scene.block
    return Failure(
        workload=block.workload,
        line=line_of(block),
        scheduler=trial.name,
        seed=trial.variation.seed,
        reason=str(error),
        clock=trial.clock,
    )
