# SPDX-License-Identifier: Apache-2.0
"""What is said to a running loader: `runtime/control.h` has the protocol."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any, TypeAlias

from gthulhuc.cli.frame import CommandError, reason

_PATIENCE_S = 60.0  # a loader that is loading answers later, but none takes that long

Answer: TypeAlias = dict[str, Any]


class NotRunningError(Exception):
    """No loader is there to be asked."""


def ask(folder: str, *fields: str, is_long: bool = False) -> Answer:
    """The answer to a request. It may take its time where the loader has to load something.

    Raises NotRunningError, and CommandError when the loader cannot be asked.
    """
    line = "\t".join(fields)
    if any(mark in field for field in fields for mark in "\t\n\0"):
        raise CommandError(f"{line!r}: a request has no tabs, newlines or NULs in its parts")
    with _connected(folder) as connection:
        connection.settimeout(None if is_long else _PATIENCE_S)
        try:
            connection.sendall(os.fsencode(line) + b"\n")
            text = _read(connection)
        except TimeoutError as error:
            raise CommandError("the loader does not answer", "see what it prints") from error
        except (BrokenPipeError, ConnectionResetError):
            text = b""
    if not text:
        raise CommandError("the loader has ended without an answer", "see what it printed")
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise CommandError("the loader's answer is none", "use the loader of this release")
    return answer


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


def _connected(folder: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path = str(Path(folder) / "control")
    try:
        connection.connect(path)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
        connection.close()
        raise NotRunningError from error
    except PermissionError as error:
        connection.close()
        raise CommandError(f"not permitted to use {path}", "run it as root") from error
    except OSError as error:
        connection.close()
        raise CommandError(f"cannot use {path}: {reason(error)}") from error
    return connection


def _read(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)
