# SPDX-License-Identifier: Apache-2.0
"""Random schedules of tasks under random policies."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

from gthulhu_lab.simulation import machine
from gthulhuc import checked
from scenario import FOREVER, MS, US, Facts, Scenario, choices
from vocabulary import MACHINE

# The model has no loader, which looks up tunables, users and groups of CPUs. Below 100 us a slice
# is rounded up, and so is its rest when somebody changes the running task: that breaks I8.
WORDS = dataclasses.replace(
    MACHINE,
    has_tunables=False,
    has_conditions=False,
    cpu_groups=(),
    users={},
    groups={},
    limits={**MACHINE.limits, "slice": (100 * US, 20 * MS)},
    sizes=(1, 2, 3, 4, 5),
)
KERNELS = ("6.16", "6.18", "7.0", "7.2")

Choice = random.Random


def random_scenario(
    policy: checked.Policy,
    seed: int,
    *,
    length_ns: int = 60 * MS,
    profile: machine.Machine | None = None,
) -> Scenario:
    """Tasks that run, sleep and wake each other, while everything about them changes.

    `profile`: the machine, else one whose CPUs share a cache; with four CPUs.
    """
    choice = choices(seed)
    kernel = choice.choice(KERNELS)
    scenario = Scenario(policy, cpus=WORDS.cpus, profile=profile, kernel=kernel, seed=seed)
    for number in range(choice.randint(3, 14)):
        _start_task(choice, scenario, number)
    for cpu in range(WORDS.cpus):
        bound = Facts(cpus=1 << cpu, kthread=True)
        scenario.task(b"bound", bound, burst=30 * US, sleep=5 * MS)
    scenario.start()
    for task in scenario.alive():
        scenario.wake(task.pid, choice.randrange(WORDS.cpus))
    now_ns = 0
    while (now_ns := now_ns + choice.randrange(2 * MS)) < length_ns:
        scenario.at(now_ns)
        choice.choice(EVENTS)(choice, scenario)
    # The remaining tasks must get their turn.
    return scenario.end(length_ns + 20 * MS)


def _start_task(choice: Choice, scenario: Scenario, number: int) -> None:
    makers = [task.pid for task in scenario.alive(kthreads=False)]
    thread = choice.random() < 0.3
    maker = choice.choice(makers)
    kthread = choice.random() < 0.15
    burst, sleep = (100 * US, 3 * MS) if kthread else _habits(choice)
    facts = Facts(
        cgroup=choice.choice(WORDS.paths),
        uid=choice.choice(WORDS.numbers),
        gid=choice.choice(WORDS.numbers),
        nice=choice.choice((0, 0, 0, -5, 10)),
        cpus=choice.choice((15, 15, 15, 3, 8, 12, 1)),
        kthread=kthread,
    )
    pid = scenario.task(
        choice.choice(WORDS.names),
        facts,
        maker=maker,
        thread=thread and maker != 1,
        burst=burst,
        sleep=sleep,
    )
    if number and not kthread and choice.random() < 0.2:
        scenario.work(pid, 50 * US, 0, partner=choice.choice(makers))


def _habits(choice: Choice) -> tuple[int, int]:
    if choice.random() < 0.4:
        return FOREVER, 0
    return choice.choice((20 * US, 300 * US, 3 * MS)), choice.choice((0, 100 * US, 4 * MS))


def _victim(choice: Choice, scenario: Scenario) -> int:
    """Any task except those that last from start to end."""
    tasks = [t.pid for t in scenario.alive() if t.pid > 1 and t.comm != b"bound"]
    return choice.choice(tasks) if tasks else 1


def _wake(choice: Choice, scenario: Scenario) -> None:
    pid = choice.choice(scenario.alive()).pid
    scenario.wake(pid, choice.randrange(WORDS.cpus), sync=pid % 3 == 0)


def _fork(choice: Choice, scenario: Scenario) -> None:
    makers = [task.pid for task in scenario.alive(kthreads=False)]
    burst, sleep = _habits(choice)
    scenario.fork(
        choice.choice(makers),
        thread=choice.random() < 0.4,
        sibling=choice.random() < 0.1,
        burst=burst,
        sleep=sleep,
    )


def _exit(choice: Choice, scenario: Scenario) -> None:
    pid = _victim(choice, scenario)
    threads = [t for t in scenario.alive() if t.leader == pid and t.pid != pid]
    if pid != 1 and not threads and not scenario.tasks[pid].kthread:
        scenario.exit(pid)


def _rename(choice: Choice, scenario: Scenario) -> None:
    scenario.rename(_victim(choice, scenario), choice.choice(WORDS.names))


def _cgroup(choice: Choice, scenario: Scenario) -> None:
    path = choice.choice(WORDS.paths)
    scenario.cgroup(_victim(choice, scenario), path, whole=choice.random() < 0.7)


def _affinity(choice: Choice, scenario: Scenario) -> None:
    scenario.affinity(_victim(choice, scenario), choice.randrange(1, 1 << WORDS.cpus))


def _nice(choice: Choice, scenario: Scenario) -> None:
    scenario.nice(_victim(choice, scenario), choice.choice((-10, 0, 5, 19)))


def _ids(choice: Choice, scenario: Scenario) -> None:
    scenario.ids(
        _victim(choice, scenario), choice.choice(WORDS.numbers), choice.choice(WORDS.numbers)
    )


def _forget(choice: Choice, scenario: Scenario) -> None:
    scenario.forget(_victim(choice, scenario))


def _migration(choice: Choice, scenario: Scenario) -> None:
    scenario.migration(_victim(choice, scenario), allowed=choice.random() < 0.7)


def _real_time(choice: Choice, scenario: Scenario) -> None:
    scenario.real_time(choice.randrange(WORDS.cpus), choice.choice((50 * US, MS, 5 * MS)))


def _online(choice: Choice, scenario: Scenario) -> None:
    """Takes the last CPU offline, or online again."""
    if choice.random() < 0.2:
        scenario.online(WORDS.cpus - 1, online=choice.random() < 0.5)


Event = Callable[[Choice, Scenario], None]
EVENTS: tuple[Event, ...] = (
    _wake, _wake, _wake, _wake, _fork, _exit, _rename, _rename, _cgroup, _affinity, _affinity,
    _nice, _ids, _forget, _migration, _real_time, _online,
)  # fmt: skip
