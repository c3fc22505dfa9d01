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
from gthulhu_lab.experiment import Trial, Variation
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
class Row:
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


def plan(
    subjects: Sequence[Subject], setups: Sequence[Setup], turns: int
) -> list[tuple[Setup, Subject, int]]:
    """All runs with the number of their turn, in a random order within each turn."""
    return [
        (setup, subjects[index], turn)
        for setup in setups
        for turn, index in significance.turns(turns, len(subjects))
    ]


def trial(
    subject: Subject,
    setup: Setup,
    turn: int,
    *,
    clock: Clock,
    kernel: str,
    cpus: int,
    seconds: int,
    name: str = "",
) -> Trial[WallRun]:
    """The guest of one run, and how it is read."""
    return Trial(
        text=f"{setup.text}, {subject.name}, turn {turn + 1}",
        request=request(
            subject,
            setup,
            turn,
            clock=clock,
            kernel=kernel,
            cpus=cpus,
            seconds=seconds,
            name=name,
        ),
        model=WallRun,
        read=lambda result: read(subject, setup, turn, result),
        names={"subject": subject.name},
    )


def request(
    subject: Subject,
    setup: Setup,
    turn: int,
    *,
    clock: Clock,
    kernel: str,
    cpus: int,
    seconds: int,
    name: str = "",
) -> GuestRequest:
    """The guest of one run. `name`: the name of the workload's tasks, for a rule to match."""
    wanted = [setup.workload, *(load for load, _ in setup.loads)]
    files = {**catalogue.files(wanted), **subject.files}
    files["scheduler.sh"] = GUEST_SCRIPTS / "scheduler.sh"
    files["wall.conf"] = _script(setup, cpus, seconds, name).encode()
    if subject.command:
        files["scheduler"] = subject.command.encode()
    return GuestRequest(
        script=(GUEST_SCRIPTS / "wall.sh").read_text(),
        kernel=kernel,
        files=files,
        modules=catalogue.modules(wanted),
        cpus=cpus,
        memory_mib=_MEMORY_MIB,
        clock=clock,
        seed=Variation.number(turn).seed,
        deadline_s=_deadline_s(seconds),
    )


def _deadline_s(seconds: int) -> float:
    """The deadline of a guest whose workload runs for so many seconds."""
    return _DEADLINE_S + 20 * seconds


def read(subject: Subject, setup: Setup, turn: int, result: GuestResult) -> WallRun:
    """The figures of a guest; raises GuestError if it failed or reported nothing."""
    result.check()
    values = {}
    for report in setup.workload.reports:
        try:
            values[report] = [float(line) for line in result.files[f"figures/{report}"].split()]
        except (KeyError, ValueError) as error:
            raise GuestError(f"{setup.workload.name} left no {report}: {error!r}") from error
    if not any(values.values()):
        raise GuestError(f"{setup.workload.name} did not complete a single operation in its time")
    return WallRun(
        subject=subject.name,
        setup=setup.text,
        turn=turn,
        values=values,
        environment=result.environment,
        wall_s=result.wall_s,
    )


def rows(runs: Sequence[WallRun]) -> list[Row]:
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
) -> Row:
    ours, theirs = [one for one, _ in found], [other for _, other in found]
    judgement = significance.compare(
        ours, theirs, less_is_better=report is Report.TIME, figures=figures
    )
    return Row(
        setup=setup,
        report=report,
        subject=subject,
        ours=significance.median(ours),
        theirs=significance.median(theirs),
        pairs=found,
        judgement=judgement,
    )


def _script(setup: Setup, cpus: int, seconds: int, name: str) -> str:
    lines = [f"SETTLE_S={_SETTLE_S}", "load() {", "\t:"]
    # Loads start before the measured workload, and outlast it.
    for workload, amount in setup.loads:
        words = workload.command(
            cpus=cpus,
            amount=catalogue.units(amount, cpus),
            seconds=math.ceil(_deadline_s(seconds)),
            results="/results/load",
        )
        lines.append(f"\tbeside {shlex.join(words)}")
    words = setup.workload.command(cpus=cpus, seconds=seconds, results="/results/figures")
    named = f"TASK_PROCESS={shlex.quote(name)} TASK_COMM={shlex.quote(name)} " if name else ""
    lines += ["}", "measure() {", f"\t{named}{shlex.join(words)}", "}", ""]
    return "\n".join(lines)
