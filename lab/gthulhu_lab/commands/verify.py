# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify`: tests the claims of a policy's `expect` blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import add_json, add_kernel_options, add_running, guest_cpus
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Each block runs in fresh virtual machines whose clock counts instructions: the same policy gives the
same figures on every machine, however busy. A claim is judged by the median of five perturbed runs.
Most claims of `rate` and `time` need a wall clock: 12 turns, judged by a confidence interval.
`docs/lab.md` explains how to write claims, how far to trust a figure, and how to add workloads of
your own in a file `workloads.toml` beside the policy.

examples:
  gthulhu verify policy.gpl                        all blocks
  gthulhu verify policy.gpl --expect 40            the one on line 40
  gthulhu verify policy.gpl --kernel 6.18,7.2      on both kernels
  gthulhu verify policy.gpl --seeds 1              a first look
  gthulhu verify policy.gpl --beside eevdf,scx_bpfland
                                                   also measures these schedulers
  gthulhu verify policy.gpl --beside eevdf --svg plot.svg
                                                   plots the same
  gthulhu verify policy.gpl --junit result.xml     for CI

exit status: 0 all claims hold, 1 a claim fails or the policy has errors, 2 usage or lab error
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "verify",
        in_lab("gthulhu_lab.verify.cli", "run"),
        help="test a policy's claims in virtual machines",
        description="Run a policy's `expect` blocks on a real kernel in virtual machines, and "
        "judge each claim.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a policy")
    parser.add_argument(
        "--expect",
        metavar="LINE|WORKLOAD",
        help="run only the block on this line or of this workload",
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
        help="runs of each scheduler, in turns, for claims that need a wall clock (default: 12)",
    )
    parser.add_argument(
        "--beside",
        metavar="NAMES",
        help="also measure these schedulers and show their figures: eevdf, peers that `gthulhu "
        "lab peers` has built, and other policies by their files; separated by commas",
    )
    parser.add_argument(
        "--cpus", metavar="N", type=guest_cpus, default=4, help="CPUs of each guest (default: 4)"
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=count,
        default=1,
        help="NUMA nodes of each guest, with a cache and an equal part of the CPUs each; guests of "
        "claims that need a wall clock have one (default: 1)",
    )
    add_running(parser, "guests at a time, each on one core (default: 1)")
    add_json(parser)
    parser.add_argument(
        "--junit", metavar="OUT", help="write the verdicts as JUnit XML; - for standard output"
    )
    parser.add_argument(
        "--svg",
        metavar="OUT",
        help="plot the first claim about wake-ups, a curve for each scheduler; - for "
        "standard output",
    )
    add_kernel_options(parser)
    shared.add_common_options(parser)
