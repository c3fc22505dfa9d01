# SPDX-License-Identifier: Apache-2.0
"""What both command lines share: files in and out, exit codes, and no traceback.

Imports stay light: `--help` and completion wait for them.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.source import Source

OK = 0
FOUND_ERRORS = 1  # the policy has errors
FAILED = 2  # usage, tool chain, a file that cannot be read or written
INTERRUPTED = 130

STDIO = "-"
MOST_SHOWN = 100
MAX_BYTES = 64 << 20  # of a file that is read; as for included ones


class CommandError(Exception):
    """The command cannot go on, through no fault of the policy; `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def read_file(path: str) -> tuple[str, bytes]:
    """The display name and content of a file, or of standard input for `-`.

    Raises CommandError when it cannot be read, or does not end (a device, say).
    """
    try:
        if path == STDIO:
            name, content = "<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                name, content = path, file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise CommandError(f"cannot read {name}: larger than {MAX_BYTES >> 20} MB")
    return name, content


def read_source(path: str) -> tuple[Source, list[Diagnostic]]:
    """The source in a file, and what is wrong with its encoding. Raises CommandError."""
    from gthulhuc.frontend import decode

    return decode(*read_file(path))


def write_file(path: str, content: bytes) -> None:
    """Writes a file whole or not at all; `-` is standard output. Raises CommandError."""
    if path == STDIO:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return

    def fill(scratch: Path) -> None:
        scratch.write_bytes(content)

    make_file(Path(path), fill)


def make_file(target: Path, fill: Callable[[Path], None]) -> None:
    """Has `fill` write a scratch file beside the target, and renames it when that went well.

    Raises CommandError when the folder cannot be written to; what `fill` raises passes through.
    """
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced: write to it.
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder) / target.name
            fill(scratch)
            _write_special(target, scratch.read_bytes())
        return
    scratch = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        fill(scratch)
        scratch.replace(target)
    except OSError as error:
        raise CommandError(f"cannot write {target}: {error.strerror}") from error
    finally:
        # Where it could not be made it cannot be removed either, and that was said.
        with contextlib.suppress(OSError):
            scratch.unlink(missing_ok=True)


def _write_special(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise CommandError(f"cannot write {target}: {error.strerror}") from error


def show(diagnostics: Sequence[Diagnostic], name: str, color: str) -> int:
    """Prints diagnostics to standard error for people; the exit code that they ask for."""
    if not diagnostics:
        return OK
    from gthulhuc.diagnostics.human import palette_for, render, summary

    palette = palette_for(sys.stderr, color)
    # Who has a thousand problems reads the first.
    text = render(diagnostics[:MOST_SHOWN], palette)
    if (more := len(diagnostics) - MOST_SHOWN) > 0:
        text += f"... and {more} more\n\n"
    text += summary(diagnostics, name, palette)
    sys.stderr.buffer.write(text.encode(errors="replace"))
    sys.stderr.buffer.flush()
    return status(diagnostics)


def status(diagnostics: Sequence[Diagnostic]) -> int:
    """The exit code that diagnostics ask for."""
    return FOUND_ERRORS if any(diagnostic.is_error for diagnostic in diagnostics) else OK


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Options that every command has."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour in diagnostics (default: on a terminal; NO_COLOR and FORCE_COLOR count)",
    )


def guarded(command: Callable[[], int]) -> int:
    """Runs a command; whatever goes wrong becomes a message and an exit code.

    With GTHULHU_DEBUG=1 an error of the program itself shows its traceback.
    """
    try:
        code = command()
        sys.stdout.flush()
    except CommandError as error:
        complain(str(error), error.hint)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader left. Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("GTHULHU_DEBUG") == "1":
            raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        complain(
            f"internal error: {what}",
            "this is a bug of gthulhuc; please report it with the traceback "
            "that GTHULHU_DEBUG=1 shows",
        )
        return FAILED
    return code


def complain(message: str, hint: str = "") -> None:
    """An error without a place in a policy, to standard error."""
    text = f"error: {message}\n" + (f"  = help: {hint}\n" if hint else "")
    sys.stderr.buffer.write(text.encode(errors="replace"))
    sys.stderr.buffer.flush()
