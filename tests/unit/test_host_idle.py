# SPDX-License-Identifier: Apache-2.0
"""Which idle CPU a task gets on a machine with several cells, which has masks of its own."""

from __future__ import annotations

import dataclasses

import pytest

from gthulhu_lab.simulation import machine as machines
from scenario import FOREVER, MS, US, Facts, Scenario, compiled
from simulation import Machine

PLAIN = "policy p {}"
PINNED = f'{PLAIN} rule late {{ match comm == "late" cpus 12-15 }}'
PAIRS = tuple(frozenset({cpu, cpu + 1}) for cpu in range(0, 16, 2))
PLACE = dataclasses.replace(machines.short("four cells", 16, llcs=4, nodes=2), cores=PAIRS)
"""Cells of four CPUs, with two threads for each core: 0-3 and 4-7 are a node, 8-11 and 12-15."""


def woken_on(machine: Machine, busy: set[int], last: int, cpus: int = 0, text: str = PLAIN) -> int:
    """Returns the CPU on which a task runs that wakes up, and was on `last` before.

    `busy`: the CPUs of other tasks. `cpus`: its affinity, 0: all.
    """
    policy = compiled(text)
    scenario = Scenario(policy, profile=PLACE)
    late = scenario.task(b"late", Facts(cpus=cpus) if cpus else Facts(), burst=10 * US)
    hogs = {cpu: scenario.task(b"hog", Facts(cpus=1 << cpu), burst=FOREVER) for cpu in busy}
    scenario.start()
    scenario.affinity(late, 1 << last)
    scenario.wake(late, last)
    scenario.at(MS)
    scenario.affinity(late, cpus or (1 << PLACE.cpus) - 1)
    for cpu, hog in hogs.items():
        scenario.wake(hog, cpu)
    scenario.at(5 * MS)
    scenario.gap(late, MS)
    scenario.wake(late, last)
    events = machine.decisions(machine.scheduler(policy), scenario.end(10 * MS))
    return next(
        each.cpu
        for each in events
        if each.what == "running" and each.pid == late and each.at_ns > 5 * MS
    )


@pytest.mark.parametrize(
    ("busy", "last", "found"),
    [
        (set(), 1, {1}),  # where it was
        ({0}, 1, {2, 3}),  # a core of its cell before the sibling of a busy CPU
        ({0, 1}, 1, {2, 3}),
        ({0, 2}, 1, {4, 5, 6, 7}),  # a core of the same node
        ({0, 2, 4, 6}, 1, set(range(8, 16))),  # a core of the other node
        ({0, 2, 4, 6, 8, 10, 12, 14}, 1, {1}),  # no core: where it was
        ({0, 1, 2, 4, 6, 8, 10, 12, 14}, 1, {3}),  # a CPU of its cell
        ({0, 1, 2, 3, 4, 6, 8, 10, 12, 14}, 1, {5, 7}),  # one of the same node
        ({*range(8), 8, 10, 12, 14}, 1, {9, 11, 13, 15}),
    ],
)
def test_a_task_gets_the_nearest_idle_core(
    machine: Machine, busy: set[int], last: int, found: set[int]
) -> None:
    assert woken_on(machine, busy, last) in found


@pytest.mark.parametrize(
    ("cpus", "text", "found"),
    [
        (0xF003, PLAIN, {12, 13, 14, 15}),  # its own
        (0, PINNED, {12, 13, 14, 15}),  # those of its class
        (0x3FFF, PINNED, {12, 13}),  # both
    ],
)
def test_affinity_and_class_limit_the_search(
    machine: Machine, cpus: int, text: str, found: set[int]
) -> None:
    assert woken_on(machine, {0, 1}, 1, cpus, text) in found
