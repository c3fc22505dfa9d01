# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu suggest`: a policy from a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import add_costs
from gthulhu_lab.commands.replay import add_limits
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Tasks are grouped by name and cgroup. A group that works in short bursts and waits long for others
that compute gets a rule that lets it go first; those others may get `priority low`. The policy is
checked, formatted and replayed (docs/replay.md). A rule that does not help, or slows anything else
by more than 10 %, is made milder in a few steps, or left out. docs/know-before.md has the
thresholds. It uses no model of a language and no network.

examples:
  gthulhu suggest node.gtr                  what waits for whom, a policy, and its prediction
  gthulhu suggest node.gtr -o policy.gpl    the policy into a file
  gthulhu suggest node.gtr -o - | less      the policy alone on standard output
  gthulhu suggest node.gtr --no-replay      the first policy, without a prediction
  gthulhu suggest node.gtr --json -         everything as JSON

exit status: 0 suggested, 1 there is nothing to gain, 2 usage or another error, 3 suggested without
a verdict: too much of the record cannot be predicted
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "suggest",
        in_lab("gthulhu_lab.suggest.cli", "run_command", boots=False),
        help="suggest a policy from a record, with its prediction",
        description="Find out from a record which tasks wait most and for whom, and suggest a "
        "policy, with the reason of each rule and what a replay predicts.",
        epilog=_EPILOG,
    )
    parser.add_argument("record", metavar="RECORD", help="a record, of `gthulhu record`")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write the policy to a file; - for standard output"
    )
    parser.add_argument(
        "--name", metavar="NAME", type=_name, default="suggested", help="the policy's name"
    )
    parser.add_argument(
        "--no-replay", action="store_true", help="predict nothing: write the first policy"
    )
    add_limits(parser)
    add_costs(parser)
    parser.add_argument(
        "--json", metavar="OUT", help="write all that was found as JSON; - for standard output"
    )
    shared.add_common_options(parser)


def _name(text: str) -> str:
    """A policy's name, for argparse. Raises ArgumentTypeError."""
    from argparse import ArgumentTypeError

    from gthulhuc.importers.document import word

    if word(text) == text:
        return text
    raise ArgumentTypeError(f"expected a name such as {word(text)}, found {text}")
