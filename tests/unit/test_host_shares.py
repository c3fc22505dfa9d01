# SPDX-License-Identifier: Apache-2.0
"""Shares of classes as a whole on the model of the kernel: within the bounds that rules give.

tests/share_scenes.py computes what is fair. To look at a scene: `python tests/share_scenes.py
NUMBER`, or `NUMBER sleepers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import group_trial
import share_scenes
from extent import in_parts
from scenario import FOREVER, MS, Facts, S, Scenario, compiled
from simulation import Machine

MOST_POINTS = 2.0
"""So many per cent of the machine a class may be outside of its bounds over 2 s,"""
MOST_AWAY = 5.0
"""and away from what its weights say within them."""
# Classes that miss more: three with a guarantee of 40 % lack 2.2 to 3.3 % of the machine, and three
# hogs beside five that are limited together to 0.4 of four CPUs have 2.7 CPUs in place of 3.
OPEN = {(14, "c0"): 3.3, (21, "c0"): 2.6, (25, "c1"): 6.4, (59, "c0"): 2.3}
CPUS = 4
NEAR = 0.02 * CPUS

RULES = """
    rule north  { match comm == "north"   share 30%..60% }
    rule south  { match comm == "south"   share 30% }
    rule capped { match comm == "capped"  share ..25% }
    rule pair   { match comm == "pair"    share 50%  cpus 0-1 }
    rule two    { match comm == "two"     cpus 0-1 }
    default { slice 2ms }
    """
POLICY = compiled(f"policy p {{ watchdog 30s }} {RULES}")
WITH_CGROUPS = compiled(f"policy p {{ watchdog 30s cgroups on }} {RULES}")


@pytest.mark.parametrize("sleepers", [False, True], ids=["hogs", "sleepers"])
@in_parts(10, 6, of_the_gate=1)
def test_shares_of_random_policies_are_within_their_bounds(
    machine: Machine, seeds: range, sleepers: bool
) -> None:
    wrong: dict[tuple[int, str], float] = {}
    for seed in seeds:
        scene = share_scenes.draw(seed, sleepers=sleepers)
        scenario, tasks = scene.scenario(seed)
        outcome = machine.run(machine.scheduler(compiled(scene.policy)), scenario)
        errors = scene.errors(outcome, tasks)
        wrong |= {(seed, name): off for name, off in errors.items() if off > MOST_POINTS}
        if not sleepers:
            away = scene.distances(outcome, tasks)
            wrong |= {(seed, name): off for name, off in away.items() if off > MOST_AWAY}
    assert not {each: off for each, off in wrong.items() if off > OPEN.get(each, 0)}


class Trial(group_trial.Trial[str]):
    """Tasks whose names are those of their classes."""

    def __init__(self, *, cgroups: bool = False) -> None:
        super().__init__(Scenario(WITH_CGROUPS if cgroups else POLICY, cpus=CPUS))

    def add(
        self, name: str, number: int, path: bytes = b"/", *, burst: int = FOREVER, sleep: int = 0
    ) -> None:
        """Adds tasks that compute, always or in bursts."""
        self.tasks[name] = [
            self.scenario.task(name.encode(), Facts(cgroup=path), burst=burst, sleep=sleep)
            for _ in range(number)
        ]


def nearly(shares: Mapping[str, float]) -> object:
    return pytest.approx(shares, rel=0, abs=NEAR)


def guaranteed(machine: Machine, scheduler: Path) -> None:
    """Two tenants, of which one has bursts, beside many others."""
    trial = Trial()
    trial.add("north", 2)
    trial.add("south", 4, burst=5 * MS, sleep=2 * MS)
    trial.add("other", 16)
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly({"north": 1.2, "south": 1.2, "other": 1.6})


def cgroups_that_do_not_count(machine: Machine, scheduler: Path) -> None:
    """As on a machine where no cgroup has the cpu controller: tasks in one are as entitled."""
    trial = Trial()
    trial.add("north", 1)
    trial.add("other", 8, b"/others")
    trial.add("plain", 1)
    trial.start()
    trial.at(S)
    expected = {"north": 1.0, "other": 2.667, "plain": 0.333}
    assert trial.uses(machine, scheduler) == nearly(expected)


def by_weight(machine: Machine, scheduler: Path) -> None:
    """A class whose weights give it more than is guaranteed competes by them."""
    trial = Trial()
    trial.add("south", 8)
    trial.add("north", 1)
    trial.add("other", 2)
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly({"south": 2.4, "north": 1.0, "other": 0.6})


def limited(machine: Machine, scheduler: Path) -> None:
    """Though CPUs are idle."""
    trial = Trial()
    trial.add("north", 8)
    trial.add("capped", 2)
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly({"north": 2.4, "capped": 1.0})


def of_its_cpus(machine: Machine, scheduler: Path) -> None:
    """Others want the same CPUs, and those outside of them do not matter."""
    trial = Trial()
    trial.add("pair", 2)
    trial.add("two", 10)
    trial.add("other", 6)
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler)["pair"] == pytest.approx(1.0, abs=NEAR)


def changed_class(machine: Machine, scheduler: Path) -> None:
    """Tasks that get another name have the share of that class from then on."""
    trial = Trial()
    trial.add("other", 18)
    trial.start()
    trial.at(S)
    trial.tasks |= {"north": trial.tasks["other"][:2], "other": trial.tasks["other"][2:]}
    for pid in trial.tasks["north"]:
        trial.scenario.rename(pid, b"north")
    trial.at(S + 200 * MS)
    assert trial.uses(machine, scheduler) == nearly({"north": 1.2, "other": 2.8})


def little(machine: Machine, scheduler: Path) -> None:
    """Others have all that a class does not want."""
    trial = Trial()
    trial.add("north", 2, burst=MS, sleep=9 * MS)
    trial.add("south", 3)
    trial.add("other", 16)
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly({"north": 0.2, "south": 1.2, "other": 2.6})


def kernel_threads(machine: Machine, scheduler: Path) -> None:
    """One of nice 19 has as much of what the shares leave as any other task."""
    trial = Trial()
    trial.add("north", 2)
    trial.add("south", 4)
    trial.add("other", 15)
    facts = Facts(nice=19, kthread=True)
    trial.tasks["khugepaged"] = [trial.scenario.task(b"khugepaged", facts, burst=FOREVER)]
    trial.start()
    trial.at(S)
    found = trial.uses(machine, scheduler)
    assert found["khugepaged"] == pytest.approx(1.6 / 16, rel=0.2)


def at_once(machine: Machine, scheduler: Path) -> None:
    """A class that wanted nothing for a while."""
    trial = Trial()
    trial.add("other", 16)
    trial.start()
    trial.at(2 * S)
    trial.add("north", 2)
    for pid in trial.tasks["north"]:
        trial.scenario.wake(pid)
    trial.at(2 * S + 100 * MS)
    assert trial.uses(machine, scheduler, S // 2) == nearly({"north": 1.2, "other": 2.8})


def beside_cgroups(machine: Machine, scheduler: Path) -> None:
    """The cgroups of a class's tasks do not count for it, and other cgroups divide the rest."""
    trial = Trial(cgroups=True)
    trial.scenario.weight(b"/light", 1)
    trial.scenario.weight(b"/heavy", 300)
    trial.scenario.weight(b"/plain", 100)
    trial.add("north", 1, b"/light")
    trial.add("south", 1, b"/light")
    trial.add("heavy", 6, b"/heavy")
    trial.add("plain", 6, b"/plain")
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly(
        {"north": 1, "south": 1, "heavy": 1.5, "plain": 0.5}
    )


def both_limits(machine: Machine, scheduler: Path) -> None:
    """The limit of a task's cgroup holds, and so does that of its class."""
    trial = Trial(cgroups=True)
    trial.scenario.quota(b"/tight", 50 * MS)
    trial.scenario.quota(b"/wide", 200 * MS)
    trial.add("north", 4, b"/tight")
    trial.add("capped", 4, b"/wide")
    trial.start()
    trial.at(S)
    assert trial.uses(machine, scheduler) == nearly({"north": 0.5, "capped": 1.0})


TRIALS: Mapping[str, Callable[[Machine, Path], None]] = {
    trial.__name__: trial
    for trial in (
        guaranteed, cgroups_that_do_not_count, by_weight, limited, of_its_cpus, changed_class,
        little, kernel_threads, at_once, beside_cgroups, both_limits,
    )
}  # fmt: skip
OF_CGROUPS = (beside_cgroups, both_limits)


@pytest.mark.parametrize("name", TRIALS)
def test_trial(machine: Machine, name: str) -> None:
    trial = TRIALS[name]
    trial(machine, machine.scheduler(WITH_CGROUPS if trial in OF_CGROUPS else POLICY))


@pytest.mark.parametrize("trial", [guaranteed, limited, changed_class])
def test_invariants_hold(tmp_path: Path, trial: Callable[[Machine, Path], None]) -> None:
    """The same with the model's checks, and under sanitizers."""
    machine = Machine(tmp_path)
    trial(machine, machine.scheduler(POLICY))


# Defects as texts of the generated C and its headers, and the trial that shows each.
MUTANTS: Mapping[str, tuple[Callable[[Machine, Path], None], str, str]] = {
    "nothing is guaranteed": (
        guaranteed, "s->low = s->part = s->used = low;", "s->low = s->part = s->used = 0;",
    ),
    "a guarantee is all that a class has": (
        by_weight, "return !s->set_apart;", "return !s->low;",
    ),
    "what is set apart is also for the others": (
        at_once, "reserved += least_of(s->part, g->demand);", "reserved += 0;",
    ),
    "what a class does not want is kept for it": (
        little, "reserved += least_of(s->part, g->demand);", "reserved += s->part;",
    ),
    "the nice value of a kernel thread counts": (
        kernel_threads, "if (t->class == CLASS_KTHREAD)\n\t\treturn params_of",
        "if (0)\n\t\treturn params_of",
    ),
    "nothing is limited": (limited, "if (of->high < 1000)", "if (of->high < 1)"),
    "others on the same CPUs do not count": (
        of_its_cpus, "s->part += ((s->part >> PART_SHIFT) * missing)", "s->part += (0 * missing)",
    ),
    "the CPUs of a class are all": (
        of_its_cpus, "domains[bounded(of->domain, NR_DOMAINS)].nr_cpus;", "nr_online;",
    ),
    "a task counts for the class that it had": (
        changed_class, "if (t->counted == now)", "if (t->counted)",
    ),
    "the weight of a cgroup counts for a class": (
        beside_cgroups, "return share ? group_at(share)", "return !share ? group_at(share)",
    ),
    "the limit of a cgroup is forgotten": (
        both_limits, "return with_limit(nearest_limit(cgroup_of(t)->number), params_of(t)->limit);",
        "return params_of(t)->limit;",
    ),
    "the limit of a class is forgotten beside that of a cgroup": (
        both_limits,
        "return with_limit(nearest_limit(group_at(number)->parent), number >> GROUP_BITS);",
        "return nearest_limit(group_at(number)->parent);",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(machine: Machine, name: str) -> None:
    trial, old, new = MUTANTS[name]
    mutant = machine.mutant(WITH_CGROUPS if trial in OF_CGROUPS else POLICY, old, new)
    with pytest.raises(AssertionError):
        trial(machine, mutant)
