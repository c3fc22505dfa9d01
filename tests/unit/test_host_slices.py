# SPDX-License-Identifier: Apache-2.0
"""Other tasks do not shorten a slice and cause no switches, on the model of the kernel."""

from __future__ import annotations

import itertools
import statistics
from pathlib import Path

import pytest

from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine

SLICES = 'policy p {} rule fast { match comm == "fast" priority urgent preempt } '
SLICES += "default { slice 8ms }"
PULSE_EVERY_NS, PULSE_NS = 500 * US, 20 * US


def start(scenario: Scenario, pids: list[int]) -> None:
    scenario.start()
    for pid in pids:
        scenario.wake(pid)


def switches(machine: Machine, scenario: Scenario, pids: list[int]) -> int:
    """How often another one of these tasks gets the CPU, of which there is one."""
    events = machine.decisions(machine.scheduler(compiled(SLICES)), scenario)
    runs = [event.pid for event in events if event.what == "running" and event.pid in pids]
    return sum(before != after for before, after in itertools.pairwise(runs))


# ---- Interrupted tasks keep the rest of their slices ----


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.0", "7.2"])
def test_pulses_of_a_real_time_task_do_not_shorten_slices(machine: Machine, kernel: str) -> None:
    def beside(*, pulses: bool) -> int:
        scenario = Scenario(compiled(SLICES), cpus=1, kernel=kernel)
        hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(3)]
        start(scenario, hogs)
        for time in range(PULSE_EVERY_NS, S, PULSE_EVERY_NS) if pulses else ():
            scenario.at(time)
            scenario.real_time(0, PULSE_NS)
        return switches(machine, scenario.end(S), hogs)

    assert beside(pulses=True) <= 1.1 * beside(pulses=False)


def test_preemptions_do_not_shorten_slices(machine: Machine) -> None:
    def beside(sleep: int) -> int:
        scenario = Scenario(compiled(SLICES), cpus=1)
        hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(3)]
        start(scenario, [*hogs, scenario.task(b"fast", burst=PULSE_NS, sleep=sleep)])
        return switches(machine, scenario.end(S), hogs)

    assert beside(PULSE_EVERY_NS) <= 1.1 * beside(10 * S)


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.0", "7.2"])
def test_a_task_that_is_interrupted_for_long_moves_on(machine: Machine, kernel: str) -> None:
    scenario = Scenario(compiled(SLICES), cpus=2, kernel=kernel)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(2)]
    start(scenario, hogs)
    for step in range(1, 20):
        scenario.at(step * 50 * MS)
        scenario.real_time(step % 2, 40 * MS)
    outcome = machine.run(machine.scheduler(compiled(SLICES)), scenario.end(S))
    # They share the other CPU, in turns of 8 ms, of which one may be owed two.
    assert max(outcome.tasks[pid].max_wait_ns for pid in hogs) < 500 * US + 2 * 8 * MS + MS
    assert sum(outcome.tasks[hogs[0]].ran_ns) == pytest.approx(
        sum(outcome.tasks[hogs[1]].ran_ns), rel=0.05
    )


# ---- A range counts with the CPUs that its tasks may use ----

RANGE = 'policy p {} rule own { match comm == "own" cpus 2-3 exclusive slice 1ms..20ms }'


def test_a_range_of_slices_is_the_same_on_a_larger_machine(machine: Machine) -> None:
    policy = compiled(RANGE)
    lengths = []
    for cpus in (4, 16, 32):
        scenario = Scenario(policy, cpus=cpus)
        own = [scenario.task(b"own", burst=FOREVER) for _ in range(10)]
        start(scenario, own)
        scenario.at(S // 2)
        scenario.count()
        tasks = machine.run(machine.scheduler(policy), scenario.end(3 * S)).tasks
        lengths.append(
            sum(sum(tasks[pid].ran_ns) for pid in own) / sum(tasks[pid].waits for pid in own)
        )
    assert lengths == pytest.approx([lengths[0]] * 3, rel=0.05)


# ---- A task that may not run here does not wait here ----


def test_a_crowd_that_may_not_run_here_causes_no_work_here(machine: Machine) -> None:
    """CPUs 2 and 3 have a task each; the crowd is on the other two."""
    policy = compiled("policy p {} default {}")

    def work(crowd: int) -> list[int]:
        scenario = Scenario(policy, cpus=4)
        pids = [scenario.task(b"one", Facts(cpus=0b1100), burst=FOREVER) for _ in range(2)]
        pids += [scenario.task(b"hog", Facts(cpus=0b0011), burst=FOREVER) for _ in range(crowd)]
        start(scenario, pids)
        calls = machine.calls(machine.scheduler(policy), scenario.end(S))
        return [sum(calls[cpu, what] for cpu in (2, 3)) for what in ("dispatch", "kick")]

    (alone, kicks_alone), (beside, kicks_beside) = work(0), work(8)
    assert beside <= 1.1 * alone + 10
    assert kicks_beside <= 1.1 * kicks_alone + 10


def test_no_timer_fires_on_an_exclusive_cpu_whose_task_is_alone(machine: Machine) -> None:
    """It wakes tasks that have to wait on other CPUs."""
    policy = compiled('policy p {} rule own { match comm == "own" cpus 3 exclusive }')
    scenario = Scenario(policy, cpus=4)
    own = scenario.task(b"own", burst=MS)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(8)]
    served = scenario.task(b"served", burst=2 * MS)
    scenario.work(own, MS, MS, served)
    start(scenario, [own, *hogs])
    calls = machine.calls(machine.scheduler(policy), scenario.end(2 * S))
    assert sum(calls[cpu, "timer"] for cpu in range(3)) > 100
    # A slice on another CPU may have to end because of a task that is woken here.
    assert calls[3, "timer"] <= 2


# ---- A task that is alone on an exclusive CPU has a slice without an end ----

OWN = 'policy p {} rule own { match comm == "own" cpus 2-3 exclusive }'


def third_of_three(machine: Machine, scheduler: Path) -> float:
    """How many CPUs a third task has in 2 s, beside two that had two CPUs alone before."""
    scenario = Scenario(compiled(OWN), cpus=4)
    pids = [scenario.task(b"own", burst=FOREVER) for _ in range(3)]
    start(scenario, pids[:2])
    scenario.at(1500 * MS)
    scenario.wake(pids[2])
    return sum(machine.run(scheduler, scenario.end(3500 * MS)).tasks[pids[2]].ran_ns) / (2 * S)


def test_lone_task_is_asked_once_a_second(machine: Machine) -> None:
    policy = compiled(OWN)
    scenario = Scenario(policy, cpus=4)
    start(scenario, [scenario.task(b"own", burst=FOREVER) for _ in range(2)])
    calls = machine.calls(machine.scheduler(policy), scenario.end(5 * S))
    assert [calls[cpu, "dispatch"] for cpu in (2, 3)] == pytest.approx([5, 5], abs=2)


def test_third_task_ends_both_endless_slices(machine: Machine) -> None:
    policy = compiled(OWN)
    assert third_of_three(machine, machine.scheduler(policy)) == pytest.approx(2 / 3, rel=0.1)
    # The CPU that it is not placed at goes on with its own task.
    mutant = machine.mutant(policy, "end_endless(params->domain);", ";")
    assert third_of_three(machine, mutant) < 0.55


def visits(machine: Machine, scheduler: Path) -> tuple[int, int]:
    """How often the second of two exclusive CPUs picks a task, and how often their tasks move.

    A kernel thread visits the first one ten times a second, for 5 s.
    """
    scenario = Scenario(compiled(OWN), cpus=4)
    own = [scenario.task(b"own", burst=FOREVER) for _ in range(2)]
    thread = scenario.task(
        b"kworker/2:1", Facts(kthread=True, cpus=0b0100), burst=50 * US, sleep=100 * MS
    )
    start(scenario, [*own, thread])
    scenario.end(5 * S)
    runs = [
        (event.pid, event.cpu)
        for event in machine.decisions(scheduler, scenario)
        if event.what == "running" and event.pid in own
    ]
    cpus = [[cpu for pid, cpu in runs if pid == task] for task in own]
    moves = sum(before != after for each in cpus for before, after in itertools.pairwise(each))
    return machine.calls(scheduler, scenario)[3, "dispatch"], moves


def test_kernel_thread_ends_no_slice_of_another_cpu(machine: Machine) -> None:
    policy = compiled(OWN)
    picks, moves = visits(machine, machine.scheduler(policy))
    assert picks <= 8
    assert moves <= 1
    # Queued for both CPUs, the interrupted task ends the other's slice.
    mutant = machine.mutant(policy, "if (__sync_lock_test_and_set(&c->endless, 0))", "if (false)")
    assert visits(machine, mutant)[0] > 30


def test_task_that_becomes_the_only_one_ends_no_other_slice(machine: Machine) -> None:
    def left_alone(scheduler: Path) -> list[tuple[int, str]]:
        """The events of two tasks after a third one has left their CPUs."""
        scenario = Scenario(compiled(OWN), cpus=4)
        own = [scenario.task(b"own", burst=FOREVER) for _ in range(2)]
        third = scenario.task(b"own", burst=100 * MS, sleep=FOREVER)
        start(scenario, [*own, third])
        events = machine.decisions(scheduler, scenario.end(S))
        last = max(index for index, event in enumerate(events) if event.pid == third)
        return [(event.pid, event.what) for event in events[last + 1 :]]

    policy = compiled(OWN)
    (first, began), *events = left_alone(machine.scheduler(policy))
    other = events[0][0]
    assert began == "running"
    assert events == [(other, what) for what in ("stopping", "enqueue", "running")]
    assert other != first
    # The other one's slice ends, too.
    mutant = machine.mutant(policy, "stays_alone(t, c, cpu)", "false")
    assert (first, "enqueue") in left_alone(mutant)
    # A task in the local queue of an idle CPU waits for ever.
    kick = machine.mutant(policy, "scx_bpf_kick_cpu(cpu, 0);\n\t\treturn true;", "return true;")
    assert left_alone(kick)[-1] == (other, "enqueue")


# ---- Rescues ----

RESCUES = """
policy p { watchdog 30s }
rule late  { match comm == "late" cpus 2-3 priority idle max-wait 200ms slice 2ms }
rule early { match comm == "early" cpus 2-3 priority urgent max-wait 10s slice 2ms }
default    { max-wait 20ms slice 2ms }
"""


def test_overdue_tasks_of_other_cpus_hold_up_no_rescue(machine: Machine) -> None:
    policy = compiled(RESCUES)
    scenario = Scenario(policy, cpus=4)
    late = scenario.task(b"late", burst=FOREVER)
    early = [scenario.task(b"early", burst=FOREVER) for _ in range(4)]
    others = [scenario.task(b"other", Facts(cpus=0b0011), burst=FOREVER) for _ in range(40)]
    start(scenario, [late, *early, *others])
    tasks = machine.run(machine.scheduler(policy), scenario.end(4 * S)).tasks
    # Overdue, found by a sweep, and then the next but one.
    assert tasks[late].max_wait_ns < 200 * MS + 2 * MS + 2 * 2 * MS + MS


# ---- Crowds that cannot get their share, newcomers, and tasks that sleep half of the time ----


@pytest.mark.parametrize("freed", [False, True], ids=["newcomers", "freed tasks"])
def test_an_old_debt_starves_nobody(machine: Machine, *, freed: bool) -> None:
    """Eight have waited for CPU 0 alone for 5 s. Then four come, or four of them are freed."""
    policy = compiled("policy p { watchdog 30s } default { max-wait 10s }")
    scenario = Scenario(policy, cpus=4)
    crowd = [scenario.task(b"crowd", Facts(cpus=1), burst=FOREVER) for _ in range(8)]
    free = [scenario.task(b"free", burst=FOREVER) for _ in range(4)]
    new = [scenario.task(b"new", burst=FOREVER) for _ in range(4)]
    start(scenario, [*crowd, *free])
    scenario.at(5 * S)
    if freed:
        new, crowd = crowd[:4], crowd[4:]
        for pid in new:
            scenario.affinity(pid, 0b1111)
    else:
        for pid in new:
            scenario.wake(pid)
    scenario.at(5 * S + 500 * MS)
    scenario.count()
    tasks = machine.run(machine.scheduler(policy), scenario.end(7 * S + 500 * MS)).tasks
    # CPU 0 is the crowd's, whether eight or four share it.
    fair = 3 / 8
    had = [sum(tasks[pid].ran_ns) / (2 * S) for pid in (*free, *new)]
    assert had == pytest.approx([fair] * 8, rel=0.05)
    had = [sum(tasks[pid].ran_ns) / (2 * S) for pid in crowd]
    assert had == pytest.approx([(4 - 8 * fair) / len(crowd)] * len(crowd), rel=0.05)


def test_tasks_that_sleep_half_of_the_time_have_equal_shares(machine: Machine) -> None:
    policy = compiled("policy p { watchdog 30s } default { max-wait 10s }")
    scenario = Scenario(policy, cpus=4)
    pids = [scenario.task(b"half", burst=6 * MS, sleep=6 * MS) for _ in range(13)]
    start(scenario, pids)
    scenario.at(2 * S)
    scenario.count()
    tasks = machine.run(machine.scheduler(policy), scenario.end(6 * S)).tasks
    had = [sum(tasks[pid].ran_ns) / (4 * S) for pid in pids]
    assert had == pytest.approx([statistics.mean(had)] * 13, rel=0.05)
