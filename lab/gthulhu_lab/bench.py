# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark: policies, EEVDF and peers through the same scenarios, each in a fresh guest."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gthulhu_lab import experiment, peers, subjects, wall
from gthulhu_lab.benchmark import (
    CGROUPS_OFF,
    DEFAULT_ONLY,
    FEW_RULES,
    INTERACTIVE,
    MANY_RULES,
    OURS,
    Benchmark,
    rules_name,
)
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import Experiment, Variation
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import EEVDF, SCHED_FIFO, Scenario, ScenarioExperiment, Subject
from gthulhu_lab.paths import build_dir
from gthulhu_lab.peers import Peer
from gthulhu_lab.picture import PictureExperiment
from gthulhu_lab.progress import Progress
from gthulhu_lab.verify import suite
from gthulhu_lab.verify.experiments import VerifyOptions
from gthulhu_lab.verify.verdict import Verification
from gthulhu_lab.wall import WorkloadOptions
from gthulhuc import peers as baselines
from gthulhuc.cli import new

_HOGS_PER_CPU = 4
_MESSAGE_SECONDS = 2
# Subjects whose switches are measured on more CPUs, besides the policies.
_GROWING = (EEVDF.name, "scx_simple", "scx_bpfland")
_LEVELS = ("urgent", "high", "normal", "low", "idle")


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """Settings of a benchmark. `cpus`: latencies on the first number, round trips on all."""

    peers: Sequence[Peer]
    policies: Sequence[Path]
    kernel: str = DEFAULT_KERNEL
    seeds: int = 5
    cpus: Sequence[int] = (4, 8, 16, 32)
    samples: int = 2000
    jobs: int = 1
    use_cache: bool = True
    pictures: bool = True  # record a moment of each scheduler
    library: Sequence[Path] = ()  # policies whose claims are measured under all schedulers


def run(options: BenchOptions) -> Benchmark:
    """Compile, boot, measure; progress goes to stderr."""
    with Progress(sys.stderr) as progress:
        policies = {DEFAULT_ONLY: _default_only("auto"), **_by_name(options.policies)}
        measured = subjects.assemble(policies, options.peers, progress)
        others = [_rules(FEW_RULES), _rules(FEW_RULES, counting=True), _rules(MANY_RULES)]
        others.append(subjects.compiled(CGROUPS_OFF, _default_only("off")))
        others.append(subjects.compiled(INTERACTIVE, new.shipped()[INTERACTIVE]))
        experiments = list_experiments([SCHED_FIFO, *measured], others, options)
        runs = _run(experiments, options, progress)
        recorded = _pictures(measured, options) if options.pictures else []
        pictures = _run(recorded, options, progress)
    return _benchmark(
        options,
        [SCHED_FIFO, *measured, *others],
        cpus=list(options.cpus),
        seeds=experiment.seeds(options.seeds),
        runs=experiment.succeeded(runs),
        failures=experiment.failures([*experiments, *recorded], [*runs, *pictures]),
        pictures=experiment.succeeded(pictures),
        library=_at_their_jobs(options),
    )


def run_workloads(options: BenchOptions, workload: WorkloadOptions) -> Benchmark:
    """Workloads under every scheduler in turns, each run in a fresh guest."""
    with Progress(sys.stderr) as progress:
        measured = subjects.assemble(_by_name(options.policies), options.peers, progress)
        experiments = wall.list_experiments(measured, workload)
        runs = _run(experiments, options, progress)
    return _benchmark(
        options,
        measured,
        cpus=[workload.cpus],
        seeds=[],
        runs=[],
        failures=experiment.failures(experiments, runs),
        walls=experiment.succeeded(runs),
    )


def _run(
    experiments: Sequence[Experiment[experiment.Figures]], options: BenchOptions, progress: Progress
) -> list[experiment.Figures | GuestError]:
    return experiment.run(experiments, progress, jobs=options.jobs, use_cache=options.use_cache)


def _benchmark(options: BenchOptions, measured: Sequence[Subject], **figures: Any) -> Benchmark:
    """The result of these subjects. `figures`: the fields that depend on the kind of benchmark."""
    descriptions = {
        EEVDF.name: "the kernel's own scheduler",
        SCHED_FIFO.name: "the same, where the measured task is a real-time one",
        **{peer.name: peer.description for peer in options.peers},
    }
    return Benchmark(
        policy=options.policies[0].stem,
        policy_source=options.policies[0].read_text(),
        subjects={each.name: descriptions.get(each.name, OURS) for each in measured},
        programs={
            f"{subject.name}: {file}": digest
            for subject in measured
            for file, digest in subject.digests().items()
        },
        absent=peers.absent(options.peers),
        **figures,
    )


def _by_name(policies: Sequence[Path]) -> dict[str, Path]:
    return {file.stem: file for file in policies}


def _at_their_jobs(options: BenchOptions) -> list[Verification]:
    verifying = VerifyOptions(
        seeds=options.seeds,
        kernels=(options.kernel,),
        jobs=options.jobs,
        use_cache=options.use_cache,
        beside=(baselines.EEVDF, *(peer.name for peer in options.peers if peer.is_there)),
    )
    return [suite.verify(str(policy), verifying) for policy in options.library]


def list_experiments(
    measured: Sequence[Subject], others: Sequence[Subject], options: BenchOptions
) -> list[ScenarioExperiment]:
    """All experiments; those of the first seed come first, so that trouble shows early.

    Of `others`, no wake-ups are measured.
    """
    main, *more = options.cpus
    found = []
    for number in range(options.seeds):
        variation = Variation.number(number)
        scenario = Scenario(
            cpus=main,
            hogs=_HOGS_PER_CPU * main,
            samples=options.samples,
            phase_us=variation.phase_us % Scenario().period_us,
            message_seconds=_MESSAGE_SECONDS,
        )
        switches = scenario.model_copy(update={"samples": 0})
        seed, kernel = variation.seed, options.kernel
        found += [ScenarioExperiment(subject, scenario, seed, kernel) for subject in measured]
        found += [ScenarioExperiment(subject, switches, seed, kernel) for subject in others]
    seed = Variation.number(0).seed
    for cpus in more:
        scenario = Scenario(cpus=cpus, samples=0)
        found += [
            ScenarioExperiment(subject, scenario, seed, options.kernel)
            for subject in measured
            if subject.name in _GROWING or "policy.bpf.o" in subject.files
        ]
    return found


def _default_only(cgroups: str) -> Path:
    text = f"policy plain {{ cgroups {cgroups} }}\n\ndefault {{ priority normal }}\n"
    return _written(f"default-only-{cgroups}", text)


def _rules(count: int, *, counting: bool = False) -> Subject:
    """A policy of `count` rules, each with its own class. No rule matches a workload's task."""
    rules = "".join(
        f'rule r{number} {{ match comm == "task{number}" '
        f"priority {_LEVELS[number % len(_LEVELS)]} slice {1 + number % 7}ms }}\n"
        for number in range(count)
    )
    name = f"counting-{count}" if counting else f"rules-{count}"
    file = _written(name, f"policy rules {{}}\n\n{rules}")
    return subjects.compiled(rules_name(count, counting=counting), file, stats=counting)


def _written(name: str, text: str) -> Path:
    folder = build_dir() / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.gpl"
    file.write_text(text)
    return file


def _pictures(measured: Sequence[Subject], options: BenchOptions) -> list[PictureExperiment]:
    """A recording of each scheduler in the scenario of the latencies."""
    policy, _ = subjects.read_policy(str(options.policies[0]))
    cpus = options.cpus[0]
    scenario = Scenario(cpus=cpus, hogs=_HOGS_PER_CPU * cpus)
    return [
        PictureExperiment(ScenarioExperiment(subject, scenario, kernel=options.kernel), policy)
        for subject in measured
        if subject.name != DEFAULT_ONLY
    ]
