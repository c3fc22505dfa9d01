# SPDX-License-Identifier: Apache-2.0
"""`gthulhu tune`: searches better values for a policy."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import (
    MOST_SECONDS,
    add_costs,
    add_kernel_options,
    simulated_seconds,
)
from gthulhu_lab.commands.replay import add_limits
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Each trial is simulated (`gthulhu simulate`). The claims of `expect` blocks and promises have to
hold. Three things are to be small: the part of their bounds that claims use, switches, and the CPU
time that the rest lacks. The best candidates are judged on seeds that the search has not seen. The
policy's file stays as it is unless --write asks for a change. docs/tuning.md explains more.

examples:
  gthulhu tune policy.gpl                        its tunables, within their ranges
  gthulhu tune policy.gpl --actions slice,preempt
                                                 also what its rules say of these actions
  gthulhu tune policy.gpl --actions all --rules web,batch
                                                 all actions of two rules
  gthulhu tune policy.gpl --machine server-128   for a server that is described
  gthulhu tune policy.gpl --record node.gtr      for what `gthulhu record` saw on a node: the
                                                 policy's promises have to hold there
  gthulhu tune policy.gpl --prefer switches      of several good ones, with few switches
  gthulhu tune policy.gpl -o better.gpl --svg front.svg --json all.json
  gthulhu tune policy.gpl --verify               confirm the best three in virtual machines
  gthulhu tune policy.gpl --storage tune.db      keep the trials, and go on after Ctrl-C
  gthulhu tune policy.gpl --storage postgresql+psycopg://me@host/tune --worker
                                                 help other machines with their search

exit status: 0 the policy that results, changed or not, holds all claims; 1 it does not, or has
errors; 2 usage or another error
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "tune",
        in_lab("gthulhu_lab.tuning.cli", "run", boots=False, extras="lab,tune"),
        help="search better values for a policy's tunables and actions",
        description="Search values for a policy's tunables, and on request for its actions, that "
        "hold its claims by more and cost less.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a policy with `expect` blocks or promises")
    _add_space(parser)
    _add_search(parser)
    _add_simulation(parser)
    _add_outputs(parser)
    add_kernel_options(parser)
    shared.add_common_options(parser)


def _add_space(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--actions",
        metavar="WORDS",
        help="also vary these actions of rules, with commas between them: priority, slice, weight, "
        "max-wait, migrate, preempt (with its budget), or all",
    )
    parser.add_argument(
        "--rules",
        metavar="NAMES",
        help="vary the actions of these rules only; `default` counts as one (default: all)",
    )
    parser.add_argument(
        "--prefer",
        choices=("balance", "claims", "switches", "rest"),
        default="balance",
        help="the objective that counts most where candidates differ (default: balance)",
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trials", metavar="N", type=count, default=200, help="candidates to try (default: 200)"
    )
    parser.add_argument(
        "--search-seed",
        metavar="N",
        type=count,
        default=1,
        help="another one searches in another order (default: 1)",
    )
    parser.add_argument(
        "--storage",
        metavar="FILE|URL",
        help="keep the trials: a file of SQLite, or a database of PostgreSQL for several workers "
        "at a time, such as postgresql+psycopg://user@host/name",
    )
    parser.add_argument(
        "--worker",
        action="store_true",
        help="help the search of --storage until it has all trials, and report nothing",
    )


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record",
        metavar="RECORD",
        action="append",
        default=[],
        help="judge the promises by a replay of this record, of `gthulhu record`; the search sees "
        "its first half, and the second one judges the best. Several are judged together",
    )
    add_limits(parser)
    parser.add_argument(
        "--machine",
        metavar="NAME",
        help="the machine to simulate, as for `gthulhu simulate` (default: that of the record, or "
        "this)",
    )
    parser.add_argument(
        "--expect", metavar="LINE|WORKLOAD", help="use only the block on this line or of this load"
    )
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=count,
        default=5,
        help="runs of each trial, the same for all; twice as many fresh ones, at least ten, "
        "judge the best (default: 5)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=simulated_seconds,
        help=f"simulated time of each run, at most {MOST_SECONDS} (default: as the claims need, by "
        "load)",
    )
    add_costs(parser)
    parser.add_argument(
        "--jobs", metavar="N", type=count, help="simulations at a time (default: one for each CPU)"
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--verify",
        action="store_true",
        help="confirm the best three with `gthulhu verify`, and propose the first that holds",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="OUT", help="write the changed policy")
    output.add_argument("--write", action="store_true", help="change the policy's own file")
    parser.add_argument("--svg", metavar="OUT", help="plot the candidates; - for standard output")
    parser.add_argument("--json", metavar="OUT", help="write all as JSON; - for standard output")
