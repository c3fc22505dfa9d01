# SPDX-License-Identifier: Apache-2.0
"""The frame around every command: its streams, its signals, its errors.

It imports almost nothing. Commands import the rest inside the frame.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

OK = 0
FOUND_ERRORS = 1  # the policy has errors
FAILED = 2  # usage, tool chain, a file that cannot be read or written
NOT_IN_FORCE = 3  # no loader responds
INTERRUPTED = 130  # a shell's status for SIGINT

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CommandError(Exception):
    """The command cannot continue, for a reason outside the policy; `hint` says what to do."""

    status = FAILED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def pip_install(package: str) -> str:
    """The command that installs a Python package into this environment."""
    return f"{sys.executable} -m pip install {package}"


class StoppedError(KeyboardInterrupt):
    """A signal ends the command; `status` is the exit status that a shell expects."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.status = 128 + number


def guarded(command: Callable[[], int]) -> int:
    """Runs a command and returns its exit code; every error becomes a message.

    With GTHULHU_DEBUG=1, internal errors show their tracebacks.
    """
    caught = {number: signal.getsignal(number) for number in STOPPING}
    for number, before in caught.items():
        if before != signal.SIG_IGN:  # as `nohup` leaves it
            signal.signal(number, _stop)
    hook, sys.unraisablehook = sys.unraisablehook, _lost
    try:
        _fill_streams()
        return _outcome(command)
    except StoppedError as stopped:
        return stopped.status
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        sys.unraisablehook = hook
        for stream in (sys.stdout, sys.stderr):
            _abandon(stream)
        for number, before in caught.items():
            signal.signal(number, before)


def _outcome(command: Callable[[], int]) -> int:
    try:
        code = _status(command)
        out("")
    except CommandError as error:
        complain(str(error), error.hint)
        return error.status
    except BrokenPipeError:
        pass  # the reader has closed the pipe on purpose
    except OSError as error:
        what = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        complain(f"{what}{reason(error)}")
    except Exception as error:
        if isinstance(error.__cause__, StoppedError):  # raised while Python creates a class
            raise error.__cause__ from None
        if os.environ.get("GTHULHU_DEBUG") == "1":
            raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        complain(
            f"internal error: {what}",
            "this is a bug in gthulhuc; please report it with the traceback "
            "that GTHULHU_DEBUG=1 shows",
        )
    else:
        return code
    return FAILED


def _status(command: Callable[[], int]) -> int:
    """The exit status of a command. argparse raises it after help and usage errors."""
    try:
        return command()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else FAILED


def _stop(number: int, frame: FrameType | None) -> None:
    """Ends the command in order, so that it leaves nothing half done; ignores further signals."""
    del frame
    for each in STOPPING:
        signal.signal(each, signal.SIG_IGN)
    raise StoppedError(number)


def _lost(dropped: sys.UnraisableHookArgs) -> None:
    """Python drops exceptions in destructors: raises a dropped stop again a moment later."""
    stopped = dropped.exc_value
    if not isinstance(stopped, StoppedError):
        sys.__unraisablehook__(dropped)
        return
    number = stopped.number

    def again(_: int, frame: FrameType | None) -> None:
        within = frame
        while within is not None and within.f_code is not _lost.__code__:
            within = within.f_back
        if within is None:  # inside _lost it would be dropped again
            signal.setitimer(signal.ITIMER_REAL, 0)
            _stop(number, frame)

    signal.signal(signal.SIGALRM, again)
    # More than once: if another thread takes the signal, the main one goes on waiting.
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)


# ---- streams ------------------------------------------------------------------------------------


def out(content: str | bytes | memoryview) -> None:
    """Writes to standard output at once. Raises CommandError."""
    _put(sys.stdout, "standard output", content)


def err(content: str | bytes) -> None:
    """Writes to standard error at once. Raises CommandError."""
    _put(sys.stderr, "standard error", content)


def complain(message: str, hint: str = "") -> None:
    """Prints an error that has no place in a policy to standard error, if possible."""
    text = f"error: {message}\n" + (f"  = help: {hint}\n" if hint else "")
    try:
        from gthulhuc.diagnostics.human import visible

        err("".join(visible(line) + "\n" for line in text[:-1].split("\n")))
    except (CommandError, OSError):
        pass  # only the exit status remains


def reason(error: OSError) -> str:
    """The reason why reading or writing failed."""
    if error.errno == errno.EBADF:
        return "it is closed"
    return error.strerror or str(error)


def _put(stream: TextIO, name: str, content: str | bytes | memoryview) -> None:
    if isinstance(content, str):
        content = content.encode(stream.encoding, errors="backslashreplace")
    try:
        stream.flush()
        left = memoryview(content)
        while left:  # with PYTHONUNBUFFERED, each call may write only a part
            left = left[stream.buffer.write(left) :]
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"cannot write to {name}: {reason(error)}") from error


def _fill_streams() -> None:
    """Replaces closed standard streams with ones that fail on every use.

    Otherwise the next opened file would get a stream's number, and the output with it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            path, flags = ("/dev/full", os.O_WRONLY) if number == 0 else ("/dev/null", os.O_RDONLY)
            handle = os.open(path, flags)
            if handle != number:
                os.dup2(handle, number, inheritable=False)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _abandon(stream: TextIO) -> None:
    """Drops unwritten output: Python would report the failure once more when it exits."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()
