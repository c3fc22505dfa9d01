# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Measures subjects in scenarios, each pair in a fresh guest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import stats, vm, workloads
from gthulhu_lab.errors import GuestError
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest, GuestResult

# Tasks whose wake-ups are measured; the shipped UPF policy has a rule for the first.
TASKS = ("ping", "other")

# No other programs: everything in an image influences the figures.
_RUN = ("bpfsize", "hog", "launch", "pipe", "waker")


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


EEVDF = Subject("EEVDF")


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

    Without samples there are neither wake-ups nor hogs.
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
    splats: list[str]
    wall_s: float

    def wakeup_us(self, task: str, percent: float) -> float:
        """A percentile of a task's wake-up latency; 100 is the maximum."""
        return stats.percentile(self.wakeup_ns[task], percent) / 1000

    @property
    def hog_rate(self) -> float:
        """Turns of all hogs per ms: proportional to the instructions that they got."""
        return sum(self.hog_turns) * 1e6 / self.hog_ns


def request(
    subject: Subject,
    scenario: Scenario,
    *,
    kernel: str,
    backend: Backend = Backend.INITRAMFS,
    seed: int = 7,
    deadline_s: float = 300.0,
) -> GuestRequest:
    """The guest that takes a subject through a scenario on the deterministic clock."""
    programs = workloads.build()
    files: dict[str, Path | str | bytes] = {f"bin/{name}": programs[f"bin/{name}"] for name in _RUN}
    files |= subject.files
    files["scheduler.sh"] = GUEST_SCRIPTS / "scheduler.sh"
    files["scenario.sh"] = scenario.to_shell().encode()
    if subject.command:
        files["scheduler"] = subject.command.encode()
    return GuestRequest(
        script=(GUEST_SCRIPTS / "measure.sh").read_text(),
        kernel=kernel,
        files=files,
        cpus=scenario.cpus,
        memory_mib=1024,
        clock=Clock.ICOUNT,
        backend=backend,
        seed=seed,
        deadline_s=deadline_s,
    )


def read_run(subject: Subject, scenario: Scenario, result: GuestResult) -> ScenarioRun:
    """The figures of a guest; raises GuestError if it failed or its figures are not complete."""
    result.check()
    awake = scenario.samples > 0
    hogs = _numbers(result, "hogs", scenario.hogs + 1) if awake else [0]
    return ScenarioRun(
        subject=subject.name,
        scheduler=result.files.get("scheduler", b"").decode().strip(),
        scenario=scenario,
        environment=result.environment,
        enable_ns=_numbers(result, "enable-ns", 1)[0] if subject.command else None,
        size=_size(result) if subject.command else None,
        wakeup_ns={
            task: _numbers(result, f"wakeup-{task}", scenario.samples) if awake else []
            for task in TASKS
        },
        round_trip_ns=_round_trips(result, "round-trips", scenario),
        round_trip_two_ns=_round_trips(result, "round-trips-two", scenario),
        hog_turns=hogs[:-1],
        hog_ns=hogs[-1],
        splats=list(result.splats),
        wall_s=result.wall_s,
    )


def _round_trips(result: GuestResult, name: str, scenario: Scenario) -> list[float]:
    batches = _numbers(result, name, scenario.pipe_batches)
    return [batch / scenario.pipe_trips for batch in batches]


def _size(result: GuestResult) -> Size:
    names = list(Size.model_fields)
    before, after = (_numbers(result, f"size-{when}", len(names)) for when in ("before", "after"))
    grown = (last - first for first, last in zip(before, after, strict=True))
    return Size(**dict(zip(names, grown, strict=True)))


def measure(
    subjects: Sequence[Subject],
    scenario: Scenario,
    *,
    kernel: str,
    backend: Backend = Backend.INITRAMFS,
    seed: int = 7,
) -> list[ScenarioRun]:
    """Measure all subjects in a scenario, two guests at a time."""
    requests = [
        request(subject, scenario, kernel=kernel, backend=backend, seed=seed)
        for subject in subjects
    ]
    results = vm.run_all(requests)
    return [
        read_run(subject, scenario, result)
        for subject, result in zip(subjects, results, strict=True)
    ]


def _numbers(result: GuestResult, name: str, count: int) -> list[int]:
    """One whole number per line. Raises GuestError unless there are `count` of them."""
    try:
        numbers = [int(line) for line in result.files[name].split()]
    except (KeyError, ValueError) as error:
        raise GuestError(f"cannot read the guest's {name}: {error!r}") from error
    if len(numbers) != count:
        raise GuestError(f"the guest's {name}: expected {count} samples, found {len(numbers)}")
    return numbers
