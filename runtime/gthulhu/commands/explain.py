# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain` with the options for running tasks, under the policy in force."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu.options import add_state, task_number
from gthulhuc.cli import explain
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """
With --pid and --all, the rule comes from the kernel, the facts from /proc and the labels from the
loader. The reference derives the rule from the facts once more. If the two differ, that is an
error (status 1).

examples:
  sudo gthulhu explain --pid 4711          a task under the policy in force
  sudo gthulhu explain --all               all tasks

exit status: 1 also if the kernel and the reference differ, 3 no policy is in force
"""

# Options that are not facts of a task.
_NO_FACTS = frozenset({"command", "run", "file", "pid", "all", "state", "proc", "json", "color"})


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = explain.add(commands)
    parser.set_defaults(run=run)
    parser.epilog = (parser.epilog or "") + _EPILOG
    running = parser.add_argument_group(
        "running tasks, under the policy in force",
        "Give FILE if the policy's source is not beside its object",
    )
    which = running.add_mutually_exclusive_group()
    which.add_argument(
        "--pid", metavar="N", type=task_number, help="explain the task or thread with this number"
    )
    which.add_argument("--all", action="store_true", help="list all tasks by rule")
    add_state(running)
    running.add_argument("--proc", metavar="FOLDER", default="/proc", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Explains running tasks with --pid and --all, else the task that the options describe."""
    if options.pid is None and not options.all:
        return explain.run(options)
    _refuse_facts(options)
    from gthulhu import running

    return running.run(options)


def _refuse_facts(options: argparse.Namespace) -> None:
    """Raises CommandError if an option gives a fact: running tasks have their own."""
    for name, value in vars(options).items():
        if name not in _NO_FACTS and explain.is_said(value):
            which = "--all" if options.all else "--pid"
            raise CommandError(
                f"--{name.replace('_', '-')} conflicts with {which}: a running task has its own "
                "facts",
                f"without {which}, the options describe a task that need not exist",
            )
