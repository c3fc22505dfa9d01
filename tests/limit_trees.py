# SPDX-License-Identifier: Apache-2.0
"""Random trees of cgroups with limits, and what each group may use and can.

No code of a scheduler is in the bounds: a group uses no more than its quota, nor than what its
tasks and the groups below it want.

    python tests/limit_trees.py SEED...

prints the trees of these numbers: for each group its quota, what it can use, and what it had.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scenario import FOREVER, MS, US, Facts, S, Scenario, choices, compiled
from simulation import Machine, Outcome

POLICY = "policy p { watchdog 30s cgroups limit } default { slice 2ms }"
CPUS = 4
SETTLE_NS, MEASURED_NS = 2 * S, 10 * S
MOST_ABOVE, LEAST_USED = 1.02, 0.95


@dataclass
class Group:
    """A cgroup: its quota in CPUs (None: no limit), its period, and its tasks that always run."""

    path: str
    quota: float | None
    period_ns: int
    hogs: int = 0
    below: list[Group] = field(default_factory=list)

    def each(self) -> Iterator[Group]:
        """This group and all below it."""
        yield self
        for group in self.below:
            yield from group.each()

    @property
    def demand(self) -> float:
        """The CPUs that its tasks and those below it can use."""
        wanted = self.hogs + sum(group.demand for group in self.below)
        return min(wanted, wanted if self.quota is None else self.quota)


@dataclass(frozen=True)
class Tree:
    """Groups beside each other, and hogs outside of them."""

    groups: list[Group]
    others: int

    def each(self) -> Iterator[Group]:
        """All groups, each before those below it."""
        for group in self.groups:
            yield from group.each()

    @property
    def demand(self) -> float:
        """The CPUs that all tasks can use together."""
        return self.others + sum(group.demand for group in self.groups)

    @property
    def has_room(self) -> bool:
        """Whether no group has to wait for another one."""
        hogs = sum(group.hogs for group in self.each())
        return len(self.groups) == 1 or hogs + self.others <= CPUS

    def scenario(self, seed: int) -> tuple[Scenario, dict[str, list[int]]]:
        """The events, and the tasks of each group."""
        scenario = Scenario(compiled(POLICY), cpus=CPUS, seed=seed)
        tasks: dict[str, list[int]] = {}
        for group in self.each():
            path = group.path.encode()
            quota_ns = None if group.quota is None else int(group.quota * group.period_ns)
            scenario.quota(path, quota_ns, group.period_ns)
            tasks[group.path] = [
                scenario.task(b"hog", Facts(cgroup=path), burst=FOREVER) for _ in range(group.hogs)
            ]
        tasks["/"] = [scenario.task(b"other", burst=FOREVER) for _ in range(self.others)]
        scenario.start()
        for pids in tasks.values():
            for pid in pids:
                scenario.wake(pid)
        scenario.at(SETTLE_NS)
        scenario.count()
        return scenario.end(SETTLE_NS + MEASURED_NS), tasks

    def used(self, outcome: Outcome, tasks: Mapping[str, list[int]], group: Group) -> float:
        """The CPUs that a group and those below it have had."""
        pids = [pid for part in group.each() for pid in tasks[part.path]]
        return outcome.cpus(pids, MEASURED_NS)

    def faults(self, outcome: Outcome, tasks: Mapping[str, list[int]]) -> dict[str, str]:
        """For each group that used too much or too little, or whose tasks did not, a sentence."""
        found = {}
        for group in self.each():
            used = self.used(outcome, tasks, group)
            if group.quota is not None and used > group.quota * MOST_ABOVE:
                found[group.path] = f"used {used:.4f}, may use {group.quota:.4f}"
        for group in self.groups if self.has_room else ():
            used = self.used(outcome, tasks, group)
            if used < group.demand * LEAST_USED:
                found[group.path] = f"used {used:.4f}, can use {group.demand:.4f}"
        for group in self.each():
            ran = [sum(outcome.tasks[pid].ran_ns) for pid in tasks[group.path]]
            if ran and sum(ran) / len(ran) > 20 * MS and max(ran) > 2 * min(ran):
                found[group.path] = f"a task has {max(ran) / US:.0f} us, one {min(ran) / US:.0f} us"
        return found


def draw(seed: int) -> Tree:
    """Returns the tree of this number: 1 to 6 groups, quotas of 1 % to 400 %, 1 to 64 hogs each."""
    choice = choices(seed)
    tree = Tree([], choice.randint(0, 2))
    wanted = choice.choice((1, 1, 2, 3))
    for number in range(wanted):
        quota = 0.01 * 400 ** choice.random()
        period_ns = choice.choice((10, 20, 50, 100, 100, 250, 1000)) * MS
        group = Group(f"/g{number}", round(quota, 3), period_ns)
        if choice.random() < 0.4:
            for part in range(choice.randint(1, 2)):
                own = None if choice.random() < 0.3 else round(quota * choice.uniform(0.2, 1.5), 3)
                below = Group(f"{group.path}/h{part}", own, choice.choice((10, 100, 500)) * MS)
                below.hogs = choice.choice((1, 2, 4, 8, 16))
                group.below.append(below)
        else:
            group.hogs = choice.choice((1, 2, 4, 8, 16, 64))
        tree.groups.append(group)
        if tree.demand > CPUS:
            tree.groups.pop()
    return tree


def main() -> None:
    """The command."""
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), fast=True)
        scheduler = machine.scheduler(compiled(POLICY))
        for seed in map(int, sys.argv[1:]):
            tree = draw(seed)
            scenario, tasks = tree.scenario(seed)
            outcome = machine.run(scheduler, scenario)
            print(f"tree {seed}: {tree.others} others")
            print("   quota  period   demand     used  hogs  group")
            for group in tree.each():
                quota = "    none" if group.quota is None else f"{group.quota:8.4f}"
                used = tree.used(outcome, tasks, group)
                print(
                    f"{quota} {group.period_ns // MS:4} ms {group.demand:8.4f} {used:8.4f}"
                    f" {group.hogs:5}  {group.path}"
                )
            for path, text in tree.faults(outcome, tasks).items():
                print(f"{path}: {text}")


if __name__ == "__main__":
    main()
