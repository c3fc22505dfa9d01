# SPDX-License-Identifier: Apache-2.0
"""The performance that CPUs are asked for, on the model of the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenario import FOREVER, MS, S, Scenario, compiled
from simulation import Machine

ALL = 1024  # SCX_CPUPERF_ONE
SCHEDUTIL = ("const volatile bool follows_load;", "const volatile bool follows_load = true;")
PLAIN = "policy p {}"


def asked(machine: Machine, scheduler: Path, busy_ms: int) -> list[int]:
    """The requests for a CPU from 100 ms on. Its task runs for so long in each 10 ms."""
    scenario = Scenario(compiled(PLAIN), cpus=1)
    sleep = (10 - busy_ms) * MS if busy_ms < 10 else 0
    pid = scenario.task(b"own", burst=busy_ms * MS if sleep else FOREVER, sleep=sleep)
    scenario.start()
    scenario.wake(pid)
    calls = machine.performance(scheduler, scenario.end(S))
    return [perf for at_ns, _, perf in calls if at_ns > 100 * MS] or [calls[-1][2]] if calls else []


@pytest.mark.parametrize(("busy_ms", "least", "most"), [(1, 0, 256), (4, 400, 800), (10, ALL, ALL)])
def test_a_cpu_is_asked_for_what_its_load_needs(
    machine: Machine, busy_ms: int, least: int, most: int
) -> None:
    """With a quarter more than the load, as schedutil has it. Idle load is far below half."""
    found = asked(machine, machine.mutant(compiled(PLAIN), *SCHEDUTIL), busy_ms)
    assert found
    assert least <= min(found) <= max(found) <= most


def test_nothing_is_asked_where_the_scheduler_does_not_set_frequencies(machine: Machine) -> None:
    assert asked(machine, machine.scheduler(compiled(PLAIN)), 4) == []


def test_a_rule_may_set_it(machine: Machine) -> None:
    policy = compiled('policy p {} rule own { match comm == "own" perf 30% }')
    assert set(asked(machine, machine.scheduler(policy), 4)) == {ALL * 30 // 100}
