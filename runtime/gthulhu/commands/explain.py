# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain` with the options for tasks that are there, under the policy in force."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu.options import add_state, task_number
from gthulhuc.cli import explain
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """
With --pid and --all, the kernel is asked for the rule, /proc for the facts, and the loader for
labels. Where the rule that follows from them is another one, that is an error (status 1).

examples:
  sudo gthulhu explain --pid 4711          of the policy in force
  sudo gthulhu explain --all

exit status: 1 also where the kernel and the reference differ, 3 no policy is in force
"""

# Options that say nothing of a task.
_NO_FACTS = frozenset({"command", "run", "file", "pid", "all", "state", "proc", "json", "color"})


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = explain.add(commands)
    parser.set_defaults(run=run)
    parser.epilog = (parser.epilog or "") + _EPILOG
    running = parser.add_argument_group(
        "tasks that are there, under the policy in force",
        "FILE is then that policy's source, where it is not beside the object",
    )
    which = running.add_mutually_exclusive_group()
    which.add_argument(
        "--pid", metavar="N", type=task_number, help="the task or thread with this number"
    )
    which.add_argument("--all", action="store_true", help="all of them, sorted by rule")
    add_state(running)
    running.add_argument("--proc", metavar="FOLDER", default="/proc", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Explains the tasks that are there if they are asked for, else the one that is described."""
    if options.pid is None and not options.all:
        return explain.run(options)
    _refuse_facts(options)
    from gthulhu import running

    return running.run(options)


def _refuse_facts(options: argparse.Namespace) -> None:
    """Of tasks that are there, nothing has to be told."""
    for name, value in vars(options).items():
        if name not in _NO_FACTS and explain.is_said(value):
            which = "--all" if options.all else "--pid"
            raise CommandError(
                f"--{name.replace('_', '-')} is of no use with {which}: what is there has facts of "
                "its own",
                f"without {which} the task need not be there",
            )
