# SPDX-License-Identifier: Apache-2.0
"""The server's view of the loader: through the broker, and without a privilege of its own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu import control
from gthulhu.loader import in_memory
from gthulhu.serve.broker import KINDS
from gthulhu.serve.compiling import Result
from gthulhu.serve.recorder import PATIENCE_S
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from gthulhu.control import Answer

FRESH_S = 0.05
_MOST_OBJECTS = 4


class RefusedError(CommandError):
    """The loader, or the broker, refused a request; `log` and `then` are the loader's."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer.get("error")), str(answer.get("help") or ""))
        self.log = answer.get("log")
        self.then = answer.get("then")


class NothingInForceError(CommandError):
    """No loader runs, so there is no policy in force, and none to replace."""


class BrokerError(CommandError):
    """The broker does not respond."""


@dataclass(frozen=True, slots=True)
class _Status:
    """A response, the time before the question, and the changes until then."""

    at: float
    changes: int
    answer: Answer


class Node:
    """Asks the loader through the broker whose socket is `control` in `broker`.

    `folder` is one of the server's own. It has the broker's socket and, on request, the object in
    force: all that the functions for a running loader read in the loader's folder.
    """

    def __init__(self, broker: str) -> None:
        self._broker = broker
        self.folder = tempfile.mkdtemp(prefix="gthulhu-serve-")
        Path(self.folder, "control").symlink_to(Path(broker, "control").absolute())
        self._lock = threading.Lock()
        self._waiting: set[socket.socket] = set()
        self._status: _Status | None = None
        self.changes = 0
        """How often the status was forgotten."""

    def close(self) -> None:
        """Removes the folder. Threads that wait for the broker get an error."""
        for each in list(self._waiting):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, *fields: str, is_long: bool = False, content: bytes | None = None) -> Answer:
        """The response to a request; `content`: of an object that goes with it.

        Raises RefusedError, NothingInForceError, BrokerError and CommandError.
        """
        file = None if content is None else in_memory(content)
        try:
            answer = control.ask(self.folder, *fields, is_long=is_long, file=file)
        except control.NotRunningError as error:
            raise self._no_broker() from error
        finally:
            if file is not None:
                os.close(file)
        return _accepted(answer)

    def status(self) -> Answer:
        """The status, at most 50 ms old: many clients ask, and the loader serves one at a time."""
        with self._lock:
            fresh = self.fresh_status()
            if fresh is not None:
                return fresh
            began, changes = time.monotonic(), self.changes
            answer = self.ask("status")
            self._status = _Status(began, changes, answer)
            return answer

    def fresh_status(self, within_s: float = FRESH_S) -> Answer | None:
        """The status if the last one is fresh enough; it never waits."""
        last = self._status
        if last is None or last.changes != self.changes:
            return None
        return last.answer if time.monotonic() - last.at <= within_s else None

    def forget(self) -> None:
        """Makes the next status a new one, after a change. It never waits."""
        self.changes += 1

    def try_out(self, called: str, content: bytes, ms: int) -> control.Conversation:
        """Begins a trial of an object; the conversation's last response says that it began.

        Raises as `ask` does.
        """
        file = in_memory(content)
        try:
            request = ("swap", "-", called, f"trial={ms}")
            answers = control.Conversation(self.folder, *request, file=file)
        except control.NotRunningError as error:
            raise self._no_broker() from error
        finally:
            os.close(file)
        try:
            _accepted(answers.last)
        except CommandError:
            answers.close()
            raise
        return answers

    def build(self, job: dict[str, Any] | str) -> Result:
        """The result of a job that makes an object; a large one may be JSON already.

        Raises BusyError and others as `ask` does.
        """
        file = in_memory((job if isinstance(job, str) else json.dumps(job)).encode())
        try:
            with self._connection() as connection:
                connection.settimeout(control.LOAD_TIMEOUT_S)
                socket.send_fds(connection, [b"compile\n"], [file])
                text, files, _, _ = socket.recv_fds(connection, control.MAX_REQUEST, 1)
        except OSError as error:
            raise self._no_broker() from error
        finally:
            os.close(file)
        if not files:
            _accepted(json.loads(text or b'{"error": "the broker sent no result"}'))
        with os.fdopen(files[0], "rb") as result:
            result.seek(0)
            return Result(json.loads(result.readline()), result.read())

    def fetch_object(self, generation: int) -> None:
        """Puts the object of a generation into the folder. Raises as `ask` does."""
        path = Path(self.folder, f"generation-{generation}.bpf.o")
        if path.exists():
            return
        with self._connection() as connection:
            connection.sendall(f"object\t{generation}\n".encode())
            text, files, _, _ = socket.recv_fds(connection, control.MAX_REQUEST, 1)
        if not files:
            raise RefusedError(json.loads(text or b'{"error": "the broker sent no object"}'))
        with (
            os.fdopen(files[0], "rb") as file,
            tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as copy,
        ):
            shutil.copyfileobj(file, copy)
        Path(copy.name).rename(path)
        kept = sorted(Path(self.folder).glob("generation-*.bpf.o"), key=os.path.getmtime)
        for old in kept[:-_MOST_OBJECTS]:
            old.unlink(missing_ok=True)

    def trace(self, seconds: int) -> int:
        """Records a trace; returns a descriptor of it. Raises as `ask` does."""
        with self._connection() as connection:
            connection.settimeout(seconds + PATIENCE_S + control.TIMEOUT_S)
            try:
                connection.sendall(f"trace\t{seconds}\n".encode())
                text, files, _, _ = socket.recv_fds(connection, control.MAX_REQUEST, 1)
            except OSError as error:
                raise self._no_broker() from error
        if not files:
            _accepted(json.loads(text or b'{"error": "the broker sent no trace"}'))
        return files[0]

    def events(self, *, follow: bool) -> Events:
        """The log of events; with `follow`, also those to come. Raises BrokerError."""
        connection = self._connected()
        connection.sendall(b"events\tfollow\n" if follow else b"events\n")
        return Events(connection)

    @contextmanager
    def _connection(self) -> Iterator[socket.socket]:
        """A connection to the broker, which `close` ends."""
        with self._connected() as connection:
            self._waiting.add(connection)
            try:
                yield connection
            finally:
                self._waiting.discard(connection)

    def _connected(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(control.TIMEOUT_S)
        try:
            connection.connect(str(Path(self.folder, "control")))
        except OSError as error:
            connection.close()
            raise self._no_broker() from error
        return connection

    def _no_broker(self) -> BrokerError:
        return BrokerError(
            f"no broker responds in {self._broker}", "`gthulhu serve broker`, as root, starts one"
        )


class Events:
    """Lines of the log of events, as the broker sends them."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._left = b""

    def read(self, wait_s: float = 1) -> list[bytes] | None:
        """The lines that come within this time, perhaps none; None: there will be no more."""
        self._connection.settimeout(wait_s)
        try:
            part = self._connection.recv(1 << 16)
        except TimeoutError:
            return []
        except OSError:
            return None
        if not part:
            return None
        *lines, self._left = (self._left + part).split(b"\n")
        return lines

    def close(self) -> None:
        """Ends the stream, also while another thread reads."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def _accepted(answer: Answer) -> Answer:
    if answer.get("not_running"):
        raise NothingInForceError(str(answer["error"]), str(answer.get("help") or ""))
    if not answer.get("ok"):
        kind = KINDS.get(str(answer.get("kind")))
        if kind is not None:
            raise kind(str(answer.get("error")), str(answer.get("help") or ""))
        raise RefusedError(answer)
    return answer


def explained(error: CommandError) -> dict[str, object]:
    """An error as a JSON object."""
    said: dict[str, object] = {"error": str(error)}
    if error.hint:
        said["help"] = error.hint
    with suppress(AttributeError):
        said |= {
            name: getattr(error, name) for name in ("log", "then") if getattr(error, name, None)
        }
    return said
