# SPDX-License-Identifier: Apache-2.0
"""`gthulhu replay`: what a recorded node would do under a policy."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import add_costs
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
The tasks of a record (`gthulhu record`) do again what they did: compute as long, wake each other
after as much CPU time, sleep for as long, and wait for timers and devices. The policy's own C
decides when they run, on the model of `gthulhu simulate`. The kernel's own scheduler is replayed
beside it, as the control `eevdf`. docs/replay.md has how far predictions were from guests.

examples:
  gthulhu replay node.gtr policy.gpl                waits and shares of each rule
  gthulhu replay node.gtr a.gpl b.gpl               the same of two policies
  gthulhu replay node.gtr policy.gpl --machine 16   on 16 CPUs
  gthulhu replay node.gtr policy.gpl --diff         the ten tasks whose waiting changes most
  gthulhu replay node.gtr policy.gpl --open-loop    whoever sends from outside waits for no answer
  gthulhu replay node.gtr policy.gpl --perfetto p.pftrace --window 1.5:2
                                                    this half second, for ui.perfetto.dev; what
                                                    EEVDF does is in p.eevdf.pftrace
  gthulhu replay node.gtr policy.gpl --json -       all figures as JSON

exit status: 0 replayed, 1 a policy has errors, 2 usage or another error, 3 no verdict: too much of
the record cannot be predicted
"""
_USUAL_PART = 25.0


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "replay",
        in_lab("gthulhu_lab.replay.cli", "run_command", boots=False),
        help="predict what a recorded node does under a policy",
        description="Replay a record under policies on a model of the kernel, and show waits, CPU "
        "time, switches and migrations of each rule beside those under EEVDF.",
        epilog=_EPILOG,
    )
    parser.add_argument("record", metavar="RECORD", help="a record, of `gthulhu record`")
    parser.add_argument("policies", nargs="+", metavar="FILE", help="policies")
    parser.add_argument(
        "--machine",
        metavar="NAME",
        default="record",
        help="record (the default), or as `gthulhu simulate` has it: this, CPUSxLLCSxNODES, a "
        "profile that is shipped, or a TOML file",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="show the ten tasks whose waiting changes most, with rule and reason",
    )
    add_limits(parser)
    add_costs(parser)
    parser.add_argument(
        "--json", metavar="OUT", help="write all figures as JSON; - for standard output"
    )
    parser.add_argument(
        "--perfetto",
        metavar="OUT",
        help="write timelines of a window under the first policy, and under EEVDF, for "
        "https://ui.perfetto.dev",
    )
    parser.add_argument(
        "--window",
        metavar="BEGIN:END",
        default="0:1",
        help="of the timelines, in seconds of the record (default: 0:1)",
    )
    shared.add_common_options(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Adds the options of each command that replays a record."""
    parser.add_argument(
        "--open-loop",
        action="store_true",
        help="count wake-ups from outside as predictable: no sender waits for an answer",
    )
    parser.add_argument(
        "--most-unknown",
        metavar="PERCENT",
        type=_percent,
        default=_USUAL_PART,
        help="give no verdict if more of the wake-ups cannot be predicted (default: 25)",
    )


def _percent(text: str) -> float:
    """Returns a part in per cent, for argparse. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if 0 <= value <= 100:
        return value
    raise argparse.ArgumentTypeError(f"expected 0 to 100, found {text}")
