# SPDX-License-Identifier: Apache-2.0
"""No task gains CPU time by a trick, on the model of the kernel.

Each trick is a script of one task, whose forks count as itself. Beside it hogs of the same weight
want all CPUs, so a trick is worth nothing where it gets no more than one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scenario import CLONE_THREAD, CLONE_VFORK, FOREVER, S, Scenario, compiled
from simulation import Machine

TEXT = """
policy p { watchdog 30s }
rule early { match comm == "early" priority high weight 100 }
rule late  { match comm == "late" priority low weight 100 }
rule own   { match comm == "own" cpus 0-1 }
"""
Scripts = tuple[tuple[str, ...], ...]
EXITS = ("run:900000", "fork:0", "run:100000", "exit")

# A script for each number; the task follows the first.
TRICKS: dict[str, Scripts] = {
    "a chain of forks": (EXITS,),
    "a chain of forks that end within a tenth of a slice": (
        ("run:90000", "fork:0", "run:10000", "exit"),
    ),
    "a chain of forks that each last for two slices": (
        ("run:9900000", "fork:0", "run:100000", "exit"),
    ),
    "a chain of threads": (
        ("fork:1", "sleep:0"), ("run:900000", f"fork:1:{CLONE_THREAD}", "run:100000", "exit"),
    ),
    "a chain through vfork and exec": (
        ("exec:other", "run:900000", f"fork:0:{CLONE_VFORK}", "exit"),
    ),
    "a chain of double forks": (
        ("run:900000", "fork:1", "run:100000", "exit"), ("run:10000", "fork:0", "exit"),
    ),
    "a shell whose children do the work": (
        ("run:20000", f"fork:1:{CLONE_VFORK}"), ("run:1000000", "exit"),
    ),
    "a chain of two classes": (
        ("exec:early", "run:900000", "fork:1", "run:100000", "exit"),
        ("exec:late", "run:900000", "fork:0", "run:100000", "exit"),
    ),
    "a chain that leaves for a rule with CPUs": (
        ("exec:own", "run:900000", "fork:1", "run:100000", "exit"),
        ("exec:other", "run:900000", "fork:0", "run:100000", "exit"),
    ),
    "another affinity every 10 ms": (
        ("run:10000000", "cpus:1", "run:10000000", "cpus:15"),
    ),
    "another CPU every 10 ms": (
        ("run:10000000", "cpus:1", "run:10000000", "cpus:2"),
    ),
    "another name every ms": (("run:1000000", "name:early", "run:1000000", "name:late"),),
    "another queue every ms": (("run:1000000", "name:own", "run:1000000", "name:other"),),
    "another nice value every ms": (("run:1000000", "nice:1", "run:1000000", "nice:0"),),
    "a storm of sched_yield()": (("run:10000", "yield"),),
    "a nap before each slice's end": (("run:4500000", "sleep:50000"),),
    "a nap every 100 us": (("run:100000", "sleep:10000"),),
}  # fmt: skip


@pytest.fixture(scope="module")
def checked_machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("checked"))


@pytest.fixture(scope="module")
def scheduler(machine: Machine) -> Path:
    return machine.scheduler(compiled(TEXT))


def trick_beside_hogs(scripts: Scripts, *, hogs: int, cpus: int, seconds: int) -> Scenario:
    """The trick is the last task."""
    scenario = Scenario(compiled(TEXT), cpus=cpus)
    for _ in range(hogs):
        scenario.task(b"hog", burst=FOREVER)
    for number, steps in enumerate(scripts):
        scenario.script(number, *steps)
    trick = scenario.task(b"trick")
    scenario.follow(trick, 0)
    scenario.start()
    for task in scenario.alive():
        if task.pid > 1:
            scenario.wake(task.pid)
    scenario.at(seconds * S // 2)
    scenario.count()
    return scenario.end(seconds * S)


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_breaks_no_invariant(checked_machine: Machine, name: str) -> None:
    scenario = trick_beside_hogs(TRICKS[name], hogs=5, cpus=4, seconds=1)
    scheduler = checked_machine.scheduler(compiled(TEXT))
    assert checked_machine.run(scheduler, scenario).violation is None


@pytest.mark.parametrize("hogs", [1, 3, 20])
@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_gains_nothing(machine: Machine, scheduler: Path, name: str, hogs: int) -> None:
    cpus = 1 if hogs == 1 else 2
    scripts = TRICKS[name]
    if cpus == 1:
        scripts = tuple(tuple(_only_cpu(step) for step in steps) for steps in scripts)
    scenario = trick_beside_hogs(scripts, hogs=hogs, cpus=cpus, seconds=8)
    tasks = machine.run(scheduler, scenario).tasks
    (*others, trick) = (sum(tasks[pid].ran_ns) / (4 * S) for pid in sorted(tasks) if pid > 1)
    fair = cpus / (hogs + 1)
    assert trick <= 1.05 * fair + 0.005
    # The others share the rest alike.
    assert others == pytest.approx([sum(others) / hogs] * hogs, rel=0.05, abs=0.005)


FREE_BIRTH = (
    "t->vtime = begin_of(c, queue) + (ahead > 0 ? ahead : 0) +",
    "t->vtime = begin_of(c, queue) + (ahead > 0 ? 0 : 0) + 0 *",
)


def test_a_chain_would_gain_if_tasks_began_without_debt(machine: Machine) -> None:
    scheduler = machine.mutant(compiled(TEXT), *FREE_BIRTH)
    scenario = trick_beside_hogs(TRICKS["a chain of forks"], hogs=3, cpus=2, seconds=8)
    tasks = machine.run(scheduler, scenario).tasks
    assert sum(tasks[max(tasks)].ran_ns) / (4 * S) > 1.5 * 2 / 4


def _only_cpu(step: str) -> str:
    return "cpus:1" if step.startswith("cpus:") else step
