# SPDX-License-Identifier: Apache-2.0
"""`gthulhu`: check policies, look into objects, run them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gthulhuc import __version__
from gthulhuc.cli import (
    completion,
    explain,
    fmt,
    importing,
    lsp,
    manual,
    reporting,
    shared,
)

if TYPE_CHECKING:
    from gthulhuc import checked
    from gthulhuc.diagnostics import Diagnostic

_EPILOG = """\
examples:
  gthulhu check policy.gpl          says what is wrong with a policy
  gthulhu fmt policy.gpl            lays it out as the language does
  gthulhu explain policy.gpl --comm nginx
                                    says which rule takes a task, and why
  gthulhu import ananicy /etc/ananicy.d
                                    makes a policy from another tool's rules
  gthulhu inspect policy.bpf.o      says what an object was made from
  gthulhu run policy.bpf.o          schedules with it until it is interrupted

`gthulhuc policy.gpl` makes the object.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    options = make_parser().parse_args(argv)
    return shared.guarded(lambda: options.run(options))


def make_parser() -> argparse.ArgumentParser:
    """All commands and options; help, completion and the manual page come from here."""
    parser = argparse.ArgumentParser(
        prog="gthulhu",
        description="Check, inspect and run scheduling policies.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"gthulhu {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    check = commands.add_parser(
        "check",
        help="check policies; needs neither clang nor root",
        description="Check policies. Exit status: 0 fine, 1 errors, 2 a file cannot be read.",
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a policy; - for standard input")
    reporting.add_options(check)
    check.set_defaults(run=_check)

    inspect = commands.add_parser(
        "inspect",
        help="show what an object was made from",
        description="Show the policy, rules and versions that a compiled object names.",
    )
    inspect.add_argument("object", metavar="OBJECT", help="an object that gthulhuc made")
    inspect.add_argument("--json", action="store_true", help="the metadata as it stands there")
    inspect.set_defaults(run=_inspect)

    run = commands.add_parser(
        "run",
        help="load an object and schedule with it",
        description="Load an object with gthulhu-loader. What follows it goes to the loader.",
    )
    run.add_argument("object", metavar="OBJECT", help="an object that gthulhuc made")
    run.add_argument(
        "options", metavar="...", nargs=argparse.REMAINDER, help="options of gthulhu-loader"
    )
    run.set_defaults(run=_run)
    for command in _COMMANDS:
        command.add(commands)
    return parser


def _check(options: argparse.Namespace) -> int:
    from gthulhuc.frontend import check

    worst = shared.OK
    target = reporting.target_of(options)
    everything: list[Diagnostic] = []
    for path in options.files:
        source, found = shared.read_source(path)
        policy, problems = check(source, target=target)
        later = _not_yet(policy) if policy is not None else []
        selected = reporting.selected([*found, *problems, *later], options)
        everything += selected
        worst = max(worst, shared.status(selected))
        if options.format == "human":
            shared.show(selected, source.name, options.color)
    if options.format != "human":  # one document for all files
        reporting.write(everything, options)
    return worst


def _not_yet(policy: checked.Policy) -> list[Diagnostic]:
    """A warning for each thing that is right and that `gthulhuc` would refuse."""
    from dataclasses import replace

    from gthulhuc.diagnostics import Severity, codes
    from gthulhuc.plan.supported import refuse

    note = "the policy is right; `gthulhuc` makes no object of it until the scheduler can do it"
    return [
        replace(found, code=codes.NOT_YET, severity=Severity.WARNING, notes=(note,))
        for found in refuse(policy)
    ]


def _inspect(options: argparse.Namespace) -> int:
    from gthulhuc.cli.inspection import inspect

    return inspect(options.object, as_json=options.json)


def _run(options: argparse.Namespace) -> int:
    from gthulhuc.cli.loader import run

    return run(options.object, options.options)


_COMMANDS = (fmt, explain, importing, lsp, completion, manual)


if __name__ == "__main__":
    sys.exit(main())
