# SPDX-License-Identifier: Apache-2.0
"""Policies that model another scheduler: their picks, compared with its description.

A scenario is played on the model of the kernel (simulation.py), on one CPU. Each time when several
tasks waited, the one that was picked is compared with the one that the description picks among
them, from what it knows by then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import library
from scenario import FOREVER, MS, US, S, Scenario, choices, compiled
from simulation import Event, Machine


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


def play(
    machine: Machine,
    name: str,
    seed: int,
    burst: tuple[int, int],
    sleep: tuple[int, int],
    tasks: tuple[int, int] = (3, 4),
) -> tuple[list[Event], set[int]]:
    """Tasks that compute, and tasks that sleep now and then: what happens, and the latter."""
    choice = choices(seed)
    policy = compiled(library.POLICIES[name].read_text())
    scenario = Scenario(policy, cpus=1)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(tasks[0])]
    sleepers = [
        scenario.task(b"sleeper", burst=choice.randrange(*burst), sleep=choice.randrange(*sleep))
        for _ in range(tasks[1])
    ]
    scenario.start()
    for pid in hogs + sleepers:
        scenario.wake(pid)
    events = machine.decisions(machine.scheduler(policy), scenario.end(6 * S))
    return events, set(sleepers)


# ---- Gthulhu's kernel mode ----

D_NS, LAG_NS = 20 * MS, 40 * MS


@dataclass
class Gthulhu:
    """Its deadline, of tasks at nice 0; all times in ns."""

    now_v: int = 0
    vtime: dict[int, int] = field(default_factory=dict)
    awake_v: dict[int, int] = field(default_factory=dict)
    wake_freq: dict[int, float] = field(default_factory=dict)
    woken: dict[int, int] = field(default_factory=dict)
    began: dict[int, int] = field(default_factory=dict)
    keys: dict[int, float] = field(default_factory=dict)  # of those that wait

    def hear(self, event: Event) -> bool | None:
        """Whether Gthulhu picks this task among several; None for an event that picks no task."""
        pid, at_ns = event.pid, event.at_ns
        if event.what == "wake":
            self.awake_v[pid] = 0
            often = 100 * MS / max(at_ns - self.woken.get(pid, 0), 1)
            self.wake_freq[pid] = min(64, self.wake_freq.get(pid, 0) * 3 / 4 + often / 4)
            self.woken[pid] = at_ns
        elif event.what == "enqueue":
            self.vtime[pid] = max(self.vtime.get(pid, 0), self.now_v - self.lag_ns(pid))
            self.keys[pid] = self.vtime[pid] + min(self.awake_v.get(pid, 0), LAG_NS)
        elif event.what == "stopping":
            ran_ns = at_ns - self.began[pid]
            self.vtime[pid] = self.vtime.get(pid, 0) + ran_ns
            self.awake_v[pid] = self.awake_v.get(pid, 0) + ran_ns
        else:
            return self.picked(pid, at_ns)
        return None

    def lag_ns(self, pid: int) -> int:
        queued = len(self.keys)
        if queued * D_NS >= 500 * MS:
            return LAG_NS
        return int(LAG_NS * max(1, self.wake_freq.get(pid, 0) * 25 / (25 + queued)))

    def picked(self, pid: int, at_ns: int) -> bool | None:
        self.began[pid] = at_ns
        self.now_v = max(self.now_v, self.vtime.get(pid, 0))
        several = len(self.keys) > 1
        first = min(self.keys.values(), default=0.0)
        key = self.keys.pop(pid, None)
        return None if key is None or not several else key == first


def test_gthulhu_default_picks_as_gthulhu_does(machine: Machine) -> None:
    """The rest are rescues, and sleepers among themselves, whose credit ends at 40 ms here."""
    right = total = 0
    for seed in range(6):
        events, _ = play(machine, "gthulhu-default", seed, (MS, 30 * MS), (110 * MS, 300 * MS))
        gthulhu = Gthulhu()
        verdicts = [verdict for verdict in map(gthulhu.hear, events) if verdict is not None]
        right += sum(verdicts)
        total += len(verdicts)
    assert total > 2000
    assert right / total > 0.95


# ---- scx_bpfland, as it was described in 2024 ----

THRESHOLD_NS = 5 * MS
SWEEP_NS = 2 * MS + 100 * US
"""So much later it is found that a task has waited for too long."""


def misplaced(events: list[Event], interactive: set[int]) -> tuple[list[Event], int]:
    """Picks that the description does not make, and how many it says something about.

    A starving task is picked, and one of the priority queue goes before the next one that starves.
    One of the priority queue that has waited for the threshold itself is left out: it takes turns.
    """
    waits: dict[int, int] = {}
    wrong, total = [], 0
    rescued: bool | None = False  # the last one that was picked; None: maybe
    for event in events:
        if event.what == "enqueue":
            waits[event.pid] = event.at_ns
        if event.what != "running" or event.pid not in waits:
            continue
        waited = {pid: event.at_ns - at for pid, at in waits.items()}
        regular = {pid: time for pid, time in waited.items() if pid not in interactive}
        priority = {pid: time for pid, time in waited.items() if pid in interactive}
        longest = max(regular.values(), default=0)
        before = rescued
        if waited[event.pid] >= THRESHOLD_NS:
            rescued = True if priority and event.pid in regular else None
        else:
            rescued = False if longest > THRESHOLD_NS + SWEEP_NS else None
        del waits[event.pid]
        if not priority or not regular or max(priority.values()) >= THRESHOLD_NS:
            continue
        total += 1
        if longest < THRESHOLD_NS or before:
            wrong += [event] if event.pid in regular else []
        elif longest > THRESHOLD_NS + SWEEP_NS and before is False:
            wrong += [] if regular.get(event.pid) == longest else [event]
    return wrong, total


SHORT = ((100 * US, 700 * US), (5 * MS, 40 * MS), (3, 4))
LONG = ((6 * MS, 15 * MS), (5 * MS, 40 * MS), (1, 2))
"""An interactive task needs more than its share, and slices are shorter than the threshold."""


@pytest.mark.parametrize("lives", [SHORT, LONG], ids=["short", "long"])
def test_bpfland_2024_takes_the_priority_queue_first(
    machine: Machine, lives: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
) -> None:
    total = 0
    for seed in range(6):
        events, often = play(machine, "bpfland-2024", seed, *lives)
        # They are interactive after 0.7 s.
        wrong, picks = misplaced([event for event in events if event.at_ns > S], often)
        assert not wrong, seed
        total += picks
    assert total > 2000
