# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Files that several processes may read, make and replace at the same time."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """A context that one process at a time is in, for what becomes `path`; makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write(file: Path, content: bytes) -> None:
    """Write a file that is always whole: the old one or the new one. Makes its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    part.write_bytes(content)
    part.rename(file)


def load(file: Path, model: type[Model]) -> Model | None:
    """The record in a file, None without one or for one of an older lab."""
    try:
        return model.model_validate_json(file.read_text())
    except (OSError, ValidationError):
        return None


def store(file: Path, record: BaseModel) -> None:
    """Keep a record in a file."""
    write(file, f"{record.model_dump_json()}\n".encode())
