# SPDX-License-Identifier: Apache-2.0
"""`gthulhu diff`: says which tasks change class between two policies, and what else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.cli import shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse

    from gthulhuc.checked import Policy
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
examples:
  gthulhu diff old.gpl new.gpl        shows a task for each pair of classes, and changed actions
  gthulhu diff --json old.gpl new.gpl
                                      for programs
  git show HEAD:web.gpl | gthulhu diff - web.gpl
                                      compares with the last commit

The facts of a task are those of a line in a `test` block. The compiler finds the task by reasoning
about the predicates, and tries it under both policies. Where it can decide neither way, it says
that tasks may change class. `expect` and `test` blocks are not compared.

exit status: 0 no difference, 1 differences, 2 usage, an unreadable file or a policy with errors
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "diff",
        run,
        help="compare two policies: which tasks change class",
        description="Say which tasks have another class under a new policy, with one of them for "
        "each pair of classes, and which actions, settings, tunables and promises change.",
        epilog=_EPILOG,
    )
    parser.add_argument("old", metavar="FILE", help="the old policy; - for standard input")
    parser.add_argument("new", metavar="FILE", help="the new policy; - for standard input")
    parser.add_argument("--json", action="store_true", help="for programs")
    shared.add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the differences; returns the exit status. Raises CommandError."""
    if options.old == options.new == shared.STDIO:
        raise shared.CommandError("both policies are standard input", "name a file for one of them")
    policies = [_policy(path, options.color) for path in (options.old, options.new)]
    old, new = policies
    if old is None or new is None:
        return shared.FAILED

    from gthulhuc.difference.report import compare, to_json, to_text

    found = compare(old, new)
    if options.json:
        import json

        text = json.dumps(to_json(found), indent=2, ensure_ascii=False) + "\n"
        shared.out(text.encode(errors="replace"))
    else:
        shared.out(to_text(found))
    return shared.FOUND_ERRORS if found else shared.OK


def _policy(path: str, color: str) -> Policy | None:
    """The policy in a file; None after errors, which it prints."""
    from gthulhuc.frontend import check

    source, found = shared.read_source(path)
    policy, problems = check(source, tests=False)
    shared.show([each for each in (*found, *problems) if each.is_error], source.name, color)
    return None if found else policy
