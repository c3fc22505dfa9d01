# SPDX-License-Identifier: Apache-2.0
"""`gthulhu check`: reports problems in policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.cli import reporting, shared
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from gthulhuc.cli.commands import Commands
    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.source import Source

_EPILOG = """\
examples:
  gthulhu check policy.gpl                     prints all problems
  gthulhu check --target cpus=64 policy.gpl    checks for a machine with 64 CPUs
  gthulhu check --fix policy.gpl               applies the fixes that have no alternative
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
    change = check.add_mutually_exclusive_group()
    change.add_argument(
        "--fix", action="store_true", help="apply the fixes that have no alternative, in the files"
    )
    change.add_argument(
        "--diff", action="store_true", help="print what --fix would change, and change nothing"
    )
    reporting.add_options(check)


def run(options: argparse.Namespace) -> int:
    """Checks all files and prints their problems; returns the worst exit status.

    Raises CommandError.
    """
    import gc

    from gthulhuc.frontend import check

    if options.fix and shared.STDIO in options.files:
        raise shared.CommandError("cannot fix standard input", "give --diff, or name a file")
    gc.disable()  # a policy's data has no reference cycles
    target = reporting.target_of(options)
    everything: list[Diagnostic] = []

    def check_one(path: str) -> int:
        source, found = shared.read_source(path)

        def problems_of(text: Source) -> list[Diagnostic]:
            before = found if text is source else []
            return reporting.selected([*before, *check(text, target=target)[1]], options)

        selected = problems_of(source)
        if (options.fix or options.diff) and not found:  # what cannot be decoded stays as it is
            selected = _fix(path, source, selected, problems_of, options)
        everything.extend(selected)
        if options.format == "human":
            shared.show(selected, source.name, options.color)
        return shared.status(selected)

    worst = shared.for_each(options.files, check_one)
    if options.format != "human":  # one document for all files
        reporting.write(everything, options)
    return worst


def _fix(
    path: str,
    source: Source,
    found: list[Diagnostic],
    check: Callable[[Source], list[Diagnostic]],
    options: argparse.Namespace,
) -> list[Diagnostic]:
    """Fixes a file, or prints what would change; returns the problems that are left."""
    from gthulhuc.diagnostics.fixing import fixed

    result, count, left = fixed(source, check)
    if options.diff:
        import difflib

        before, after = (text.splitlines(keepends=True) for text in (source.text, result.text))
        shared.out("".join(difflib.unified_diff(before, after, source.shown, source.shown)))
        return found
    if count:
        shared.write_file(path, result.text.encode())
        shared.err(f"fixed {count} problem{'s' * (count != 1)} in {source.shown}\n")
    return list(left)
