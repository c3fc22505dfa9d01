# SPDX-License-Identifier: Apache-2.0
"""Options that the commands for a running loader share."""

from __future__ import annotations

import argparse

STATE_FOLDER = "/run/gthulhu"  # where a loader keeps its state and its socket


def add_state(parser: argparse._ActionsContainer) -> None:
    """Adds the option that selects the loader."""
    parser.add_argument(
        "--state",
        metavar="FOLDER",
        type=_folder,
        default=STATE_FOLDER,
        help="the loader's folder, with its control socket (default: %(default)s)",
    )


def _folder(text: str) -> str:
    if text:
        return text
    raise argparse.ArgumentTypeError("expected a folder, found an empty text")


def task_number(text: str) -> int:
    """The number of a process or thread, for argparse. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal() and 0 < int(text) < 1 << 31:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected the number of a task, found `{text}`")
