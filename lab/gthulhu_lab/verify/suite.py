# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a policy's `expect` blocks: select, check, compile, boot, judge."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from gthulhu_lab import catalogue, experiment, subjects, workloads
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.verify import check, experiments, verdict
from gthulhu_lab.verify.claims import line_of
from gthulhu_lab.verify.experiments import VerifyOptions
from gthulhu_lab.verify.verdict import Verification
from gthulhuc import checked
from gthulhuc.claims import Expectation


def verify(path: str, options: VerifyOptions) -> Verification:
    """Check, compile, boot and judge; progress goes to stderr. Raises PolicyError, LabError."""
    policy, source = subjects.read_policy(path)
    blocks = select(policy, options.only)
    scenes = check.scenes(path, policy, blocks, catalogue.load(Path(path).parent))
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        wanted = experiments.list_experiments(path, scenes, options)
        progress.step("building the workloads")
        workloads.build()
        outcomes = experiment.run(wanted, progress, jobs=options.jobs, use_cache=options.use_cache)
    done = list(zip(wanted, outcomes, strict=True))
    return Verification(
        policy=path,
        sha256=hashlib.sha256(source).hexdigest(),
        seeds=tuple(experiment.seeds(options.seeds)),
        blocks=tuple(verdict.judge_all(path, scenes, options.kernels, done)),
        turns=options.turns if any(not each.method.is_exact for each in wanted) else 0,
        beside=tuple(options.beside),
    )


def select(policy: checked.Policy, only: str | None) -> list[Expectation]:
    """The blocks on a line or of a workload, or all. Raises LabError without any."""
    blocks = list(policy.expectations)
    if not blocks:
        raise LabError(f"{policy.name} has no `expect` block, so there is no claim to verify")
    if only is None:
        return blocks
    if only.isdecimal():
        line = int(only)
        chosen = [b for b in blocks if line_of(b.span) <= line <= _last_line(b)]
        sought = f"is on line {line}"
    else:
        chosen = [block for block in blocks if block.workload == only]
        sought = f"has the workload `{only}`"
    if not chosen:
        there = ", ".join(f"{block.workload} (line {line_of(block.span)})" for block in blocks)
        raise LabError(f"no `expect` block {sought}", f"{policy.name} has {there}.")
    return chosen


def _last_line(block: Expectation) -> int:
    return block.span.source.position(block.span.end)[0]
