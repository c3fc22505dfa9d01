# SPDX-License-Identifier: Apache-2.0
"""The agent on a machine of folders, with a loader that records its requests."""

from __future__ import annotations

import json
from pathlib import Path

from gthulhu.agent.agent import Agent, Places
from listening_loader import Loader

A, B, C = "a" * 64, "b" * 64, "c0" * 32
"""IDs of containers."""


class Machine:
    """Folders in which a test makes things happen, and the agent that watches them."""

    def __init__(self, folder: Path) -> None:
        self.cgroups, self.root, self.state = folder / "cgroup", folder / "root", folder / "run"
        self.labels = folder / "etc" / "labels.toml"
        for each in (self.cgroups, self.root, self.state, self.labels.parent):
            each.mkdir()
        self.said: list[str] = []
        self.loader = Loader(self.state)
        places = Places(str(self.state), str(self.labels), str(self.cgroups), self.root)
        self.agent = Agent(places, self.said.append)

    def start(self) -> None:
        self.loader.publish(7)
        self.agent.start()

    def make(self, path: str) -> None:
        (self.cgroups / path.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def write(self, path: str, data: object) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(data))

    def settle(self) -> dict[str, list[str]]:
        """Returns the loader's requests once nothing more happens."""
        while self.agent.step(0.05):
            pass
        return self.loader.told()

    def close(self) -> None:
        self.agent.close()
        self.loader.close()
