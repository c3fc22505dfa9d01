# SPDX-License-Identifier: Apache-2.0
"""Limits that change: tasks that have quota again, and tasks that get a limit as they run."""

from __future__ import annotations

import pytest

from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine

FEW = """
policy few { cgroups limit }
rule few { match comm == "few" cpus 1,2 }
"""


@pytest.mark.parametrize("kernel", ["6.16", "7.2"])
def test_a_task_with_few_cpus_comes_back_where_it_may_run(machine: Machine, kernel: str) -> None:
    """Its rule and its affinity have one CPU in common, and the others are idle, too."""
    policy = compiled(FEW)
    scenario = Scenario(policy, cpus=4, kernel=kernel)
    scenario.quota(b"/a", 50 * MS, 100 * MS)
    few = scenario.task(b"few", Facts(cgroup=b"/a", cpus=0b1101), burst=FOREVER)
    scenario.start()
    scenario.wake(few, 2)
    tasks = machine.run(machine.scheduler(policy), scenario.end(4 * S)).tasks
    assert sum(tasks[few].ran_ns) == pytest.approx(0.5 * 4 * S, rel=0.02)


@pytest.mark.parametrize("moved_us", [100, 1100, 2300])
def test_a_task_alone_has_a_new_limit_at_once(machine: Machine, moved_us: int) -> None:
    """Its slice may have ended while another task was there. A nohz_full CPU has no tick."""
    policy = compiled("policy alone { cgroups limit } default { slice 2ms }")
    scenario = Scenario(policy, cpus=2)
    scenario.quota(b"/a", None)
    alone = scenario.task(b"hog", Facts(cgroup=b"/a", cpus=0b01), burst=FOREVER)
    other = scenario.task(b"hog", Facts(cpus=0b01), burst=FOREVER)
    scenario.start()
    scenario.wake(alone)
    scenario.wake(other)
    # The model has a tick every 4 ms.
    scenario.at(2 * S + moved_us * US)
    scenario.affinity(other, 0b10)
    limited_ns = 2 * S + 2500 * US
    scenario.at(limited_ns)
    scenario.quota(b"/a", 1 * MS, 100 * MS)
    events = machine.decisions(machine.scheduler(policy), scenario.end(limited_ns + 50 * MS))
    stops = (event.at_ns for event in events if (event.pid, event.what) == (alone, "stopping"))
    assert next(at_ns for at_ns in stops if at_ns > limited_ns) < limited_ns + 1.1 * MS
