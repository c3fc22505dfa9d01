# SPDX-License-Identifier: Apache-2.0
"""`gthulhu lsp`: the language server."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from gthulhuc.cli import frame, shared
from gthulhuc.cli.commands import Commands, Parser, add_command
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    from gthulhuc.lsp.hints import Machine

_EPILOG = """\
Your editor starts it. It serves diagnostics as you type with their fixes, hover texts, completion,
definitions, references, renaming, the outline, folds, colours, inlay hints and formatting. It needs
the Python package pygls.

examples:
  Neovim     vim.lsp.config('gthulhu', { cmd = { 'gthulhu', 'lsp' }, filetypes = { 'gpl' } })
  Helix      [language-server.gthulhu]
             command = "gthulhu"
             args = ["lsp"]
"""


def add(commands: Commands) -> Parser:
    """Adds the command for texts; the runtime adds the processes of this machine."""
    return add_command(
        commands,
        "lsp",
        run,
        help="serve an editor: diagnostics, hover texts, completion",
        description="Serve an editor over standard input and output (Language Server Protocol).",
        epilog=_EPILOG,
    )


def run(options: argparse.Namespace, machine: Machine | None = None) -> int:
    """Serves an editor until it ends the connection; `machine`: whose processes are counted.

    Raises CommandError.
    """
    del options
    try:
        from gthulhuc.lsp.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise CommandError(
            "the Python package pygls is missing", frame.pip_install("'pygls>=2'")
        ) from error
    from gthulhuc.lsp.hints import use_machine

    use_machine(machine)
    # The server closes its stream at the end, and this program's own has to stay open until then.
    server.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    return shared.OK
