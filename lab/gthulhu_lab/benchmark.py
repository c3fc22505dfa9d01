# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a benchmark: every sample of every guest, and figures derived from them."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import stats
from gthulhu_lab.experiment import FailedExperiment
from gthulhu_lab.measure import EEVDF, ScenarioRun
from gthulhu_lab.picture import Picture
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.verdict import Verification
from gthulhu_lab.wall import WallRun

DEFAULT_ONLY = "default only"
CGROUPS_OFF = "default only, cgroups off"
OURS = "gthulhuc"  # the description of subjects that gthulhuc compiled
FEW_RULES, MANY_RULES = 5, 1000
# The shipped policy that judges tasks by what they do; measured with messages only.
INTERACTIVE = "interactive"


def rules_name(count: int, *, counting: bool = False) -> str:
    """The name of the policy with `count` rules."""
    return f"{count} rules{', counting' if counting else ''}"


class Benchmark(BaseModel):
    """The whole result. It has no date: only `wall_s`, the run time, differs between runs."""

    model_config = ConfigDict(frozen=True)

    policy: str  # the policy that the bars judge
    policy_source: str
    cpus: list[int]  # latencies are measured on the first number
    seeds: list[int]
    subjects: dict[str, str]  # descriptions by name, in the order of the tables
    programs: dict[str, str]  # SHA-256 of the schedulers' objects and programs
    absent: list[str]  # peers that are not built
    runs: list[ScenarioRun]
    failures: list[FailedExperiment]
    walls: list[WallRun] = []  # workloads on wall clocks
    library: list[Verification] = []  # the shipped policies' own claims
    pictures: list[Picture] = []  # for the report, from separate guests

    def of(self, subject: str, cpus: int | None = None) -> list[ScenarioRun]:
        """A subject's runs on `cpus` CPUs; by default those with latencies."""
        wanted = self.cpus[0] if cpus is None else cpus
        return [
            run for run in self.runs if (run.subject, run.environment.cpus) == (subject, wanted)
        ]

    def spread(
        self, subject: str, figure: Callable[[ScenarioRun], float], cpus: int | None = None
    ) -> Spread | None:
        """A figure over a subject's runs."""
        return Spread.of(figure(run) for run in self.of(subject, cpus))

    def latency_us(self, subject: str, task: str, percent: float) -> Spread | None:
        """A percentile of a task's wake-up latency, of each run."""
        runs = [run for run in self.of(subject) if run.wakeup_ns[task]]
        return Spread.of(run.wakeup_us(task, percent) for run in runs)

    def pooled_us(self, subject: str, task: str) -> list[float]:
        """All samples of all runs together, for percentiles above p99."""
        return [ns / 1000 for run in self.of(subject) for ns in run.wakeup_ns[task]]

    def rare_us(self, subject: str, task: str) -> float | None:
        """The 99.9th percentile of all runs together; None if they have too few samples."""
        return stats.percentile_if_enough(self.pooled_us(subject, task), 99.9)

    def messages_ns(self, subject: str) -> Spread | None:
        """The time of a message, over the runs that sent any."""
        return Spread.of(message_ns(run) for run in self.of(subject) if run.messages_per_s)

    def hog_share(self, subject: str) -> Spread | None:
        """The instructions that the hogs got, as a multiple of EEVDF's median."""
        ours = [run.hog_rate for run in self.of(subject) if run.hog_ns]
        theirs = Spread.of(run.hog_rate for run in self.of(EEVDF.name) if run.hog_ns)
        return Spread.of(rate / theirs.median for rate in ours) if theirs else None

    def growth(self, subject: str, cpus: int) -> float | None:
        """A round trip on `cpus` CPUs as a multiple of the one on the fewest."""
        here = self.spread(subject, one_cpu_ns, cpus)
        there = self.spread(subject, one_cpu_ns)
        return here.median / there.median if here and there else None


def one_cpu_ns(run: ScenarioRun) -> float:
    """A pipe round trip, both tasks on one CPU."""
    return stats.median(run.round_trip_ns)


def two_cpus_ns(run: ScenarioRun) -> float:
    """A pipe round trip across two CPUs."""
    return stats.median(run.round_trip_two_ns)


def message_ns(run: ScenarioRun) -> float:
    """The time of a message among groups of senders and receivers, all CPUs together."""
    assert run.messages_per_s, "only of runs with messages"
    return 1e9 / run.messages_per_s


def enable_s(run: ScenarioRun) -> float:
    """Seconds from exec until the kernel enabled the scheduler."""
    assert run.enable_ns is not None, "the kernel's own is always there"
    return run.enable_ns / 1e9


def map_kb(run: ScenarioRun) -> float:
    """The memory of the scheduler's maps that the kernel charges, in KB."""
    assert run.size is not None, "as above"
    return run.size.map_bytes / 1000


def translated_bytes(run: ScenarioRun) -> float:
    """The size of the scheduler's programs after translation, before the kernel's JIT."""
    assert run.size is not None, "as above"
    return run.size.translated_bytes
