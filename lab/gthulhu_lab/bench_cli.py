# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The commands `bench` and `peers`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from gthulhu_lab import bars, peer_builds, peers
from gthulhu_lab.bars import Verdict
from gthulhu_lab.paths import REPOSITORY, build_dir
from gthulhu_lab.progress import Progress

_BENCH = """
Measure policies against EEVDF and the peers, on the deterministic clock: the cost of a switch,
wake-up latencies under load, size, start, and growth with the number of CPUs; and say which of the
project's promises are kept. Each run is a fresh guest. Runs are kept by the hash of all that
determines them, so that a second time only what changed is measured.
"""


def add_commands(commands: Any) -> None:
    """Add both to the lab's command line."""
    bench = commands.add_parser(
        "bench", help="policies against EEVDF and the peers, with verdicts", description=_BENCH
    )
    folder = build_dir() / "bench"
    bench.add_argument(
        "--peers",
        default="all",
        metavar="NAMES",
        help=f"{','.join(peers.PEERS)}; all (the default) or none",
    )
    bench.add_argument(
        "--policies",
        type=Path,
        nargs="+",
        default=[REPOSITORY / "policies" / "upf.gpl"],
        metavar="FILE",
        help="the first is the one that the bars are for (default: policies/upf.gpl)",
    )
    bench.add_argument(
        "--seeds", type=_count, default=5, metavar="N", help="perturbed runs of each (default: 5)"
    )
    bench.add_argument(
        "--samples",
        type=_count,
        default=2000,
        metavar="N",
        help="wake-ups of each task in a run (default: 2000; below 1000 a p99 means little)",
    )
    bench.add_argument(
        "--cpus",
        type=_cpus,
        default=(4, 8, 16, 32),
        metavar="N,..",
        help="latencies on the first number, round trips on each (default: 4,8,16,32)",
    )
    bench.add_argument(
        "--jobs", type=_count, default=1, metavar="N", help="guests side by side (default: 1)"
    )
    bench.add_argument(
        "--no-cache", action="store_true", help="measure again what was measured before"
    )
    bench.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 when a bar is missed, as it does when a guest failed",
    )
    for kind, name in (("json", "result.json"), ("html", "report.html"), ("svg", None)):
        bench.add_argument(
            f"--{kind}",
            type=Path,
            default=folder / name if name else None,
            metavar="FILE",
            help={
                "json": "every sample (default: build/bench/result.json)",
                "html": "the report with its plots (default: build/bench/report.html)",
                "svg": "the plot of latencies alone",
            }[kind],
        )
    bench.set_defaults(run=_bench)

    build = commands.add_parser("peers", help="build the schedulers of others, to measure against")
    build.add_argument(
        "names", nargs="?", default="all", metavar="NAMES", help=",".join(peers.PEERS)
    )
    build.set_defaults(run=_peers)


def _bench(options: argparse.Namespace) -> int:
    # Here, not above: the other commands shall work without the compiler's packages.
    from rich.console import Console  # noqa: PLC0415

    from gthulhu_lab import bench, bench_report, bench_table  # noqa: PLC0415

    benchmark = bench.run(
        bench.Options(
            peers=peers.named(options.peers),
            policies=options.policies,
            seeds=options.seeds,
            cpus=options.cpus,
            samples=options.samples,
            jobs=options.jobs,
            use_cache=not options.no_cache,
        )
    )
    texts = {
        options.json: benchmark.model_dump_json(indent=1) + "\n",
        options.html: bench_report.render(benchmark),
        options.svg: bench_report.standalone_plot(benchmark),
    }
    console = Console()
    # Where no terminal sets a width, the table's own.
    console.width = max(console.width, 100) if not console.is_terminal else console.width
    bench_table.show(benchmark, console)
    for file, text in texts.items():
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            print(f"{file.suffix[1:]:9}{file}")
    missed = any(bar.verdict is Verdict.MISS for bar in bars.judge(benchmark))
    return 1 if benchmark.failures or (options.strict and missed) else 0


def _peers(options: argparse.Namespace) -> int:
    wanted = peers.named(options.names)
    with Progress(sys.stderr) as progress:
        peer_builds.build(wanted, progress.step)
    for peer in wanted:
        print(peer.program)
    return 0


def _count(text: str) -> int:
    """A whole number from 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _cpus(text: str) -> tuple[int, ...]:
    """Numbers of CPUs, each once."""
    numbers = tuple(dict.fromkeys(int(number) for number in text.split(",")))
    # A round trip across two CPUs wants two; QEMU's machine has room for 255.
    for number in numbers:
        if not 2 <= number <= 255:
            raise argparse.ArgumentTypeError(f"{number} is not a number of CPUs from 2 to 255")
    return numbers
