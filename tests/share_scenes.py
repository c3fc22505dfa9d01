# SPDX-License-Identifier: Apache-2.0
"""Random policies whose classes have shares, and the shares that follow.

No code of a scheduler is in them: each class has what its tasks' weights give it, but no less than
its lower bound if it can use that, and no more than its upper one. Brent's method finds the rate of
a unit of weight.

    python tests/share_scenes.py SEED...

prints the scenes of these numbers: for each class its fair share, and what it had.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scipy.optimize import brentq

from scenario import FOREVER, MS, Facts, S, Scenario, choices, compiled
from simulation import Machine, Outcome

SLICE_MS = 2
SETTLE_NS = 2 * S
MEASURED_NS = 2 * S
OTHERS = "others"


@dataclass(frozen=True)
class Part:
    """The tasks of a class: hogs, and how much each of the others wants to run.

    `low` and `high` are the bounds of its share in per cent; None: it has none.
    """

    name: str
    hogs: int
    sleepers: tuple[float, ...] = ()
    low: int | None = None
    high: int | None = None
    weight: int = 100

    @property
    def rule(self) -> str:
        """The rule of the class."""
        low = "" if self.low is None else f"{self.low}%"
        high = "" if self.high is None else f"..{self.high}%"
        share = f"share {low}{high}" if low or high else ""
        return f'rule {self.name} {{ match comm == "{self.name}" weight {self.weight} {share} }}'

    @property
    def tasks(self) -> list[tuple[float, float]]:
        """The weight of each task, and its demand in CPUs."""
        return [(self.weight, 1.0)] * self.hogs + [
            (self.weight * part, part) for part in self.sleepers
        ]

    def bounds(self, cpus: int) -> tuple[float, float]:
        """The least and the most of its share, in CPUs, by what it says and what it wants."""
        demand = min(cpus, sum(demand for _, demand in self.tasks))
        high = min(demand, cpus * (100 if self.high is None else self.high) / 100)
        return min(high, cpus * (self.low or 0) / 100), high


@dataclass(frozen=True)
class Scene:
    """Classes on a machine with so many CPUs."""

    cpus: int
    parts: tuple[Part, ...]

    @property
    def policy(self) -> str:
        """The policy, in which tasks that no rule takes are absent."""
        rules = "\n".join(part.rule for part in self.parts)
        return f"policy p {{ watchdog 30s }}\n{rules}\ndefault {{ slice {SLICE_MS}ms }}"

    @property
    def fair(self) -> Mapping[str, float]:
        """The share of each class, in CPUs."""

        def had(rate: float) -> list[float]:
            return [
                sum(min(most, max(least, w * rate)) for w, least, most in each) for each in all_
            ]

        all_ = [self._competitors(part) for part in self.parts]
        most = sum(most for each in all_ for _, _, most in each)
        if most <= self.cpus:
            return dict(zip(self._names, had(1e9), strict=True))
        rate = brentq(lambda rate: sum(had(rate)) - self.cpus, 0, 1e9, xtol=1e-15, rtol=1e-12)
        return dict(zip(self._names, had(float(rate)), strict=True))

    @property
    def _names(self) -> list[str]:
        return [part.name for part in self.parts]

    def _competitors(self, part: Part) -> list[tuple[float, float, float]]:
        """A class with a share is one; the tasks of the others are each one for themselves."""
        if part.low is None and part.high is None:
            return [(weight, 0, demand) for weight, demand in part.tasks]
        return [(sum(weight for weight, _ in part.tasks), *part.bounds(self.cpus))]

    def scenario(self, seed: int) -> tuple[Scenario, dict[str, list[int]]]:
        """The events, and the tasks of each class."""
        scenario = Scenario(compiled(self.policy), cpus=self.cpus, seed=seed)
        choice = choices(seed)
        tasks: dict[str, list[int]] = {}
        for part in self.parts:
            comm = part.name.encode()
            tasks[part.name] = [
                scenario.task(comm, Facts(), burst=FOREVER) for _ in range(part.hogs)
            ]
            for wanted in part.sleepers:
                burst = choice.randint(1, 10) * MS
                sleep = int(burst / wanted) - burst
                tasks[part.name].append(scenario.task(comm, Facts(), burst=burst, sleep=sleep))
        scenario.start()
        pids = [pid for each in tasks.values() for pid in each]
        for pid in choice.sample(pids, len(pids)):
            scenario.wake(pid, choice.randrange(self.cpus))
        scenario.at(SETTLE_NS)
        scenario.count()
        return scenario.end(SETTLE_NS + MEASURED_NS), tasks

    def errors(self, outcome: Outcome, tasks: Mapping[str, list[int]]) -> dict[str, float]:
        """For each class, by how many per cent of the machine it is outside of its bounds."""
        found = {}
        for part in self.parts:
            low, high = part.bounds(self.cpus)
            share = outcome.cpus(tasks[part.name], MEASURED_NS)
            found[part.name] = max(low - share, share - high, 0) / self.cpus * 100
        return found

    def distances(self, outcome: Outcome, tasks: Mapping[str, list[int]]) -> dict[str, float]:
        """For each class, by how many per cent of the machine it is away from its fair share."""
        return {
            name: abs(outcome.cpus(tasks[name], MEASURED_NS) - fair) / self.cpus * 100
            for name, fair in self.fair.items()
        }


def draw(seed: int, *, sleepers: bool = False) -> Scene:
    """Returns the scene of this number: 2 to 6 classes with shares, and one without."""
    choice = choices(seed)
    cpus = choice.choice((1, 2, 4, 4, 8))
    left = 100
    parts = []
    for number in range(choice.randint(2, 6)):
        low = choice.choice((None, 5, 10, 20, 30, 40))
        low = None if low is None or low > left else low
        left -= low or 0
        high = choice.choice((None, None, 10, 20, 50, 80))
        high = low if high is not None and low is not None and high < low else high
        part = Part(
            f"c{number}", choice.choice((1, 2, 3, 5, 10)), low=low, high=high,
            weight=choice.choice((100, 100, 30, 1000)),
        )  # fmt: skip
        if sleepers and choice.random() < 0.4:
            wants = tuple(choice.choice((0.1, 0.3, 0.6)) for _ in range(choice.randint(1, 6)))
            part = Part(part.name, 0, wants, low, high, part.weight)
        parts.append(part)
    parts.append(Part(OTHERS, choice.choice((0, 1, 4, 10))))
    return Scene(cpus, tuple(parts))


def main() -> None:
    """The command."""
    seeds = [int(word) for word in sys.argv[1:] if word.isdigit()]
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), fast=True)
        for seed in seeds:
            scene = draw(seed, sleepers="sleepers" in sys.argv)
            scenario, tasks = scene.scenario(seed)
            outcome = machine.run(machine.scheduler(compiled(scene.policy)), scenario)
            errors = scene.errors(outcome, tasks)
            away = scene.distances(outcome, tasks)
            print(f"scene {seed}: {scene.cpus} CPUs")
            print("    off   away    fair     had  tasks  rule")
            for part in scene.parts:
                name = part.name
                had = outcome.cpus(tasks[name], MEASURED_NS)
                print(
                    f"{errors[name]:7.2f}{away[name]:7.2f} {scene.fair[name]:7.4f}"
                    f" {had:7.4f} {part.hogs:3}+{len(part.sleepers):<2}  {part.rule}"
                )


if __name__ == "__main__":
    main()
