# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Workloads on wall clocks: schedulers in turns, each in a fresh guest, compared with EEVDF."""

from __future__ import annotations

import math
import re
import shlex
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import catalogue, kvm, significance
from gthulhu_lab.catalogue import Report, Workload
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.experiment import Experiment, Variation
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Clock, GuestEnvironment, GuestRequest, GuestResult
from gthulhu_lab.significance import Interval, Judgement

_SETTLE_S = 3
_DEADLINE_S = 600.0
_MEMORY_MIB = 2048  # for eight User-Mode Linux guests at a time, in half of the memory
_TEXT = re.compile(r"(?P<name>[\w-]+)(?: +under +(?P<loads>.+))?")
_LOAD = re.compile(r"(?P<name>[\w-]+) +(?P<amount>\d+(?:\.\d{1,3})?)x")
_MOST_THOUSANDTHS = 1000 * 1000  # as in `expect`
_UNITS = {Report.RATE: "/s", Report.TIME: "ms"}


def usual_clock() -> Clock:
    """The machine's own CPUs where KVM works, else emulated ones."""
    return Clock.KVM if kvm.works() else Clock.TCG


@dataclass(frozen=True, slots=True)
class Setup:
    """A workload and its loads, written as in `expect`: `rpc under hogs 2x`."""

    text: str
    workload: Workload
    loads: tuple[tuple[Workload, int], ...]  # with how many times the CPUs, in thousandths

    @classmethod
    def parse(cls, text: str, known: Mapping[str, Workload] | None = None) -> Setup:
        """Parse a setup. Raises LabError for an invalid one."""
        match = _TEXT.fullmatch(text.strip())
        loads = [
            _LOAD.fullmatch(load.strip())
            for load in (match["loads"].split(",") if match and match["loads"] else [])
        ]
        if match is None or None in loads:
            raise LabError(
                f"invalid workload {text!r}", "Write it as in `expect`: NAME [under LOAD Nx, ..]."
            )
        workload = catalogue.find(match["name"], known)
        if not workload.reports:
            raise LabError(
                f"{workload.name} does not report a figure",
                "Its latencies come from the kernel's trace: `gthulhu verify` judges them.",
            )
        found = [
            (catalogue.find(load["name"], known), round(float(load["amount"]) * 1000))
            for load in loads
            if load
        ]
        if not all(1 <= thousandths <= _MOST_THOUSANDTHS for _, thousandths in found):
            raise LabError(
                f"a load of {text!r} is out of range", "Write an amount from 0.001x to 1000x."
            )
        return cls(" ".join(text.split()), workload, tuple(found))


class WallRun(BaseModel):
    """The reports of a workload in one guest."""

    model_config = ConfigDict(frozen=True)

    subject: str
    setup: str
    turn: int  # runs of one turn are neighbours in time
    values: dict[Report, list[float]]  # rate: per second; time: ns, of each operation
    environment: GuestEnvironment
    wall_s: float

    def figure(self, report: Report) -> float | None:
        """Operations per second, or the median time of one in ms; None if it did none."""
        values = self.values.get(report)
        if not values:
            return None
        middle = statistics.median(values)
        return middle / 1e6 if report is Report.TIME else middle


@dataclass(frozen=True, slots=True)
class WallRow:
    """A subject beside EEVDF, in one figure of one workload."""

    setup: str
    report: Report
    subject: str
    ours: Interval
    theirs: Interval
    pairs: list[tuple[float, float]]
    judgement: Judgement

    @property
    def unit(self) -> str:
        return _UNITS[self.report]


@dataclass(frozen=True, slots=True)
class WorkloadOptions:
    """Settings of wall-clock runs. `name`: the name of the workloads' tasks, for a rule."""

    setups: Sequence[Setup]
    clock: Clock
    cpus: int
    kernel: str = DEFAULT_KERNEL
    turns: int = significance.USUAL_TURNS
    seconds: int = 10
    name: str = ""

    @property
    def deadline_s(self) -> float:
        """The deadline of a guest."""
        return _DEADLINE_S + 20 * self.seconds


@dataclass(frozen=True, slots=True)
class WallExperiment(Experiment[WallRun]):
    """One subject with one workload, once."""

    model = WallRun

    subject: Subject
    setup: Setup
    turn: int
    options: WorkloadOptions

    def __str__(self) -> str:
        return f"{self.setup.text}, {self.subject.name}, turn {self.turn + 1}"

    @property
    def names(self) -> dict[str, str]:
        return {"subject": self.subject.name}

    def request(self) -> GuestRequest:
        """The guest of the run."""
        options = self.options
        wanted = [self.setup.workload, *(load for load, _ in self.setup.loads)]
        return GuestRequest(
            script=(GUEST_SCRIPTS / "wall.sh").read_text(),
            kernel=options.kernel,
            files={
                **catalogue.files(wanted),
                **self.subject.guest_files(),
                "wall.conf": self._script().encode(),
            },
            modules=catalogue.modules(wanted),
            cpus=options.cpus,
            memory_mib=_MEMORY_MIB,
            clock=options.clock,
            seed=Variation.number(self.turn).seed,
            deadline_s=options.deadline_s,
        )

    def _script(self) -> str:
        cpus, name = self.options.cpus, shlex.quote(self.options.name)
        lines = [f"SETTLE_S={_SETTLE_S}", "load() {", "\t:"]
        # Loads start before the measured workload, and outlast it.
        for workload, amount in self.setup.loads:
            words = workload.command(
                cpus=cpus,
                amount=catalogue.units(amount, cpus),
                seconds=math.ceil(self.options.deadline_s),
                results="/results/load",
            )
            lines.append(f"\tbeside {shlex.join(words)}")
        words = self.setup.workload.command(
            cpus=cpus, seconds=self.options.seconds, results="/results/figures"
        )
        named = f"TASK_PROCESS={name} TASK_COMM={name} " if self.options.name else ""
        return "\n".join([*lines, "}", "measure() {", f"\t{named}{shlex.join(words)}", "}", ""])

    def read(self, result: GuestResult) -> WallRun:
        """The figures of the guest. Raises GuestError if it reported nothing."""
        workload = self.setup.workload
        values = {report: result.numbers(f"figures/{report}", float) for report in workload.reports}
        if not any(values.values()):
            raise GuestError(f"{workload.name} did not complete a single operation in its time")
        return WallRun(
            subject=self.subject.name,
            setup=self.setup.text,
            turn=self.turn,
            values=values,
            environment=result.environment,
            wall_s=result.wall_s,
        )


def list_experiments(subjects: Sequence[Subject], options: WorkloadOptions) -> list[WallExperiment]:
    """All experiments, in a random order within each turn."""
    return [
        WallExperiment(subjects[index], setup, turn, options)
        for setup in options.setups
        for turn, index in significance.turns(options.turns, len(subjects))
    ]


def rows(runs: Sequence[WallRun]) -> list[WallRow]:
    """Every subject beside EEVDF, judged as one table."""
    keys = dict.fromkeys(
        (run.setup, report, run.subject)
        for run in runs
        if run.subject != EEVDF.name
        for report in run.values
    )
    found = {key: some for key in keys if (some := pairs(runs, *key))}
    return [_row(*key, some, figures=len(found)) for key, some in found.items()]


def pairs(
    runs: Sequence[WallRun], setup: str, report: Report, subject: str
) -> list[tuple[float, float]]:
    """A subject's figure and EEVDF's, of each turn that has both."""
    found: dict[str, dict[int, float]] = {subject: {}, EEVDF.name: {}}
    for run in runs:
        figure = run.figure(report)
        if run.setup == setup and run.subject in found and figure:
            found[run.subject][run.turn] = figure
    ours, theirs = found[subject], found[EEVDF.name]
    return [(ours[turn], theirs[turn]) for turn in sorted(ours.keys() & theirs.keys())]


def _row(
    setup: str, report: Report, subject: str, found: list[tuple[float, float]], *, figures: int
) -> WallRow:
    ours, theirs = [one for one, _ in found], [other for _, other in found]
    judgement = significance.compare(
        ours, theirs, less_is_better=report is Report.TIME, figures=figures
    )
    return WallRow(
        setup=setup,
        report=report,
        subject=subject,
        ours=significance.median(ours),
        theirs=significance.median(theirs),
        pairs=found,
        judgement=judgement,
    )
