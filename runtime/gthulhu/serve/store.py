# SPDX-License-Identifier: Apache-2.0
"""The texts of the policies that the API was given, by the hash of each.

The loader knows a policy by the path of its text here, so `gthulhu status` and
`gthulhu explain --pid` find the text.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gthulhuc.cli import frame

_MOST = 200
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Stored:
    """A policy; `at`: when it was last given, in seconds since 1970."""

    sha256: str
    path: Path
    at: float

    def as_json(self) -> dict[str, str]:
        """Its hash, name and time as a JSON object."""
        at = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="seconds")
        return {"sha256": self.sha256, "name": self.path.stem, "at": at}


def replace(path: Path, text: str) -> None:
    """Replaces a file at once, readable for its owner alone. Raises OSError."""
    new = path.with_suffix(".new")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.rename(path)


class Store:
    """Keeps the last 200 texts in a folder. Raises CommandError if it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        try:
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        except OSError as error:
            raise frame.CommandError(
                f"cannot use {folder}: {frame.reason(error)}", "give another `--store FOLDER`"
            ) from error

    def keep(self, name: str, text: str) -> Stored:
        """Keeps a text, whose name is one word. Raises OSError."""
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        folder = self.folder / sha256
        path = folder / f"{name}.gpl"
        if not path.exists():
            folder.mkdir(mode=0o755, exist_ok=True)
            new = path.with_suffix(".new")
            new.write_text(text, encoding="utf-8", newline="")
            new.rename(path)
        os.utime(folder)
        for old in self.all()[_MOST:]:
            shutil.rmtree(old.path.parent, ignore_errors=True)
        return Stored(sha256, path, folder.stat().st_mtime)

    def find(self, sha256: str) -> Stored | None:
        """The policy with a hash, if it is kept."""
        folder = self.folder / sha256
        is_kept = _HASH.fullmatch(sha256) and any(folder.glob("*.gpl"))
        return self._stored(folder) if is_kept else None

    def all(self) -> list[Stored]:
        """The policies, the newest first."""
        folders = [
            each
            for each in self.folder.iterdir()
            if _HASH.fullmatch(each.name) and any(each.glob("*.gpl"))
        ]
        return sorted(map(self._stored, folders), key=lambda each: -each.at)

    def _stored(self, folder: Path) -> Stored:
        return Stored(folder.name, min(folder.glob("*.gpl")), folder.stat().st_mtime)
