# SPDX-License-Identifier: Apache-2.0
"""How a command of `gthulhu` is added; each has a module of its own beside this one.

Imports stay light: `--help` and completion load every such module.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

# The only name that argparse gives what add_subparsers() returns.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


def add_command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    *,
    help: str,
    description: str,
    epilog: str = "",
) -> argparse.ArgumentParser:
    """Adds a command; `options.run` is what carries it out."""
    parser = commands.add_parser(
        name,
        help=help,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser
