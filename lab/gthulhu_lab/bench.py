# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark: policies, EEVDF and peers through the same scenarios, each in a fresh guest."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab import experiment, measure, picture, subjects, wall, workloads
from gthulhu_lab.benchmark import (
    DEFAULT_ONLY,
    FEW_RULES,
    MANY_RULES,
    OURS,
    Benchmark,
    Failure,
    rules_name,
)
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import Trial, Variation
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioRun, Subject
from gthulhu_lab.paths import build_dir
from gthulhu_lab.peers import Peer
from gthulhu_lab.picture import Picture
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Clock
from gthulhu_lab.verify import suite
from gthulhu_lab.verify.verdict import Verification
from gthulhuc import peers as baselines

_HOGS_PER_CPU = 4
_DEADLINE_S = 1800.0
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

    @property
    def present(self) -> list[Peer]:
        """The peers that are built."""
        return [peer for peer in self.peers if peer.is_there]

    @property
    def absent(self) -> list[str]:
        """The names of the peers that are not built."""
        return [peer.name for peer in self.peers if not peer.is_there]


@dataclass(frozen=True, slots=True)
class WorkloadOptions:
    """Settings of wall-clock runs, with the peers, policies and kernel of BenchOptions."""

    setups: Sequence[wall.Setup]
    clock: Clock
    cpus: int
    turns: int = 12
    seconds: int = 10
    name: str = ""  # of the workloads' tasks


@dataclass(frozen=True, slots=True)
class ScenarioTrial:
    """One subject in one scenario."""

    subject: Subject
    scenario: Scenario
    seed: int
    kernel: str = DEFAULT_KERNEL

    def trial(self) -> Trial[ScenarioRun]:
        """The guest to boot."""
        return Trial(
            text=f"{self.subject.name}, {self.scenario.cpus} CPUs, seed {self.seed}",
            request=measure.request(
                self.subject,
                self.scenario,
                kernel=self.kernel,
                seed=self.seed,
                deadline_s=_DEADLINE_S,
            ),
            model=ScenarioRun,
            read=lambda result: measure.read_run(self.subject, self.scenario, result),
            names={"subject": self.subject.name},
        )


def run(options: BenchOptions) -> Benchmark:
    """Compile, boot, measure; progress goes to stderr."""
    with Progress(sys.stderr) as progress:
        progress.step("compiling the policies")
        policies = _policies(options.policies)
        rules = [_rules(FEW_RULES), _rules(FEW_RULES, counting=True), _rules(MANY_RULES)]
        progress.step("building the workloads")
        workloads.build()
        measured = [EEVDF, *(peer.subject() for peer in options.present), *policies]
        trials = [each.trial() for each in plan(measured, rules, options)]
        runs, failures = _run(trials, options, progress)
        shown = [subject for subject in measured if subject.name != DEFAULT_ONLY]
        recorded = _pictures(shown, options) if options.pictures else []
        pictures, more = _run(recorded, options, progress)
    return Benchmark(
        policy=options.policies[0].stem,
        policy_source=options.policies[0].read_text(),
        cpus=list(options.cpus),
        seeds=experiment.seeds(options.seeds),
        subjects=_described(options.present, [*policies, *rules]),
        programs=_digests([*measured, *rules]),
        absent=options.absent,
        runs=runs,
        failures=[*failures, *more],
        pictures=pictures,
        library=_at_their_jobs(options),
    )


def _run(
    trials: Sequence[Trial[experiment.Figures]], options: BenchOptions, progress: Progress
) -> tuple[list[experiment.Figures], list[Failure]]:
    """The figures and the failures of all trials, each in their order."""
    outcomes = experiment.run(trials, progress, jobs=options.jobs, use_cache=options.use_cache)
    pairs = list(zip(trials, outcomes, strict=True))
    return (
        [outcome for outcome in outcomes if not isinstance(outcome, GuestError)],
        [Failure.of(trial, outcome) for trial, outcome in pairs if isinstance(outcome, GuestError)],
    )


def _at_their_jobs(options: BenchOptions) -> list[Verification]:
    verifying = suite.VerifyOptions(
        seeds=options.seeds,
        kernels=(options.kernel,),
        jobs=options.jobs,
        use_cache=options.use_cache,
        beside=(baselines.EEVDF, *(peer.name for peer in options.present)),
    )
    return [suite.verify(str(policy), verifying) for policy in options.library]


def run_workloads(options: BenchOptions, workload: WorkloadOptions) -> Benchmark:
    """Workloads under every scheduler in turns, each run in a fresh guest."""
    with Progress(sys.stderr) as progress:
        progress.step("compiling the policies")
        policies = [subjects.compiled(file.stem, file) for file in options.policies]
        progress.step("building the workloads")
        workloads.build()
        measured = [EEVDF, *(peer.subject() for peer in options.present), *policies]
        trials = [
            wall.trial(
                subject,
                setup,
                turn,
                clock=workload.clock,
                kernel=options.kernel,
                cpus=workload.cpus,
                seconds=workload.seconds,
                name=workload.name,
            )
            for setup, subject, turn in wall.plan(measured, workload.setups, workload.turns)
        ]
        runs, failures = _run(trials, options, progress)
    return Benchmark(
        policy=options.policies[0].stem,
        policy_source=options.policies[0].read_text(),
        cpus=[workload.cpus],
        seeds=[],
        subjects=_described(options.present, policies),
        programs=_digests(measured),
        absent=options.absent,
        runs=[],
        failures=failures,
        walls=runs,
    )


def plan(
    measured: Sequence[Subject], rules: Sequence[Subject], options: BenchOptions
) -> list[ScenarioTrial]:
    """All trials; those of the first seed come first, so that trouble shows early."""
    main, *more = options.cpus
    found = []
    for number in range(options.seeds):
        variation = Variation.number(number)
        scenario = Scenario(
            cpus=main,
            hogs=_HOGS_PER_CPU * main,
            samples=options.samples,
            phase_us=variation.phase_us % Scenario().period_us,
        )
        switches = scenario.model_copy(update={"samples": 0})
        seed, kernel = variation.seed, options.kernel
        found += [ScenarioTrial(subject, scenario, seed, kernel) for subject in measured]
        found += [ScenarioTrial(subject, switches, seed, kernel) for subject in rules]
    seed = Variation.number(0).seed
    for cpus in more:
        scenario = Scenario(cpus=cpus, samples=0)
        found += [
            ScenarioTrial(subject, scenario, seed, options.kernel)
            for subject in measured
            if subject.name in _GROWING or "policy.bpf.o" in subject.files
        ]
    return found


def _described(present: Sequence[Peer], compiled: Sequence[Subject]) -> dict[str, str]:
    return {
        EEVDF.name: "the kernel's own scheduler",
        **{peer.name: peer.description for peer in present},
        **{subject.name: OURS for subject in compiled},
    }


def _policies(files: Sequence[Path]) -> list[Subject]:
    default = _written("default-only", "policy plain {}\n\ndefault { priority normal }\n")
    return [
        subjects.compiled(DEFAULT_ONLY, default),
        *(subjects.compiled(file.stem, file) for file in files),
    ]


def _rules(count: int, *, counting: bool = False) -> Subject:
    """A policy of so many rules, each a class of its own, that match no task of the workloads."""
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


def _pictures(shown: Sequence[Subject], options: BenchOptions) -> list[Trial[Picture]]:
    """A recording of each scheduler in the scenario of the latencies."""
    policy, _ = subjects.read_policy(str(options.policies[0]))
    cpus = options.cpus[0]
    scenario = Scenario(cpus=cpus, hogs=_HOGS_PER_CPU * cpus)
    seed = Variation.number(0).seed
    return [
        picture.trial(subject, scenario, policy, kernel=options.kernel, seed=seed)
        for subject in shown
    ]


def _digests(subjects: Sequence[Subject]) -> dict[str, str]:
    return {
        f"{subject.name}: {name}": hashlib.sha256(
            content if isinstance(content, bytes) else content.read_bytes()
        ).hexdigest()
        for subject in subjects
        for name, content in subject.files.items()
    }
