# SPDX-License-Identifier: Apache-2.0
"""Helpers of all commands: files, exit codes, and the output of diagnostics."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gthulhuc.cli.files import STDIO, for_each, is_same, read_file, read_source, write_file
from gthulhuc.cli.frame import (
    FAILED,
    FOUND_ERRORS,
    INTERRUPTED,
    OK,
    CommandError,
    complain,
    err,
    guarded,
    out,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from gthulhuc.diagnostics import Diagnostic

__all__ = [
    "FAILED",
    "FOUND_ERRORS",
    "INTERRUPTED",
    "OK",
    "STDIO",
    "CommandError",
    "add_common_options",
    "complain",
    "err",
    "for_each",
    "guarded",
    "is_same",
    "out",
    "read_file",
    "read_source",
    "show",
    "status",
    "write_file",
]

MOST_SHOWN = 100


def show(diagnostics: Sequence[Diagnostic], name: str, color: str) -> int:
    """Prints diagnostics for people to standard error; returns their exit code."""
    if not diagnostics:
        return OK
    from gthulhuc.diagnostics.human import palette_for, render, summary

    palette = palette_for(sys.stderr, color)
    # Nobody reads more than the first of a thousand problems.
    text = render(diagnostics[:MOST_SHOWN], palette)
    if (more := len(diagnostics) - MOST_SHOWN) > 0:
        text += f"... and {more} more\n\n"
    err(text + summary(diagnostics, name, palette))
    return status(diagnostics)


def status(diagnostics: Sequence[Diagnostic]) -> int:
    """The exit code for diagnostics."""
    return FOUND_ERRORS if any(diagnostic.is_error for diagnostic in diagnostics) else OK


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every command."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour diagnostics (default: on a terminal; NO_COLOR and FORCE_COLOR override)",
    )
