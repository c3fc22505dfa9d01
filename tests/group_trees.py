# SPDX-License-Identifier: Apache-2.0
"""Random trees of cgroups with tasks, and the shares that the hierarchy of weights says.

No code of a scheduler is in the shares: a group divides what it has among its parts by their
weights, and no part gets more than it can use. Brent's method finds the level of each group.

    python tests/group_trees.py SEED...

prints the trees of these numbers: for each group its fair share, and what it had.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scipy.optimize import brentq

from scenario import FOREVER, MS, Facts, S, Scenario, choices, compiled
from simulation import Machine, Outcome

SLICE_MS = 2
POLICY = f"policy p {{ watchdog 30s cgroups weight }} default {{ slice {SLICE_MS}ms }}"
LEAST_MEASURED_NS, MOST_MEASURED_NS = 4 * S, 16 * S
ROUNDS = 20
"""Equal tasks of a group have their turns one after the other: so many of each are measured."""
MOST_ONCE = 0.002
"""One turn of each task of a group takes no more than this part of what is measured."""
LEAST_SETTLE_NS, MOST_SETTLE_NS = 2 * S, 16 * S
SLACK_NS = 2 * SLICE_MS * MS
"""Two slices."""
LEAST_JUDGED = 0.03
"""Groups with a smaller share, in CPUs, have too few turns in that time."""
MOST_POINTS = 1.0
"""So many percent of the machine each group may have too much or too little."""


@dataclass
class Group:
    """A cgroup: its `cpu.weight`, its hogs, and how often each of its sleepers wants to run."""

    path: str
    weight: int
    hogs: int = 0
    sleepers: list[float] = field(default_factory=list)
    below: list[Group] = field(default_factory=list)

    def each(self) -> Iterator[Group]:
        """This group and all below it."""
        yield self
        for group in self.below:
            yield from group.each()

    def demand(self, cpus: float) -> float:
        """The CPUs that its tasks and those below it can use."""
        return min(cpus, self._own_demand + sum(group.demand(cpus) for group in self.below))

    @property
    def _own_demand(self) -> float:
        return self.hogs + sum(self.sleepers)

    def shares(self, portion: float, cpus: int) -> Iterator[tuple[str, float]]:
        """The share of each group's own tasks, in CPUs, with a portion for all of them."""
        own = [(100.0, 1.0)] * self.hogs + [(100 * part, part) for part in self.sleepers]
        below = [(float(group.weight), group.demand(cpus)) for group in self.below]
        parts = [part for part in own + below if part[1] > 0]
        level = _level(parts, portion)
        had = [min(demand, weight * level) for weight, demand in parts]
        yield self.path, sum(had[: len(own)])
        rest = iter(had[len(own) :])
        for group, (_, demand) in zip(self.below, below, strict=True):
            yield from group.shares(next(rest) if demand > 0 else 0, cpus)


def _level(parts: list[tuple[float, float]], portion: float) -> float:
    """The rate of a unit of weight: the parts, each with its demand at most, fill the portion."""
    if sum(demand for _, demand in parts) <= portion or not parts:
        return max((demand / weight for weight, demand in parts), default=0)
    high = max(demand / weight for weight, demand in parts)
    return float(
        brentq(
            lambda level: sum(min(d, w * level) for w, d in parts) - portion,
            0,
            high,
            xtol=1e-15,
            rtol=1e-12,
        )
    )


@dataclass(frozen=True)
class Tree:
    """The root of a tree of cgroups on a machine with so many CPUs."""

    cpus: int
    root: Group

    @property
    def fair(self) -> Mapping[str, float]:
        """The share of each group's own tasks, in CPUs."""
        return dict(self.root.shares(self.root.demand(self.cpus), self.cpus))

    @property
    def settle_ns(self) -> int:
        """The time after which all have paid for their first slice, which each of them gets."""
        return LEAST_SETTLE_NS + int(min(self._round_ns(0), MOST_SETTLE_NS))

    @property
    def measured_ns(self) -> int:
        """The time in which groups have enough turns, or one turn is little of it."""
        rounds_ns = ROUNDS * self._round_ns(LEAST_JUDGED)
        once_ns = max(group.hogs for group in self.root.each()) * SLICE_MS * MS
        least_ns = max(LEAST_MEASURED_NS, rounds_ns, once_ns / MOST_ONCE)
        return int(min(least_ns, MOST_MEASURED_NS))

    def _round_ns(self, least: float) -> float:
        """The longest turn of all hogs of a group, of those with a share of so many CPUs."""
        fair = self.fair
        return max(
            (
                group.hogs * SLICE_MS * MS / fair[group.path]
                for group in self.root.each()
                if group.hogs and fair[group.path] >= least
            ),
            default=0,
        )

    def scenario(
        self, seed: int, nice: Mapping[str, int] | None = None
    ) -> tuple[Scenario, dict[str, list[int]]]:
        """The events, and the tasks of each group.

        `nice`: there are no groups, and the tasks of each have this nice value instead.
        """
        scenario = Scenario(compiled(POLICY), cpus=self.cpus, seed=seed)
        choice = choices(seed)
        tasks: dict[str, list[int]] = {}
        for group in self.root.each():
            path = group.path.encode()
            if group is not self.root and nice is None:
                scenario.weight(path, group.weight)
            facts = Facts(cgroup=path) if nice is None else Facts(nice=nice.get(group.path, 0))
            tasks[group.path] = [
                scenario.task(b"hog", facts, burst=FOREVER) for _ in range(group.hogs)
            ]
            for part in group.sleepers:
                burst = choice.randint(1, 10) * MS
                sleep = int(burst / part) - burst
                tasks[group.path].append(scenario.task(b"sleeper", facts, burst=burst, sleep=sleep))
        scenario.start()
        pids = [pid for group in tasks.values() for pid in group]
        for pid in choice.sample(pids, len(pids)):
            scenario.wake(pid, choice.randrange(self.cpus))
        scenario.at(self.settle_ns)
        scenario.count()
        return scenario.end(self.settle_ns + self.measured_ns), tasks

    def errors(self, outcome: Outcome, tasks: Mapping[str, list[int]]) -> dict[str, float]:
        """For each group, the part of its fair share by which it has too much or too little."""
        measured_ns = self.measured_ns
        slack = SLACK_NS / measured_ns
        return {
            path: max(0.0, abs(outcome.cpus(tasks[path], measured_ns) - fair) - slack) / fair
            for path, fair in self.fair.items()
            if fair >= LEAST_JUDGED
        }

    def points(self, outcome: Outcome, tasks: Mapping[str, list[int]]) -> float:
        """By how many percent of the machine the worst group has too much or too little."""
        measured_ns = self.measured_ns
        return max(
            abs(outcome.cpus(tasks[path], measured_ns) - fair) / self.cpus * 100
            for path, fair in self.fair.items()
        )


def draw(seed: int, *, sleepers: bool = False) -> Tree:
    """Returns the tree of this number: 2 to 40 groups, 1 to 5 deep, weights of 1 to 10,000."""
    choice = choices(seed)
    cpus = choice.choice((1, 2, 4, 4, 8))
    low, high = choice.choice(((30, 1000), (1, 10000), (100, 100)))
    root = Group("/", 100)
    groups = [root]
    for number in range(choice.randint(2, choice.choice((3, 10, 40)))):
        above = choice.choice([group for group in groups if group.path.count("/") < 5])
        base = "" if above is root else above.path
        weight = round(low * (high / low) ** choice.random())
        group = Group(f"{base}/g{number}", weight)
        above.below.append(group)
        groups.append(group)
    for group in groups[1:]:
        if group.below and choice.random() < 0.7:
            continue
        if sleepers and choice.random() < 0.4:
            group.sleepers = [choice.choice((0.1, 0.3, 0.6)) for _ in range(choice.randint(1, 4))]
        else:
            group.hogs = choice.choice((1, 1, 2, 3, 5, 10))
    return Tree(cpus, root)


NICE = range(-8, 9)
NICE_WEIGHTS = (
    596, 467, 365, 291, 229, 186, 149, 125, 100, 80, 64, 51, 41, 33, 27, 21, 17,
)  # fmt: skip
"""The kernel's weights of these nice values, where 0 has 100."""


def draw_flat(seed: int) -> tuple[Tree, dict[str, int]]:
    """Returns a tree of groups below the root with a task each, and the task's nice value.

    A scheduler without groups can give the same shares by nice values.
    """
    choice = choices(seed)
    cpus = choice.choice((1, 2, 4))
    root, nice = Group("/", 100), {}
    for number in range(choice.randint(2 * cpus, 6 * cpus)):
        drawn = choice.randrange(len(NICE))
        group = Group(f"/g{number}", NICE_WEIGHTS[drawn])
        nice[group.path] = NICE[drawn]
        if choice.random() < 0.5:
            group.sleepers = [choice.choice((0.1, 0.3, 0.6))]
        else:
            group.hogs = 1
        root.below.append(group)
    return Tree(cpus, root), nice


def main() -> None:
    """The command."""
    seeds = [int(word) for word in sys.argv[1:] if word.isdigit()]
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), fast=True)
        scheduler = machine.scheduler(compiled(POLICY))
        for seed in seeds:
            tree = draw(seed, sleepers="sleepers" in sys.argv)
            scenario, tasks = tree.scenario(seed)
            outcome = machine.run(scheduler, scenario)
            errors = tree.errors(outcome, tasks)
            print(
                f"tree {seed}: {tree.cpus} CPUs, settled after {tree.settle_ns / S:.1f} s, "
                f"measured for {tree.measured_ns / S:.1f} s"
            )
            print("  error    fair     had  weight  tasks  group")
            for group in tree.root.each():
                print(
                    f"{errors.get(group.path, 0):7.1%} {tree.fair[group.path]:7.4f}"
                    f" {outcome.cpus(tasks[group.path], tree.measured_ns):7.4f} {group.weight:7}"
                    f" {group.hogs:3}+{len(group.sleepers):<2}  {group.path}"
                )


if __name__ == "__main__":
    main()
