# SPDX-License-Identifier: Apache-2.0
"""`gthulhu inspect`: shows what an object was compiled from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse

    from gthulhuc.cli.commands import Commands

_EPILOG = """\
examples:
  gthulhu inspect policy.bpf.o
  gthulhu inspect --json policy.bpf.o | jq -r '.rules[].name'

exit status: 0 done, 2 usage, or the file is not an object of gthulhuc
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    inspect = add_command(
        commands,
        "inspect",
        run,
        help="show what an object was compiled from",
        description="Show the policy, rules and versions in a compiled object's metadata.",
        epilog=_EPILOG,
    )
    inspect.add_argument("object", metavar="OBJECT", help="an object that gthulhuc compiled")
    inspect.add_argument("--json", action="store_true", help="print the metadata as JSON")


def run(options: argparse.Namespace) -> int:
    """Prints an object's metadata. Raises CommandError if it has none."""
    import json

    from gthulhuc.cli.inspection import damaged, describe, read_metadata

    name, data = shared.read_file(options.object)
    metadata = read_metadata(name, data)
    try:
        text = json.dumps(metadata, indent=2) + "\n" if options.json else describe(metadata)
    except RecursionError as error:
        raise damaged(name) from error
    shared.out(text)
    return shared.OK
