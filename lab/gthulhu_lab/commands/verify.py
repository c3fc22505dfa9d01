# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify`: whether a policy keeps what its `expect` blocks claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import add_kernel_options, guest_cpus
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Each block runs in fresh virtual machines whose clock counts instructions: the same policy gives the
same figures on every machine, however busy. A claim is judged by the median of five perturbed runs.
Claims of `rate` and `time` take a wall clock, most of them, and 12 turns by which chance is told.
`docs/lab.md` says how to write claims, how to believe a figure, and how workloads of your own are
added, by a file `workloads.toml` beside the policy.

examples:
  gthulhu verify policy.gpl                        all blocks
  gthulhu verify policy.gpl --expect 40            the one on line 40
  gthulhu verify policy.gpl --kernel 6.18,7.2      on both kernels
  gthulhu verify policy.gpl --seeds 1              a first look
  gthulhu verify policy.gpl --beside eevdf,scx_bpfland
                                                   and what it is under those
  gthulhu verify policy.gpl --beside eevdf --svg plot.svg
                                                   the same as a plot
  gthulhu verify policy.gpl --junit result.xml     for CI

exit status: 0 all claims hold, 1 one does not, or the policy has errors, 2 usage, or the lab
cannot run it
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "verify",
        in_lab("gthulhu_lab.verify.cli", "run"),
        help="say whether a policy keeps what it claims, in virtual machines",
        description="Run a policy's `expect` blocks on a real kernel in virtual machines, and say "
        "for each claim whether it holds.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a policy")
    parser.add_argument(
        "--expect", metavar="LINE|WORKLOAD", help="only the block on this line, or of this workload"
    )
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=count,
        default=5,
        help="perturbed runs of each scheduler (default: %(default)s, which a verdict takes; fewer "
        "are a first look)",
    )
    parser.add_argument(
        "--turns",
        metavar="N",
        type=count,
        default=12,
        help="runs of each scheduler, by turns, where a wall clock is what tells (default: 12)",
    )
    parser.add_argument(
        "--beside",
        metavar="NAMES",
        help="measure these schedulers, too, and show their figures: eevdf, peers that `gthulhu "
        "lab peers` has built, and other policies by their files; separated by commas",
    )
    parser.add_argument(
        "--cpus", metavar="N", type=guest_cpus, default=4, help="of the machines (default: 4)"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=count,
        default=1,
        help="machines at once, each takes one core (default: 1)",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="run again what has been run before, too"
    )
    parser.add_argument("--json", metavar="OUT", help="all figures; - for standard output")
    parser.add_argument("--junit", metavar="OUT", help="the verdict for CI; - for standard output")
    parser.add_argument(
        "--svg",
        metavar="OUT",
        help="the first claim about wake-ups as a plot, with a curve for each scheduler; - for "
        "standard output",
    )
    add_kernel_options(parser)
    shared.add_common_options(parser)
