# SPDX-License-Identifier: Apache-2.0
"""Replayed tasks under EEVDF: a CPU notices late that another task goes first, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from gthulhu_lab.simulation import play
from scenario import MS, US

S = 1_000 * MS


@pytest.fixture(scope="module")
def player() -> play.Player:
    return play.Player(costed=False)


@pytest.fixture(scope="module")
def eevdf(player: play.Player) -> Path:
    return player.control("eevdf")


@dataclass(frozen=True)
class Course:
    """A task that repeats actions from one on; `cpus`: a mask of those that it may use."""

    actions: str
    cpus: int = 3
    again: int | None = 0
    enters_ns: int = 0


@dataclass(frozen=True)
class Switch:
    """As the model prints it: a CPU goes from one task to another; 0: none."""

    at_ns: int
    cpu: int
    prev: int
    is_runnable: bool
    task: int


def replay(
    player: play.Player, scheduler: Path, *courses: Course, cpus: int = 2
) -> tuple[Sequence[Switch], dict[int, list[int]]]:
    """Returns the switches of a second, and the waits of each task from its wake-up on.

    Tasks are numbered from 2 on.
    """
    lines = [
        f"0 machine {cpus} {0x702} 1 50000 25000 {1 << 62}",
        f"0 record {S}",
        f"0 task 1 0 0 .init ./ 0 0 0 {(1 << cpus) - 1:#x} 0",
    ]
    for number, course in enumerate(courses, 2):
        lines.append(f"0 task {number} 1 0 .t{number} ./ 0 0 0 {course.cpus:#x} 0")
        lines.append(f"0 actions {number} {course.actions}")
        if course.again is not None:
            lines.append(f"0 again {number} {course.again}")
        if course.enters_ns:
            lines.append(f"0 enters {number} {course.enters_ns}")
    lines += ["0 start", f"0 show {1_000_000}"]
    lines += [f"0 follow {number} {number}" for number, _ in enumerate(courses, 2)]
    for number, course in enumerate(courses, 2):
        if course.actions[0] not in "tz":
            lines.append(f"{number} wake {number} {(course.cpus & -course.cpus) // 2} 0")
    lines.append(f"{S} figures")
    switches: list[Switch] = []
    woken: dict[int, int] = {}
    waits: dict[int, list[int]] = {number: [] for number, _ in enumerate(courses, 2)}
    for line in player.output(scheduler, "\n".join([*lines, ""])).splitlines():
        match line.split():
            case ["waking", at_ns, _, _, task, _]:
                woken[int(task)] = int(at_ns)
            case ["switch", at_ns, cpu, prev, is_runnable, task, _]:
                switch = Switch(int(at_ns), int(cpu), int(prev), is_runnable == "1", int(task))
                switches.append(switch)
                if switch.task in woken:
                    waits[switch.task].append(switch.at_ns - woken.pop(switch.task))
    return switches, waits


def hog(cpus: int, enters_ns: int = 0) -> Course:
    return Course(f"c:{MS}", cpus, enters_ns=enters_ns)


WAKER = Course(f"z:{3 * MS} c:{10 * US} w:3", cpus=1)
SLEEPER = Course(f"t c:{20 * US}", cpus=2)


def test_a_task_that_enters_the_kernel_makes_way_when_it_comes_back(
    player: play.Player, eevdf: Path
) -> None:
    _, seldom = replay(player, eevdf, WAKER, SLEEPER, hog(2), hog(2))
    _, often = replay(player, eevdf, WAKER, SLEEPER, *(hog(2, 100 * US) for _ in range(2)))
    assert len(often[3]) > 200
    # Until the end of a slice, or the next tick.
    assert median(seldom[3]) > 200 * US
    late = sum(wait > 110 * US for wait in often[3])
    assert late < 0.1 * len(often[3])


def test_an_exiting_task_goes_on_until_a_timer_ends_its_slice(
    player: play.Player, eevdf: Path
) -> None:
    """It wakes its parent, which goes first, but it does not come back from the kernel."""

    def waits(*, exits: bool, rest_us: int) -> int:
        parent = Course(f"t c:{100 * US}", cpus=1)
        begins, ends = ("e", "q") if exits else ("", "t")
        actions = f"c:{3 * MS} {begins} c:{100 * US} s:2 c:{rest_us * US} {ends}"
        child = Course(actions, cpus=1, again=None)
        (wait,) = replay(player, eevdf, parent, child, cpus=1)[1][2]
        return wait

    assert waits(exits=False, rest_us=8) < 2 * US
    assert 8 * US <= waits(exits=True, rest_us=8) < 10 * US
    # Its slice is over.
    assert 10 * US <= waits(exits=True, rest_us=500) < 12 * US


def test_an_entry_that_was_awaited_does_not_end_an_exit(player: play.Player, eevdf: Path) -> None:
    # At the second wake-up the child is ahead, and makes way when it enters the kernel.
    waker = Course(f"c:{450 * US} w:3 c:{30 * US} w:4 t", cpus=1, again=None)

    def wait(exits_after_us: int) -> int:
        rest_us = 1_300 - exits_after_us
        actions = f"c:{exits_after_us * US} e c:{rest_us * US} q"
        child = Course(actions, cpus=2, again=None, enters_ns=600 * US)
        return replay(player, eevdf, waker, SLEEPER, SLEEPER, child)[1][3][0]

    assert 150 * US <= wait(exits_after_us=700) < 160 * US
    assert wait(exits_after_us=500) > 400 * US


@pytest.mark.parametrize(("wakes", "cpus"), [("s", {0}), ("w", {1})])
def test_a_task_moves_to_its_waker_if_that_is_about_to_sleep(
    player: play.Player, eevdf: Path, wakes: str, cpus: set[int]
) -> None:
    waker = Course(f"z:{3 * MS} c:{10 * US} {wakes}:3", cpus=1)
    woken = Course(f"t c:{20 * US}", cpus=3)
    switches, _ = replay(player, eevdf, waker, woken, hog(1), hog(2), hog(2))
    late = [each.cpu for each in switches if each.task == 3 and each.at_ns > 1.1 * S]
    assert len(late) > 100
    assert sum(cpu in cpus for cpu in late) > 0.8 * len(late)
