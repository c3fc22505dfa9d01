# SPDX-License-Identifier: Apache-2.0
"""What is said to a running loader: `runtime/control/control.h` has the protocol."""

from __future__ import annotations

import json
import os
import shlex
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gthulhu.options import STATE_FOLDER
from gthulhuc.cli.frame import NOT_IN_FORCE, CommandError, reason

LONGEST = 65536  # bytes of a request with its newline; CONTROL_LINE of `runtime/control/control.h`
_LONGEST_PATH = 107  # of a socket, as in sockaddr_un
PATIENCE_S = 60  # a loader that is loading answers later
LONG_PATIENCE_S = 120  # what is to be loaded is verified first

Answer: TypeAlias = dict[str, Any]


class NotRunningError(CommandError):
    """No loader is there to be asked. A folder that somebody named may be the wrong one."""

    status = NOT_IN_FORCE

    def __init__(self, folder: str, option: str = "") -> None:
        message = "no policy is in force"
        hint = f"`gthulhu run{option} policy.gpl` puts one in force"
        kept = kept_generations(folder)
        if kept:
            again = kept[0].compiled(option) if option else kept[0].command()
            hint = f"`{again}` puts the last one in force again" if again else hint
        elif folder != STATE_FOLDER:
            hint = f"`--state` names the loader's folder; without it that is {STATE_FOLDER}"
        if folder != STATE_FOLDER:
            message += f": {_why_not(folder)}"
        super().__init__(message, hint)


@dataclass(frozen=True, slots=True)
class Kept:
    """A generation that a loader has left, whose object is at `path`; it was `called` so."""

    number: int
    called: str
    path: Path

    def command(self) -> str:
        """Puts it in force again: from what it was called, if that is still there."""
        return self._run(self.called) if self._is_there() else self.recall()

    def compiled(self, option: str) -> str | None:
        """The same with an option of the compiler; None: there is no source to be compiled."""
        is_source = self._is_there() and self.called.endswith(".gpl")
        return self._run(self.called, option) if is_source else None

    def recall(self) -> str:
        """Puts it in force again as it was."""
        return self._run(str(self.path))

    def _is_there(self) -> bool:
        return Path(self.called).is_absolute() and os.access(self.called, os.R_OK)

    def _run(self, policy: str, option: str = "") -> str:
        folder = str(self.path.parent)
        state = "" if folder == STATE_FOLDER else f" --state {shlex.quote(folder)}"
        return f"gthulhu run{option}{state} {shlex.quote(policy)}"


def kept_generations(folder: str) -> list[Kept]:
    """Those that `rollback` could go back to, the newest first."""
    found = []
    for path in Path(folder).glob("generation-*.txt"):
        number = path.stem.removeprefix("generation-")
        with suppress(OSError, ValueError):
            called = path.read_text(errors="replace").partition("\n")[0]
            found.append(Kept(int(number), called, path.with_suffix(".bpf.o")))
    return sorted(found, key=lambda kept: -kept.number)


class RequestError(CommandError):
    """No loader would take the request."""


class _Members(dict[str, "Any"]):
    """An object of an answer. Members are missing where the loader is of another release."""

    def __missing__(self, name: str) -> None:
        raise CommandError(
            f"the loader's answer is one of another release: `{name}` is missing",
            "use the loader of this release",
        )


def _why_not(folder: str) -> str:
    """Why nobody can be asked there."""
    if not Path(folder).is_dir():
        return f"{folder} is no folder" if os.path.lexists(folder) else f"{folder} is not there"
    return f"no loader is in {folder}"


def ask(folder: str, *fields: str, is_long: bool = False, file: int | None = None) -> Answer:
    """The answer to a request. It takes its time where the loader has to load something.

    `file`: a descriptor that goes along with it.

    Raises NotRunningError, RequestError, and CommandError when the loader cannot be asked.
    """
    request = _request(fields)
    patience_s = LONG_PATIENCE_S if is_long else PATIENCE_S
    try:
        with _connected(folder, patience_s) as connection:
            with suppress(BrokenPipeError, ConnectionResetError):  # it may have said why
                sent = socket.send_fds(connection, [request], [] if file is None else [file])
                connection.sendall(request[sent:])
            text = _read(connection)
    except BlockingIOError as error:
        raise CommandError(
            f"the loader has not answered within {patience_s} s",
            "see what it prints; it may still do what it was asked for",
        ) from error
    if not text:
        raise CommandError("the loader has ended without an answer", "see what it printed")
    try:
        answer = json.loads(text, object_hook=_Members)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise CommandError("the loader's answer is none", "use the loader of this release")
    return answer


def _request(fields: tuple[str, ...]) -> bytes:
    for field in fields:
        if any(mark in field for mark in "\t\n\0"):
            raise RequestError(
                f"{field!r} is not for a loader", "no request has a tab, a newline or a NUL"
            )
    request = os.fsencode("\t".join(fields)) + b"\n"
    if len(request) > LONGEST:
        raise RequestError(
            f"the request has {len(request):,} bytes, and a loader takes {LONGEST:,}",
            "give less at a time",
        )
    return request


def last_state(folder: str) -> Answer | None:
    """What a loader that was killed has left of its state."""
    try:
        state = json.loads((Path(folder) / "state.json").read_bytes())
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) else None


def last_words(folder: str) -> list[str]:
    """The log of the last loader in the background."""
    try:
        return (Path(folder) / "log").read_text(errors="replace").splitlines()
    except OSError:
        return []


def _connected(folder: str, patience_s: int) -> socket.socket:
    path = str(Path(folder) / "control")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        shown = folder if len(folder) < 64 else f"{folder[:30]}...{folder[-30:]}"
        raise CommandError(
            f"{shown}: too long a path for a control socket", "give --state a shorter path"
        )
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Unlike settimeout() this holds for connect(), too, which waits where many have asked.
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", patience_s, 0))
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
    return connection


def _read(connection: socket.socket) -> bytes:
    """All that it says; who is hung up on before all was sent has got an answer all the same."""
    parts = []
    with suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)
