# SPDX-License-Identifier: Apache-2.0
"""The client of a running loader; `runtime/control/control.h` defines the protocol."""

from __future__ import annotations

import json
import os
import shlex
import socket
import struct
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gthulhu.options import STATE_FOLDER
from gthulhuc.cli.frame import NOT_IN_FORCE, CommandError, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_REQUEST = 65536  # bytes with the newline; CONTROL_LINE in `control.h`
_MAX_SOCKET_PATH = 107  # bytes, as in sockaddr_un
TIMEOUT_S = 60  # a loader that is busy loading answers late
LOAD_TIMEOUT_S = 120  # for requests that make the kernel verify a policy

Answer: TypeAlias = dict[str, Any]


class NotRunningError(CommandError):
    """No loader answers. If the folder was given by hand, the message says why it may be wrong."""

    status = NOT_IN_FORCE

    def __init__(self, folder: str, option: str = "") -> None:
        message = "no policy is in force"
        hint = f"`gthulhu run{option} policy.gpl` puts one in force"
        kept = kept_generations(folder)
        if kept:
            again = kept[0].compiled(option) if option else kept[0].command()
            hint = f"`{again}` puts the last one in force again" if again else hint
        elif folder != STATE_FOLDER:
            hint = f"check `--state`, the loader's folder (default: {STATE_FOLDER})"
        if folder != STATE_FOLDER:
            message += f": {_why_not(folder)}"
        super().__init__(message, hint)


@dataclass(frozen=True, slots=True)
class Kept:
    """A generation that a loader left: its object at `path`, loaded as `called`."""

    number: int
    called: str
    path: Path

    def command(self) -> str:
        """The command that puts it in force again, from the original file if that still exists."""
        return self._run(self.called) if self._is_there() else self.recall()

    def compiled(self, option: str) -> str | None:
        """The same command with an option of the compiler; None if the source is gone."""
        is_source = self._is_there() and self.called.endswith(".gpl")
        return self._run(self.called, option) if is_source else None

    def recall(self) -> str:
        """The command that puts the kept object in force again."""
        return self._run(str(self.path))

    def _is_there(self) -> bool:
        return Path(self.called).is_absolute() and os.access(self.called, os.R_OK)

    def _run(self, policy: str, option: str = "") -> str:
        folder = str(self.path.parent)
        state = "" if folder == STATE_FOLDER else f" --state {shlex.quote(folder)}"
        return f"gthulhu run{option}{state} {shlex.quote(policy)}"


def kept_generations(folder: str) -> list[Kept]:
    """The generations that `rollback` could go back to, newest first."""
    found = []
    for path in Path(folder).glob("generation-*.txt"):
        number = path.stem.removeprefix("generation-")
        with suppress(OSError, ValueError):
            called = path.read_text(errors="replace").partition("\n")[0]
            found.append(Kept(int(number), called, path.with_suffix(".bpf.o")))
    return sorted(found, key=lambda kept: -kept.number)


class RequestError(CommandError):
    """The request breaks the protocol; no loader would accept it."""


class _Members(dict[str, "Any"]):
    """An object in a response. A missing member means that the loader is another release."""

    def __missing__(self, name: str) -> None:
        raise CommandError(
            f"response from a loader of another release: `{name}` is missing",
            "use the loader of this release",
        )


def _why_not(folder: str) -> str:
    """Why no loader answers in a folder."""
    if not Path(folder).is_dir():
        problem = "is not a folder" if os.path.lexists(folder) else "does not exist"
        return f"{folder} {problem}"
    return f"no loader runs in {folder}"


def ask(folder: str, *fields: str, is_long: bool = False, file: int | None = None) -> Answer:
    """Sends a request to the loader and returns its response.

    `is_long`: the loader has to load a policy, so wait for longer. `file`: a descriptor to send.

    Raises NotRunningError, RequestError, and CommandError if the exchange fails.
    """
    request = _request(fields)
    timeout_s = LOAD_TIMEOUT_S if is_long else TIMEOUT_S
    with _in_time(timeout_s), _connected(folder, timeout_s) as connection:
        _send(connection, request, file)
        text = _read(connection)
    return _parsed(text)


class Conversation:
    """A request with more than one response, such as that for a trial.

    Raises as `ask` does.
    """

    def __init__(self, folder: str, *fields: str, file: int) -> None:
        with _in_time(LOAD_TIMEOUT_S), suppress(ConnectionResetError):
            self._connection = _connected(folder, LOAD_TIMEOUT_S)
            _send(self._connection, _request(fields), file)
            self._connection.recv(1, socket.MSG_PEEK)
        forever = struct.pack("ll", 0, 0)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, forever)
        self._lines = self._connection.makefile("rb")
        self.last = _parsed(self._lines.readline())
        """The last response."""

    def next(self) -> Answer | None:
        """Waits for the next response; None if the loader has ended."""
        with suppress(ConnectionResetError):
            if line := self._lines.readline():
                self.last = _parsed(line)
                return self.last
        return None

    def hang_up(self) -> None:
        """Tells the loader that nothing is asked any more; it may still respond."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Ends the connection."""
        self._lines.close()
        self._connection.close()


@contextmanager
def _in_time(timeout_s: int) -> Iterator[None]:
    """Raises CommandError if the loader does not respond."""
    try:
        yield
    except BlockingIOError as error:
        raise CommandError(
            f"the loader did not respond within {timeout_s} s",
            "see its log; it may still carry out the request",
        ) from error


def _send(connection: socket.socket, request: bytes, file: int | None) -> None:
    # A loader that hangs up early may have sent the reason.
    with suppress(BrokenPipeError, ConnectionResetError):
        sent = socket.send_fds(connection, [request], [] if file is None else [file])
        connection.sendall(request[sent:])


def _parsed(text: bytes) -> Answer:
    if not text:
        raise CommandError("the loader ended without a response", "see its log for the reason")
    try:
        answer = json.loads(text, object_hook=_Members)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise CommandError("invalid response from the loader", "use the loader of this release")
    return answer


def _request(fields: tuple[str, ...]) -> bytes:
    for field in fields:
        if any(mark in field for mark in "\t\n\0"):
            raise RequestError(
                f"cannot send {field!r} to the loader",
                "remove tabs, newlines and NULs from it",
            )
    request = os.fsencode("\t".join(fields)) + b"\n"
    if len(request) > MAX_REQUEST:
        raise RequestError(
            f"the request has {len(request):,} bytes, a loader accepts {MAX_REQUEST:,}",
            "split it into several commands",
        )
    return request


def last_state(folder: str) -> Answer | None:
    """The state that a killed loader left, if any."""
    try:
        state = json.loads((Path(folder) / "state.json").read_bytes())
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) else None


def ejections(folder: str) -> int:
    """How many policies the kernel has ejected since boot."""
    try:
        return int((Path(folder) / "ejections").read_bytes())
    except (OSError, ValueError):
        return 0


def given_back(folder: str) -> str:
    """Why the last loader gave the machine back to the kernel by itself; empty: it did not."""
    try:
        lines = (Path(folder) / "events").read_bytes().splitlines()
        *before, last = [json.loads(line) for line in lines[-3:]]
        if last["event"] != "ended":
            return ""
        return next(
            str(each["reason"])
            for each in before
            if each["event"] == "went-back" and "to" not in each
        )
    except (OSError, ValueError, LookupError, TypeError, StopIteration):
        return ""


def last_log(folder: str) -> list[str]:
    """The lines that the last loader in the background logged."""
    try:
        return (Path(folder) / "log").read_text(errors="replace").splitlines()
    except OSError:
        return []


def _connected(folder: str, timeout_s: int) -> socket.socket:
    path = str(Path(folder) / "control")
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH:
        shown = folder if len(folder) < 64 else f"{folder[:30]}...{folder[-30:]}"
        raise CommandError(
            f"{shown}: path too long for a control socket", "give --state a shorter path"
        )
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Unlike settimeout(), these also limit connect(), which blocks while the backlog is full.
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", timeout_s, 0))
    try:
        connection.connect(path)
    except OSError as error:
        connection.close()
        if isinstance(error, (FileNotFoundError, ConnectionRefusedError, NotADirectoryError)):
            raise NotRunningError(folder) from error
        if isinstance(error, PermissionError):
            raise CommandError(f"not permitted to use {path}", "run it as root") from error
        if isinstance(error, BlockingIOError):
            raise
        raise CommandError(f"cannot use {path}: {reason(error)}") from error
    _refuse_stopped(connection)
    return connection


def _refuse_stopped(connection: socket.socket) -> None:
    """Raises CommandError if the loader is stopped (SIGSTOP): it would never answer."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    (pid,) = struct.unpack_from("i", credentials)
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return
    if state in {b"T", b"t"}:
        connection.close()
        raise CommandError(
            f"the loader (pid {pid}) is stopped, and its policy stays in force",
            f"`kill -CONT {pid}` lets it go on",
        )


def _read(connection: socket.socket) -> bytes:
    """The whole response. A loader that resets the connection has sent its response before."""
    parts = []
    with suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)
