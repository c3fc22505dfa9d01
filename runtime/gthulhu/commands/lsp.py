# SPDX-License-Identifier: Apache-2.0
"""`gthulhu lsp` with the processes of this machine, for its inlay hints."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gthulhuc.cli import lsp

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands
    from gthulhuc.reference import Task


def add(commands: Commands) -> None:
    """Adds the command."""
    lsp.add(commands).set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serves an editor until it ends the connection."""
    return lsp.run(options, _tasks)


def _tasks() -> Iterator[Task]:
    from gthulhu import processes

    return (process.facts for process in processes.all_processes())
