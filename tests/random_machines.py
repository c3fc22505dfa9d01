# SPDX-License-Identifier: Apache-2.0
"""Random machines full of tasks that always want to run, and the shares that are fair there.

A machine has 2 to 16 CPUs and a policy with levels, weights and `cpus`, overlapping or exclusive.
Its tasks have affinities and nice values. Some end and others begin before their time is measured.

    python tests/random_machines.py SEED...

prints the machines of these numbers, from 1,000,000 on those with several cells: the policy, and
for each task its fair share and what it had.

    python tests/random_machines.py --affinities --unfair 0:200 [--eevdf]

counts those of the first 200 on which a task is off by more than 5 %. `--affinities`: there are no
rules; tasks have affinities in their place. `--eevdf`: the model's control schedules these.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import max_min
from gthulhu_lab.simulation import machine, model
from gthulhu_lab.simulation.machine import Machine as Profile
from gthulhuc import checked
from scenario import FOREVER, MS, Facts, S, Scenario, choices, compiled
from simulation import Machine, Outcome

MACHINES_PER_POLICY = 8
CELLS_SEED = 1_000_000
MEASURED_NS = 2 * S
MOST_APART = 0.05
"""The part of its fair share by which a task may be off."""
BEGUN_NS = 500 * MS
"""When some tasks end and others begin."""
LEAST_SETTLE_NS = 3 * S
# Tasks of the levels are this far apart, and an old debt counts at most that much.
LEVELS_NS = {"urgent": 40 * MS, "high": 20 * MS, "normal": 0, "low": -40 * MS, "idle": -400 * MS}
OLD_DEBT_NS = 100 * MS
# The kernel's weights by nice value, as sched_ext has them.
NICE = {-5: 305, 0: 100, 5: 33, 10: 11}
# No task is rescued: a rescue gives by need and not by weight.
MAX_WAIT = "max-wait 10s"


@dataclass(frozen=True)
class Rule:
    """A rule that takes the tasks of its name; `cpus` is a mask."""

    name: str
    cpus: int
    exclusive: bool
    level: str
    weight: int
    slice_ms: int

    def text(self, cpus: int) -> str:
        where = ",".join(str(cpu) for cpu in range(cpus) if self.cpus >> cpu & 1)
        exclusive = " exclusive" if self.exclusive else ""
        return (
            f'rule {self.name} {{ match comm == "{self.name}" cpus {where}{exclusive}'
            f" priority {self.level} weight {self.weight} slice {self.slice_ms}ms {MAX_WAIT} }}\n"
        )


@dataclass(frozen=True)
class Task:
    """A task that always wants to run, on one of its rule's CPUs at least, or pinned elsewhere.

    Where a task may use several CPUs and none of its rule's, the model says which, not how evenly.
    """

    comm: str
    affinity: int
    nice: int
    fair: max_min.Demand


@dataclass(frozen=True)
class RandomMachine:
    """The policy, and the tasks: those that stay, those that end, and those that begin later."""

    cpus: int
    text: str
    policy: checked.Policy
    staying: tuple[Task, ...]
    ending: tuple[Task, ...]
    beginning: tuple[Task, ...]
    slack: float
    """Two of the longest slices, as a share of what is measured."""
    profile: Profile | None = None
    """Its caches and nodes; None: all CPUs share one of each."""

    @functools.cached_property
    def fair(self) -> list[float]:
        """The fair shares of those that are measured, in CPUs."""
        return max_min.shares(self._demands, self.cpus)

    @property
    def groups(self) -> tuple[tuple[Task, ...], tuple[Task, ...], tuple[Task, ...]]:
        """Those that stay, that end, and that begin."""
        return self.staying, self.ending, self.beginning

    @property
    def is_greedy(self) -> bool:
        """Tell whether a task is entitled to more than the one CPU that it can use."""
        return max(max_min.shares(self._demands, self.cpus, most=self.cpus)) > 1 + 1e-6

    @property
    def _demands(self) -> list[max_min.Demand]:
        return [task.fair for task in (*self.staying, *self.beginning)]

    @property
    def settle_ns(self) -> int:
        """The time until the slowest clock has passed all leads and the largest debt once.

        A CPU's clock advances as its tasks' shares by their weights do.
        """
        leads = [LEVELS_NS[level] for level in LEVELS_NS if f"priority {level}" in self.text] + [0]
        slowest = min(
            share / (demand.weight / 100)
            for share, demand in zip(self.fair, self._demands, strict=True)
        )
        return LEAST_SETTLE_NS + int((max(leads) - min(leads) + OLD_DEBT_NS) / slowest)

    def scenario(self, seed: int) -> tuple[Scenario, list[int]]:
        """The events, and the tasks that are measured, in the order of `fair`."""
        choice = choices(seed)
        scenario = Scenario(self.policy, cpus=self.cpus, profile=self.profile, seed=seed)
        staying, ending, beginning = (
            [_start(scenario, task) for task in tasks] for tasks in self.groups
        )
        scenario.start()
        for pid in choice.sample([*staying, *ending], len(staying) + len(ending)):
            scenario.wake(pid, choice.randrange(self.cpus))
        scenario.at(BEGUN_NS)
        for pid in ending:
            scenario.exit(pid)
        for pid in beginning:
            scenario.wake(pid, choice.randrange(self.cpus))
        scenario.at(BEGUN_NS + self.settle_ns)
        scenario.count()
        return scenario.end(BEGUN_NS + self.settle_ns + MEASURED_NS), [*staying, *beginning]

    def errors(self, outcome: Outcome, pids: list[int]) -> list[float]:
        """The part of its fair share by which each task has too much or too little."""
        return [
            float(max(0, abs(share(outcome, pid) - fair) - self.slack) / fair)
            for pid, fair in zip(pids, self.fair, strict=True)
        ]


def share(outcome: Outcome, pid: int) -> float:
    """The task's share of what is measured, in CPUs."""
    return sum(outcome.tasks[pid].ran_ns) / MEASURED_NS


def _start(scenario: Scenario, task: Task) -> int:
    facts = Facts(cpus=task.affinity, nice=task.nice)
    return scenario.task(task.comm.encode(), facts, burst=FOREVER)


def draw(seed: int) -> RandomMachine:
    """Returns the machine of this number. Eight in a row have one policy."""
    choice = choices(seed // MACHINES_PER_POLICY)
    return _draw(seed, choice, choice.randint(2, 16))


def draw_with_cells(seed: int) -> RandomMachine:
    """Returns a machine of 8 to 64 CPUs in several cells."""
    choice = choices(CELLS_SEED + seed // MACHINES_PER_POLICY)
    nodes, caches, each = choice.choice(((1, 2, 4), (1, 2, 8), (2, 2, 6), (2, 4, 8), (4, 4, 16)))
    profile = machine.short("random", caches * each, caches, nodes)
    return dataclasses.replace(_draw(seed, choice, profile.cpus), profile=profile)


def draw_with_affinities(seed: int) -> RandomMachine:
    """Returns the machine of this number with affinities in place of rules."""
    return with_affinities(draw(seed))


def draw_with_cells_and_affinities(seed: int) -> RandomMachine:
    """Returns the machine of this number with several cells, and affinities in place of rules."""
    return with_affinities(draw_with_cells(seed))


def with_affinities(drawn: RandomMachine) -> RandomMachine:
    """Returns a machine with affinities in place of rules."""
    text = f"policy p {{ watchdog 30s }}\ndefault {{ slice 2ms {MAX_WAIT} }}\n"
    staying, ending, beginning = map(_without_rules, drawn.groups)
    slack = 2 * 2 * MS / MEASURED_NS
    return dataclasses.replace(
        drawn,
        text=text,
        policy=_compiled(text),
        staying=staying,
        ending=ending,
        beginning=beginning,
        slack=slack,
    )


def unfair_machines(
    machine: Machine, seeds: Iterable[int], draw: Callable[[int], RandomMachine], *texts: str
) -> Iterator[tuple[int, float]]:
    """Yields the machines on which shares are not fair, and by which part at most.

    `texts`: what is replaced in the scheduler's C, as `Machine.mutant` has them.
    """
    for seed in seeds:
        drawn = draw(seed)
        scenario, pids = drawn.scenario(seed)
        outcome = machine.run(machine.mutant(drawn.policy, *texts), scenario)
        if (off := max(drawn.errors(outcome, pids))) > MOST_APART:
            yield seed, off


def _without_rules(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    return tuple(
        dataclasses.replace(
            task,
            comm="other",
            affinity=task.fair.cpus,
            fair=dataclasses.replace(task.fair, weight=NICE[task.nice]),
        )
        for task in tasks
    )


def _draw(seed: int, of_policy: random.Random, cpus: int) -> RandomMachine:
    rules = _rules(of_policy, cpus)
    choice = choices(seed)
    text = "policy p { watchdog 30s }\n" + "".join(rule.text(cpus) for rule in rules)
    text += f"default {{ slice 2ms {MAX_WAIT} }}\n"
    rules.append(Rule("other", (1 << cpus) - 1, exclusive=False, level="normal", weight=100,
                      slice_ms=2))  # fmt: skip
    staying, ending, beginning = (
        tuple(_task(choice, rules, cpus) for _ in range(choice.randint(least, most)))
        for least, most in ((cpus, 3 * cpus), (0, cpus), (1, cpus))
    )
    slack = 2 * max(rule.slice_ms for rule in rules) * MS / MEASURED_NS
    return RandomMachine(cpus, text, _compiled(text), staying, ending, beginning, slack)


_compiled = functools.lru_cache(maxsize=1)(compiled)


def _rules(choice: random.Random, cpus: int) -> list[Rule]:
    levels = [*LEVELS_NS] if choice.random() < 0.3 else ["normal"]
    rules: list[Rule] = []
    for number in range(choice.randint(0, 4)):
        low = choice.randrange(cpus)
        high = min(cpus - 1, choice.randrange(low, cpus))
        mask = (2 << high) - (1 << low)
        taken = _exclusive(rules)
        exclusive = low > 0 and not mask & taken and choice.random() < 0.2
        if exclusive and any(not rule.cpus & ~mask & ~taken for rule in rules):
            continue
        if not mask & ~taken:
            continue
        rules.append(
            Rule(
                f"r{number}", mask, exclusive, choice.choice(levels),
                choice.choice((50, 100, 100, 200, 300, 400)), choice.choice((1, 2, 3, 5)),
            )
        )  # fmt: skip
    return rules


def _exclusive(rules: list[Rule], but: Rule | None = None) -> int:
    """The CPUs that are exclusive to these rules."""
    mask = 0
    for rule in rules:
        mask |= rule.cpus if rule.exclusive and rule is not but else 0
    return mask


def _task(choice: random.Random, rules: list[Rule], cpus: int) -> Task:
    rule = choice.choice(rules)
    everywhere = (1 << cpus) - 1
    own = rule.cpus & ~_exclusive(rules, rule)
    affinity = choice.choices(
        (everywhere, 1 << choice.randrange(cpus), choice.randint(1, everywhere)), (6, 2, 2)
    )[0]
    if not own & affinity and affinity.bit_count() > 1:
        affinity |= own
    nice = choice.choices([*NICE], (1, 6, 1, 1))[0]
    legal = own & affinity or affinity
    return Task(rule.name, affinity, nice, max_min.Demand(rule.weight * NICE[nice] / 100, legal))


def show(seed: int, drawn: RandomMachine, outcome: Outcome, pids: list[int]) -> None:
    """Prints a machine, and what its tasks had."""
    tasks = (*drawn.staying, *drawn.beginning)
    greedy = ", a task is entitled to more than one" if drawn.is_greedy else ""
    print(f"machine {seed}: {drawn.cpus} CPUs{greedy}\n{drawn.text}")
    print("  error   fair    had  weight  CPUs")
    rows = zip(drawn.errors(outcome, pids), drawn.fair, pids, tasks, strict=True)
    for error, fair, pid, task in sorted(rows, key=lambda row: row[0]):
        print(
            f"{error:7.1%} {fair:6.3f} {share(outcome, pid):6.3f} {task.fair.weight:7.0f}"
            f"  {task.fair.cpus:0{drawn.cpus}b} {task.comm}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED")
    parser.add_argument("--affinities", action="store_true", help="affinities in place of rules")
    parser.add_argument("--eevdf", action="store_true", help="under the model's EEVDF")
    parser.add_argument("--unfair", metavar="FROM:TO", help="list those that are unfair")
    options = parser.parse_args()
    if options.eevdf and not options.affinities:
        parser.error("EEVDF knows no rules: add --affinities")
    return options


def main() -> None:
    """The command."""
    options = _options()
    seeds = range(*map(int, options.unfair.split(":"))) if options.unfair else options.seeds
    unfair = {}
    with tempfile.TemporaryDirectory() as folder:
        simulator = Machine(Path(folder), fast=True)
        eevdf = Path(folder) / "eevdf.so"
        if options.eevdf:
            model.build_control(model.CONTROLS["eevdf"], eevdf, model.Mode.FAST)
        for seed in seeds:
            drawn = draw(seed) if seed < CELLS_SEED else draw_with_cells(seed - CELLS_SEED)
            if options.affinities:
                drawn = with_affinities(drawn)
            scenario, pids = drawn.scenario(seed % CELLS_SEED)
            scheduler = eevdf if options.eevdf else simulator.scheduler(drawn.policy)
            outcome = simulator.run(scheduler, scenario)
            if (off := max(drawn.errors(outcome, pids))) > MOST_APART:
                unfair[seed] = round(100 * off)
            if not options.unfair:
                show(seed, drawn, outcome, pids)
    if options.unfair:
        above = sum(off > 20 for off in unfair.values())
        print(f"{len(unfair)} of {len(seeds)} are unfair, {above} by more than 20 %: {unfair}")


if __name__ == "__main__":
    main()
