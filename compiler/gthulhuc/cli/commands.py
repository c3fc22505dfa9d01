# SPDX-License-Identifier: Apache-2.0
"""How the modules of commands add them to `gthulhu`.

Keep the imports of such a module light: `--help` and completion load all of them.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from gthulhuc.cli import frame


class Parser(argparse.ArgumentParser):
    """A parser that prints as the commands do: argparse itself ignores errors of writing."""

    def error(self, message: str) -> NoReturn:
        """Prints an error, which may quote any text that was given, and ends."""
        from gthulhuc.diagnostics.human import visible

        super().error(visible(message))

    def _print_message(self, message: str, file: object = None) -> None:
        if message:
            (frame.out if file is sys.stdout else frame.err)(message)


# The only name that argparse gives what add_subparsers() returns.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def count(text: str) -> int:
    """Parses a whole number from 1, for argparse. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number from 1, found `{text}`")


def add_command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    *,
    help: str,
    description: str,
    epilog: str = "",
) -> Parser:
    """Adds a command. In its options, `run` is the function and `parser` the command's parser."""
    parser = commands.add_parser(
        name,
        help=help,
        description=textwrap.fill(description, 79),
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, parser=parser)
    return parser
