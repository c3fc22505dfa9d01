# SPDX-License-Identifier: Apache-2.0
"""`gthulhu`: the program whose commands the packages of the project register."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gthulhuc.cli import frame

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


_EPILOG = """\
examples:
  gthulhu new --from upf            copies a shipped policy, to start from
  gthulhu check policy.gpl          reports the problems in a policy
  gthulhu fmt policy.gpl            formats it in the standard layout
  gthulhu test policy.gpl           tries the tests that a policy has
  gthulhu diff old.gpl new.gpl      shows which tasks change class
  gthulhu explain policy.gpl --comm nginx
                                    explains which rule takes a task, and why
  gthulhu import ananicy /etc/ananicy.d
                                    makes a policy from another tool's rules
  gthulhu verify policy.gpl         tests whether a policy's claims hold
  gthulhu tune policy.gpl           searches better values for its tunables
  gthulhu inspect policy.bpf.o      shows what an object was compiled from
  gthulhu doctor                    checks whether this machine can run a policy
  gthulhu run policy.gpl            puts a policy in force until it is stopped
  gthulhu swap other.gpl            replaces it with another; rollback undoes that
  gthulhu status                    shows the policy in force
  gthulhu label 4711 tier=web       labels a process for the policy in force
  gthulhu stats                     shows the counters of each rule
  gthulhu trace -o t.pftrace        records which task runs when, by rule, for Perfetto
  gthulhu agent                     tells the policy in force about containers
  gthulhu serve                     serves the node's API over HTTP
  gthulhu bench                     measures policies against other schedulers, in micro-VMs

`gthulhuc policy.gpl` compiles an object, for nodes without a compiler.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    return frame.guarded(lambda: _command(argv))


def _command(argv: Sequence[str] | None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    options, unknown = make_parser(arguments[:1]).parse_known_args(arguments)
    parser = vars(options).pop("parser")
    if unknown:
        # argparse would show the usage of all commands.
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    code: int = options.run(options)
    return code


def make_parser(names: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser with the commands of these names, or with all if one of them is no command.

    Help, completion and the manual page come from here.
    """
    import argparse

    from gthulhuc import __version__
    from gthulhuc.cli import registry
    from gthulhuc.cli.commands import Parser

    parser = Parser(
        prog="gthulhu",
        description="Check, inspect and run scheduling policies.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"gthulhu {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in registry.load(names):
        add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
