# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Simulates candidates. Each structure is compiled once; numbers are tunables of its scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from gthulhu_lab.simulation import controls, play, report
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.play import Figures, Player
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.tuning import applying, goals, rewriting
from gthulhu_lab.tuning.applying import Shape
from gthulhu_lab.tuning.goals import Aim, ClaimFigure, Outcome
from gthulhu_lab.tuning.knobs import Candidate, Space
from gthulhu_lab.tuning.scenes import Scene
from gthulhuc import checked, codegen
from gthulhuc.codegen import tunables
from gthulhuc.source import Source

Seeds = tuple[int, ...]
_POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Setting:
    """A policy with its source, and what it is simulated in."""

    path: str
    policy: checked.Policy
    source: Source
    place: Machine
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class _Program:
    """A scheduler, and the numbers that its tunables have in it, by name."""

    path: Path
    numbers: Mapping[str, int]


@dataclass(slots=True)
class Evaluator:
    """Figures of candidates, of which each is simulated once."""

    setting: Setting
    space: Space
    player: Player
    pool: ThreadPoolExecutor
    aims: tuple[Aim, ...] = ()
    _programs: dict[Shape, _Program | str] = field(default_factory=dict)
    _baselines: dict[tuple[int, Seeds], dict[str, list[Figures]]] = field(default_factory=dict)
    _known: dict[tuple[Candidate, Seeds], Outcome] = field(default_factory=dict)

    def leave_open(self, seeds: Seeds) -> tuple[str, ...]:
        """Keeps the claims that can be measured; returns the others, each with the reason.

        A claim about waits also counts if EEVDF gives the tasks enough of them.
        """
        now = self.outcome(self.space.now, seeds).claims
        control = now
        if any(claim.figure is None for claim in now):
            control = self.of_control("eevdf", seeds).claims
        pairs = list(zip(now, control, strict=True))
        known = [one for one, other in pairs if _is_known(one) or _is_known(other)]
        self._known.clear()
        self.aims = tuple(claim.aim for claim in known)
        return tuple(
            f"`{claim.aim.text}` (line {claim.aim.line}): {claim.why or 'no figure'}"
            for claim in now
            if claim not in known
        )

    def outcome(self, candidate: Candidate, seeds: Seeds) -> Outcome:
        """Returns a candidate's figures. Raises LabError if its scheduler or the model fails."""
        settled = self.space.settled(candidate)
        if (settled, seeds) not in self._known:
            self._known[settled, seeds] = self._measured(settled, seeds)
        return self._known[settled, seeds]

    def of_policy(self, policy: checked.Policy, seeds: Seeds) -> Outcome:
        """Returns the figures of a policy as it is compiled, without tunables for its numbers."""
        program = self.player.policy(policy, self.setting.place)
        return self._judged(self._runs(program, {}, seeds), seeds)

    def of_control(self, name: str, seeds: Seeds) -> Outcome:
        """Returns the figures of a scheduler that is no policy's."""
        return self._judged(self._runs(self.player.control(name), {}, seeds), seeds)

    def text(self, candidate: Candidate) -> Source:
        """Returns the source with a candidate's values. Raises PolicyError."""
        setting, settled = self.setting, self.space.settled(candidate)
        return rewriting.rewritten(setting.policy, setting.source, self.space, settled)

    def _measured(self, candidate: Candidate, seeds: Seeds) -> Outcome:
        program = self._program(candidate)
        if isinstance(program, str):
            return Outcome((), (), (), refused=program)
        wanted = applying.numbers_of(self.space, candidate)
        values = {program.numbers[name]: wanted[name] for name in wanted if name in program.numbers}
        return self._judged(self._runs(program.path, values, seeds), seeds)

    def _program(self, candidate: Candidate) -> _Program | str:
        """The scheduler of a candidate's structure, or why the compiler refuses it."""
        shape = applying.shape(self.space, candidate)
        if shape not in self._programs:
            try:
                self.text(candidate)
                self._programs[shape] = self._compiled(candidate)
            except PolicyError as error:
                self._programs[shape] = error.message
        return self._programs[shape]

    def _compiled(self, candidate: Candidate) -> _Program:
        policy = applying.parametrised(self.setting.policy, self.space, candidate)
        ir = play.classes_of(policy, self.setting.place)
        # The same scheduler serves the next version of the source.
        ir = replace(ir, policy=replace(ir.policy, sha256=""))
        return _Program(self.player.scheduler(codegen.render(ir)), tunables.numbers(ir))

    def _runs(self, program: Path, values: Mapping[int, int], seeds: Seeds) -> list[list[Figures]]:
        """The figures of each scene with each seed."""

        def run(scene: Scene, seed: int) -> Figures:
            return self.player.run(program, play.tuned(scene.text(seed), values))

        wanted = list(product(self.setting.scenes, seeds))
        found = list(self.pool.map(run, *zip(*wanted, strict=True)))
        return [found[start : start + len(seeds)] for start in range(0, len(found), len(seeds))]

    def _judged(self, runs: Sequence[Sequence[Figures]], seeds: Seeds) -> Outcome:
        loads = [scene.load for scene in self.setting.scenes]
        reports = [
            report.of_load(
                load, self.setting.place, {_POLICY: runs[place], **self._beside(place, seeds)}
            )
            for place, load in enumerate(loads)
        ]
        return goals.outcome(self.aims, loads, reports)

    def _beside(self, number: int, seeds: Seeds) -> dict[str, list[Figures]]:
        """The runs of the schedulers that the claims of a scene compare with."""
        if (number, seeds) not in self._baselines:
            scene = self.setting.scenes[number]
            self._baselines[number, seeds] = {
                name: [
                    self.player.run(self.player.control(name), scene.text(seed)) for seed in seeds
                ]
                for name in controls.baselines(scene.load)
            }
        return self._baselines[number, seeds]


def _is_known(claim: ClaimFigure) -> bool:
    return claim.figure is not None and claim.bound is not None


@contextmanager
def evaluator(setting: Setting, space: Space, player: Player, jobs: int) -> Iterator[Evaluator]:
    """A context with an evaluator that runs so many simulations at a time. Raises LabError."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            aims = goals.aims([scene.load for scene in setting.scenes])
            yield Evaluator(setting, space, player, pool, tuple(aims))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
