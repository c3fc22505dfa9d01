# SPDX-License-Identifier: Apache-2.0
"""Scenes of cgroups with limits on the model of the kernel; each asserts what must hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import group_trial
from group_trial import ran_ns
from gthulhuc import checked
from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine

MOST_ABOVE, LEAST_USED = 1.02, 0.95
KERNELS = ("6.16", "7.2")
POLICY = compiled(
    """
    policy p { watchdog 5s cgroups limit }
    rule urgent { match comm == "urgent" priority urgent preempt }
    default { slice 2ms }
    """
)


class Trial(group_trial.Trial[bytes]):
    """Hogs in cgroups with limits.

    `groups`: the quota of each cgroup, its period, and its number of hogs.
    """

    def __init__(
        self,
        groups: Mapping[bytes, tuple[int | None, int, int]],
        *,
        policy: checked.Policy = POLICY,
        cpus: int = 4,
        kernel: str = "7.2",
        others: int = 0,
    ) -> None:
        super().__init__(Scenario(policy, cpus=cpus, kernel=kernel))
        for path, (quota_ns, period_ns, hogs) in groups.items():
            self.scenario.quota(path, quota_ns, period_ns)
            self.tasks[path] = [self.task(path) for _ in range(hogs)]
        self.tasks[b"/"] = [self.task(b"/") for _ in range(others)]

    def task(
        self, path: bytes, comm: bytes = b"hog", *, burst: int = FOREVER, sleep: int = 0
    ) -> int:
        return self.scenario.task(comm, Facts(cgroup=path), burst=burst, sleep=sleep)


def nearly(share: float) -> object:
    return pytest.approx(share, rel=0.02)


def tight(machine: Machine, scheduler: Path) -> None:
    """A tight quota is divided among many threads: each has its turn."""
    trial = Trial({b"/a": (20 * MS, 100 * MS, 64)}, others=2)
    trial.start()
    trial.at(2 * S)
    outcome = trial.run(machine, scheduler, 10 * S)
    ran = [ran_ns(outcome.tasks[pid]) for pid in trial.tasks[b"/a"]]
    assert sum(ran) / 10 / S == nearly(0.2)
    assert max(ran) <= 2 * min(ran)
    turn_ns = 64 * 2 * MS * 5
    assert max(outcome.tasks[pid].max_wait_ns for pid in trial.tasks[b"/a"]) <= 2 * turn_ns


def turns(machine: Machine, scheduler: Path) -> None:
    """Threads of a group have as much as each other, also beside others that wait for no quota."""
    for quota_ns, hogs, others, for_ns, most in (
        (10 * MS, 4, 2, 5 * S, 1.1),
        (20 * MS, 64, 8, 10 * S, 1.2),  # each has some 15 turns
    ):
        trial = Trial({b"/a": (quota_ns, 100 * MS, hogs)}, others=others)
        trial.start()
        trial.at(2 * S)
        outcome = trial.run(machine, scheduler, for_ns)
        ran = [ran_ns(outcome.tasks[pid]) for pid in trial.tasks[b"/a"]]
        assert max(ran) <= most * min(ran)


def tiny(machine: Machine, scheduler: Path) -> None:
    """1 ms per second, and 64 threads: no task is taken for a stall, and all of them run."""
    trial = Trial({b"/a": (MS, S, 64)}, others=2)
    trial.start()
    trial.at(2 * S)
    outcome = trial.run(machine, scheduler, 10 * S)
    tallies = [outcome.tasks[pid] for pid in trial.tasks[b"/a"]]
    assert min(ran_ns(tally) for tally in tallies) > 0
    assert max(tally.max_wait_ns for tally in tallies) < 2 * S
    # The turns for the watchdog: 50 us for each thread, in a third of its 5 s.
    assert sum(map(ran_ns, tallies)) <= 64 * 60 * US * 6


def burst(machine: Machine, scheduler: Path) -> None:
    """The rest of a quota is used later, up to the burst."""
    trial = Trial({b"/a": (10 * MS, 100 * MS, 0)})
    trial.scenario.quota(b"/a", 10 * MS, 100 * MS, 50 * MS)
    trial.tasks[b"/a"] = [trial.task(b"/a", burst=200 * MS)]
    trial.scenario.start()
    trial.at(1 * S + MS)
    trial.scenario.wake(trial.tasks[b"/a"][0])
    outcome = trial.run(machine, scheduler, 99 * MS)
    assert ran_ns(outcome.tasks[trial.tasks[b"/a"][0]]) == nearly(60 * MS)


def without_burst(machine: Machine, scheduler: Path) -> None:
    """Without it, what was left of a period is lost."""
    trial = Trial({b"/a": (10 * MS, 100 * MS, 0)})
    trial.tasks[b"/a"] = [trial.task(b"/a", burst=200 * MS)]
    trial.scenario.start()
    trial.at(1 * S + MS)
    trial.scenario.wake(trial.tasks[b"/a"][0])
    outcome = trial.run(machine, scheduler, 99 * MS)
    assert ran_ns(outcome.tasks[trial.tasks[b"/a"][0]]) == nearly(10 * MS)


def nested(machine: Machine, scheduler: Path) -> None:
    """All limits on the way to the root hold."""
    trial = Trial(
        {
            b"/p": (100 * MS, 100 * MS, 0), b"/p/a": (20 * MS, 50 * MS, 3),
            b"/p/b": (None, 100 * MS, 3), b"/p/b/c": (500 * MS, 250 * MS, 3),
        },
        others=1,
    )  # fmt: skip
    trial.start()
    trial.at(2 * S)
    uses = trial.uses(machine, scheduler, 5 * S)
    assert sum(uses.values()) - uses[b"/"] == nearly(1)
    assert uses[b"/p/a"] <= 0.4 * MOST_ABOVE


def sleepers(machine: Machine, scheduler: Path) -> None:
    """Tasks that wake up often use no more than the quota, either."""
    for kernel in KERNELS:
        trial = Trial({b"/a": (20 * MS, 100 * MS, 0)}, others=2, kernel=kernel)
        trial.tasks[b"/a"] = [trial.task(b"/a", burst=200 * US, sleep=2 * MS) for _ in range(40)]
        trial.start()
        trial.at(2 * S)
        used = trial.uses(machine, scheduler, 10 * S)[b"/a"]
        assert 0.2 * LEAST_USED <= used <= 0.2 * MOST_ABOVE


def raised(machine: Machine, scheduler: Path) -> None:
    """A new limit counts at once for those that are set aside."""
    trial = Trial({b"/a": (MS, S, 4)})
    trial.start()
    trial.at(2 * S + 300 * MS)
    trial.scenario.quota(b"/a", 200 * MS, 100 * MS)
    trial.at(trial.now_ns + 2 * MS)
    assert trial.uses(machine, scheduler, 500 * MS)[b"/a"] == pytest.approx(2, rel=0.1)


def removed(machine: Machine, scheduler: Path) -> None:
    """A limit that goes counts at once, too."""
    trial = Trial({b"/a": (MS, S, 4)})
    trial.start()
    trial.at(2 * S + 350 * MS)
    trial.scenario.quota(b"/a", None)
    trial.at(trial.now_ns + 2 * MS)
    assert trial.uses(machine, scheduler, 500 * MS)[b"/a"] == nearly(4)


def lowered(machine: Machine, scheduler: Path) -> None:
    trial = Trial({b"/p": (None, S, 0), b"/p/a": (None, S, 4)})
    trial.start()
    trial.at(2 * S)
    trial.scenario.quota(b"/p", 50 * MS, 100 * MS)
    trial.at(2 * S + 100 * MS)
    assert trial.uses(machine, scheduler)[b"/p/a"] == nearly(0.5)


def old_kernel(machine: Machine, scheduler: Path) -> None:
    """Where the kernel does not tell of limits they are read."""
    trial = Trial({b"/p": (None, S, 0), b"/p/a": (30 * MS, 100 * MS, 4)}, kernel="6.16")
    trial.start()
    trial.at(S)
    trial.scenario.quota(b"/p/a", 50 * MS, 100 * MS)
    trial.at(S + 200 * MS)
    assert trial.uses(machine, scheduler)[b"/p/a"] == nearly(0.5)


def moved(machine: Machine, scheduler: Path) -> None:
    """A task that is set aside and moves has what its new cgroup allows, at once."""
    trial = Trial({b"/a": (MS, S, 4), b"/b": (50 * MS, 100 * MS, 0)})
    trial.start()
    trial.at(2 * S + 300 * MS)
    free, half, *_ = trial.tasks[b"/a"]
    trial.scenario.cgroup(free, b"/")
    trial.scenario.cgroup(half, b"/b")
    trial.tasks = {b"/": [free], b"/b": [half]}
    trial.at(trial.now_ns + MS)
    uses = trial.uses(machine, scheduler, 500 * MS)
    assert uses[b"/"] == nearly(1)
    assert uses[b"/b"] == pytest.approx(0.5, rel=0.1)


def killed(machine: Machine, scheduler: Path) -> None:
    """A task that is set aside and killed ends soon, and its cgroup can go."""
    trial = Trial({b"/a": (MS, S, 8)})
    trial.start()
    trial.at(2 * S + 300 * MS)
    for pid in trial.tasks[b"/a"]:
        trial.scenario.exit(pid)
    trial.scenario.count()
    trial.at(trial.now_ns + 150 * MS)
    trial.scenario.rmdir(b"/a")
    trial.tasks = {}
    outcome = trial.run(machine, scheduler, S)
    assert not any(ran_ns(tally) for tally in outcome.tasks.values())


def affinity(machine: Machine, scheduler: Path) -> None:
    """Changes of a task that is set aside neither free nor lose it."""
    trial = Trial({b"/a": (40 * MS, 100 * MS, 4)}, others=2)
    trial.start()
    for number in range(400):
        trial.at(S + number * 5 * MS)
        trial.scenario.affinity(trial.tasks[b"/a"][number % 4], 1 + number % 15)
        trial.scenario.nice(trial.tasks[b"/a"][number % 3], number % 5)
    for pid in trial.tasks[b"/a"]:
        trial.scenario.affinity(pid, 0xF)
    trial.at(3 * S + 500 * MS)
    outcome = trial.run(machine, scheduler, 5 * S)
    ran = [ran_ns(outcome.tasks[pid]) for pid in trial.tasks[b"/a"]]
    assert sum(ran) / 5 / S == nearly(0.4)
    assert min(ran) > max(ran) / 4


def inside_the_kernel(machine: Machine, scheduler: Path) -> None:
    """A task in the middle of a system call goes on; its group pays for that later."""

    def ran_until(end_ns: int) -> list[int]:
        trial = Trial({b"/a": (20 * MS, 100 * MS, 2)}, others=2)
        inside, outside = trial.tasks[b"/a"]
        trial.start()
        trial.at(2 * S)
        trial.scenario.in_kernel(inside, inside=True)
        trial.at(2 * S + 100 * MS)
        trial.scenario.count()
        trial.at(2 * S + 300 * MS)
        trial.scenario.in_kernel(inside, inside=False)
        outcome = machine.run(scheduler, trial.scenario.end(end_ns))
        return [ran_ns(outcome.tasks[pid]) for pid in (inside, outside)]

    assert ran_until(2 * S + 300 * MS)[0] >= 150 * MS
    assert sum(ran_until(6 * S)) <= 20 * MS * 40 * MOST_ABOVE


def calls_in_a_row(machine: Machine, scheduler: Path) -> None:
    """A task that makes one system call after the other goes on to the end of one of them."""
    trial = Trial({b"/a": (20 * MS, 100 * MS, 1)}, cpus=2)
    (caller,) = trial.tasks[b"/a"]
    trial.start()
    for number in range(1_990):
        trial.at(S + number * 1_003 * US)
        trial.scenario.in_kernel(caller, inside=False)
        trial.at(S + number * 1_003 * US + US)
        trial.scenario.in_kernel(caller, inside=True)
    outcome = machine.run(scheduler, trial.scenario.end(3 * S))
    assert ran_ns(outcome.tasks[caller]) == nearly(0.2 * 3 * S)


def kernel_threads(machine: Machine, scheduler: Path) -> None:
    """They are charged, and never set aside."""
    trial = Trial({b"/a": (10 * MS, 100 * MS, 0)}, cpus=2)
    facts = Facts(cgroup=b"/a", kthread=True)
    trial.tasks = {
        b"/a": [trial.scenario.task(b"vhost", facts, burst=5 * MS, sleep=5 * MS)],
        b"/": [],
    }
    trial.start()
    trial.at(S)
    outcome = trial.run(machine, scheduler, 2 * S)
    assert outcome.tasks[trial.tasks[b"/a"][0]].max_wait_ns <= MS


def idle_rest(machine: Machine, scheduler: Path) -> None:
    """Others of the group get the rest of a CPU's lease in the same period."""
    trial = Trial({b"/a": (40 * MS, 100 * MS, 1)})
    trial.tasks[b"/a"] += [trial.task(b"/a", burst=100 * US, sleep=99 * MS) for _ in range(3)]
    trial.start()
    trial.at(2 * S)
    assert trial.uses(machine, scheduler, 5 * S)[b"/a"] >= 0.4 * LEAST_USED


def beside_urgent(machine: Machine, scheduler: Path) -> None:
    """An urgent class of a group that has quota waits no longer beside one that has none."""
    trial = Trial({b"/a": (50 * MS, 100 * MS, 16), b"/b": (200 * MS, 100 * MS, 0)}, others=4)
    urgent = trial.task(b"/b", b"urgent", burst=100 * US, sleep=5 * MS)
    trial.tasks[b"/b"] = [urgent]
    trial.start()
    trial.at(2 * S)
    outcome = trial.run(machine, scheduler, 5 * S)
    assert outcome.tasks[urgent].max_wait_ns <= 500 * US


def pinned(machine: Machine, scheduler: Path) -> None:
    """Tasks of one group in queues of their own: all have their turns."""
    trial = Trial({b"/a": (30 * MS, 100 * MS, 0)}, others=4)
    trial.tasks[b"/a"] = [
        trial.scenario.task(b"hog", Facts(cgroup=b"/a", cpus=cpus), burst=FOREVER)
        for cpus in (1, 2, 3, 6, 8, 15)
    ]
    trial.start()
    trial.at(2 * S)
    outcome = trial.run(machine, scheduler, 10 * S)
    ran = [ran_ns(outcome.tasks[pid]) for pid in trial.tasks[b"/a"]]
    assert sum(ran) / 10 / S == nearly(0.3)
    assert min(ran) > 0.03 * sum(ran)


def real_time(machine: Machine, scheduler: Path) -> None:
    """CPUs that real-time tasks take keep no quota of others."""
    trial = Trial({b"/a": (100 * MS, 100 * MS, 6)})
    trial.start()
    for number in range(200):
        trial.at(S + number * 10 * MS)
        trial.scenario.real_time(number % 3, 4 * MS)
    trial.at(3 * S)
    assert trial.uses(machine, scheduler)[b"/a"] == nearly(1)


def storm(machine: Machine, scheduler: Path) -> None:
    """Cgroups with limits come and go, with tasks that end in them."""
    trial = Trial({b"/a": (50 * MS, 100 * MS, 6)}, others=2)
    trial.start()
    for number in range(200):
        trial.at(S + number * 10 * MS)
        path = f"/s{number}".encode()
        trial.scenario.quota(path, MS, 10 * MS)
        pid = trial.scenario.fork(1, burst=FOREVER)
        trial.scenario.cgroup(pid, path)
        trial.at(trial.now_ns + 5 * MS)
        trial.scenario.exit(pid)
        if number >= 20:
            trial.scenario.rmdir(f"/s{number - 20}".encode())
    trial.at(4 * S)
    assert trial.uses(machine, scheduler, 3 * S)[b"/a"] == nearly(0.5)


TRIALS: Mapping[str, Callable[[Machine, Path], None]] = {
    trial.__name__: trial
    for trial in (
        tight, turns, tiny, burst, without_burst, nested, sleepers, raised, removed, lowered,
        old_kernel, moved, killed, affinity, inside_the_kernel, calls_in_a_row, kernel_threads,
        idle_rest, beside_urgent, pinned, real_time, storm,
    )
}  # fmt: skip
