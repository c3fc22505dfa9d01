# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve broker`: passes a fixed set of requests to the loader, for one user.

It speaks the loader's protocol on a socket of its own (`control.h`), so its client is the loader's,
`gthulhu.control`. It knows its peer by SO_PEERCRED, and forwards only what FORWARDED has. An object
must be one that a compiler of the broker's own has made. Five requests it answers itself:

    compile          a job as a descriptor; responds with the result as a descriptor
    generations      the kept generations, newest first
    object N         the object of a kept generation, as a descriptor
    events [follow]  the log of events, a line for each
    trace SECONDS    records a trace, at most 30 s; responds with the trace as a descriptor
"""

from __future__ import annotations

import json
import os
import pwd
import re
import select
import socket
import struct
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu import control
from gthulhu.commands import events
from gthulhu.loader import in_memory
from gthulhu.serve import compiling
from gthulhu.serve.collecting import collect_rarely
from gthulhu.serve.recorder import Recorder
from gthulhu.serve.workshop import Workshop
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLIENTS = 64
_PATIENCE_S = 3
_MAX_OBJECT = 64 << 20
_CREDENTIALS = struct.Struct("3i")  # of struct ucred: pid, uid, gid

_PID = re.compile(r"[1-9][0-9]{0,9}")
_ANY = re.compile(r".+", re.DOTALL)
_SETTING = re.compile(r"[A-Za-z][A-Za-z0-9_-]*=.+", re.DOTALL)
_CHANGE = re.compile(r"[^=]+(=.*|-)", re.DOTALL)
_OPTION = re.compile(r"force|dry-run|trial=[0-9]{1,9}")
_FORCE = re.compile(r"force")
_HERE = re.compile(r"-")

FORWARDED: dict[str, tuple[tuple[re.Pattern[str], ...], re.Pattern[str] | None]] = {
    "status": ((), None),
    "stats": ((), None),
    "tasks": ((), _PID),
    "set": ((_SETTING,), None),
    "label": ((_PID,), _CHANGE),
    "rollback": ((), _FORCE),
    "swap": ((_HERE, _ANY), _OPTION),  # never a path: the object comes with the request
}
"""The requests that reach the loader: the forms of their fields, and of further ones."""
_SLOW = {"swap", "rollback"}


class UnknownObjectError(CommandError):
    """The broker does not know an object, perhaps as it was started since."""


KINDS = {**compiling.KINDS, "unknown": UnknownObjectError}
"""The errors, by the words that responses have for them."""


@dataclass(frozen=True, slots=True)
class _Request:
    fields: tuple[str, ...]
    file: int | None


class Broker:
    """Listens in `folder` for the user `uid`, and asks the loader in `state`.

    `compiler`: the user of its compilers, if it is another one.
    """

    def __init__(self, folder: Path, state: str, uid: int, compiler: int | None = None) -> None:
        self._state = state
        self._workshop = Workshop(compiler)
        self._recorder = Recorder(state)
        self._allowed = {0, uid}
        self._free = threading.BoundedSemaphore(_CLIENTS)
        path = folder / "control"
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
        path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            self._server.bind(str(path))
        finally:
            os.umask(before)
        if os.geteuid() == 0:
            os.chown(path, uid, -1)
        self._server.listen(_CLIENTS)
        self._path = path

    def run(self) -> None:
        """Serves until a signal raises an exception, or another thread closes it."""
        collect_rarely()
        try:
            while True:
                self._free.acquire()
                try:
                    connection, _ = self._server.accept()
                except OSError:
                    if self._server.fileno() < 0:
                        return
                    raise
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        finally:
            self.close()

    def close(self) -> None:
        """Stops listening."""
        self._workshop.close()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError):
                connection.settimeout(_PATIENCE_S)
                credentials = connection.getsockopt(
                    socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size
                )
                if _CREDENTIALS.unpack(credentials)[1] not in self._allowed:
                    _tell(connection, _refusal("this user may not ask the broker"))
                    return
                request = _received(connection)
                try:
                    self._answer(connection, request)
                finally:
                    if request.file is not None:
                        os.close(request.file)
        finally:
            self._free.release()

    def _answer(self, connection: socket.socket, request: _Request) -> None:
        name, *rest = request.fields
        own = {
            "generations": self._generations, "object": self._object, "events": self._events,
            "trace": self._trace,
        }  # fmt: skip
        try:
            if name in own:
                own[name](connection, rest)
            elif request.fields == ("compile",) and request.file is not None:
                _give(connection, in_memory(self._workshop.run(_content(request.file))))
            elif not is_allowed(request.fields):
                _tell(connection, _refusal(f"the broker does not forward {name!r} like this"))
            else:
                self._forward(connection, request)
        except control.NotRunningError as error:
            _tell(connection, _refusal(str(error), error.hint) | {"not_running": True})
        except CommandError as error:
            kind = next((word for word, each in KINDS.items() if isinstance(error, each)), "")
            _tell(connection, _refusal(str(error), error.hint) | {"kind": kind})

    def _forward(self, connection: socket.socket, request: _Request) -> None:
        fields, file = request.fields, request.file
        if fields[0] == "swap":
            if file is None:
                raise CommandError("`swap` needs the object's descriptor")
            # The client could change its file while the loader reads it.
            content = _content(file)
            if not self._workshop.has_made(content):
                raise UnknownObjectError("no compiler of the broker has made this object")
            file = in_memory(content)
        try:
            if any(field.startswith("trial=") for field in fields[3:]):
                assert file is not None
                self._try_out(connection, fields, file)
            else:
                is_long = fields[0] in _SLOW
                _tell(connection, control.ask(self._state, *fields, is_long=is_long, file=file))
        finally:
            if file is not None and file != request.file:
                os.close(file)

    def _try_out(self, connection: socket.socket, fields: Sequence[str], file: int) -> None:
        """Passes on all responses of a trial. If the client hangs up, the trial ends."""
        with closing(control.Conversation(self._state, *fields, file=file)) as answers:
            _tell(connection, answers.last)
            if not answers.last.get("ok"):
                return
            threading.Thread(target=_hang_up_with, args=(connection, answers), daemon=True).start()
            if (ended := answers.next()) is not None:
                _tell(connection, ended)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _generations(self, connection: socket.socket, _: Sequence[str]) -> None:
        kept = [
            {"generation": each.number, "object": each.called}
            for each in control.kept_generations(self._state)
        ]
        ejected = control.ejections(self._state)
        _tell(connection, {"ok": True, "generations": kept, "ejections": ejected})

    def _object(self, connection: socket.socket, fields: Sequence[str]) -> None:
        if len(fields) != 1 or not _PID.fullmatch(fields[0]):
            raise CommandError("`object` needs the number of a generation")
        try:
            file = os.open(Path(self._state, f"generation-{fields[0]}.bpf.o"), os.O_RDONLY)
        except FileNotFoundError:
            raise CommandError(f"generation {fields[0]} is not kept") from None
        _give(connection, file)

    def _trace(self, connection: socket.socket, fields: Sequence[str]) -> None:
        if len(fields) != 1 or not _PID.fullmatch(fields[0]):
            raise CommandError("`trace` needs a number of seconds")
        _give(connection, self._recorder.run(int(fields[0])))

    def _events(self, connection: socket.socket, fields: Sequence[str]) -> None:
        connection.settimeout(_PATIENCE_S)
        with suppress(OSError):
            for line in events.lines(Path(self._state), follow=fields == ["follow"]):
                if line:
                    connection.sendall(line)
                elif _has_left(connection):
                    return


def is_allowed(fields: Sequence[str]) -> bool:
    """Whether a request is one that the broker forwards."""
    name, *given = fields
    if name not in FORWARDED:
        return False
    first, further = FORWARDED[name]
    more = len(given) - len(first)
    if more < 0 or (more and further is None):
        return False
    forms = [*first, *[further or _ANY] * more]
    return all(form.fullmatch(field) for form, field in zip(forms, given, strict=True))


def uid_of(user: str) -> int:
    """The number of a user, by name or number. Raises CommandError."""
    if user.isdecimal():
        return int(user)
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        raise CommandError(f"there is no user {user}", "name the user that runs the API") from None


def _hang_up_with(connection: socket.socket, answers: control.Conversation) -> None:
    with suppress(OSError):
        connection.settimeout(None)
        connection.recv(1)  # returns when the client hangs up, or when the trial is over
        answers.hang_up()


def _has_left(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def _received(connection: socket.socket) -> _Request:
    """The request of a client. Raises OSError if it is not complete in time, or too long."""
    text, files, _, _ = socket.recv_fds(connection, control.MAX_REQUEST, 2)
    for extra in files[1:]:
        os.close(extra)
    file = files[0] if files else None
    try:
        while text and not text.endswith(b"\n") and len(text) <= control.MAX_REQUEST:
            more = connection.recv(control.MAX_REQUEST)
            if not more:
                break
            text += more
        if not text.endswith(b"\n") or len(text) > control.MAX_REQUEST:
            raise OSError(None, "no request")
    except OSError:
        if file is not None:
            os.close(file)
        raise
    return _Request(tuple(os.fsdecode(text[:-1]).split("\t")), file)


def _content(file: int) -> bytes:
    size = os.fstat(file).st_size
    if size > _MAX_OBJECT:
        raise CommandError(f"the object is larger than {_MAX_OBJECT >> 20} MB")
    return os.pread(file, size, 0)


def _refusal(error: str, help: str = "") -> dict[str, Any]:
    return {"ok": False, "error": error, "help": help}


def _give(connection: socket.socket, file: int) -> None:
    """Sends a descriptor, and closes it here."""
    try:
        socket.send_fds(connection, [b'{"ok": true}\n'], [file])
    finally:
        os.close(file)


def _tell(connection: socket.socket, answer: dict[str, Any]) -> None:
    connection.sendall(json.dumps(answer).encode() + b"\n")
