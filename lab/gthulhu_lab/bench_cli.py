# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu bench`; its options are in gthulhu_lab.commands.bench."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from gthulhu_lab import (
    bars,
    bench,
    bench_report,
    bench_table,
    catalogue,
    kernels,
    native,
    peers,
    picture,
    regression,
    subjects,
    tables,
    wall,
)
from gthulhu_lab.bars import BarVerdict
from gthulhu_lab.benchmark import Benchmark
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import build_dir
from gthulhu_lab.request import Clock
from gthulhu_lab.simulation import scale
from gthulhu_lab.wall import Setup, WorkloadOptions
from gthulhuc.cli import files, new

_WIDTH = 200  # of the widest table


def run(options: argparse.Namespace) -> int:
    """Measure, show the tables, and leave the files; once for each kernel. Or compare results."""
    _refuse_unused(options)
    if options.scale is not None:
        return scale.run(options)
    if options.on_this_machine:
        return native.run(options)
    if options.compare:
        return _compare(*map(Path, options.compare))
    wanted = kernels.choose(options.kernel, options.kernel_image)
    _check_outputs(options, len(wanted))
    console = tables.console_of_width(_WIDTH, stderr=options.json == files.STDIO)
    statuses = []
    for kernel in wanted:
        benchmark = _measure(options, kernel)
        bench_table.show(benchmark, console)
        _write(options, benchmark, f"-{Path(kernel).name}" if len(wanted) > 1 else "", console)
        missed = any(bar.verdict is BarVerdict.MISS for bar in bars.judge(benchmark))
        statuses.append(1 if benchmark.failures or (options.strict and missed) else 0)
    return max(statuses)


def _measure(options: argparse.Namespace, kernel: str) -> Benchmark:
    if not options.workload:
        return bench.run(_options(options, kernel))
    known = catalogue.load(Path())
    walls = WorkloadOptions(
        setups=[Setup.parse(text, known) for text in options.workload],
        kernel=kernel,
        clock=Clock(options.clock) if options.clock else wall.usual_clock(),
        cpus=options.cpus[0] if options.cpus else min(4, os.cpu_count() or 1),
        turns=options.turns or 12,
        seconds=options.seconds or 10,
        name=options.name or "",
    )
    return bench.run_workloads(_options(options, kernel), walls)


_OF_A_WORKLOAD = ("turns", "seconds", "name", "clock")
_OF_LATENCIES = ("library", "seeds", "samples", "no_timelines", "svg")
_OF_ALL = ("workload", "policies", "cpus", "strict", "json", "html")
_OF_GUESTS = (
    "compare", "workload", "library", "samples", "no_timelines", "strict", "svg", "cpus",
    "kernel", "kernel_image", "name", "clock",
)  # fmt: skip


def _refuse_unused(options: argparse.Namespace) -> None:
    """Raises LabError for an option that would have no effect."""

    def refuse(names: Sequence[str], why: str, remedy: str = "Leave it out.") -> None:
        for name in names:
            if getattr(options, name) not in (None, False, []):
                option = "--as" if name == "name" else f"--{name.replace('_', '-')}"
                raise LabError(f"{option} {why}", remedy)

    if options.scale is None:
        remedy = "Add --scale, or leave it out."
        refuse(("into", "control"), "has no effect without --scale", remedy)
    if not options.on_this_machine:
        refuse(("machine",), "has no effect without --on-this-machine")
    if options.on_this_machine:
        names = (*_OF_GUESTS, "scale", "seeds", "html", "jobs", "no_cache")
        refuse(names, "has no effect with --on-this-machine")
    elif options.scale is not None:
        refuse((*_OF_GUESTS, "turns", "seconds"), "has no effect with --scale")
    elif options.compare:
        refuse(
            (*_OF_ALL, *_OF_A_WORKLOAD, *_OF_LATENCIES),
            "has no effect with --compare, which measures nothing",
        )
    elif options.workload:
        refuse(_OF_LATENCIES, "and --workload exclude each other", "Use one of them.")
    else:
        refuse(_OF_A_WORKLOAD, "needs a workload", "Add --workload.")


def _check_outputs(options: argparse.Namespace, kernels: int) -> None:
    """Check the output files before measuring. Raises LabError, CommandError."""
    if files.STDIO in (options.html, options.svg):
        raise LabError(
            "standard output takes JSON alone", "Name a file for the report and the plot."
        )
    if options.json == files.STDIO and kernels > 1:
        raise LabError(
            "several kernels give several results",
            "Name a file: each kernel's name is added to it.",
        )
    files.check_outputs((options.json, options.html, options.svg))


def _compare(old: Path, new: Path) -> int:
    before, after = regression.load(old), regression.load(new)
    changes, missing = regression.changes(before, after), regression.missing(before, after)
    if not changes and not missing:
        raise LabError(
            "the two results have no figure in common", "Compare two results of the same policies."
        )
    bench_table.show_changes(changes, missing, tables.console_of_width(_WIDTH))
    return 1 if missing or regression.losses(changes) else 0


def _options(options: argparse.Namespace, kernel: str) -> bench.BenchOptions:
    return bench.BenchOptions(
        peers=peers.named(options.peers),
        policies=subjects.policy_files(options.policies or [new.shipped()["upf"]]),
        kernel=kernel,
        seeds=options.seeds or 5,
        cpus=options.cpus or (4, 8, 16, 32),
        samples=options.samples or 2000,
        jobs=options.jobs or max(1, (os.cpu_count() or 1) // 2),
        use_cache=not options.no_cache,
        pictures=not options.no_timelines,
        library=list(new.shipped().values()) if options.library else (),
    )


def _write(
    options: argparse.Namespace, benchmark: Benchmark, suffix: str, console: Console
) -> None:
    """The files of one kernel; `suffix` tells them from those of the others."""
    folder = build_dir() / "bench"

    def place(named: str | Path) -> Path:
        file = Path(named)
        return file.with_stem(file.stem + suffix)

    html = place(options.html or folder / "report.html")
    traces = html.with_name(f"{html.stem}-timelines.json")
    texts = {
        place(options.json or folder / "result.json"): benchmark.model_dump_json(indent=1) + "\n",
        html: bench_report.render(benchmark, traces.name if benchmark.pictures else None),
    }
    if benchmark.pictures:
        texts[traces] = picture.perfetto(benchmark.pictures)
    if options.svg is not None and benchmark.runs:  # of a wall clock there are no latencies
        texts[place(options.svg)] = bench_report.standalone_plot(benchmark)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        files.write_file(str(file), text.encode())
        if str(file) != files.STDIO:
            line = f"{file.suffix[1:]:9}{file}"
            console.print(line, soft_wrap=True, highlight=False, markup=False)
