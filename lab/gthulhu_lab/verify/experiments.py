# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The experiments of `expect` blocks: each scene under each scheduler that its claims are about."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gthulhu_lab import clock, significance, subjects, wall
from gthulhu_lab.experiment import Experiment, Variation
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import Subject
from gthulhu_lab.request import Clock, GuestRequest, GuestResult
from gthulhu_lab.verify import recording, scene
from gthulhu_lab.verify.claims import Method, of_method
from gthulhu_lab.verify.recording import MisplacedError
from gthulhu_lab.verify.runs import AnyRun, RecordedRun, ReportedRun
from gthulhu_lab.verify.scene import LONGEST_WINDOW_S, Scene

_SPARE = 1.25  # how much longer than necessary the second window is


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """Settings of a verification. `only`: a block's line or workload.

    `beside`: further schedulers to measure: `eevdf`, peers, and policies by their files.
    """

    seeds: int = 5
    turns: int = significance.USUAL_TURNS
    cpus: int = 4
    nodes: int = 1
    kernels: Sequence[str] = (DEFAULT_KERNEL,)
    jobs: int = 1
    use_cache: bool = True
    only: str | None = None
    beside: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SceneExperiment(Experiment[AnyRun]):
    """A scene under a scheduler."""

    scene: Scene
    name: str  # of the scheduler
    subject: Subject
    is_policy: bool
    kernel: str
    variation: Variation
    method: Method
    cpus: int
    nodes: int
    clock: Clock
    window_s: float | None  # of a recording, where there is one
    is_last: bool = False  # no longer experiment follows

    def __str__(self) -> str:
        what = f"{self.scene.block.workload} (line {self.scene.line}) under {self.name}"
        which = "seed" if self.method.is_exact else "turn of seed"
        return f"{what}, {self.kernel}, {which} {self.variation.seed}"

    @property
    def model(self) -> type[AnyRun]:
        return RecordedRun if self.method is Method.RECORDED else ReportedRun

    @property
    def names(self) -> dict[str, str | int]:
        return {"line": self.scene.line, "scheduler": self.name}

    @property
    def reading(self) -> str:
        return recording.reading(self.scene, is_recorded=self.method is Method.RECORDED)

    def request(self) -> GuestRequest:
        """The guest to boot."""
        booted = scene.request(
            self.scene,
            self.subject,
            self.variation,
            is_policy=self.is_policy,
            kernel=self.kernel,
            cpus=self.cpus,
            clock=self.clock,
            window_s=self.window_s,
        )
        if self.clock is not Clock.ICOUNT:
            return replace(booted, nodes=self.nodes)
        return replace(booted, nodes=self.nodes, instruction_ns=clock.instruction_ns(self.cpus))

    def read(self, result: GuestResult) -> AnyRun:
        """The figures of the guest. Raises GuestError, MisplacedError."""
        read = recording.read if self.method is Method.RECORDED else recording.read_reported
        try:
            return read(self.scene, self.name, self.variation, result)
        except MisplacedError as error:
            raise MisplacedError(f"{self}: {error.message}") from error

    def again(self, run: AnyRun) -> SceneExperiment | None:
        """Too few samples: rerun once with a longer window, unless that is out of reach."""
        missing = [
            claim.needed / max(1, there)
            for claim in of_method(self.scene.claims, self.method)
            if (there := run.samples(claim)) < claim.needed
        ]
        if not missing or self.is_last:
            return None
        before = self.window_s or scene.reported_s(self.scene.claims, self.clock)
        wanted = before * max(missing) * _SPARE
        if wanted > LONGEST_WINDOW_S:
            return None
        if self.window_s is None:
            longer = replace(self.scene, reported_s=math.ceil(wanted))
            return replace(self, scene=longer, is_last=True)
        return replace(self, window_s=wanted, is_last=True)


def list_experiments(
    path: str, scenes: Sequence[Scene], options: VerifyOptions
) -> list[SceneExperiment]:
    """All of them: the exact ones by seed, so that trouble shows early, and then those in turns.

    Compiles the policy, whose name among the schedulers is `path`. Raises PolicyError, LabError.
    """
    compiled = _subjects(path, scenes, options.beside)

    def experiment(
        kernel: str, each: Scene, name: str, number: int, method: Method
    ) -> SceneExperiment:
        # More CPUs than the machine has would take turns, whatever the scheduler does.
        timed_cpus = min(options.cpus, os.cpu_count() or 1)
        return SceneExperiment(
            scene=each,
            name=name,
            subject=compiled[name],
            is_policy=name == path,
            kernel=kernel,
            variation=Variation.number(number),
            method=method,
            cpus=options.cpus if method.is_exact else timed_cpus,
            nodes=options.nodes if method.is_exact else 1,
            clock=Clock.ICOUNT if method.is_exact else wall.usual_clock(),
            window_s=scene.window_s(each.claims) if method is Method.RECORDED else None,
        )

    def schedulers(each: Scene, method: Method) -> list[str]:
        """The schedulers that a block's claims of a method need; empty without such a claim."""
        claims = of_method(each.claims, method)
        compared = [claim.baseline for claim in claims if claim.baseline]
        return list(dict.fromkeys((path, *compared, *options.beside))) if claims else []

    exact = [
        experiment(kernel, each, name, number, method)
        for number in range(options.seeds)
        for kernel in options.kernels
        for each in scenes
        for method in (Method.RECORDED, Method.COUNTED)
        for name in schedulers(each, method)
    ]
    timed = [
        experiment(kernel, each, names[index], turn, Method.TIMED)
        for kernel in options.kernels
        for each in scenes
        if (names := schedulers(each, Method.TIMED))
        for turn, index in significance.turns(options.turns, len(names))
    ]
    return exact + timed


def _subjects(path: str, scenes: Sequence[Scene], beside: Sequence[str]) -> dict[str, Subject]:
    """The policy, the baselines of its claims and further schedulers, by their names in a run."""
    found = {name: subjects.named(name) for name in beside}
    found[path] = subjects.compiled_for_claims(scenes[0].policy)
    for name in (claim.baseline for each in scenes for claim in each.claims if claim.baseline):
        # A policy is named relative to the one that names it.
        place = str(Path(path).parent / name) if name.endswith(".gpl") else name
        found[name] = subjects.named(place)
    return found
