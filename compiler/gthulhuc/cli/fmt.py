# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fmt`: formats policies in the standard layout."""

from __future__ import annotations

import argparse
import re
import sys
from io import StringIO

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command

_EPILOG = """\
examples:
  gthulhu fmt policy.gpl              rewrites the file
  gthulhu fmt --diff policy.gpl       shows what would change
  gthulhu fmt --check policies/*.gpl  for CI: exit status 1 if a file would change
  gthulhu fmt - < policy.gpl          from standard input to standard output

Comments keep their places, and the meaning never changes. A file with syntax errors stays as it is.

exit status: 0 done, 1 a file has errors or (--check) would change, 2 usage or an unreadable file
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "fmt",
        run,
        help="format policies in the standard layout",
        description="Rewrite policies in the standard layout of the language.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a policy; - for standard input")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; name the files that would change"
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; show the changes")
    shared.add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """Formats each file; returns the worst exit code."""
    return shared.for_each(options.files, lambda path: _format(path, options))


def _format(path: str, options: argparse.Namespace) -> int:
    from gthulhuc.diagnostics.human import visible
    from gthulhuc.formatter import format_source
    from gthulhuc.frontend import decode

    name, before = shared.read_file(path)
    source, found = decode(name, before)
    text, problems = (None, []) if found else format_source(source)
    code = shared.show([*found, *problems], name, options.color)
    if text is None or code != shared.OK:
        return code
    after = text.encode()
    if options.diff:
        _show_diff(name, source.text, text)
    if options.check:
        if after != before:
            shared.err(f"{visible(name)} would change\n")
        return shared.OK if after == before else shared.FOUND_ERRORS
    if not options.diff and (after != before or path == shared.STDIO):
        _write(path, before, after)
    return shared.OK


def _write(path: str, before: bytes, after: bytes) -> None:
    if path != shared.STDIO and shared.read_file(path)[1] != before:
        raise shared.CommandError(
            f"{path} changed while it was formatted", "save it in your editor, then run fmt again"
        )
    shared.write_file(path, after)


def _show_diff(name: str, before: str, after: str) -> None:
    from difflib import unified_diff

    from gthulhuc.diagnostics.human import visible

    shown = visible(name)
    lines = unified_diff(
        StringIO(before).readlines(), StringIO(after).readlines(), shown, f"{shown} (formatted)"
    )
    text = "".join(
        line if line.endswith("\n") else f"{line}\n\\ no line break at the end of the file\n"
        for line in lines
    )
    if sys.stdout.isatty():  # a policy must not send control characters to it
        text = re.sub(r"[^\n\t]+", lambda found: visible(found[0]), text)
    shared.out(text.encode())
