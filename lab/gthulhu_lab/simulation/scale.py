# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu bench --scale`: what a wake-up and a switch cost on machines of any size."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from gthulhu_lab import subjects
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.simulation import controls, costs, load, machine, play, report, scale_report
from gthulhu_lab.simulation.load import STANDARD
from gthulhu_lab.simulation.report import (
    OperationReport,
    ScaleReport,
    SchedulerReport,
    SizeReport,
)
from gthulhu_lab.tables import NONE, Table, show
from gthulhuc.cli import files, new, shared

SCHEMA = 1
SIZES = {
    4: "4", 16: "16", 64: "64x4x2", 128: "128x8x2", 256: "256x16x2", 512: "512x32x2",
    1024: "1024x64x4",
}  # fmt: skip
"""Machines by their number of CPUs: an LLC for 16, and two nodes or more from 64 on."""
# Pairs may switch a hundred million times a second; slices of hogs take milliseconds.
_SECONDS = {"pairs": 0.004, "wakers": 0.03, "hogs": 0.1}
_WARMUP_NS = {"pairs": 4_000_000, "wakers": 6_000_000, "hogs": 20_000_000}
_CONTROLS = "scx_simple,eevdf"
_BEGIN, _END = "<!-- scale:begin", "<!-- scale:end -->"
_WIDTH = 160  # of the tables
_CAUTION = (
    "Simulated, and outside the validated range: rank and ratio mean more than nanoseconds.",
    "docs/simulation.md has the costs, and what the model leaves out.",
)


def run(options: argparse.Namespace) -> int:
    """Simulate all sizes and show the tables; the exit status. Raises LabError."""
    place = _place_of(options.into) if options.into else None
    if options.html == files.STDIO:
        raise LabError("standard output takes JSON alone", "Name a file for the report.")
    files.check_outputs((options.json, options.html))
    found = _measure(options)
    console = Console(stderr=options.json == files.STDIO)
    console.width = max(console.width, _WIDTH)
    for table in tables(found):
        show(table, console)
    for line in _CAUTION:
        console.print(line, highlight=False)
    if options.json is not None:
        files.write_file(options.json, json.dumps(asdict(found), indent=1).encode() + b"\n")
    if options.html is not None:
        page = scale_report.render(found, list(tables(found)), " ".join(_CAUTION))
        files.write_file(options.html, page.encode())
    if place is not None:
        files.write_file(options.into, _written(place, found).encode())
    return shared.OK


def _measure(options: argparse.Namespace) -> ScaleReport:
    (file,) = subjects.policy_files(options.policies or [new.shipped()["gthulhu-default"]])
    policy, _ = subjects.read_policy(str(file))
    compared = controls.names(options.control or _CONTROLS)
    seeds = list(range(1, (options.seeds or 3) + 1))
    sizes = []
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        player = play.Player()
        for cpus in _sizes(options.scale):
            place = machine.read(SIZES[cpus])
            schedulers = {Path(file).stem: player.policy(policy, place)}
            schedulers |= {label: player.control(name) for label, name in compared.items()}
            loads = []
            for name in STANDARD:
                wanted = load.standard(name, policy, cpus)
                runs = {}
                for scheduler, program in schedulers.items():
                    progress.step(f"simulating {name} under {scheduler} on {cpus:,} CPUs")
                    texts = [scenario_of(wanted, place, seed) for seed in seeds]
                    runs[scheduler] = [player.run(program, text) for text in texts]
                loads.append(report.of_load(wanted, place, runs))
            sizes.append(SizeReport(cpus, place.name, place.digest, loads))
    return ScaleReport(SCHEMA, Path(file).stem, seeds, dict(costs.usual()), sizes)


def scenario_of(wanted: load.Load, place: machine.Machine, seed: int) -> str:
    """Returns the text of a run of a standard load."""
    return play.scenario(
        wanted,
        place,
        seed=seed,
        seconds=_SECONDS[wanted.name],
        warmup_ns=_WARMUP_NS[wanted.name],
    )


def _sizes(wanted: Sequence[int]) -> Sequence[int]:
    for cpus in wanted:
        if cpus not in SIZES:
            raise LabError(
                f"--scale has no machine with {cpus} CPUs",
                f"it has those with {', '.join(map(str, SIZES))}; "
                "`gthulhu simulate --machine` takes any",
            )
    return wanted or tuple(SIZES)


# ---- Tables ----


def tables(scale: ScaleReport) -> Iterator[Table]:
    """Yields a table for each load."""
    head = ("CPUs", "scheduler", "switches/s", "kernel", "a wake-up", "a switch", "the worst line",
            "", "the worst lock", "")  # fmt: skip
    for number, name in enumerate(STANDARD):
        rows = [
            (f"{size.cpus:,}" if not each else "", *_cells(scheduler))
            for size in scale.sizes
            for each, scheduler in enumerate(size.loads[number].schedulers)
        ]
        yield Table(f"{name}: {_WHAT[name]}", head, rows, words=2)


_WHAT = {
    "pairs": "a pair of tasks for each CPU, which wake each other after 5 µs",
    "wakers": "two tasks for each CPU, which compute and sleep: 67 % load",
    "hogs": "four busy loops for each CPU, and a waker for every second one",
}


def _cells(scheduler: SchedulerReport) -> Sequence[str]:
    found = scheduler.costs
    if found is None:
        raise LabError("the model reported no costs", "this is a defect of gthulhuc; report it")
    worst = [
        cell
        for uses in (found.lines, found.locks)
        for cell in ((uses[0].name, f"{100 * uses[0].worst:.0f} %") if uses else (NONE, ""))
    ]
    return (
        scheduler.name,
        f"{scheduler.switches_per_s.median:,.0f}",
        f"{100 * found.kernel_share.median:.1f} %",
        _time(found.wakeup),
        _time(found.switch),
        *worst,
    )


def _time(operation: OperationReport | None) -> str:
    return NONE if operation is None else f"{operation.time.median / 1000:,.1f} µs"


# ---- Documents ----


def _place_of(file: str) -> tuple[str, str]:
    """The text of a document before and after its table. Raises LabError."""
    text = Path(file).read_text(encoding="utf-8") if Path(file).is_file() else ""
    before, begin, rest = text.partition(_BEGIN)
    first, _, rest = rest.partition("\n")
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise LabError(
            f"{file} has no place for the table", f"put it between {_BEGIN} --> and {_END}"
        )
    return f"{before}{begin}{first}\n", f"{end}{after}"


def _written(place: tuple[str, str], scale: ScaleReport) -> str:
    before, after = place
    console = Console(width=_WIDTH, record=True, file=io.StringIO())
    for table in tables(scale):
        show(table, console)
    text = "\n".join(line.rstrip() for line in console.export_text().strip().splitlines())
    return f"{before}\n```\n{text}\n```\n\n{after}"
