# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A policy against the kernel's own scheduler: the figures that tables and reports show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import clock, stats
from gthulhu_lab.measure import ScenarioRun


class Comparison(BaseModel):
    """The demo's result as JSON: every sample, and everything that determined them."""

    model_config = ConfigDict(frozen=True)

    policy_file: str
    policy_source: str
    object_sha256: str
    policy: ScenarioRun
    baseline: ScenarioRun


@dataclass(frozen=True, slots=True)
class DemoRow:
    """One figure under both schedulers; less is better in all of them."""

    group: str
    figure: str
    unit: str
    policy: float
    baseline: float

    @property
    def ratio(self) -> float:
        """The policy's figure as a multiple of the baseline's."""
        return self.policy / self.baseline


def rows(comparison: Comparison) -> list[DemoRow]:
    """The figures of the demo's table, in order."""

    def row(group: str, figure: str, unit: str, of: Callable[[ScenarioRun], float]) -> DemoRow:
        return DemoRow(group, figure, unit, of(comparison.policy), of(comparison.baseline))

    table = []
    for task, group in (
        ("ping", "wake-up of ping (the policy's task)"),
        ("other", "wake-up of another task"),
    ):
        for name, percent in (("p50", 50.0), ("p99", 99.0), ("max", 100.0)):
            wakeup_us = partial(ScenarioRun.wakeup_us, task=task, percent=percent)
            table.append(row(group, name, "µs", wakeup_us))
    table.append(
        row(
            "pipe round trip, one CPU",
            "two switches",
            "ns",
            lambda run: stats.median(run.round_trip_ns),
        )
    )
    return table


def describe_ratio(ratio: float) -> str:
    """A ratio in words: "9.0 times less", "20 % more", "the same"."""
    if ratio <= 0.5:
        return f"{1 / ratio:.1f} times less"
    if ratio >= 2:
        return f"{ratio:.1f} times as much"
    percent = round((ratio - 1) * 100)
    if percent == 0:
        return "the same"
    return f"{abs(percent)} % {'more' if percent > 0 else 'less'}"


def conditions(comparison: Comparison) -> list[tuple[str, str]]:
    """The conditions of the measurement."""
    run = comparison.policy
    where = run.environment
    seeds = sorted({run.environment.seed, comparison.baseline.environment.seed})
    return [
        ("clock", clock.describe(where.clock, where.instruction_ns)),
        ("kernel", where.kernel),
        ("CPUs", f"{where.cpus} virtual, {run.scenario.hogs} busy loops on them"),
        ("wake-ups", f"{run.scenario.samples} of each task, every {run.scenario.period_us} µs"),
        ("guest", f"{where.backend}, QEMU {where.qemu}, a fresh one for each scheduler"),
        ("seed", ", ".join(str(seed) for seed in seeds)),
    ]
