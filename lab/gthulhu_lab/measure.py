# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Measures subjects in scenarios, each pair in a fresh guest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import stats, workloads
from gthulhu_lab.experiment import Experiment
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Backend, GuestEnvironment, GuestFiles, GuestRequest, GuestResult

# Tasks whose wake-ups are measured; the shipped UPF policy has a rule for the first.
TASKS = ("ping", "other")

# No other programs: everything in an image influences the figures.
_PROGRAMS = ("bpfsize", "hog", "launch", "messages", "pipe", "waker")
_DEADLINE_S = 1800.0


@dataclass(frozen=True, slots=True)
class Subject:
    """A scheduler: the command that runs it, and the files it needs; neither for EEVDF."""

    name: str
    command: str = ""  # words, not a shell command line
    files: Mapping[str, Path | bytes] = field(default_factory=dict)

    @property
    def has_loader(self) -> bool:
        """Whether it runs a policy's loader, which accepts labels."""
        return "bin/gthulhu-loader" in self.files

    def digests(self) -> dict[str, str]:
        """The SHA-256 of each file."""
        return {
            name: hashlib.sha256(
                content if isinstance(content, bytes) else content.read_bytes()
            ).hexdigest()
            for name, content in self.files.items()
        }

    def guest_files(self) -> GuestFiles:
        """Its files with the script that starts it, and the command for that script."""
        files: GuestFiles = {**self.files, "scheduler.sh": GUEST_SCRIPTS / "scheduler.sh"}
        if self.command:
            files["scheduler"] = self.command.encode()
        return files


EEVDF = Subject("EEVDF")
# EEVDF, and the measured task is a real-time one: the kernel's own cost of an interruption.
SCHED_FIFO = Subject("SCHED_FIFO", files={"real-time": b""})


def policy_subject(
    name: str, policy: Path | bytes, loader: Path, *, verbose: bool = True
) -> Subject:
    """A policy's object with the loader that runs it."""
    return Subject(
        name,
        f"gthulhu-loader {'-v ' * verbose}/lab/policy.bpf.o",
        {"policy.bpf.o": policy, "bin/gthulhu-loader": loader},
    )


class Scenario(BaseModel):
    """The tasks of the guest. Perturbed runs differ in `phase_us` and the seed.

    Without samples there are neither wake-ups nor hogs, and without their seconds no messages.
    """

    model_config = ConfigDict(frozen=True)

    cpus: int = 4
    hogs: int = 16
    period_us: int = 2000
    samples: int = 1500
    warmup: int = 100
    phase_us: int = 0
    settle_s: int = 6
    pipe_warmup: int = 2000
    pipe_batches: int = 20
    pipe_trips: int = 500
    message_groups: int = 4  # of five senders and five receivers each
    message_seconds: int = 0

    def to_shell(self) -> str:
        """The parameters as assignments, for the guest's script."""
        values = self.model_dump(exclude={"cpus"})
        return "".join(f"{name.upper()}={value}\n" for name, value in values.items())


class Size(BaseModel):
    """The size of a scheduler in the kernel."""

    model_config = ConfigDict(frozen=True)

    programs: int
    translated_bytes: int  # of all programs, as bpftool's "xlated"
    verified_instructions: int  # instructions that the verifier processed
    maps: int
    map_bytes: int  # charged by the kernel


class ScenarioRun(BaseModel):
    """The figures of one guest: every sample, and everything that determined them."""

    model_config = ConfigDict(frozen=True)

    subject: str
    scheduler: str  # the sched_ext scheduler in force, by the kernel's word; empty for EEVDF
    scenario: Scenario
    environment: GuestEnvironment
    enable_ns: int | None  # from exec until the kernel enabled it; None for EEVDF
    size: Size | None
    wakeup_ns: dict[str, list[int]]  # lateness after the timer was due, by task
    round_trip_ns: list[float]  # mean of each batch, both tasks on one CPU
    round_trip_two_ns: list[float]  # the same on two CPUs
    hog_turns: list[int]
    hog_ns: int  # the time that they had for these turns
    messages_per_s: float | None = None  # in groups of senders and receivers
    splats: list[str]
    wall_s: float

    def wakeup_us(self, task: str, percent: float) -> float:
        """A percentile of a task's wake-up latency; 100 is the maximum."""
        return stats.percentile(self.wakeup_ns[task], percent) / 1000

    @property
    def hog_rate(self) -> float:
        """Turns of all hogs per ms: proportional to the instructions that they got."""
        return sum(self.hog_turns) * 1e6 / self.hog_ns


@dataclass(frozen=True, slots=True)
class ScenarioExperiment(Experiment[ScenarioRun]):
    """One subject in one scenario, on the deterministic clock."""

    model = ScenarioRun

    subject: Subject
    scenario: Scenario
    seed: int = 7
    kernel: str = DEFAULT_KERNEL
    backend: Backend = Backend.INITRAMFS

    def __str__(self) -> str:
        return f"{self.subject.name}, {self.scenario.cpus} CPUs, seed {self.seed}"

    @property
    def names(self) -> dict[str, str]:
        return {"subject": self.subject.name}

    def request(self) -> GuestRequest:
        """The guest that takes the subject through the scenario."""
        programs = workloads.build()
        files: GuestFiles = {f"bin/{name}": programs[f"bin/{name}"] for name in _PROGRAMS}
        return GuestRequest(
            script=(GUEST_SCRIPTS / "measure.sh").read_text(),
            kernel=self.kernel,
            files={
                **files,
                **self.subject.guest_files(),
                "scenario.sh": self.scenario.to_shell().encode(),
            },
            cpus=self.scenario.cpus,
            backend=self.backend,
            seed=self.seed,
            deadline_s=_DEADLINE_S,
        )

    def read(self, result: GuestResult) -> ScenarioRun:
        """The figures of the guest."""
        scenario = self.scenario
        awake = scenario.samples > 0
        *hog_turns, hog_ns = result.numbers("hogs", int, scenario.hogs + 1) if awake else [0]
        runs_scheduler = bool(self.subject.command)
        return ScenarioRun(
            subject=self.subject.name,
            scheduler=result.scheduler,
            scenario=scenario,
            environment=result.environment,
            enable_ns=result.numbers("enable-ns", int, 1)[0] if runs_scheduler else None,
            size=_size(result) if runs_scheduler else None,
            wakeup_ns={
                task: result.numbers(f"wakeup-{task}", int, scenario.samples) if awake else []
                for task in TASKS
            },
            round_trip_ns=_round_trips(result, "round-trips", scenario),
            round_trip_two_ns=_round_trips(result, "round-trips-two", scenario),
            hog_turns=hog_turns,
            hog_ns=hog_ns,
            messages_per_s=result.numbers("rate", float, 1)[0]
            if scenario.message_seconds
            else None,
            splats=list(result.splats),
            wall_s=result.wall_s,
        )


def _round_trips(result: GuestResult, name: str, scenario: Scenario) -> list[float]:
    batches = result.numbers(name, int, scenario.pipe_batches)
    return [batch / scenario.pipe_trips for batch in batches]


def _size(result: GuestResult) -> Size:
    names = list(Size.model_fields)
    before, after = (
        result.numbers(f"size-{when}", int, len(names)) for when in ("before", "after")
    )
    grown = (last - first for first, last in zip(before, after, strict=True))
    return Size(**dict(zip(names, grown, strict=True)))
