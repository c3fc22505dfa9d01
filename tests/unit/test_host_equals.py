# SPDX-License-Identifier: Apache-2.0
"""Wake-ups of tasks that no rule favours, on the model of the kernel.

Such a task runs soon, and messages between equals cost no more switches than under a scheduler that
interrupts nobody.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable
from pathlib import Path

import pytest

from scenario import FOREVER, MS, US, Facts, S, Scenario, choices, compiled
from simulation import Event, Machine

PLAIN = "policy p {}"
WORK_NS = 20 * US


def waits_us(events: Iterable[Event], pids: list[int]) -> list[float]:
    """The waits after wake-ups, sorted."""
    woken: dict[int, int] = {}
    waits = []
    for event in events:
        if event.pid not in pids:
            continue
        if event.what == "wake":
            woken.setdefault(event.pid, event.at_ns)
        elif event.what == "running" and event.pid in woken:
            waits.append((event.at_ns - woken.pop(event.pid)) / US)
    return sorted(waits)


def longest_wait_us(machine: Machine, scheduler: Path, scenario: Scenario, pid: int) -> float:
    """A task's longest wait after a wake-up."""
    return waits_us(machine.decisions(scheduler, scenario), [pid])[-1]


@pytest.mark.parametrize("wakers", [1, 8])
@pytest.mark.parametrize("hogs", [4, 16])
def test_a_task_that_wakes_up_waits_for_no_slice(machine: Machine, hogs: int, wakers: int) -> None:
    scenario = Scenario(compiled(PLAIN), cpus=4)
    crowd = [scenario.task(b"hog", burst=FOREVER) for _ in range(hogs)]
    light = [scenario.task(b"waker", burst=200 * US, sleep=2 * MS) for _ in range(wakers)]
    scenario.start()
    for pid in (*crowd, *light):
        scenario.wake(pid)
    events = machine.decisions(machine.scheduler(compiled(PLAIN)), scenario.end(2 * S))
    waits = waits_us(events, light)
    assert len(waits) > 400
    # Those that wake up together share a CPU: each waits for the bursts of some others.
    assert statistics.median(waits) < 200
    assert waits[len(waits) * 99 // 100] < 2000


def test_a_task_that_goes_next_is_not_looked_for(machine: Machine) -> None:
    """It waits in no queue, so nothing is kicked, and its CPU is not asked for its next task."""
    policy = compiled(PLAIN)
    scenario = Scenario(policy, cpus=1)
    hog = scenario.task(b"hog", burst=FOREVER)
    waker = scenario.task(b"waker", burst=100 * US, sleep=2 * MS)
    scenario.start()
    for pid in (hog, waker):
        scenario.wake(pid)
    scenario.end(S)
    next_here = "goes_next(t, c, cpu, now_ns)) {"

    def calls(scheduler: Path) -> list[int]:
        counts = machine.calls(scheduler, scenario)
        return [counts[0, call] for call in ("wake", "kick", "dispatch")]

    wakeups, kicks, dispatches = calls(machine.scheduler(policy))
    assert wakeups > 400
    assert kicks < 0.1 * wakeups
    _, more_kicks, more_dispatches = calls(machine.mutant(policy, next_here, "false) {"))
    assert more_kicks > 0.9 * wakeups
    assert more_dispatches > 1.5 * dispatches


def test_a_task_that_wakes_up_does_not_pass_one_that_waits(machine: Machine) -> None:
    """The one that waits did not interrupt the first one, which had just woken up as well."""
    policy = compiled('policy p {} rule first { match comm == "first" priority high }')
    scenario = Scenario(policy, cpus=1)
    others = [scenario.task(b"other", burst=US) for _ in range(5)]
    first = scenario.task(b"first", burst=US)
    scenario.start()
    for pid in (first, *others):
        scenario.wake(pid)
    scenario.at(MS)
    for pid in others:
        scenario.work(pid, 20 * MS, 0)
    scenario.wake(others[0])
    scenario.at(MS + 100 * US)
    scenario.wake(first)
    for step, pid in enumerate(others[1:], 1):
        scenario.at(MS + step * 450 * US)
        scenario.wake(pid)
    scenario.end(200 * MS)

    assert longest_wait_us(machine, machine.scheduler(policy), scenario, first) < 1000
    outranked = "!is_outranked(c, key_at(c, t) - c->clock)"
    mutant = machine.mutant(policy, outranked, "true")
    assert longest_wait_us(machine, mutant, scenario, first) > 3000


def test_a_task_that_wakes_up_does_not_pass_one_that_interrupts(machine: Machine) -> None:
    """The CPU has been told to leave its task, and has not done so yet."""
    policy = compiled('policy p {} rule first { match comm == "first" priority high preempt }')
    scenario = Scenario(policy, cpus=2)
    here = Facts(cpus=1)
    hog = scenario.task(b"hog", here, burst=FOREVER)
    first, other = (scenario.task(name, here, burst=5 * MS) for name in (b"first", b"other"))
    scenario.start()
    scenario.wake(hog)
    scenario.at(20 * MS)
    for pid in (first, other):
        scenario.wake(pid)
    scenario.at(50 * MS)
    scenario.wake(first, 1)
    scenario.at(50 * MS + 100)
    scenario.wake(other)
    scenario.end(200 * MS)

    assert longest_wait_us(machine, machine.scheduler(policy), scenario, first) < 100
    pending = "!scx_bpf_dsq_nr_queued(SCX_DSQ_LOCAL) && !is"
    mutant = machine.mutant(policy, pending, "!is")
    assert longest_wait_us(machine, mutant, scenario, first) > 3000


def test_a_task_that_changes_its_affinity_gives_way_all_the_same(machine: Machine) -> None:
    """Each change stops it and lets it go on: it has not just begun."""
    scenario = Scenario(compiled(PLAIN), cpus=1)
    hog = scenario.task(b"hog", burst=FOREVER)
    waker = scenario.task(b"waker", burst=100 * US, sleep=2 * MS)
    scenario.start()
    scenario.wake(hog)
    scenario.wake(waker)
    for step in range(1, 10_000):
        scenario.at(step * 50 * US + 7)
        scenario.affinity(hog, 1 + step % 2 * 2)
    events = machine.decisions(machine.scheduler(compiled(PLAIN)), scenario.end(500 * MS))
    # Its first run is that of a new task, which waits its turn.
    first = next(e for e in events if e.what == "running" and e.pid == waker)
    waits = waits_us((e for e in events if e.at_ns > first.at_ns), [waker])
    assert len(waits) > 100
    assert waits[-1] < 150


def test_a_task_that_wants_its_whole_share_gains_nothing_by_sleeping(machine: Machine) -> None:
    scenario = Scenario(compiled(PLAIN), cpus=4)
    crowd = [scenario.task(b"hog", burst=FOREVER) for _ in range(16)]
    waker = scenario.task(b"waker", burst=1500 * US, sleep=500 * US)
    scenario.start()
    for pid in (*crowd, waker):
        scenario.wake(pid)
    scenario.at(S)
    scenario.count()
    tasks = machine.run(machine.scheduler(compiled(PLAIN)), scenario.end(4 * S)).tasks
    assert sum(tasks[waker].ran_ns) / (3 * S) <= 1.05 * 4 / 17


@pytest.mark.parametrize("slice_ms", [5, 20])
@pytest.mark.parametrize(("hogs", "part", "most_us"), [(0, 100, 350), (8, 90, 600)])
def test_a_task_does_not_wait_for_a_waker_that_computes_on(
    machine: Machine, hogs: int, part: int, most_us: int, slice_ms: int
) -> None:
    """A writer to a pipe tells the kernel that it is about to sleep, whether it does or not."""
    policy = compiled(f"policy p {{}} default {{ slice {slice_ms}ms }}")
    scenario = Scenario(policy, cpus=4)
    crowd = [scenario.task(b"hog", burst=FOREVER) for _ in range(hogs)]
    # They share a CPU at first.
    reader, writer = (scenario.task(name, Facts(cpus=1)) for name in (b"reader", b"writer"))
    scenario.script(0, "take", f"run:{200 * US}")
    scenario.script(1, "give", f"run:{30 * MS}", f"pause:{300 * US}")
    scenario.work(writer, MS, 0, reader)
    scenario.start()
    scenario.follow(reader, 0)
    scenario.follow(writer, 1)
    for pid in (*crowd, reader, writer):
        scenario.wake(pid)
    scenario.at(100 * MS)
    for pid in (reader, writer):
        scenario.affinity(pid, 15)
    events = machine.decisions(machine.scheduler(policy), scenario.end(2 * S))
    waits = waits_us((e for e in events if e.at_ns > 110 * MS), [reader])
    assert len(waits) > 10
    assert waits[(len(waits) - 1) * part // 100] < most_us


def switches_per_message(machine: Machine, scenario: Scenario, members: list[int]) -> float:
    tasks = machine.run(machine.scheduler(compiled(PLAIN)), scenario.end(S)).tasks
    messages = sum(tasks[pid].bursts for pid in members)
    assert messages > 1000
    return sum(task.waits for task in tasks.values()) / messages


@pytest.mark.parametrize("hogs", [0, 4])
def test_a_message_in_a_ring_costs_one_switch(machine: Machine, hogs: int) -> None:
    """Each member wakes the next one and sleeps; three of ten are at work at once."""
    scenario = Scenario(compiled(PLAIN), cpus=4)
    crowd = [scenario.task(b"hog", burst=FOREVER) for _ in range(hogs)]
    members: list[int] = []
    first: list[int] = []
    for _ in range(4):
        ring = [scenario.task(b"member", burst=WORK_NS) for _ in range(10)]
        for member, following in itertools.pairwise([*ring, ring[0]]):
            scenario.work(member, WORK_NS, 0, following)
        members += ring
        first += ring[::3]
    scenario.start()
    for pid in (*crowd, *first):
        scenario.wake(pid)
    assert switches_per_message(machine, scenario, members) < 1.1


def test_a_sender_of_many_messages_is_not_interrupted_by_each(machine: Machine) -> None:
    """A sender sends one every 50 us to one of eight receivers, on one CPU."""
    scenario = Scenario(compiled(PLAIN), cpus=1)
    receivers = [scenario.task(b"receiver", burst=WORK_NS) for _ in range(8)]
    sender = scenario.task(b"sender", burst=FOREVER)
    scenario.start()
    scenario.wake(sender)
    for step in range(1, 10_000):
        scenario.at(step * 50 * US)
        scenario.wake(receivers[step % 8])
    assert switches_per_message(machine, scenario, receivers) < 1.5


PREFERS = 'policy p {} rule fast { match comm == "fast" priority urgent preempt }'


def test_an_interrupting_task_tries_its_own_and_its_wakers_cpu_first(machine: Machine) -> None:
    policy = compiled(PREFERS)
    scenario = Scenario(policy, cpus=16)
    crowd = [scenario.task(b"hog", burst=FOREVER) for _ in range(32)]
    fast = scenario.task(b"fast", burst=100 * US)
    wakers = choices(1).choices(range(16), k=1000)
    scenario.start()
    for pid in crowd:
        scenario.wake(pid)
    for step, waker in enumerate(wakers, 1):
        scenario.at(step * 2 * MS)
        scenario.wake(fast, waker)
    events = machine.decisions(machine.scheduler(policy), scenario.end(2 * S + 2 * MS))
    ran_on = [event.cpu for event in events if event.what == "running" and event.pid == fast]
    assert len(ran_on) == len(wakers)
    near = [
        cpu in (before, waker)
        for before, cpu, waker in zip(ran_on[:-1], ran_on[1:], wakers[1:], strict=True)
    ]
    assert statistics.mean(near) > 0.9
