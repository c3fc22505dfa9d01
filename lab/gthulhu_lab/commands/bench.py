# SPDX-License-Identifier: Apache-2.0
"""`gthulhu bench`: policies, the kernel's own scheduler and others through the same scenarios."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import (
    MOST_GUEST_CPUS,
    add_kernel_options,
    add_peers,
    add_running,
    add_seeds,
)
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Each run is a fresh guest on the deterministic clock, which counts instructions. The lab keeps runs
by a hash of everything that determines them, so a second time it measures only what changed.

examples:
  gthulhu bench                                 the whole table: an hour of one core
  gthulhu bench --seeds 1 --cpus 4 --peers none
                                                a first look
  gthulhu bench --library --seeds 1 --cpus 4 --peers scx_bpfland
                                                measures the shipped policies' claims
  gthulhu bench --policies mine.gpl --kernel 6.18,7.2
  gthulhu bench --workload boot --workload "pipe under hogs 2x" --peers scx_bpfland
  gthulhu bench --scale                         machines with up to 1,024 CPUs, simulated
  gthulhu bench --scale 4,64,256 --html scale.html
                                                the same, with plots of cost against CPUs
  gthulhu bench --scale 64,256 --control eevdf,main.bpf.c
                                                beside a sched_ext scheduler's own C
  sudo gthulhu bench --on-this-machine --policies mine.gpl --json here.json
                                                the same loads on the kernel that runs
  gthulhu bench --compare old.json new.json     compares two results

exit status: 0 success, 1 a guest failed, --strict and a missed bar, or --compare and a loss,
2 usage or lab error
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "bench",
        _run,
        help="measure policies against EEVDF and other schedulers",
        description="Measure policies against EEVDF and other schedulers: the cost of a switch, "
        "wake-up latencies under load, size, start, and growth with the number of CPUs; and "
        "judge the project's bars.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--policies",
        nargs="+",
        metavar="FILE",
        help="policies; the bars judge the first (default: policies/upf.gpl)",
    )
    parser.add_argument(
        "--library",
        action="store_true",
        help="also measure the claims of each shipped policy under all schedulers",
    )
    add_peers(parser)
    add_seeds(parser)
    parser.add_argument(
        "--samples",
        type=count,
        metavar="N",
        help="wake-ups of each task in a run (default: 2000; a p99 needs 1000)",
    )
    parser.add_argument(
        "--cpus",
        type=_cpus,
        metavar="N,..",
        help="measure latencies on the first number of CPUs, round trips on each (default: "
        "4,8,16,32); with --workload only the first counts (default: the machine's, at most 4)",
    )
    _add_workloads(parser)
    parser.add_argument(
        "--scale",
        nargs="?",
        type=_sizes,
        const=(),
        metavar="CPUS,..",
        help="simulate machines instead, without guests: 4, 16, 64, 128, 256, 512, 1024 CPUs, or "
        "those of the list (docs/simulation.md)",
    )
    parser.add_argument(
        "--control",
        metavar="NAMES",
        help="with --scale: schedulers to compare with, with commas between them: scx_simple and "
        "eevdf (the default), fifo, the C file of another sched_ext scheduler (FILE.c, or "
        "NAME=FILE.c for a name in tables), or none",
    )
    parser.add_argument(
        "--on-this-machine",
        action="store_true",
        help="run the loads of --scale on the kernel that runs, as root and without guests: "
        "policies and EEVDF in turns, beside what the simulator says of this machine",
    )
    parser.add_argument(
        "--machine",
        metavar="FILE",
        help="with --on-this-machine: its profile for the simulator, from `gthulhu simulate "
        "--calibrate FILE` (default: the usual costs)",
    )
    parser.add_argument(
        "--into",
        metavar="FILE",
        help="with --scale: also put the tables into a document, at its marks",
    )
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="measure nothing, but compare two results (JSON of `bench` or of `verify`)",
    )
    add_kernel_options(parser)
    _add_running(parser)


def _add_workloads(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("workloads, on a wall clock")
    group.add_argument(
        "--workload",
        action="append",
        metavar="TEXT",
        help="measure this instead, as in `expect`: NAME [under LOAD Nx, ..]; may be given again "
        "(`gthulhu lab workloads` lists them)",
    )
    group.add_argument(
        "--turns",
        type=count,
        metavar="N",
        help="runs of each scheduler, in turns (default: 12)",
    )
    group.add_argument("--seconds", type=count, metavar="N", help="length of a run (default: 10)")
    group.add_argument(
        "--as",
        dest="name",
        type=_task_name,
        metavar="NAME",
        help="name of the workload's tasks, for a rule to match",
    )
    group.add_argument(
        "--clock",
        choices=("kvm", "tcg"),
        help="the machine's own CPUs, or emulated ones (default: kvm where it works)",
    )


def _add_running(parser: argparse.ArgumentParser) -> None:
    add_running(parser, "guests side by side (default: half of the machine's CPUs)")
    parser.add_argument(
        "--no-timelines", action="store_true", help="do not record the schedulers for timelines"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 when a bar is missed",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="every sample, - for standard output (default: build/bench/result.json)",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="the report with its plots (default: build/bench/report.html; with --scale none)",
    )
    parser.add_argument("--svg", metavar="FILE", help="the plot of latencies alone")


def _run(options: argparse.Namespace) -> int:
    return in_lab(
        "gthulhu_lab.bench_cli", "run", boots=options.scale is None and not options.on_this_machine
    )(options)


def _sizes(text: str) -> tuple[int, ...]:
    """Numbers of CPUs of machines that are simulated, for argparse."""
    return tuple(count(each) for each in text.split(","))


def _task_name(text: str) -> str:
    """A task name of a length that the kernel keeps, and that a file can have."""
    if 0 < len(text.encode()) <= 15 and "/" not in text and text not in (".", ".."):
        return text
    raise argparse.ArgumentTypeError(
        f"invalid task name {text!r}: expected 1 to 15 bytes without /"
    )


def _cpus(text: str) -> tuple[int, ...]:
    """Numbers of CPUs, each once."""
    numbers = text.split(",")
    # A round trip across two CPUs wants two.
    for number in numbers:
        if not (number.isascii() and number.isdecimal() and 2 <= int(number) <= MOST_GUEST_CPUS):
            raise argparse.ArgumentTypeError(
                f"invalid number of CPUs {number!r}: expected 2 to {MOST_GUEST_CPUS}"
            )
    return tuple(dict.fromkeys(int(number) for number in numbers))
