# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify`: whether a policy keeps what its `expect` blocks claim."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gthulhuc.cli import files, shared
from gthulhuc.cli.commands import Commands, add_command
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    import argparse

_EPILOG = """\
Each block runs in fresh virtual machines whose clock counts instructions: the same policy gives the
same figures on every machine, however busy. A claim is judged by the median of five perturbed runs.
`docs/lab.md` says how to write claims, and how to believe a figure.

examples:
  gthulhu verify policy.gpl                        all blocks
  gthulhu verify policy.gpl --expect 40            the one on line 40
  gthulhu verify policy.gpl --kernel 6.18,7.2      on both kernels
  gthulhu verify policy.gpl --junit result.xml     for CI

exit status: 0 all claims hold, 1 one does not, or the policy has errors, 2 usage, or the lab
cannot run it
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "verify",
        run,
        help="say whether a policy keeps what it claims, in virtual machines",
        description="Run a policy's `expect` blocks on a real kernel in virtual machines, and say "
        "for each claim whether it holds.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a policy")
    parser.add_argument(
        "--expect", metavar="LINE|WORKLOAD", help="only the block on this line, or of this workload"
    )
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=_positive,
        default=5,
        help="perturbed runs of each scheduler (default: %(default)s; fewer give no verdict)",
    )
    parser.add_argument(
        "--cpus", metavar="N", type=_positive, default=4, help="of the machines (default: 4)"
    )
    parser.add_argument(
        "--kernel",
        metavar="VERSION[,VERSION]",
        default="7.2",
        help="the kernels, one after the other (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        default=1,
        help="machines at once, each takes one core (default: 1)",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="run again what has been run before, too"
    )
    parser.add_argument("--json", metavar="OUT", help="all figures; - for standard output")
    parser.add_argument("--junit", metavar="OUT", help="the verdict for CI; - for standard output")
    shared.add_common_options(parser)


def _positive(text: str) -> int:
    import argparse

    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text or 'an empty text'} is no number from 1 on")


def run(options: argparse.Namespace) -> int:
    """Prints the verdict."""
    try:
        from gthulhu_lab.errors import LabError
        from gthulhu_lab.verify import suite
    except ModuleNotFoundError as error:
        raise CommandError(
            f"the lab is not installed: there is no module {error.name}",
            "it is part of a checkout: `make setup` there, and use that `gthulhu`",
        ) from error
    for output in (options.json, options.junit):
        if output is not None:
            files.check_output(output)
    wanted = suite.Options(
        seeds=options.seeds,
        cpus=options.cpus,
        kernels=tuple(dict.fromkeys(options.kernel.split(","))),
        jobs=options.jobs,
        use_cache=not options.no_cache,
        only=options.expect,
    )
    try:
        found = suite.verify(options.file, wanted)
    except suite.PolicyError as error:
        return shared.show(error.diagnostics, options.file, options.color)
    except LabError as error:
        raise CommandError(error.message, error.remedy) from error
    return _write(found, options)


def _write(found: object, options: argparse.Namespace) -> int:
    from gthulhu_lab.verify import junit, table
    from gthulhu_lab.verify.verdict import Verification
    from gthulhuc.diagnostics.human import PLAIN, palette_for

    assert isinstance(found, Verification)
    if options.json is not None:
        shared.write_file(options.json, found.model_dump_json(indent=1).encode() + b"\n")
    if options.junit is not None:
        shared.write_file(options.junit, junit.render(found).encode())
    if shared.STDIO not in (options.json, options.junit):
        colour = palette_for(sys.stdout, options.color) is not PLAIN
        shared.out(table.render(found, colour=colour))
    return shared.OK if found.holds else shared.FOUND_ERRORS
