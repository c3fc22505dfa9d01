# SPDX-License-Identifier: Apache-2.0
"""What the scheduler in force has counted, as the loader tells it (`runtime/scheduler/stats.c`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, compress
from typing import Any

from gthulhu import control
from gthulhuc.cli.frame import CommandError

COUNTERS = {
    "cut_slices": "slices cut short: the run ended by others' doing before its slice had",
    "preemptions": "tasks interrupted by one of the rule",
    "preempted": "tasks of the rule interrupted by others",
    "migrations": "runs on another CPU than the run before",
    "conflicts": "affinities that have none of the rule's CPUs, and win",
    "rescues": "runs that came by max-wait",
}
"""Names of plain counters in an answer, and what they count."""

_OWNER = re.compile(r"(?:rule )?`(?P<name>.*)`(?: \((?P<file>.*):(?P<line>\d+)\))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a class is: a rule, `default`, or kernel threads that no rule takes."""

    name: str
    file: str | None
    line: int | None

    @property
    def place(self) -> str:
        """Where it is in the policy; empty where it is not."""
        return "" if self.file is None else f"{self.file}:{self.line}"


def owner(text: str) -> Owner:
    """The reverse of how the object has it for messages."""
    found = _OWNER.fullmatch(text)
    if found is None:
        return Owner(text, None, None)
    line = found["line"]
    return Owner(found["name"], found["file"], None if line is None else int(line))


@dataclass(frozen=True, slots=True)
class Histogram:
    """Times by powers of two: `counts[i]` are below `bounds_ns[i]`, the last one all the others."""

    bounds_ns: tuple[int, ...]
    counts: tuple[int, ...]
    sum_ns: int

    @property
    def count(self) -> int:
        return sum(self.counts)

    def below(self, share: float) -> float | None:
        """A bound below which that share of all times is; None: there are none."""
        if not self.count:
            return None
        reached = (seen >= share * self.count for seen in accumulate(self.counts))
        return next(compress((*self.bounds_ns, float("inf")), reached))

    def __add__(self, other: Histogram) -> Histogram:
        counts = tuple(a + b for a, b in zip(self.counts, other.counts, strict=True))
        return Histogram(self.bounds_ns, counts, self.sum_ns + other.sum_ns)

    def __sub__(self, other: Histogram) -> Histogram:
        counts = tuple(a - b for a, b in zip(self.counts, other.counts, strict=True))
        return Histogram(self.bounds_ns, counts, self.sum_ns - other.sum_ns)


@dataclass(frozen=True, slots=True)
class Class:
    """One class. Of a policy that only counts for `monitor`, there is no more than the tasks."""

    owner: Owner
    tasks: int
    entered: int
    ran_ns: int
    counts: dict[str, int]
    """By the names of COUNTERS."""
    waits: Histogram | None
    """From when a task could run until it did."""
    wakeups: Histogram | None
    """Those of them that began with a wake-up."""


@dataclass(frozen=True, slots=True)
class Stats:
    policy: str
    generation: int
    since: str
    classes: tuple[Class, ...]


def read(folder: str) -> Stats:
    """All counters, now. Raises NotRunningError, and CommandError where nothing is counted."""
    try:
        answer = control.ask(folder, "stats")
    except control.NotRunningError:
        raise control.NotRunningError(folder, " --stats") from None
    if not answer.get("ok"):
        raise CommandError(str(answer["error"]), str(answer.get("help", "")))
    return parse(answer)


def parse(answer: control.Answer) -> Stats:
    """An answer of the loader's to `stats`."""
    first = answer["first_bucket_bits"]
    return Stats(
        answer["policy"],
        answer["generation"],
        answer["since"],
        tuple(_class(each, first) for each in answer["classes"]),
    )


def _class(each: dict[str, Any], first_bits: int) -> Class:
    woken = _histogram(each, "woken", first_bits)
    put_off = _histogram(each, "put_off", first_bits)
    return Class(
        owner(each["owner"]),
        # Summed while tasks come and go, one may be seen to leave only.
        max(each["entered"] - each["left"], 0),
        each["entered"],
        each["ran_ns"],
        {name: each[name] for name in COUNTERS if name in each},
        None if woken is None or put_off is None else woken + put_off,
        woken,
    )


def _histogram(each: dict[str, Any], name: str, first_bits: int) -> Histogram | None:
    if name not in each:
        return None
    counts = tuple(each[name])
    bounds = tuple(1 << (first_bits + i) for i in range(len(counts) - 1))
    return Histogram(bounds, counts, each[f"{name}_ns"])


def show_ns(ns: float | None) -> str:
    """A time in three digits or so."""
    if ns is None:
        return "-"
    if ns == float("inf"):
        return "longer"
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:.3g}{unit}" if ns < 1000 * scale else f"{ns / scale:.0f}{unit}"
    return f"{ns:.0f}ns"
