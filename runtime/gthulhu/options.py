# SPDX-License-Identifier: Apache-2.0
"""Options that the commands for a running loader share."""

from __future__ import annotations

import argparse

STATE_FOLDER = "/run/gthulhu"  # where a loader keeps its state and its socket
LABELS_FILE = "/etc/gthulhu/labels.toml"
"""Labels of cgroups that no container manager knows."""
IN_CLUSTER = "in-cluster"
"""Instead of a kubeconfig: the account of the pod in which the command runs."""


def add_state(parser: argparse._ActionsContainer) -> None:
    """Adds the option that selects the loader."""
    parser.add_argument(
        "--state",
        metavar="FOLDER",
        type=_folder,
        default=STATE_FOLDER,
        help="the loader's folder, with its control socket (default: %(default)s)",
    )


def add_labels(parser: argparse._ActionsContainer) -> None:
    """Adds the option that names the file of labels."""
    parser.add_argument(
        "--labels",
        metavar="FILE",
        default=LABELS_FILE,
        help="labels of cgroups that no container manager knows (default: %(default)s)",
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


def address(text: str) -> tuple[str, int]:
    """A host and a port, for argparse. Raises ArgumentTypeError."""
    host, colon, port = text.rpartition(":")
    if colon and host and port.isascii() and port.isdecimal() and int(port) < 1 << 16:
        return host.removeprefix("[").removesuffix("]"), int(port)
    raise argparse.ArgumentTypeError(f"expected ADDRESS:PORT, found `{text}`")
