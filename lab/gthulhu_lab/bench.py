# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark: policies, EEVDF and peers through the same scenarios, each in a fresh guest."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab import kernels, measure, picture, qemu, results, selftest, vm, wall, workloads
from gthulhu_lab.benchmark import (
    DEFAULT_ONLY,
    FEW_RULES,
    MANY_RULES,
    OURS,
    Benchmark,
    Failure,
    rules_name,
)
from gthulhu_lab.demo import LOADER, compile_policy
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.kernels import DEFAULT_KERNEL, Flavour
from gthulhu_lab.measure import EEVDF, Run, Scenario, Subject, policy_subject
from gthulhu_lab.paths import build_dir
from gthulhu_lab.peers import Peer
from gthulhu_lab.picture import Picture
from gthulhu_lab.progress import Countdown, Progress
from gthulhu_lab.request import Clock
from gthulhu_lab.verify import suite
from gthulhu_lab.verify.verdict import Verification
from gthulhuc import frontend
from gthulhuc import peers as baselines

_FIRST_SEED = 7
_HOGS_PER_CPU = 4
# A perturbed run differs in its seed and in when its tasks begin.
_PHASE_STEP_US = 370
_DEADLINE_S = 1800.0
# Whose switches are measured on more CPUs, beside the policies'.
_GROWING = (EEVDF.name, "scx_simple", "scx_bpfland")
_LEVELS = ("urgent", "high", "normal", "low", "idle")


@dataclass(frozen=True, slots=True)
class Options:
    """What is measured. `cpus`: latencies on the first number, round trips on all."""

    peers: Sequence[Peer]
    policies: Sequence[Path]
    kernel: str = DEFAULT_KERNEL
    seeds: int = 5
    cpus: Sequence[int] = (4, 8, 16, 32)
    samples: int = 2000
    jobs: int = 1
    use_cache: bool = True
    pictures: bool = True  # a moment of each scheduler, recorded
    library: Sequence[Path] = ()  # policies whose claims are measured, under all schedulers


@dataclass(frozen=True, slots=True)
class WallOptions:
    """What is measured on a wall clock, beside peers, policies and kernel of the others."""

    setups: Sequence[wall.Setup]
    clock: Clock
    cpus: int
    turns: int = 12
    seconds: int = 10
    name: str = ""  # of the workloads' tasks


@dataclass(frozen=True, slots=True)
class Guest:
    """One run to be made."""

    subject: Subject
    scenario: Scenario
    seed: int
    kernel: str = DEFAULT_KERNEL

    def request(self) -> vm.GuestRequest:
        """What the lab is asked for."""
        return measure.request(
            self.subject,
            self.scenario,
            kernel=self.kernel,
            seed=self.seed,
            deadline_s=_DEADLINE_S,
        )

    def __str__(self) -> str:
        return f"{self.subject.name}, {self.scenario.cpus} CPUs, seed {self.seed}"


def run(options: Options) -> Benchmark:
    """Compile, boot, measure; progress goes to stderr."""
    present = [peer for peer in options.peers if peer.is_there]
    with Progress(sys.stderr) as progress:
        progress.step("compiling the policies")
        policies = _policies(options.policies)
        rules = [_rules(FEW_RULES), _rules(FEW_RULES, counting=True), _rules(MANY_RULES)]
        _prepare(options.kernel, progress)
        subjects = [EEVDF, *(peer.subject() for peer in present), *policies]
        guests = plan(subjects, rules, options)
        runs, failures = _Measuring(options, progress).all(guests)
        shown = [subject for subject in subjects if subject.name != DEFAULT_ONLY]
        pictures, more = _pictures(shown if options.pictures else [], options, progress)
    return Benchmark(
        policy=options.policies[0].stem,
        policy_source=options.policies[0].read_text(),
        cpus=list(options.cpus),
        seeds=[_FIRST_SEED + number for number in range(options.seeds)],
        subjects=_described(present, [*policies, *rules]),
        programs=_digests([*subjects, *rules]),
        absent=[peer.name for peer in options.peers if not peer.is_there],
        runs=runs,
        failures=[*failures, *more],
        pictures=pictures,
        library=_at_their_jobs(options, present),
    )


def _at_their_jobs(options: Options, present: Sequence[Peer]) -> list[Verification]:
    verifying = suite.Options(
        seeds=options.seeds,
        kernels=(options.kernel,),
        jobs=options.jobs,
        use_cache=options.use_cache,
        beside=(baselines.EEVDF, *(peer.name for peer in present)),
    )
    found = []
    for policy in options.library:
        try:
            found.append(suite.verify(str(policy), verifying))
        except suite.PolicyError as error:
            raise LabError(f"{policy}: {error.diagnostics[0].message}") from error
    return found


def run_walls(options: Options, walls: WallOptions) -> Benchmark:
    """Workloads under every scheduler in turns, each run in a fresh guest."""
    present = [peer for peer in options.peers if peer.is_there]
    runs: list[wall.WallRun] = []
    failures = []
    with Progress(sys.stderr) as progress:
        progress.step("compiling the policies")
        policies = [compiled(file.stem, file) for file in options.policies]
        progress.step("building the workloads")
        workloads.build()
        qemu.version()
        kernels.ensure(options.kernel, Flavour.CLOUD, progress=progress.step)
        subjects = [EEVDF, *(peer.subject() for peer in present), *policies]

        def request(subject: Subject, setup: wall.Setup, turn: int) -> vm.GuestRequest:
            return wall.request(
                subject,
                setup,
                turn,
                clock=walls.clock,
                kernel=options.kernel,
                cpus=walls.cpus,
                seconds=walls.seconds,
                name=walls.name,
            )

        for found in wall.measure(subjects, walls.setups, request, walls.turns, progress.step):
            if isinstance(found, wall.WallRun):
                runs.append(found)
            else:
                subject, turn, error = found
                failures.append(
                    Failure(subject=subject.name, cpus=walls.cpus, seed=turn, reason=str(error))
                )
    return Benchmark(
        policy=options.policies[0].stem,
        policy_source=options.policies[0].read_text(),
        cpus=[walls.cpus],
        seeds=[],
        subjects=_described(present, policies),
        programs=_digests(subjects),
        absent=[peer.name for peer in options.peers if not peer.is_there],
        runs=[],
        failures=failures,
        walls=runs,
    )


def plan(subjects: Sequence[Subject], rules: Sequence[Subject], options: Options) -> list[Guest]:
    """All guests; those of a first seed come first, so that trouble shows early."""
    main, *more = options.cpus
    guests = []
    for number in range(options.seeds):
        seed = _FIRST_SEED + number
        scenario = Scenario(
            cpus=main,
            hogs=_HOGS_PER_CPU * main,
            samples=options.samples,
            phase_us=number * _PHASE_STEP_US % Scenario().period_us,
        )
        switches = scenario.model_copy(update={"samples": 0})
        guests += [Guest(subject, scenario, seed, options.kernel) for subject in subjects]
        guests += [Guest(subject, switches, seed, options.kernel) for subject in rules]
    for cpus in more:
        scenario = Scenario(cpus=cpus, samples=0)
        guests += [
            Guest(subject, scenario, _FIRST_SEED, options.kernel)
            for subject in subjects
            if subject.name in _GROWING or "policy.bpf.o" in subject.files
        ]
    return guests


def _described(present: Sequence[Peer], compiled: Sequence[Subject]) -> dict[str, str]:
    return {
        EEVDF.name: "the kernel's own scheduler",
        **{peer.name: peer.description for peer in present},
        **{subject.name: OURS for subject in compiled},
    }


def _policies(files: Sequence[Path]) -> list[Subject]:
    default = _written("default-only", "policy plain {}\n\ndefault { priority normal }\n")
    return [compiled(DEFAULT_ONLY, default), *(compiled(file.stem, file) for file in files)]


def _rules(count: int, *, counting: bool = False) -> Subject:
    """Rules that none of the workloads' tasks is taken by, each a class of its own kind."""
    rules = "".join(
        f'rule r{number} {{ match comm == "task{number}" '
        f"priority {_LEVELS[number % len(_LEVELS)]} slice {1 + number % 7}ms }}\n"
        for number in range(count)
    )
    name, options = (f"counting-{count}", ["--stats"]) if counting else (f"rules-{count}", [])
    file = _written(name, f"policy rules {{}}\n\n{rules}")
    return compiled(rules_name(count, counting=counting), file, *options)


def _written(name: str, text: str) -> Path:
    folder = build_dir() / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.gpl"
    file.write_text(text)
    return file


def compiled(name: str, policy: Path, *options: str) -> Subject:
    """A policy's scheduler, compiled with options. Raises LabError."""
    if not LOADER.exists():
        raise LabError("the loader is not built", "Run `make setup`, or `make -C runtime`.")
    if not policy.exists():
        raise LabError(f"there is no policy {policy}")
    target = build_dir() / "bench" / f"{policy.stem}.bpf.o"
    target.parent.mkdir(parents=True, exist_ok=True)
    return policy_subject(name, compile_policy(policy.absolute(), target, *options), LOADER)


def _prepare(kernel: str, progress: Progress) -> None:
    progress.step("building the workloads")
    workloads.build()
    qemu.version()
    kernels.ensure(kernel, Flavour.CLOUD, progress=progress.step)
    progress.step("checking the clock of this QEMU (once)")
    selftest.ensure(kernel)


def _pictures(
    subjects: Sequence[Subject], options: Options, progress: Progress
) -> tuple[list[Picture], list[Failure]]:
    """Each scheduler in the scenario of the latencies, recorded; tasks by the policy's rules."""
    source, _ = frontend.decode(str(options.policies[0]), options.policies[0].read_bytes())
    policy, _ = frontend.check(source)
    if policy is None:
        raise LabError(f"{options.policies[0]} has errors", "`gthulhu check` shows them.")
    sources = [part.source.sha256[:16] for part in policy.sources]  # libraries have rules, too
    cpus = options.cpus[0]
    scenario = Scenario(cpus=cpus, hogs=_HOGS_PER_CPU * cpus)

    def look(subject: Subject) -> Picture | Failure:
        request = picture.request(subject, scenario, kernel=options.kernel, seed=_FIRST_SEED)
        key = "-".join([results.key(request), *sources])
        known = results.load(key, Picture) if options.use_cache else None
        if known:
            return known.model_copy(update={"subject": subject.name})
        progress.step(f"recording {subject.name}")
        try:
            made = picture.read(subject, vm.run(request), policy)
        except GuestError as error:
            return Failure(subject=subject.name, cpus=cpus, seed=_FIRST_SEED, reason=str(error))
        results.store(key, made)
        return made

    found = vm.side_by_side(look, subjects, options.jobs)
    return (
        [each for each in found if isinstance(each, Picture)],
        [each for each in found if isinstance(each, Failure)],
    )


def _digests(subjects: Sequence[Subject]) -> dict[str, str]:
    return {
        f"{subject.name}: {name}": hashlib.sha256(
            content if isinstance(content, bytes) else content.read_bytes()
        ).hexdigest()
        for subject in subjects
        for name, content in subject.files.items()
    }


class _Measuring:
    """Guests that run, side by side if asked for, and what is known of the time it takes."""

    def __init__(self, options: Options, progress: Progress) -> None:
        self._options = options
        self._progress = progress

    def all(self, guests: Sequence[Guest]) -> tuple[list[Run], list[Failure]]:
        """The runs and the failures of all guests, in their order."""
        self._progress.step(f"looking for {len(guests)} runs among those of before")
        known = [results.key(guest.request()) for guest in guests]
        found = [results.load(key, Run) if self._options.use_cache else None for key in known]
        wanted = [
            (guest, key) for guest, key, run in zip(guests, known, found, strict=True) if not run
        ]
        self._countdown = Countdown(self._progress, "guest", len(wanted))
        made = iter(vm.side_by_side(self._one, wanted, self._options.jobs))
        outcomes = [
            run.model_copy(update={"subject": guest.subject.name}) if run else next(made)
            for guest, run in zip(guests, found, strict=True)
        ]
        return (
            [outcome for outcome in outcomes if isinstance(outcome, Run)],
            [outcome for outcome in outcomes if isinstance(outcome, Failure)],
        )

    def _one(self, wanted: tuple[Guest, str]) -> Run | Failure:
        guest, key = wanted
        try:
            with self._countdown.step(str(guest)):
                run = measure.read_run(guest.subject, guest.scenario, vm.run(guest.request()))
        except GuestError as error:
            return Failure(
                subject=guest.subject.name,
                cpus=guest.scenario.cpus,
                seed=guest.seed,
                reason=str(error),
            )
        results.store(key, run)
        return run
