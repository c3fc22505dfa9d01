# SPDX-License-Identifier: Apache-2.0
"""`gthulhu simulate`: runs a policy's scheduler on a model of a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import MOST_SECONDS, add_costs, add_json, simulated_seconds
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
The policy's C becomes an ordinary program, on a model of the kernel's sched_ext in virtual time.
That needs gcc or clang, and neither root nor a kernel nor QEMU. The machine may have up to 1,024
CPUs. The kernel's and the scheduler's own work takes time, by their paths, by the lines of memory
that CPUs take from each other, and by locks. docs/simulation.md has the costs, how far the figures
are to be trusted, and what is missing.

examples:
  gthulhu simulate policy.gpl                       the policy's `expect` blocks, on this machine
  gthulhu simulate policy.gpl --machine server-128  on a server that is described
  gthulhu simulate policy.gpl --machine 64x4x2      on 64 CPUs in 4 LLCs in 2 nodes
  gthulhu simulate policy.gpl --machine my.toml     on the machine that this file describes
  gthulhu simulate policy.gpl --workload 40         the block on line 40
  gthulhu simulate policy.gpl --workload standard   pairs, wakers at 67 % load, and hogs
  gthulhu simulate policy.gpl --workload app.json   a workload of rt-app
  gthulhu simulate policy.gpl --fine --seeds 20     look for races of its scheduler
  gthulhu simulate policy.gpl --control scx_simple  beside another scheduler
  gthulhu simulate policy.gpl --control eevdf,main.bpf.c
                                                    beside a sched_ext scheduler's own C
  gthulhu simulate policy.gpl --json -              all figures as JSON
  gthulhu simulate policy.gpl --perfetto p.pftrace  which task ran when, for ui.perfetto.dev
  gthulhu simulate --calibrate my.toml              measure this machine's costs, for --machine

exit status: 0 simulated (whatever the figures), 1 the policy has errors, 2 usage or another error
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "simulate",
        in_lab("gthulhu_lab.simulation.cli", "run", boots=False),
        help="run a policy on a model of a machine",
        description="Run a policy's scheduler on a model of the kernel and of a machine, and show "
        "waits and CPU time beside a plain FIFO scheduler's.",
        epilog=_EPILOG,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", metavar="FILE", help="a policy")
    what.add_argument(
        "--calibrate",
        metavar="OUT",
        help="simulate nothing, but measure for half a minute what lines of memory, switches and "
        "interrupts cost on this machine, and write its profile (TOML)",
    )
    parser.add_argument(
        "--machine",
        metavar="NAME",
        default="this",
        help="this (the default), CPUSxLLCSxNODES such as 64x4x2, a profile that is shipped "
        "(desktop-16, laptop-hybrid, server-128), or a TOML file",
    )
    parser.add_argument(
        "--workload",
        metavar="LINE|NAME|FILE",
        help="an `expect` block by its line or workload; or pairs, wakers, hogs, or standard for "
        "these three; or a workload of rt-app, a file that ends in .json (default: all blocks, or "
        "standard for a policy without blocks)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=simulated_seconds,
        help=f"simulated time of each run, at most {MOST_SECONDS} (default: 1, or what an rt-app "
        "file says)",
    )
    parser.add_argument(
        "--seeds", metavar="N", type=count, default=5, help="runs that differ (default: 5)"
    )
    parser.add_argument(
        "--control",
        metavar="NAMES",
        default="fifo",
        help="schedulers to show beside it, with commas between them: fifo (the default), "
        "eevdf, scx_simple, the C file of another sched_ext scheduler (FILE.c, or NAME=FILE.c "
        "for a name in tables), or none",
    )
    add_costs(parser)
    parser.add_argument(
        "--fine",
        action="store_true",
        help="let CPUs interleave within the scheduler, which shows its races; takes up to five "
        "times as long",
    )
    add_json(parser)
    parser.add_argument(
        "--perfetto",
        metavar="OUT",
        help="write a trace of one run of the policy, the first load with the first seed, for "
        "https://ui.perfetto.dev",
    )
    shared.add_common_options(parser)
