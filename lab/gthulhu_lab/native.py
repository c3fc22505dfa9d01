# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu bench --on-this-machine`: the simulator's loads on the kernel that runs.

EEVDF and policies run in turns, each load once in a turn, and are compared as on any wall clock.
Beside each ratio stands the one that the simulator gives for this machine.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu.loader import in_memory
from gthulhu_lab import own_kernel, significance, subjects, tables, workloads
from gthulhu_lab.bench_table import VERDICT_HEAD, verdict_cells
from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.progress import Progress
from gthulhu_lab.significance import Judgement
from gthulhu_lab.simulation import load, machine, play, report, scale
from gthulhu_lab.simulation.load import STANDARD
from gthulhu_lab.tables import NONE, Table
from gthulhuc import checked
from gthulhuc.cli import files, new, shared

SCHEMA = 1
_STATE = Path("/sys/kernel/sched_ext/state")
_START_S, _STOP_S, _CHECK_S = 120.0, 30.0, 1.0
_WIDTH = 120
_SIMULATED_SEED = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a load: its name in the program's output, and whether less of it is better."""

    name: str
    text: str
    is_time: bool = True

    def shown(self, value: float) -> str:
        """The figure as a cell: times are in ns."""
        return f"{value / 1000:,.0f} µs" if self.is_time else f"{value:,.0f}/s"


FIGURES: Mapping[str, Sequence[Figure]] = {
    "pairs": (Figure("rate", "messages", is_time=False),),
    "wakers": (Figure("p50", "wake-up p50"), Figure("p99", "wake-up p99")),
    "hogs": (Figure("p99", "wake-up p99"), Figure("rate", "work of the hogs", is_time=False)),
}


Simulated = dict[str, dict[str, dict[str, float]]]


class NativeRun(BaseModel):
    """A load under one scheduler, once: rates per second, and times in ns."""

    model_config = ConfigDict(frozen=True)

    subject: str
    load: str
    turn: int
    figures: dict[str, float]


class Native(BaseModel):
    """All runs, and what they depend on. `simulated`: figures by load, subject and name."""

    model_config = ConfigDict(frozen=True)

    schema_version: int = SCHEMA
    kernel: str
    machine: str
    cpus: int
    groups: dict[str, list[list[int]]]  # of CPUs: cores, LLCs, nodes, sockets
    digest: str  # of the machine's profile
    seconds: int  # that each load was measured
    runs: list[NativeRun]
    simulated: Simulated


@dataclass(frozen=True, slots=True)
class Row:
    """A policy beside EEVDF in one figure. `simulated`: the ratio, or None without a simulation."""

    load: str
    figure: Figure
    subject: str
    ours: float
    theirs: float
    judgement: Judgement
    simulated: float | None


def run(options: argparse.Namespace) -> int:
    """Measure, simulate, and show the table; the exit status. Raises LabError, CommandError."""
    files.check_outputs((options.json,))
    _check_machine()
    place = _profile(options.machine)
    policies = {
        Path(file).stem: file
        for file in subjects.policy_files(options.policies or [new.shipped()["gthulhu-default"]])
    }
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        measured = [EEVDF, *(subjects.compiled(name, Path(f)) for name, f in policies.items())]
        program = workloads.program("scale")
        seconds = options.seconds or 5
        runs = list(_measure(program, measured, options.turns or 12, seconds, progress))
        progress.step("simulating the same")
        simulated, missing = _simulate(
            {name: subjects.read_policy(str(file))[0] for name, file in policies.items()}, place
        )
    found = Native(
        kernel=platform.release(),
        machine=place.summary,
        cpus=place.cpus,
        groups={
            kind: [sorted(group) for group in getattr(place, kind)]
            for kind in ("cores", "llcs", "nodes", "sockets")
        },
        digest=place.digest,
        seconds=seconds,
        runs=runs,
        simulated=simulated,
    )
    console = tables.console_of_width(_WIDTH, stderr=options.json == files.STDIO)
    tables.show(_table(rows(found)), console)
    console.print()
    tables.show_conditions(_conditions(found, missing), console, width=10)
    if options.json is not None:
        files.write_file(options.json, found.model_dump_json(indent=1).encode() + b"\n")
    return shared.OK


# ---- The machine ----


def _state() -> str:
    return _STATE.read_text().strip()


def _check_machine() -> None:
    """Raises LabError unless a scheduler can be loaded here."""
    own_kernel.check_sched_ext(
        "Boot one that has it (6.16 or later with CONFIG_SCHED_CLASS_EXT), or measure in guests: "
        "`gthulhu bench`."
    )
    if os.geteuid() != 0:
        raise LabError(
            "only root can load a scheduler",
            "Use sudo, or measure in guests: `gthulhu bench --policies FILE`.",
        )
    if _state() != "disabled":
        raise LabError(
            "a sched_ext scheduler is in force: the runs would end it",
            "Stop it first (`gthulhu stop` for a policy).",
        )


def _profile(name: str | None) -> machine.Machine:
    """The profile of this machine, from sysfs or a file. Raises LabError for another machine's."""
    here = machine.this()
    if name is None:
        return here
    found = machine.read(name)
    if (found.cpus, found.offline) != (here.cpus, here.offline):
        raise LabError(
            f"{name} describes {found.summary}; this machine has {here.summary}",
            "Measure it: `gthulhu simulate --calibrate FILE`.",
        )
    return found


# ---- Runs ----


def _measure(
    program: Path, measured: Sequence[Subject], turns: int, seconds: int, progress: Progress
) -> Iterator[NativeRun]:
    cpus = len(os.sched_getaffinity(0))
    for turn, number in significance.turns(turns, len(measured)):
        subject = measured[number]
        with _in_force(subject) as check:
            for name in STANDARD:
                progress.step(f"turn {turn + 1} of {turns}: {name} under {subject.name}")
                figures = _run_load([str(program), name, str(cpus), str(seconds)], check)
                yield NativeRun(subject=subject.name, load=name, turn=turn, figures=figures)


def _run_load(command: Sequence[str], check: Callable[[], None]) -> dict[str, float]:
    """Run a load to its end, and look now and then whether its scheduler still runs."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as running:
        try:
            while True:
                check()
                try:
                    printed, complaint = running.communicate(timeout=_CHECK_S)
                    break
                except subprocess.TimeoutExpired:
                    continue
        finally:
            running.kill()
    check()
    if running.returncode:
        raise LabError(f"the load {command[1]} failed: {complaint.strip()}")
    return {word: float(value) for word, value in map(str.split, printed.splitlines())}


@contextmanager
def _in_force(subject: Subject) -> Iterator[Callable[[], None]]:
    """Load a subject's scheduler for a while; the value is called to check that it still runs."""
    if subject is EEVDF:
        yield lambda: None
        return
    content = subject.files["policy.bpf.o"]
    assert isinstance(content, bytes)  # it has just been compiled
    with os.fdopen(in_memory(content)) as file, tempfile.TemporaryFile() as output:
        loader = subprocess.Popen(
            [str(subject.files["bin/gthulhu-loader"]), f"/proc/self/fd/{file.fileno()}"],
            pass_fds=[file.fileno()],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for this program, which ends it
        )

        def check() -> None:
            if loader.poll() is not None or _state() != "enabled":
                output.seek(0)
                said = output.read().decode(errors="replace").strip()
                raise LabError(f"{subject.name} is not in force:\n{said}")

        try:
            deadline = time.monotonic() + _START_S
            while loader.poll() is None and _state() != "enabled" and time.monotonic() < deadline:
                time.sleep(0.05)
            check()
            yield check
        finally:
            loader.send_signal(signal.SIGINT)
            try:
                loader.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                loader.kill()
                loader.wait()


# ---- The same, simulated ----


def _simulate(
    policies: Mapping[str, checked.Policy], place: machine.Machine
) -> tuple[Simulated, str]:
    """Return the figures by load, subject and name, or no figures and the reason."""
    found: Simulated = {name: {} for name in STANDARD}
    try:
        player = play.Player()
        for name, (subject, policy) in itertools.product(STANDARD, policies.items()):
            wanted = load.standard(name, policy, place.cpus - len(place.offline))
            text = scale.scenario_of(wanted, place, _SIMULATED_SEED)
            programs = {subject: player.policy(policy, place)}
            if EEVDF.name not in found[name]:
                programs[EEVDF.name] = player.control("eevdf")
            runs = {who: [player.run(program, text)] for who, program in programs.items()}
            for each in report.of_load(wanted, place, runs).schedulers:
                found[name][each.name] = _simulated_figures(name, each)
    except LabError as error:
        return {}, error.message
    return found, ""


def _simulated_figures(name: str, scheduler: report.SchedulerReport) -> dict[str, float]:
    if name == "pairs":
        return {"rate": scheduler.switches_per_s.median}
    groups = {group.name: group for group in scheduler.groups}
    wakeup = groups["wakers"].wakeup
    figures = {part: each.median for part in ("p50", "p99") if (each := wakeup.get(part))}
    if "hogs" in groups:
        figures["rate"] = groups["hogs"].share.median
    return figures


# ---- The table ----


def rows(found: Native) -> list[Row]:
    """Every policy beside EEVDF, judged as one table."""
    names = dict.fromkeys(each.subject for each in found.runs if each.subject != EEVDF.name)
    wanted = [(name, f, who) for name in STANDARD for f in FIGURES[name] for who in names]
    return [_row(found, *each, figures=len(wanted)) for each in wanted]


def _row(found: Native, name: str, figure: Figure, subject: str, *, figures: int) -> Row:
    values: dict[str, dict[int, float]] = {subject: {}, EEVDF.name: {}}
    for each in found.runs:
        if each.load == name and each.subject in values:
            values[each.subject][each.turn] = each.figures[figure.name]
    ours, theirs = list(values[subject].values()), list(values[EEVDF.name].values())
    said = found.simulated.get(name, {})
    ratio = None
    if figure.name in said.get(subject, {}) and said[EEVDF.name].get(figure.name):
        ratio = said[subject][figure.name] / said[EEVDF.name][figure.name]
    return Row(
        name,
        figure,
        subject,
        significance.median(ours).middle,
        significance.median(theirs).middle,
        significance.compare(ours, theirs, less_is_better=figure.is_time, figures=figures),
        ratio,
    )


def _table(found: Sequence[Row]) -> Table:
    head = ["load", "figure", "", *VERDICT_HEAD, "simulated"]
    cells = [
        [
            row.load,
            row.figure.text,
            row.subject,
            *verdict_cells(row.judgement, row.figure.shown(row.theirs), row.figure.shown(row.ours)),
            NONE if row.simulated is None else f"{row.simulated:.2f}",
        ]
        for row in found
    ]
    return Table("the standard loads on this machine, beside EEVDF", head, cells, words=3)


def _conditions(found: Native, missing: str) -> Iterator[tuple[str, str]]:
    turns = len({each.turn for each in found.runs})
    yield "machine", f"{found.machine}, profile {found.digest}"
    yield "kernel", found.kernel
    yield "runs", f"{turns} turns of {found.seconds} s"
    if turns < (least := significance.enough(len(rows(found)))):
        yield "", f"{turns} turns are too few for a verdict on these figures: take {least}"
    if missing:
        yield "simulated", f"no: {missing.splitlines()[0]}"
