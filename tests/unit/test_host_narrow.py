# SPDX-License-Identifier: Apache-2.0
"""Tasks that may not use all CPUs, on the model of the kernel with its checks."""

from __future__ import annotations

import pytest

from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


def test_the_last_cpu_of_a_rule_goes_offline(machine: Machine) -> None:
    policy = compiled('policy p {} rule pinned { match comm == "a" cpus 2-3 }')
    scenario = Scenario(policy, cpus=4)
    narrow = scenario.task(b"a", Facts(cpus=0b1001), burst=MS, sleep=MS)
    scenario.start()
    scenario.wake(narrow)
    scenario.at(100 * MS)
    scenario.online(3, online=False)
    outcome = machine.run(machine.scheduler(policy), scenario.end(S))
    assert outcome.violation is None
    assert outcome.tasks[narrow].ran_ns[0] > 300 * MS


def test_a_cpu_that_falls_idle_finds_a_narrow_task_that_is_about_to_wait(
    machine: Machine,
) -> None:
    """The queue counts the task before the kernel inserts it; the CPU looks in between."""
    policy = compiled('policy p {} rule low { match comm == "late" priority low }')
    scenario = Scenario(policy, cpus=3)
    late = scenario.task(b"late", Facts(cpus=0b011))
    brief = scenario.task(b"brief", Facts(cpus=0b010), burst=MS)
    scenario.start()
    for cpu in (0, 2):
        scenario.wake(scenario.task(b"hog", Facts(cpus=1 << cpu), burst=FOREVER), cpu)
    scenario.wake(brief, 1)
    scenario.at(MS - 10 * US)
    scenario.gap(late, 30 * US)
    scenario.wake(late, 0)
    scenario.end(20 * MS)
    outcome = machine.run(machine.scheduler(policy), scenario)
    assert outcome.violation is None
    assert outcome.tasks[late].max_wait_ns < 100 * US
    mutant = machine.mutant(policy, "if (is_one_to_come(queue)) {", "if (false) {")
    assert machine.complaint(mutant, scenario) == "I7"


def test_a_lazy_task_that_is_overdue_leaves_its_cpu_though_it_may_not_use_all(
    machine: Machine,
) -> None:
    """A real-time task has its CPU for three seconds, and the other one of its two is idle."""
    policy = compiled(
        'policy p { watchdog 30s } rule z { match comm == "lazy" migrate lazy max-wait 50ms }'
    )
    scenario = Scenario(policy, cpus=4)
    lazy = scenario.task(b"lazy", Facts(cpus=0b0011), burst=2 * MS, sleep=MS)
    scenario.start()
    for cpu in (0, 2, 3):
        scenario.wake(scenario.task(b"hog", Facts(cpus=1 << cpu), burst=FOREVER), cpu)
    scenario.at(5 * MS)
    scenario.wake(lazy, 1)
    scenario.at(20 * MS)
    scenario.real_time(1, 3 * S)
    outcome = machine.run(machine.scheduler(policy), scenario.end(4 * S))
    assert outcome.tasks[lazy].max_wait_ns < 60 * MS
