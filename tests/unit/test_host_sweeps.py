# SPDX-License-Identifier: Apache-2.0
"""Sweeps for overdue tasks, on the model of the kernel, where very many wait.

Each sweep takes a bounded time, and the next one goes on where it stopped, so that every overdue
task is found.
"""

from __future__ import annotations

import random

import pytest

from extent import Extent
from gthulhu_lab.simulation import costs, play
from gthulhu_lab.simulation import machine as profiles
from gthulhuc import codegen, plan
from gthulhuc.bounds import bounds
from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine

Texts = tuple[str, ...]

CPUS = 4
MOST_NS = 200 * US
"""How long a sweep may keep what runs on its CPU waiting."""
MOST_SHARE = 0.05
CROWD = """
policy p { watchdog 30s }
default { slice 5ms max-wait 1s }
"""
LATE = """
policy p { watchdog 30s }
rule late { match comm == "late" priority idle max-wait 200ms slice 5ms }
default   { max-wait 10s slice 5ms }
"""


def timers(text: str, nr: int, *texts: str) -> tuple[float, int]:
    """The part of a CPU that all timers take, and the longest in ns, while so many tasks wait.

    `texts`: old ones of the scheduler's C, and their new ones, as in Machine.mutant.
    """
    profile = profiles.read(str(CPUS))
    everywhere = profiles.mask(range(CPUS))
    begin_ns = nr * US + MS
    lines = [f"0 {line}" for line in costs.lines(profile.costs)]
    lines += [
        f"0 machine {CPUS} {0x702} 1 50000 25000 {1 << 62}",
        f"0 task 1 0 0 .init ./ 0 0 0 {everywhere} 0",
    ]
    for pid in range(2, nr + 2):
        lines.append(f"0 task {pid} 1 0 .hog ./ 0 0 0 {everywhere} 0")
        lines.append(f"0 work {pid} {FOREVER} 0 0")
    lines.append("0 start")
    lines += [f"{pid * US} wake {pid} {pid % CPUS} 0" for pid in range(2, nr + 2)]
    lines += [f"{begin_ns} count", f"{begin_ns + 1500 * MS} figures", ""]
    code = codegen.render(plan.build(compiled(text)))
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        assert old in code
        code = code.replace(old, new)
    player = play.Player()
    figures = player.run(player.scheduler(code), "\n".join(lines))
    assert figures.spent is not None
    spent = figures.spent.operations["timer"]
    whole_ns = spent.path_ns + spent.transfer_ns + spent.line_wait_ns + spent.lock_wait_ns
    return whole_ns / figures.window_ns, spent.longest_ns


def test_a_sweep_is_short_however_many_wait(extent: Extent) -> None:
    share, longest_ns = timers(CROWD, extent.tasks)
    assert share < MOST_SHARE
    assert longest_ns < MOST_NS


def late_ns(machine: Machine, seed: int, *texts: str) -> tuple[int, int]:
    """The longest wait in ns of an overdue task that queues after a crowd, and the bound.

    Some of the crowd may use some CPUs only, and some end, so that sweeps lose their place.
    """
    choice = random.Random(seed)
    policy = compiled(LATE)
    scenario = Scenario(policy, cpus=CPUS, seed=seed)
    nr = choice.randrange(2200, 2800)
    crowd = [
        scenario.task(
            b"hog", Facts(cpus=choice.choice((None, None, 0b0011, 0b0100))), burst=FOREVER
        )
        for _ in range(nr)
    ]
    late = scenario.task(b"late", Facts(cpus=(None, 0b0110, 0b1000)[seed % 3]), burst=FOREVER)
    scenario.start()
    for number, pid in enumerate((*crowd, late)):
        scenario.wake(pid, number % CPUS)
    for number, pid in enumerate(choice.sample(crowd, 40)):
        scenario.at(number * 5 * MS + choice.randrange(4 * MS))
        scenario.exit(pid)
    scheduler = machine.mutant(policy, *texts)
    tasks = machine.run(scheduler, scenario.end(S)).tasks
    bound = next(bound for bound in bounds(policy) if bound.name == "late")
    # One that still waits has no wait yet.
    return tasks[late].max_wait_ns or FOREVER, bound.wait_ns(waiting=nr)


@pytest.mark.parametrize("seed", range(6))
def test_an_overdue_task_after_a_crowd_is_found(machine: Machine, seed: int) -> None:
    waited_ns, most_ns = late_ns(machine, seed)
    assert 200 * MS < waited_ns < most_ns


MUTANTS: dict[str, Texts] = {
    "a sweep looks at all tasks": ("SWEEP_MOST = 500", "SWEEP_MOST = 1 << 30"),
    "each sweep begins anew": ("			round_place = place + 1;\n", ""),
    "a sweep loses its place": ("round_pid = p->pid;", "round_pid = 0;"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(machine: Machine, name: str) -> None:
    if "SWEEP" in MUTANTS[name][0]:
        share, longest_ns = timers(CROWD, 5000, *MUTANTS[name])
        assert share > MOST_SHARE or longest_ns > MOST_NS
        return
    waited_ns, most_ns = late_ns(machine, 0, *MUTANTS[name])
    assert waited_ns > most_ns
