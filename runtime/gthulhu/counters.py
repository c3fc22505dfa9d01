# SPDX-License-Identifier: Apache-2.0
"""The counters of the scheduler in force, from the loader's response to `stats`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, compress
from typing import Any

from gthulhu import control
from gthulhuc.cli.frame import CommandError

COUNTERS = {
    "cut_slices": "runs that other tasks ended before the slice was used up",
    "preemptions": "tasks that a task of the rule interrupted",
    "preempted": "tasks of the rule that other tasks interrupted",
    "migrations": "runs on another CPU than the run before",
    "conflicts": "tasks whose affinity excludes all CPUs of the rule, and wins",
    "rescues": "runs that max-wait brought about",
}
"""The plain counters of a response: name and meaning."""

LIMIT_COUNTERS = {
    "periods": "periods in which tasks of the cgroup ran, or waited for quota",
    "throttled_periods": "periods at whose end tasks of the cgroup waited for quota",
    "bursts": "periods in which the cgroup used more than its quota",
}
"""The plain counters of a cgroup with a limit: name and meaning."""

_OWNER = re.compile(r"(?:rule )?`(?P<name>.*)`(?: \((?P<file>.*):(?P<line>\d+)\))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a class: a rule, `default`, or kernel threads that no rule takes."""

    name: str
    file: str | None
    line: int | None

    @property
    def place(self) -> str:
        """FILE:LINE in the policy, or empty if the owner is not in the policy."""
        return "" if self.file is None else f"{self.file}:{self.line}"


def owner(text: str) -> Owner:
    """Parses an owner as the object writes it for messages."""
    found = _OWNER.fullmatch(text)
    if found is None:
        return Owner(text, None, None)
    line = found["line"]
    return Owner(found["name"], found["file"], None if line is None else int(line))


@dataclass(frozen=True, slots=True)
class Histogram:
    """Times in buckets: `counts[i]` times are below `bounds_ns[i]`; the last count has the rest.

    The bounds are powers of two.
    """

    bounds_ns: tuple[int, ...]
    counts: tuple[int, ...]
    sum_ns: int

    @property
    def count(self) -> int:
        return sum(self.counts)

    def below(self, share: float) -> float | None:
        """The lowest bound in ns with this share of all times below it; None: no times."""
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
    """The counters of one class. A policy without `--stats` counts tasks and run time only."""

    owner: Owner
    tasks: int
    entered: int
    ran_ns: int
    counts: dict[str, int]
    """By the names of COUNTERS."""
    waits: Histogram | None
    """Times from runnable to running."""
    wakeups: Histogram | None
    """The waits that began with a wake-up."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A cgroup with a limit, and what the policy has counted for it."""

    cgroup: str
    quota_ns: int
    period_ns: int
    counts: dict[str, int]
    """By the names of LIMIT_COUNTERS."""
    throttled_ns: int
    """For how long at least one of its tasks waited for quota."""
    burst_ns: int
    """Run time above its quota, in all bursts."""


@dataclass(frozen=True, slots=True)
class Stats:
    policy: str
    generation: int
    since: str
    classes: tuple[Class, ...]
    """Empty without `--stats`, unless rules have `monitor`."""
    limits: tuple[Limit, ...] | None
    """By path; None: the policy keeps no limits of cgroups."""
    limits_left_out: int
    """Cgroups with a limit that are not in `limits`, because they are too many."""


def read(folder: str) -> Stats:
    """Reads all counters. Raises NotRunningError, and CommandError if the policy does not count."""
    try:
        answer = control.ask(folder, "stats")
    except control.NotRunningError:
        raise control.NotRunningError(folder, " --stats") from None
    if not answer.get("ok"):
        raise CommandError(str(answer["error"]), str(answer.get("help", "")))
    return parse(answer)


def parse(answer: control.Answer) -> Stats:
    """Parses the loader's response to `stats`."""
    classes = [each for each in answer.get("classes", ()) if each.get("counted", True)]
    limits = None
    if "limits" in answer:
        limits = tuple(sorted(map(_limit, answer["limits"]), key=lambda each: each.cgroup))
    return Stats(
        answer["policy"],
        answer["generation"],
        answer["since"],
        tuple(_class(each, answer["first_bucket_bits"]) for each in classes),
        limits,
        answer.get("limits_left_out", 0),
    )


def _limit(each: dict[str, Any]) -> Limit:
    return Limit(
        each["cgroup"],
        each["quota_ns"],
        each["period_ns"],
        {name: each[name] for name in LIMIT_COUNTERS},
        each["throttled_ns"],
        each["burst_ns"],
    )


def _class(each: dict[str, Any], first_bits: int) -> Class:
    woken = _histogram(each, "woken", first_bits)
    put_off = _histogram(each, "put_off", first_bits)
    return Class(
        owner(each["owner"]),
        # The sums are read while tasks come and go, so a task may be seen only as it leaves.
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
    """A time with its unit, in about three digits."""
    if ns is None:
        return "-"
    if ns == float("inf"):
        return "longer"
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:.3g}{unit}" if ns < 1000 * scale else f"{ns / scale:.0f}{unit}"
    return f"{ns:.0f}ns"
