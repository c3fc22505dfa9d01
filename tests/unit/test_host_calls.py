# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Calls of traced functions, on the model of the kernel: the class that they give a task."""

from __future__ import annotations

import pytest

from scenario import FOREVER, MS, US, Facts, Scenario, compiled
from simulation import Machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


# A tick is 4 ms.
BY_ITSELF = 'calls "f" within 20ms'
BY_SOFTIRQ = 'calls "g" within 20ms via softirq'
CALLS = f"""
policy calls {{}}
rule never {{ match calls "g" within 20ms }}
rule self  {{ match {BY_ITSELF} priority high slice 2ms }}
rule soft  {{ match {BY_SOFTIRQ} slice 2ms }}
default    {{ slice 4ms }}
"""
SOFTIRQ, SOFTIRQS_OFF, HARDIRQ, NMI = 0x100, 0x200, 0x10000, 0x100000


def calling(*, kthread: bool = False) -> tuple[Scenario, int]:
    """A task that is alone on its CPU and never sleeps."""
    scenario = Scenario(compiled(CALLS), cpus=1)
    pid = scenario.task(b"hog", Facts(kthread=kthread), burst=FOREVER)
    scenario.start()
    scenario.wake(pid)
    scenario.at(10 * MS)
    return scenario, pid


def called_by_who_never_sleeps() -> Scenario:
    """It has its effect from the end of the task's slice, for its time."""
    scenario, pid = calling()
    scenario.call(pid, "f", SOFTIRQS_OFF)
    scenario.at(19 * MS)
    scenario.has_called(pid, BY_ITSELF)
    for time in (25, 40, 55):  # each renews it
        scenario.at(time * MS)
        scenario.call(pid, "f")
        scenario.has_called(pid, BY_ITSELF)
    scenario.at(75 * MS)
    scenario.open(pid)
    scenario.at(90 * MS)
    scenario.has_called(pid)
    return scenario.end(200 * MS)


def called_by_who_sleeps() -> Scenario:
    """It has its effect when the task is woken, and none then if that is too late."""
    scenario = Scenario(compiled(CALLS), cpus=2)
    pid = scenario.task(b"waker", burst=MS)
    scenario.start()
    scenario.wake(pid)
    scenario.at(500 * US)
    scenario.call(pid, "f")
    scenario.at(15 * MS)
    scenario.wake(pid)
    scenario.has_called(pid, BY_ITSELF)
    scenario.at(50 * MS)
    scenario.open(pid)
    scenario.wake(pid)
    scenario.has_called(pid)
    return scenario.end(200 * MS)


@pytest.mark.parametrize("scenario", [called_by_who_never_sleeps(), called_by_who_sleeps()])
def test_a_call_gives_a_class_for_a_while(machine: Machine, scenario: Scenario) -> None:
    assert machine.run(machine.scheduler(compiled(CALLS)), scenario).violation is None


@pytest.mark.parametrize(
    ("scenario", "old", "new"),
    [
        (called_by_who_never_sleeps(), "last[1] = now;", "last[1] = now * 0;"),
        (called_by_who_never_sleeps(), "< (s64)within_ns", "< 0"),
        (called_by_who_never_sleeps(), "calls))\n\t\treturn true;", "calls))\n\t\treturn false;"),
        (called_by_who_sleeps(), "calls))\n\t\treclassify(p, t);", "calls))\n\t\treturn;"),
    ],
)
def test_a_call_that_has_no_effect_is_noticed(
    machine: Machine, scenario: Scenario, old: str, new: str
) -> None:
    assert machine.complaint(machine.mutant(compiled(CALLS), old, new), scenario) == "I6"


@pytest.mark.parametrize(
    ("interrupts", "kthread", "counts"),
    [
        (SOFTIRQ, False, True),
        (SOFTIRQ | SOFTIRQS_OFF, False, True),
        (SOFTIRQ | HARDIRQ, False, False),
        (HARDIRQ, False, False),
        (NMI, False, False),
        (SOFTIRQ, True, False),
    ],
)
def test_interrupt_is_credited_to_the_right_task(
    machine: Machine, interrupts: int, kthread: bool, counts: bool
) -> None:
    scenario, pid = calling(kthread=kthread)
    scenario.call(pid, "f", interrupts)
    scenario.call(pid, "g", interrupts)
    scenario.at(19 * MS)
    scenario.has_called(pid, *([BY_SOFTIRQ] if counts else []))
    scheduler = machine.scheduler(compiled(CALLS))
    assert machine.run(scheduler, scenario.end(25 * MS)).violation is None
