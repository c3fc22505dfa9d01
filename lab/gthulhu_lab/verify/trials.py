# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The trials of `expect` blocks: each scene under each scheduler that its claims are about."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gthulhu_lab import significance, wall
from gthulhu_lab.experiment import Trial, Variation
from gthulhu_lab.measure import Subject
from gthulhu_lab.request import Clock, GuestResult
from gthulhu_lab.verify import recording, scene, verdict
from gthulhu_lab.verify.method import Method, claims_of
from gthulhu_lab.verify.recording import MisplacedError
from gthulhu_lab.verify.runs import RecordedRun, ReportedRun, line_of
from gthulhu_lab.verify.scene import LONGEST_WINDOW_S, Scene
from gthulhuc import checked

_SPARE = 1.25  # how much longer than necessary the second window is


@dataclass(frozen=True, slots=True)
class SceneTrial:
    """A scene under a scheduler."""

    scene: Scene
    name: str  # of the scheduler
    subject: Subject
    is_policy: bool
    kernel: str
    variation: Variation
    method: Method
    cpus: int
    clock: Clock
    window_s: float | None  # of a recording, where there is one

    def __str__(self) -> str:
        block = self.scene.block
        what = f"{block.workload} (line {line_of(block)}) under {self.name}"
        which = "seed" if self.method.is_exact else "turn of seed"
        return f"{what}, {self.kernel}, {which} {self.variation.seed}"

    def trial(self) -> Trial[RecordedRun | ReportedRun]:
        """The guest to boot, and how it is read."""
        is_recorded = self.method is Method.RECORDED
        return Trial(
            text=str(self),
            request=scene.request(
                self.scene,
                self.subject,
                self.variation,
                is_policy=self.is_policy,
                kernel=self.kernel,
                cpus=self.cpus,
                clock=self.clock,
                window_s=self.window_s,
            ),
            model=RecordedRun if is_recorded else ReportedRun,
            read=self._read,
            names={"line": line_of(self.scene.block), "scheduler": self.name},
            reading=recording.reading(self.scene, is_recorded=is_recorded),
            again=self._again,
        )

    def _read(self, result: GuestResult) -> RecordedRun | ReportedRun:
        read = recording.read if self.method is Method.RECORDED else recording.read_reported
        try:
            return read(self.scene, self.name, self.variation, result)
        except MisplacedError as error:
            raise MisplacedError(f"{self}: {error.message}") from error

    def _again(self, run: RecordedRun | ReportedRun) -> Trial[RecordedRun | ReportedRun] | None:
        # Too few samples: rerun once with a longer window.
        longer = self.longer(run)
        return None if longer is None else replace(longer.trial(), again=lambda _: None)

    def longer(self, run: RecordedRun | ReportedRun) -> SceneTrial | None:
        """A trial with samples enough for all claims; None: not needed, or out of reach."""
        missing = [
            needed / max(1, there)
            for claim in claims_of(self.scene.block, self.method)
            if claim.metric is not None
            and (there := verdict.samples_of(claim, run)) < (needed := scene.needed(claim))
        ]
        if not missing:
            return None
        before = self.window_s or scene.reported_s(self.scene.block, self.clock)
        wanted = before * max(missing) * _SPARE
        if wanted > LONGEST_WINDOW_S:
            return None
        if self.window_s is None:
            return replace(self, scene=replace(self.scene, reported_s=math.ceil(wanted)))
        return replace(self, window_s=wanted)


@dataclass(frozen=True, slots=True)
class Plan:
    """Trials to run. `path`: the policy's name among the subjects; `beside`: further subjects."""

    path: str
    scenes: Sequence[Scene]
    subjects: Mapping[str, Subject]
    kernels: Sequence[str]
    cpus: int
    beside: Sequence[str]

    def exact(self, seeds: int) -> list[SceneTrial]:
        """The perturbed runs; those of the first seed come first, so that trouble shows early."""
        return [
            SceneTrial(
                scene=each,
                name=name,
                subject=self.subjects[name],
                is_policy=name == self.path,
                kernel=kernel,
                variation=Variation.number(number),
                method=method,
                cpus=self.cpus,
                clock=Clock.ICOUNT,
                window_s=scene.window_s(each.block) if method is Method.RECORDED else None,
            )
            for number in range(seeds)
            for kernel in self.kernels
            for each in self.scenes
            for method in (Method.RECORDED, Method.COUNTED)
            for name in self._schedulers(each.block, method)
        ]

    def timed(self, turns: int) -> list[SceneTrial]:
        """The runs on a wall clock: each scheduler of a block once in a turn, in random order."""
        wanted = [
            (kernel, each, names)
            for kernel in self.kernels
            for each in self.scenes
            if (names := self._schedulers(each.block, Method.TIMED))
        ]
        clock = wall.usual_clock() if wanted else Clock.TCG
        return [
            SceneTrial(
                scene=each,
                name=names[index],
                subject=self.subjects[names[index]],
                is_policy=names[index] == self.path,
                kernel=kernel,
                variation=Variation.number(turn),
                method=Method.TIMED,
                # More CPUs than the machine has would take turns, whatever the scheduler does.
                cpus=min(self.cpus, os.cpu_count() or 1),
                clock=clock,
                window_s=None,
            )
            for kernel, each, names in wanted
            for turn, index in significance.turns(turns, len(names))
        ]

    def _schedulers(self, block: checked.Expectation, method: Method) -> list[str]:
        """The schedulers that a block's claims of a method need; empty without such a claim."""
        claims = claims_of(block, method)
        compared = [claim.baseline.name for claim in claims if claim.baseline]
        return list(dict.fromkeys((self.path, *compared, *self.beside))) if claims else []
