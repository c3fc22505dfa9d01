# SPDX-License-Identifier: Apache-2.0
"""How often a task sleeps: the scheduler's integers, a copy of them in Python, and what they mean.

The copy has to agree to the bit; the meaning is that of the language: more than 10 times a second,
on a mean that decays over a second, and no longer when under 5.
"""

from __future__ import annotations

import itertools
import random
import struct
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECOND = 1_000_000_000
ONE = 1 << 16
LEFT = [round((15 / 16) ** (1 << bit) * ONE) for bit in range(8)]

LOOK, SLEEP, START = range(3)
Step = tuple[int, int]
"""When, and what: somebody looks, it goes to sleep, or starts a thread that is followed then."""


def model(steps: Iterable[Step]) -> Iterator[tuple[int, bool]]:
    """The mean, times ONE, and whether the task is interactive, after each step."""
    mean = last = 0
    often = False
    for now_ns, what in steps:
        period = (now_ns >> 20) * 17592 >> 20
        elapsed = max(period - last, 0)
        last = max(period, last)
        for bit in range(8):
            if elapsed >> bit & 1:
                mean = mean * LEFT[bit] >> 16
        if elapsed >= 256:
            mean = 0
        mean += ONE * (what == SLEEP)
        if what == START:
            mean = min(mean, 10 * ONE)
        often = mean > 10 * ONE or (often and mean >= 5 * ONE)
        yield mean, often


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sleeps") / "sleeps"
    includes = [f"-I{ROOT / 'tests/host'}", f"-I{ROOT / 'templates/lib'}"]
    flags = ["-Wall", "-Werror", "-Wno-unused-function", "-fsanitize=address,undefined"]
    source = ROOT / "tests/host/sleeps.c"
    command: list[str | Path] = ["gcc", "-std=gnu11", *flags, *includes, "-o", path, source]
    subprocess.run(command, check=True)
    return path


def run(program: Path, steps: list[Step]) -> list[tuple[int, bool]]:
    data = b"".join(struct.pack("<QQ", now_ns, what) for now_ns, what in steps)
    output = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True).stdout
    return [(mean, often) for mean, _, often in struct.iter_unpack("<QQ?7x", output)]


def test_the_scheduler_counts_as_the_model_does(program: Path) -> None:
    choice = random.Random(1)
    steps = []
    now_ns = 0
    for _ in range(50_000):
        # From microseconds to a minute, and now and then the clock of another CPU.
        now_ns = max(0, now_ns + int(10 ** choice.uniform(3, 10.8)) // choice.choice([1, 100]))
        late = choice.random() < 0.05
        what = choice.choices([LOOK, SLEEP, START], [10, 88, 2])[0]
        steps.append((max(0, now_ns - late * choice.randrange(SECOND)), what))
    found = run(program, steps)
    assert found == list(model(steps))
    assert {often for _, often in found} == {True, False}


def sleeps(per_second: float, seconds: float, start_ns: int = 10 * SECOND) -> list[Step]:
    number = int(seconds * per_second)
    return [(start_ns + int(i * SECOND / per_second), SLEEP) for i in range(number)]


@pytest.mark.parametrize("rate", [1, 3, 7, 20, 100, 5_000])
def test_the_mean_is_the_rate(program: Path, rate: int) -> None:
    means = [mean / ONE for mean, _ in run(program, sleeps(rate, 12))][rate * 10 :]
    average = sum(means) / len(means)
    # Just after each sleep, and between two steps of the decay.
    assert rate * 0.95 <= average <= rate * 1.02 + 1


@pytest.mark.parametrize(("rate", "often"), [(9, False), (11.5, True), (20, True)])
def test_more_than_ten_a_second_are_often(program: Path, rate: float, often: bool) -> None:
    assert any(found for _, found in run(program, sleeps(rate, 20))) is often


def test_twenty_a_second_are_often_within_a_second(program: Path) -> None:
    steps = sleeps(20, 2)
    first = next(
        at for (at, _), (_, often) in zip(steps, run(program, steps), strict=True) if often
    )
    assert 0.5 < (first - steps[0][0]) / SECOND < 1


@pytest.mark.parametrize(("rate", "stays"), [(6, True), (4, False)])
def test_between_five_and_ten_it_stays_what_it_was(program: Path, rate: float, stays: bool) -> None:
    before = sleeps(20, 3)
    after = sleeps(rate, 10, before[-1][0] + SECOND // 20)
    found = run(program, before + after)
    assert found[len(before) - 1][1]
    assert found[-1][1] is stays


def until_it_ceases(program: Path, before: list[Step]) -> float:
    """How many seconds a task that has done `before` stays interactive when it only computes."""
    start_ns = before[-1][0]
    ticks = [(start_ns + tick * SECOND // 250, LOOK) for tick in range(1, 1000)]
    found = run(program, before + ticks)[len(before) :]
    last = max(itertools.takewhile(lambda i: found[i][1], itertools.count()))
    return (ticks[last][0] - start_ns) / SECOND


def test_computing_task_stops_being_interactive(program: Path) -> None:
    before = sleeps(20, 10)
    # From 20 to 5: two half-lives, which are 0.69 s each.
    assert 1.2 < until_it_ceases(program, before) < 1.6


@pytest.mark.parametrize("rate", [20, 5_000])
def test_a_new_thread_that_computes_ceases_to_be_interactive_soon(program: Path, rate: int) -> None:
    before = sleeps(rate, 5)
    # From 10 to 5, however often the one that started it went to sleep.
    assert 0.6 < until_it_ceases(program, [*before, (before[-1][0], START)]) < 0.9
