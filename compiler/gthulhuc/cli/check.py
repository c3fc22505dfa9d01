# SPDX-License-Identifier: Apache-2.0
"""`gthulhu check`: reports problems in policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.cli import reporting, shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse

    from gthulhuc.cli.commands import Commands
    from gthulhuc.diagnostics import Diagnostic

_EPILOG = """\
examples:
  gthulhu check policy.gpl                     prints all problems
  gthulhu check --target cpus=64 policy.gpl    checks for a machine with 64 CPUs
  gthulhu check -W error --format github policies/*.gpl
                                               for CI: any warning fails, and shows at its line
  gthulhuc --explain GPL0403                   explains a message, with examples

exit status: 0 no errors (there may be warnings), 1 errors, 2 usage or an unreadable file
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    check = add_command(
        commands,
        "check",
        run,
        help="check policies; needs neither clang nor root",
        description="Report all problems in policies at once.",
        epilog=_EPILOG,
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a policy; - for standard input")
    reporting.add_options(check)


def run(options: argparse.Namespace) -> int:
    """Checks all files and prints their problems; returns the worst exit status."""
    import gc

    from gthulhuc.frontend import check

    gc.disable()  # a policy's data has no reference cycles
    target = reporting.target_of(options)
    everything: list[Diagnostic] = []

    def check_one(path: str) -> int:
        source, found = shared.read_source(path)
        _, problems = check(source, target=target)
        selected = reporting.selected([*found, *problems], options)
        everything.extend(selected)
        if options.format == "human":
            shared.show(selected, source.name, options.color)
        return shared.status(selected)

    worst = shared.for_each(options.files, check_one)
    if options.format != "human":  # one document for all files
        reporting.write(everything, options)
    return worst
