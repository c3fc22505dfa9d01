# SPDX-License-Identifier: Apache-2.0
"""How a command of `gthulhu` is added; each has a module of its own beside this one.

Imports stay light: `--help` and completion load every such module.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from gthulhuc.cli import frame


class Parser(argparse.ArgumentParser):
    """Prints as the commands do: argparse itself keeps quiet about what it could not write."""

    def error(self, message: str) -> NoReturn:
        """Says what is wrong, which may be any text that was given, and ends."""
        from gthulhuc.diagnostics.human import visible

        super().error(visible(message))

    def _print_message(self, message: str, file: object = None) -> None:
        if message:
            (frame.out if file is sys.stdout else frame.err)(message)


# The only name that argparse gives what add_subparsers() returns.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001


def count(text: str) -> int:
    """A whole number from 1, for argparse."""
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text or 'an empty text'} is no whole number from 1")


def add_command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    *,
    help: str,
    description: str,
    epilog: str = "",
) -> Parser:
    """Adds a command; `options.run` is what carries it out, `options.parser` its own parser."""
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
