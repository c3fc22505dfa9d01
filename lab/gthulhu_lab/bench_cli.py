# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""What `gthulhu bench` does; its options are in gthulhuc.cli.bench."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console

from gthulhu_lab import (
    bars,
    bench,
    bench_report,
    bench_table,
    kernels,
    kvm,
    peers,
    picture,
    regression,
)
from gthulhu_lab.bars import Verdict
from gthulhu_lab.benchmark import Benchmark
from gthulhu_lab.paths import REPOSITORY, build_dir
from gthulhu_lab.request import Clock
from gthulhu_lab.wall import Setup

_POLICY = REPOSITORY / "policies" / "upf.gpl"


def run(options: argparse.Namespace) -> int:
    """Measure, show the tables, and leave the files; once for each kernel. Or compare results."""
    if options.compare:
        return _compare(*map(Path, options.compare))
    wanted = kernels.choose(options.kernel, options.kernel_image)
    statuses = []
    for kernel in wanted:
        benchmark = _measure(options, kernel)
        bench_table.show(benchmark, _console())
        _write(options, benchmark, f"-{Path(kernel).name}" if len(wanted) > 1 else "")
        missed = any(bar.verdict is Verdict.MISS for bar in bars.judge(benchmark))
        statuses.append(1 if benchmark.failures or (options.strict and missed) else 0)
    return max(statuses)


def _measure(options: argparse.Namespace, kernel: str) -> Benchmark:
    if not options.workload:
        return bench.run(_options(options, kernel))
    setups = [Setup.parse(text) for text in options.workload]
    works = kvm.works() if options.clock in (None, Clock.KVM) else False
    walls = bench.WallOptions(
        setups=setups,
        clock=Clock(options.clock) if options.clock else Clock.KVM if works else Clock.TCG,
        cpus=options.cpus[0] if options.cpus else min(4, os.cpu_count() or 1),
        turns=options.turns,
        seconds=options.seconds,
        name=options.name,
    )
    return bench.run_walls(_options(options, kernel), walls)


def _compare(old: Path, new: Path) -> int:
    before, after = regression.load(old), regression.load(new)
    changes, missing = regression.changes(before, after), regression.missing(before, after)
    bench_table.show_changes(changes, missing, _console())
    return 1 if missing or regression.losses(changes) else 0


def _options(options: argparse.Namespace, kernel: str) -> bench.Options:
    return bench.Options(
        peers=peers.named(options.peers),
        policies=[Path(file) for file in dict.fromkeys(options.policies or [_POLICY])],
        kernel=kernel,
        seeds=options.seeds,
        cpus=options.cpus or (4, 8, 16, 32),
        samples=options.samples,
        jobs=options.jobs or max(1, (os.cpu_count() or 1) // 2),
        use_cache=not options.no_cache,
        pictures=not options.no_timelines,
    )


def _console() -> Console:
    console = Console()
    # Where no terminal sets a width, the table's own.
    console.width = max(console.width, 100) if not console.is_terminal else console.width
    return console


def _write(options: argparse.Namespace, benchmark: Benchmark, suffix: str) -> None:
    """The files of one kernel; `suffix` tells them from those of the others."""
    folder = build_dir() / "bench"
    html = Path(options.html or folder / "report.html")
    traces = html.with_name(f"{html.stem}-timelines.json") if benchmark.pictures else None
    texts = {
        options.json or folder / "result.json": benchmark.model_dump_json(indent=1) + "\n",
        html: bench_report.render(benchmark, traces.name if traces else None),
        traces: picture.perfetto(benchmark.pictures),
    }
    if options.svg is not None and benchmark.runs:  # of a wall clock there are no latencies
        texts[options.svg] = bench_report.standalone_plot(benchmark)
    for named, text in texts.items():
        if named is not None:
            file = Path(named)
            file = file.with_stem(file.stem + suffix)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            print(f"{file.suffix[1:]:9}{file}")
