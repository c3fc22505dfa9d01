# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a policy's `expect` blocks: select, check, compile, plan, boot, judge."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from gthulhu_lab import catalogue, experiment, subjects, workloads
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.measure import Subject
from gthulhu_lab.progress import Progress
from gthulhu_lab.verify import check, trials, verdict
from gthulhu_lab.verify.claims import Method, line_of, of_method
from gthulhu_lab.verify.runs import AnyRun
from gthulhu_lab.verify.scene import Scene
from gthulhu_lab.verify.trials import SceneTrial, VerifyOptions
from gthulhu_lab.verify.verdict import Block, Failure, Verification
from gthulhuc import checked


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
        planned = trials.plan(path, scenes, compiled, options)
        outcomes = experiment.run(planned, progress, jobs=options.jobs, use_cache=options.use_cache)
    done = list(zip(planned, outcomes, strict=True))
    return Verification(
        policy=path,
        sha256=hashlib.sha256(source).hexdigest(),
        seeds=tuple(experiment.seeds(options.seeds)),
        blocks=tuple(_judged(path, scenes, options.kernels, done)),
        turns=options.turns if any(not each.method.is_exact for each in planned) else 0,
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
        chosen = [b for b in blocks if line_of(b.span) <= line <= _last_line(b)]
    else:
        chosen = [block for block in blocks if block.workload == only]
    if not chosen:
        there = ", ".join(f"{block.workload} (line {line_of(block.span)})" for block in blocks)
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
    done: Sequence[tuple[SceneTrial, AnyRun | GuestError]],
) -> Iterable[Block]:
    """The verdicts on all blocks, by kernel."""
    timed = len(kernels) * sum(len(of_method(each.claims, Method.TIMED)) for each in scenes)
    for kernel in kernels:
        for scene in scenes:
            found = [each for each in done if (each[0].kernel, each[0].scene) == (kernel, scene)]
            runs = [outcome for _, outcome in found if not isinstance(outcome, GuestError)]
            failures = [
                _failure(trial, outcome)
                for trial, outcome in found
                if isinstance(outcome, GuestError)
            ]
            yield verdict.judge(scene.block, scene.claims, path, kernel, runs, failures, timed)


def _failure(trial: SceneTrial, error: GuestError) -> Failure:
    return Failure(
        workload=trial.scene.block.workload,
        line=trial.scene.line,
        scheduler=trial.name,
        seed=trial.variation.seed,
        reason=str(error),
        clock=trial.clock,
    )
