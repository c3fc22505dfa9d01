# SPDX-License-Identifier: Apache-2.0
"""The order of tasks that wake up close together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine

ISOLATED = """
policy isolated {}
rule pollers { match comm == "poller" cpus 2-3 exclusive }
"""

INTERRUPTS = """
policy interrupts {}
rule urgent { match comm == "urgent" priority urgent preempt }
"""

LAZY = """
policy lazy {}
default { migrate lazy }
"""


def test_a_task_that_interrupts_does_not_go_ahead_of_the_cpus_own_kernel_thread(
    tmp_path: Path,
) -> None:
    policy = compiled(INTERRUPTS)
    scenario = Scenario(policy, cpus=1)
    hog = scenario.task(b"hog", burst=1 * S)
    thread = scenario.task(b"kworker/0:1", Facts(kthread=True, cpus=1), burst=1 * US, sleep=1 * S)
    urgent = scenario.task(b"urgent", burst=20 * MS, sleep=10 * S)
    scenario.start()
    scenario.wake(hog)
    scenario.at(10 * MS)
    scenario.wake(thread)
    scenario.wake(urgent)
    machine = Machine(tmp_path)
    outcome = machine.run(machine.scheduler(policy), scenario.end(1 * S))
    assert outcome.violation is None
    assert outcome.tasks[urgent].bursts == 1


def test_a_task_that_interrupts_goes_first_after_a_higher_class(machine: Machine) -> None:
    """A real-time task takes the CPU just when the one that it runs was told to leave."""
    policy = compiled(INTERRUPTS)
    scenario = Scenario(policy, cpus=1)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(4)]
    urgent = scenario.task(b"urgent", burst=90 * US)
    scenario.start()
    for pid in hogs:
        scenario.wake(pid)
    for step in range(1, 200):
        # Anywhere in the hogs' slices.
        scenario.at(step * 5 * MS + step * 37 * US)
        scenario.wake(urgent)
        scenario.real_time(0, 100 * US)
    outcome = machine.run(machine.scheduler(policy), scenario.end(1100 * MS))
    assert outcome.violation is None
    assert outcome.tasks[urgent].bursts == 199
    assert outcome.tasks[urgent].max_wait_ns < 200 * US


def test_a_kernel_thread_keeps_its_cpu_when_another_task_is_told_to_leave_it(
    machine: Machine,
) -> None:
    """The kick for the task that ran before may reach its CPU when the thread runs already."""
    policy = compiled("policy p {}")
    scenario = Scenario(policy, cpus=4)
    others = [scenario.task(b"hog", burst=FOREVER) for _ in range(10)]
    others += [scenario.task(b"waker", burst=200 * US, sleep=1 * MS) for _ in range(6)]
    threads = [
        scenario.task(b"kworker", Facts(kthread=True, cpus=1 << cpu), burst=20 * US, sleep=130 * US)
        for cpu in range(4)
    ]
    scenario.start()
    for pid in (*others, *threads):
        scenario.wake(pid)
    tasks = machine.run(machine.scheduler(policy), scenario.end(1 * S)).tasks
    assert max(tasks[pid].max_wait_ns for pid in threads) < 10 * US


def test_a_task_that_has_just_interrupted_another_is_left_alone(machine: Machine) -> None:
    """Even if it has had more than its share. Else it would wait long for what takes a moment."""
    policy = compiled(INTERRUPTS.replace("preempt", "preempt weight 1"))
    scenario = Scenario(policy, cpus=4)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(16)]
    urgent = scenario.task(b"urgent", burst=90 * US, sleep=2 * MS)
    scenario.start()
    for pid in (*hogs, urgent):
        scenario.wake(pid)
    events = machine.decisions(machine.scheduler(policy), scenario.end(10 * S))
    times = Counter(event.what for event in events if event.pid == urgent)
    assert times["wake"] > 4000
    # Now and then a slice ends just as the task comes, and its CPU has been told to stop.
    assert times["running"] < 1.005 * times["wake"]


def test_a_task_that_wakes_where_another_had_a_cpu_alone_waits_no_longer(
    machine: Machine,
) -> None:
    """A task that has a CPU for itself takes the clock of that CPU far ahead."""
    policy = compiled("policy p {}")
    scenario = Scenario(policy, cpus=4)
    alone = scenario.task(b"alone", burst=FOREVER)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(16)]
    wakers = [scenario.task(b"waker", burst=200 * US, sleep=3 * MS) for _ in range(4)]
    scenario.start()
    scenario.wake(alone)
    scenario.at(300 * MS)
    scenario.exit(alone)
    for pid in hogs:
        scenario.wake(pid)
    scenario.at(350 * MS)
    for cpu, pid in enumerate(wakers):
        scenario.wake(pid, cpu)
    tasks = machine.run(machine.scheduler(policy), scenario.end(1 * S)).tasks
    assert max(tasks[pid].max_wait_ns for pid in wakers) < 5 * MS


def test_a_cpus_own_kernel_thread_does_not_move_its_clock(machine: Machine) -> None:
    """Its virtual time is an old one: tasks that begin later would go before all others."""
    policy = compiled("policy p {}")
    scenario = Scenario(policy, cpus=1)
    earlier = [scenario.task(b"hog", burst=FOREVER) for _ in range(2)]
    waker = scenario.task(b"waker", burst=200 * US, sleep=20 * MS)
    softirq = scenario.task(b"ksoftirqd/0", Facts(kthread=True), burst=50 * US, sleep=FOREVER)
    scenario.start()
    for pid in (*earlier, waker):
        scenario.wake(pid)
    scenario.at(600 * MS)
    for pid in earlier:
        scenario.exit(pid)
    scenario.at(630 * MS)
    scenario.wake(softirq)
    scenario.at(631 * MS)
    for _ in range(2):
        scenario.fork(1, burst=FOREVER)
    scenario.count()
    tasks = machine.run(machine.scheduler(policy), scenario.end(1 * S)).tasks
    assert tasks[waker].max_wait_ns < 20 * MS


def test_a_kernel_thread_that_gets_more_cpus_is_as_entitled_as_others(machine: Machine) -> None:
    """Time that it had before, ahead of all others, is no debt."""
    policy = compiled("policy p {} default { slice 2ms }")
    scenario = Scenario(policy, cpus=2)
    kthread = scenario.task(b"kworker", Facts(kthread=True, cpus=0b01), burst=3 * MS, sleep=3 * MS)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(8)]
    scenario.start()
    for pid in (kthread, *hogs):
        scenario.wake(pid)
    scenario.at(2 * S)
    scenario.work(kthread, FOREVER, 0)
    scenario.at(2 * S + 21 * MS)
    scenario.affinity(kthread, 0b11)
    scenario.count()
    tasks = machine.run(machine.scheduler(policy), scenario.end(4 * S)).tasks
    ran, *others = (sum(tasks[pid].ran_ns) for pid in (kthread, *hogs))
    assert ran == pytest.approx(sum(others) / len(others), rel=0.1)


def test_pairs_do_not_keep_their_cpu_from_those_that_wait(tmp_path: Path) -> None:
    policy = compiled(ISOLATED)
    scenario = Scenario(policy, kernel="7.2")
    for _ in range(4):
        one, other = (scenario.task(b"pipe") for _ in range(2))
        scenario.work(one, 10 * US, 0, partner=other)
        scenario.work(other, 10 * US, 0, partner=one)
    worker = scenario.task(b"kworker/u8:1", Facts(kthread=True), burst=30 * US, sleep=20 * MS)
    scenario.start()
    for task in scenario.alive():
        scenario.wake(task.pid, task.pid % 2)
    machine = Machine(tmp_path)
    outcome = machine.run(machine.scheduler(policy), scenario.end(1 * S))
    assert outcome.violation is None
    assert outcome.tasks[worker].bursts >= 40


def test_lazy_task_leaves_a_cpu_held_by_a_real_time_task(tmp_path: Path) -> None:
    policy = compiled(LAZY)
    scenario = Scenario(policy, cpus=2)
    daemon, other = (scenario.task(name, burst=20 * S) for name in (b"daemon", b"other"))
    scenario.start()
    scenario.wake(daemon)
    scenario.wake(other, 1)
    scenario.at(10 * MS)
    scenario.real_time(0, 5 * S)
    machine = Machine(tmp_path)
    outcome = machine.run(machine.scheduler(policy), scenario.end(1 * S))
    assert outcome.violation is None
    # It is overdue after 100 ms, and then when the other's slice ends.
    assert max(outcome.tasks[task].max_wait_ns for task in (daemon, other)) < 110 * MS
    assert min(sum(outcome.tasks[task].ran_ns) for task in (daemon, other)) > 100 * MS


def test_tasks_have_equal_shares_where_a_cpus_own_tasks_have_competed(machine: Machine) -> None:
    """They take the clock of their CPU far ahead; nobody competed for the others."""
    policy = compiled("policy p {}")
    scenario = Scenario(policy, cpus=4)
    pinned = [scenario.task(b"pinned", Facts(cpus=0b10), burst=FOREVER) for _ in range(2)]
    alone, *hogs = (scenario.task(b"hog", burst=FOREVER) for _ in range(8))
    scenario.start()
    for pid in (alone, *pinned):
        scenario.wake(pid)
    scenario.at(2 * S)
    for pid in pinned:
        scenario.exit(pid)
    scenario.at(2_010 * MS)
    for pid in hogs:
        scenario.wake(pid, 1)
    scenario.at(2_400 * MS)
    scenario.count()
    tasks = machine.run(machine.scheduler(policy), scenario.end(3_400 * MS)).tasks
    shares = [sum(tasks[pid].ran_ns) for pid in (alone, *hogs)]
    assert max(shares) < 1.02 * min(shares)
