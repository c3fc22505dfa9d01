# SPDX-License-Identifier: Apache-2.0
"""`gthulhu new`: copies a shipped policy, to start from."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_EPILOG = """\
examples:
  gthulhu new                              lists the shipped policies
  gthulhu new --from upf                   copies one to upf.gpl
  gthulhu new --from upf -o -              shows it

An existing file is never overwritten.

exit status: 0 done, 2 usage, no such policy, or the file cannot be written
"""

# The policies of a checkout, and those of a wheel or the Debian package.
FOLDERS = (
    Path(__file__).parents[3] / "policies",
    Path(sys.prefix, "share", "gthulhu", "policies"),
)


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "new",
        run,
        help="start from a shipped policy",
        description="Copy a shipped policy, to start from. Without --from, list all of them.",
        epilog=_EPILOG,
    )
    parser.add_argument("--from", dest="name", metavar="NAME", help="the policy to copy")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the output file (default: NAME.gpl; - to show it)"
    )


def run(options: argparse.Namespace) -> int:
    """Copies a policy, or lists all. Raises CommandError."""
    policies = shipped()
    if options.name is None:
        if options.output is not None:
            raise CommandError("--output needs --from", "`gthulhu new` lists the policies to copy")
        width = max(len(name) for name in policies)
        for name, path in policies.items():
            shared.out(f"{name:{width}}  {_summary(path)}\n")
        return shared.OK
    source = policies.get(options.name.removesuffix(".gpl"))
    if source is None:
        from gthulhuc.diagnostics.suggest import did_you_mean

        hint = " ".join(did_you_mean(options.name, policies))
        raise CommandError(f"there is no shipped policy `{options.name}`", hint)
    output = source.name if options.output is None else options.output
    if output != shared.STDIO and os.path.lexists(output):
        raise CommandError(f"{output} already exists", "name another file with -o")
    _, content = shared.read_file(str(source))
    shared.write_file(output, content)
    return shared.OK


def shipped(folders: Sequence[Path] = FOLDERS) -> dict[str, Path]:
    """The shipped policies by name, from the first folder that has any.

    Raises CommandError if no folder has any.
    """
    for folder in folders:
        if found := sorted(folder.glob("*.gpl")):
            return {path.stem: path for path in found}
    raise CommandError(
        "cannot find the shipped policies",
        "install gthulhuc's wheel or package, which put them in share/gthulhu/policies",
    )


def _summary(path: Path) -> str:
    """The first sentence of a policy's comment."""
    lines = re.findall(r"^#(.*)", path.read_text().partition("\npolicy ")[0], re.MULTILINE)
    return " ".join(line.strip() for line in lines).partition(". ")[0].removesuffix(".")
