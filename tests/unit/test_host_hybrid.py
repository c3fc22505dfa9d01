# SPDX-License-Identifier: Apache-2.0
"""Machines with fast and slow CPUs, on the model of the kernel: CPUs 2 and 3 are half as fast."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gthulhu_lab.simulation import machine as profiles
from gthulhu_lab.simulation.machine import FULL_SPEED
from scenario import FOREVER, MS, Facts, S, Scenario, compiled
from simulation import Machine

# The model has no loader that would find `fast` and `slow`, so the policy has their numbers.
PROFILE = replace(profiles.short("hybrid", 4), speeds={2: FULL_SPEED // 2, 3: FULL_SPEED // 2})
POLICY = """
policy p { watchdog 30s }
rule big { match comm == "big" cpus 0-1 prefer slice 4ms }
rule low { match comm == "low" cpus 2-3 prefer slice 4ms priority low }
default  { slice 4ms }
"""


@pytest.fixture
def scenario() -> Scenario:
    return Scenario(compiled(POLICY), profile=PROFILE)


def cpus_of(machine: Machine, scenario: Scenario, *texts: str) -> dict[int, list[int]]:
    """The CPUs on which each task runs, in order."""
    scheduler = machine.mutant(compiled(POLICY), *texts)
    found: dict[int, list[int]] = {}
    for event in machine.decisions(scheduler, scenario.end(S)):
        if event.what == "running":
            found.setdefault(event.pid, []).append(event.cpu)
    return found


def test_a_class_that_prefers_them_fills_slow_cpus_first(
    machine: Machine, scenario: Scenario
) -> None:
    low = [scenario.task(b"low", burst=FOREVER) for _ in range(3)]
    scenario.start()
    for cpu, pid in enumerate(low):
        scenario.wake(pid, cpu)
    cpus = cpus_of(machine, scenario)
    assert [cpus[pid][0] >= 2 for pid in low] == [True, True, False]


@pytest.mark.parametrize(("name", "preferred"), [(b"big", {0, 1}), (b"low", {2, 3})])
def test_a_task_goes_to_a_cpu_that_it_prefers_when_that_falls_idle(
    machine: Machine, scenario: Scenario, name: bytes, preferred: set[int]
) -> None:
    mask = sum(1 << cpu for cpu in preferred)
    brief = [scenario.task(b"brief", Facts(cpus=mask), burst=50 * MS) for _ in range(2)]
    pids = [scenario.task(name, burst=FOREVER) for _ in range(2)]
    scenario.start()
    for pid in (*brief, *pids):
        scenario.wake(pid)
    cpus = cpus_of(machine, scenario)
    assert {cpus[pid][0] for pid in pids}.isdisjoint(preferred)
    assert {cpus[pid][-1] for pid in pids} == preferred
    # Once, as it stays there.
    assert all(len(set(cpus[pid])) == 2 for pid in pids)
    stay = cpus_of(machine, scenario, "!others && has_better_cpu(p, t, c)", "false")
    assert {stay[pid][-1] for pid in pids}.isdisjoint(preferred)


def test_a_task_stays_where_it_may_not_use_what_it_prefers(
    machine: Machine, scenario: Scenario
) -> None:
    pid = scenario.task(b"big", Facts(cpus=0b1100), burst=FOREVER)
    scenario.start()
    scenario.wake(pid, 2)
    assert len(cpus_of(machine, scenario)[pid]) == 1


def test_a_share_is_one_of_time_and_not_of_work(machine: Machine, scenario: Scenario) -> None:
    pids = [scenario.task(b"hog", burst=FOREVER) for _ in range(7)]
    scenario.start()
    for pid in pids:
        scenario.wake(pid)
    tasks = machine.run(machine.scheduler(compiled(POLICY)), scenario.end(2 * S)).tasks
    fair = 4 * 2 * S / len(pids)
    assert [sum(tasks[pid].ran_ns) for pid in pids] == pytest.approx([fair] * len(pids), rel=0.05)
