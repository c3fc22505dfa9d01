# SPDX-License-Identifier: Apache-2.0
"""`gthulhu`: check policies, look into objects, run them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gthulhuc.cli import frame

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from gthulhuc import checked
    from gthulhuc.cli.commands import Commands
    from gthulhuc.diagnostics import Diagnostic

_EPILOG = """\
examples:
  gthulhu new --from upf            copies a policy that is shipped, to start from
  gthulhu check policy.gpl          says what is wrong with a policy
  gthulhu fmt policy.gpl            lays it out as the language does
  gthulhu explain policy.gpl --comm nginx
                                    says which rule takes a task, and why
  gthulhu import ananicy /etc/ananicy.d
                                    makes a policy from another tool's rules
  gthulhu verify policy.gpl         says whether a policy keeps what it claims
  gthulhu inspect policy.bpf.o      says what an object was made from
  gthulhu doctor                    says whether this machine can run a policy
  gthulhu run policy.gpl            schedules with it until it is stopped
  gthulhu swap other.gpl            puts another one in its place, rollback takes that back
  gthulhu status                    says what is in force
  gthulhu label 4711 tier=web       labels a process for the policy in force
  gthulhu stats                     says what the tasks of each rule do
  gthulhu trace -o t.pftrace        records who runs when, by rule, for Perfetto
  gthulhu agent                     tells it which cgroup is of which container
  gthulhu bench                     measures policies against other schedulers, in micro-VMs

`gthulhuc policy.gpl` makes an object, for nodes without a compiler.
"""


_CHECK = """\
examples:
  gthulhu check policy.gpl                     for you
  gthulhu check --target cpus=64 policy.gpl    as for a machine with 64 CPUs
  gthulhu check -W error --format github policies/*.gpl
                                               for CI: any warning fails, and shows at its line
  gthulhuc --explain GPL0403                   what a message means, with examples

exit status: 0 fine (there may be warnings), 1 errors, 2 usage or an unreadable file
"""
_INSPECT = """\
examples:
  gthulhu inspect policy.bpf.o
  gthulhu inspect --json policy.bpf.o | jq -r '.rules[].name'

exit status: 0 done, 2 usage, or the file is no object of gthulhuc
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    return frame.guarded(lambda: _command(argv))


def _command(argv: Sequence[str] | None) -> int:
    options, unknown = make_parser().parse_known_args(argv)
    parser = vars(options).pop("parser")
    if unknown:
        # argparse would show the usage of all commands.
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    code: int = options.run(options)
    return code


def make_parser() -> argparse.ArgumentParser:
    """All commands and options; help, completion and the manual page come from here."""
    import argparse

    from gthulhuc import __version__
    from gthulhuc.cli import (
        agent,
        bench,
        completion,
        doctor,
        explain,
        fmt,
        importing,
        lab,
        lsp,
        manual,
        metrics,
        new,
        operations,
        stats,
        top,
        trace,
        verify,
    )
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
    _add_commands(commands)
    for command in (
        new,
        fmt,
        explain,
        importing,
        verify,
        doctor,
        operations,
        agent,
        stats,
        top,
        trace,
        metrics,
        bench,
        lab,
        lsp,
        completion,
        manual,
    ):
        command.add(commands)
    return parser


def _add_commands(commands: Commands) -> None:
    from gthulhuc.cli import reporting
    from gthulhuc.cli.commands import add_command

    check = add_command(
        commands,
        "check",
        _check,
        help="check policies; needs neither clang nor root",
        description="Say what is wrong with policies, all of it at once.",
        epilog=_CHECK,
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a policy; - for standard input")
    reporting.add_options(check)

    inspect = add_command(
        commands,
        "inspect",
        _inspect,
        help="show what an object was made from",
        description="Show the policy, rules and versions that a compiled object names.",
        epilog=_INSPECT,
    )
    inspect.add_argument("object", metavar="OBJECT", help="an object that gthulhuc made")
    inspect.add_argument("--json", action="store_true", help="the metadata as it stands there")


def _check(options: argparse.Namespace) -> int:
    import gc

    from gthulhuc.cli import reporting, shared
    from gthulhuc.frontend import check

    gc.disable()  # a policy's parts refer to each other in one direction only
    target = reporting.target_of(options)
    everything: list[Diagnostic] = []

    def check_one(path: str) -> int:
        source, found = shared.read_source(path)
        policy, problems = check(source, target=target)
        later = not_yet(policy) if policy is not None else []
        selected = reporting.selected([*found, *problems, *later], options)
        everything.extend(selected)
        if options.format == "human":
            shared.show(selected, source.name, options.color)
        return shared.status(selected)

    worst = shared.for_each(options.files, check_one)
    if options.format != "human":  # one document for all files
        reporting.write(everything, options)
    return worst


def not_yet(policy: checked.Policy) -> list[Diagnostic]:
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


if __name__ == "__main__":
    sys.exit(main())
