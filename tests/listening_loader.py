# SPDX-License-Identifier: Apache-2.0
"""A loader that puts nothing in force and records its requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fake_loader import FakeLoader


class Loader(FakeLoader):
    """Accepts all requests."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, {})

    @property
    def heard(self) -> list[list[str]]:
        """The fields of each request so far."""
        return [request.split("\t") for request in self.requests]

    def publish(self, pid: int) -> None:
        """Behaves as a loader whose policy is in force."""
        new = self.folder / "state.new"
        new.write_text(json.dumps({"policy": "p", "pid": pid}))
        new.rename(self.folder / "state.json")

    def told(self) -> dict[str, list[str]]:
        """Returns the last request about each cgroup."""
        return {path: rest for _, path, *rest in self.heard}

    def _answer(self, _fields: list[str]) -> dict[str, Any]:
        return {"ok": True}
