# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fmt`: policies in the one layout."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command

_EPILOG = """\
examples:
  gthulhu fmt policy.gpl              rewrites the file
  gthulhu fmt --diff policy.gpl       shows what would change
  gthulhu fmt --check policies/*.gpl  for CI: exit status 1 if a file would change
  gthulhu fmt - < policy.gpl          from standard input to standard output

Comments stay where they are, and the meaning is never touched. A file that does not parse is left
as it is.

exit status: 0 done, 1 a file has errors or (--check) would change, 2 usage or an unreadable file
"""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = add_command(
        commands,
        "fmt",
        run,
        help="lay policies out as the language does",
        description="Rewrite policies in the layout of the language.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a policy; - for standard input")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; name what would change"
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    shared.add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """Formats each file; the worst exit code of all."""
    return max(_format(path, options) for path in options.files)


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
            sys.stderr.write(f"{visible(name)} would change\n")
        return shared.OK if after == before else shared.FOUND_ERRORS
    if not options.diff and (after != before or path == shared.STDIO):
        _write(path, after)
    return shared.OK


def _show_diff(name: str, before: str, after: str) -> None:
    from difflib import unified_diff

    lines = unified_diff(
        StringIO(before).readlines(),
        StringIO(after).readlines(),
        name,
        f"{name} (formatted)",
    )
    for line in lines:
        end = "" if line.endswith("\n") else "\n\\ no line break at the end of the file\n"
        sys.stdout.buffer.write((line + end).encode())
    sys.stdout.buffer.flush()


def _write(path: str, content: bytes) -> None:
    """Replaces a file whole, with its mode and, where that may be, its owner."""
    if path == shared.STDIO:
        shared.write_file(path, content)
        return
    # A link goes on pointing at the file that it names.
    target = Path(path).resolve()

    def fill(scratch: Path) -> None:
        scratch.write_bytes(content)
        status = target.stat()
        if (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
            with suppress(PermissionError):
                os.chown(scratch, status.st_uid, status.st_gid)
        scratch.chmod(stat.S_IMODE(status.st_mode))

    shared.make_file(target, fill)
