# SPDX-License-Identifier: Apache-2.0
"""Reads and writes files: completely or not at all, with a message for each failure."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc.cli.frame import FAILED, OK, CommandError, complain, out, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.source import Source

STDIO = "-"
STDIN = "<stdin>"
MAX_BYTES = 64 << 20  # size of an input file; included files have the same limit

_HINTS = {
    errno.EISDIR: "name a file in it",
    errno.ENOENT: "its folder does not exist: create it first, or name another place",
    errno.EACCES: "a file is replaced as a whole, so its folder must be writable; "
    "name another place, or change the folder's permissions",
    errno.EROFS: "its file system is read-only: name another place",
    errno.ENOSPC: "its file system is full: free some space, or name another place",
    errno.EDQUOT: "your quota is used up: free some space, or name another place",
}


class UnreadableError(CommandError):
    """One file cannot be read; a command for several files goes on with the next."""


def read_file(path: str) -> tuple[str, bytes]:
    """The display name and content of a file, or of standard input for `-`.

    Raises UnreadableError if it cannot be read, or has no end (such as a device).
    """
    if not path:
        raise UnreadableError("expected a file name, found an empty text", "- is standard input")
    name = STDIN if path == STDIO else path
    try:
        if path == STDIO:
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"cannot read {name}: {reason(error)}") from error
    if len(content) > MAX_BYTES:
        raise UnreadableError(f"cannot read {name}: it is larger than {MAX_BYTES >> 20} MB")
    return name, content


def read_source(path: str) -> tuple[Source, list[Diagnostic]]:
    """The source in a file, and diagnostics about its encoding. Raises CommandError."""
    from gthulhuc.frontend import decode

    return decode(*read_file(path))


def for_each(paths: Sequence[str], command: Callable[[str], int]) -> int:
    """Runs a command on each file, also after an unreadable one; returns the worst exit code.

    Raises CommandError if standard input is among the files twice.
    """
    if paths.count(STDIO) > 1:
        raise CommandError("cannot read standard input twice", "give `-` once")
    worst = OK
    for path in paths:
        try:
            worst = max(worst, command(path))
        except UnreadableError as error:
            complain(str(error), error.hint)
            worst = FAILED
    return worst


def is_same(path: str, source: str) -> bool:
    """Whether two names are the same file; the second may be the name of standard input."""
    try:
        there = os.fstat(0) if source == STDIN else Path(source).stat()
        return os.path.samestat(Path(path).stat(), there)
    except OSError:
        return False


def write_file(path: str, content: bytes | memoryview) -> None:
    """Writes a file completely or not at all; `-` is standard output. Raises CommandError.

    A link stays a link, and its target is replaced. An existing file keeps its mode and, if
    permitted, its owner. Devices and pipes are written directly.
    """
    if path == STDIO:
        out(content)
        return
    try:
        there = _status(path)
        if there is None or stat.S_ISREG(there.st_mode):
            target = os.path.realpath(path) if Path(path).is_symlink() else path
            _replace(Path(target), there, content)
        else:
            Path(path).write_bytes(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _not_written(path, error) from error


def check_output(path: str) -> None:
    """Raises CommandError if a file cannot be written, as far as that is known beforehand."""
    if path != STDIO:
        try:
            there = _status(path)
            folder = Path(os.path.realpath(path)).parent
            if there is None and not folder.is_dir():
                raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
            # A new file is first written under another name in the same folder.
            if (there is None or stat.S_ISREG(there.st_mode)) and not os.access(folder, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise _not_written(path, error) from error


def check_outputs(paths: Iterable[str | None]) -> None:
    """Checks several outputs, which must differ; None is an output that is not wanted.

    Raises CommandError.
    """
    seen: set[str] = set()
    for path in paths:
        if path is None:
            continue
        check_output(path)
        place = path if path == STDIO else os.path.realpath(path)
        if place in seen:
            raise CommandError(f"two outputs go to {path}", "name a file for each")
        seen.add(place)


def _not_written(path: str, error: OSError) -> CommandError:
    hint = _HINTS.get(error.errno or 0, "name another place")
    return CommandError(f"cannot write {path or 'a file without a name'}: {reason(error)}", hint)


def _status(path: str) -> os.stat_result | None:
    """The status of an output's path; None: it is free. Raises OSError if it cannot be a file."""
    try:
        there = Path(path).stat() if path else None
    except FileNotFoundError:
        there = None
    if path.endswith("/") or (there is not None and stat.S_ISDIR(there.st_mode)):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return there


def _replace(target: Path, there: os.stat_result | None, content: bytes | memoryview) -> None:
    """Writes a file with a random name beside the target, and renames it."""
    import tempfile

    handle, scratch = tempfile.mkstemp(prefix=".gthulhu-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if there is None:
                mask = os.umask(0)
                os.umask(mask)
                os.fchmod(handle, 0o666 & ~mask)
            else:
                if (there.st_uid, there.st_gid) != (os.geteuid(), os.getegid()):
                    with contextlib.suppress(PermissionError):
                        os.fchown(handle, there.st_uid, there.st_gid)
                os.fchmod(handle, stat.S_IMODE(there.st_mode))
        Path(scratch).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(scratch).unlink()
        raise
