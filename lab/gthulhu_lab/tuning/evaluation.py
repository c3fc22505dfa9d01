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
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.play import Figures, Player
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.tuning import applying, goals, rewriting
from gthulhu_lab.tuning.applying import Shape
from gthulhu_lab.tuning.goals import Aim, ClaimFigure, Outcome
from gthulhu_lab.tuning.knobs import Candidate, Space
from gthulhuc import checked, codegen
from gthulhuc.codegen import tunables
from gthulhuc.source import Source

Seeds = tuple[int, ...]
_POLICY = "policy"
_PROBE_S = 0.25
_EVENTS = 50_000
"""A run with so many takes some 0.2 s, with costs."""
_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A policy with its source, and what it is simulated in. `seconds`: of each load's runs."""

    path: str
    policy: checked.Policy
    source: Source
    place: Machine
    loads: tuple[Load, ...]
    seconds: tuple[float, ...]


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
    _texts: dict[tuple[int, int], str] = field(default_factory=dict)
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
        """The figures of each load with each seed."""
        wanted = list(product(range(len(self.setting.loads)), seeds))
        texts = [play.tuned(self._text(*each), values) for each in wanted]
        found = list(self.pool.map(lambda text: self.player.run(program, text), texts))
        return [found[start : start + len(seeds)] for start in range(0, len(found), len(seeds))]

    def _text(self, load: int, seed: int) -> str:
        if (load, seed) not in self._texts:
            setting = self.setting
            self._texts[load, seed] = scenario_of(
                setting.loads[load], setting.place, seed, setting.seconds[load]
            )
        return self._texts[load, seed]

    def _judged(self, runs: Sequence[Sequence[Figures]], seeds: Seeds) -> Outcome:
        loads = self.setting.loads
        reports = [
            report.of_load(
                load, self.setting.place, {_POLICY: runs[place], **self._beside(place, seeds)}
            )
            for place, load in enumerate(loads)
        ]
        return goals.outcome(self.aims, loads, reports)

    def _beside(self, load: int, seeds: Seeds) -> dict[str, list[Figures]]:
        """The runs of the schedulers that the claims of a load compare with."""
        if (load, seeds) not in self._baselines:
            self._baselines[load, seeds] = {
                name: [
                    self.player.run(self.player.control(name), self._text(load, seed))
                    for seed in seeds
                ]
                for name in controls.baselines(self.setting.loads[load])
            }
        return self._baselines[load, seeds]


def _is_known(claim: ClaimFigure) -> bool:
    return claim.figure is not None and claim.bound is not None


def scenario_of(load: Load, place: Machine, seed: int, seconds: float) -> str:
    """Returns the text of a run. A short one has a short warm-up, too."""
    warmup_ns = min(play.WARMUP_NS, round(seconds * _S / 2))
    return play.scenario(load, place, seed=seed, seconds=seconds, warmup_ns=warmup_ns)


def windows(player: Player, program: Path, place: Machine, loads: Sequence[Load]) -> list[float]:
    """Returns how long to simulate each load, in s: what its claims need, else by its events.

    The same loads have the same times everywhere. Raises LabError.
    """
    return [_window(player, program, place, load) for load in loads]


def _window(player: Player, program: Path, place: Machine, load: Load) -> float:
    first = player.run(program, scenario_of(load, place, 1, _PROBE_S))
    lasts_s = _PROBE_S * 3 / 2  # with its warm-up
    most_s = _EVENTS * lasts_s / max(first.events, 1)
    found = max((each for each in _SECONDS if each <= most_s), default=_SECONDS[0])
    for seconds in (each for each in _SECONDS if each >= found):
        text = scenario_of(load, place, 1, seconds)
        programs = {name: player.control(name) for name in controls.baselines(load)}
        runs = {name: [player.run(each, text)] for name, each in programs.items()}
        whole = {_POLICY: [player.run(program, text)], **runs}
        claims = report.of_load(load, place, whole).claims
        if not any(claim.why.endswith(report.FEW) for claim in claims):
            return seconds
    return found


@contextmanager
def evaluator(setting: Setting, space: Space, player: Player, jobs: int) -> Iterator[Evaluator]:
    """A context with an evaluator that runs so many simulations at a time. Raises LabError."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield Evaluator(setting, space, player, pool, tuple(goals.aims(setting.loads)))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
