# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""How the lab builds and runs each peer of `gthulhuc.peers`; builds are optional and cached.

It also runs schedulers that the user brings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import Subject
from gthulhu_lab.paths import cache_dir
from gthulhuc import peers as baselines

HOW_TO_BUILD = "gthulhu lab peers"
_CONFIGURATION = "layers.json"
_START = "start"  # the program of a scheduler that the user brings
_BROUGHT = "brought"  # its folder in the guest


def _layers(programs: Sequence[str]) -> bytes:
    """scx_layered's closest match to policies/upf.gpl: a layer that preempts, and the rest."""
    layers = [
        {
            "name": "ran",
            "comment": "as policies/upf.gpl",
            "matches": [[{"CommPrefix": name}] for name in programs],
            "kind": {"Open": {"preempt": True, "preempt_first": True}},
        },
        {"name": "rest", "comment": "all others", "matches": [[]], "kind": {"Open": {}}},
    ]
    return json.dumps(layers, indent=1).encode()


@dataclass(frozen=True, slots=True)
class Peer:
    """A released scheduler: a crate, or without a version an example of the kernel's source."""

    name: str
    version: str = ""
    arguments: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """Returns sentences: what the peer does, and which version is measured."""
        version = f" Version {self.version}." if self.version else ""
        return f"{baselines.PEERS[self.name]}{version}"

    @property
    def program(self) -> Path:
        """The file of the built program."""
        return folder() / "bin" / self.name

    @property
    def is_there(self) -> bool:
        return self.program.exists()

    def preferring(self, programs: Sequence[str]) -> Peer:
        """A copy that prefers these programs, if its configuration names any."""
        if _CONFIGURATION not in self.files:
            return self
        return replace(self, files={_CONFIGURATION: _layers(programs)})

    def subject(self) -> Subject:
        """The subject to measure. Its program must have been built."""
        return Subject(
            self.name,
            f"{self.name} {self.arguments}".strip(),
            {f"bin/{self.name}": self.program, **self.files},
        )


@dataclass(frozen=True, slots=True)
class BroughtPeer(Peer):
    """A scheduler that the user has built: `start` in a folder, all of which the guest gets."""

    brought: Path = Path()

    @property
    def description(self) -> str:
        return f"Brought to the lab in {self.brought}."

    @property
    def program(self) -> Path:
        return self.brought / _START

    def subject(self) -> Subject:
        files = {
            f"{_BROUGHT}/{file.relative_to(self.brought)}": file
            for file in sorted(self.brought.rglob("*"))
            if file.is_file()
        }
        return Subject(self.name, f"/lab/{_BROUGHT}/{_START}", files)


_BUILDS = (
    Peer("scx_simple"),
    Peer("scx_bpfland", "1.1.4"),
    Peer("scx_flash", "1.1.4"),
    Peer(
        "scx_layered",
        "1.1.4",
        arguments=f"f:/lab/{_CONFIGURATION}",
        files={_CONFIGURATION: _layers(("nr-gnb", "nr-ue", "ping"))},
    ),
    Peer("scx_rustland", "1.1.4"),
)
PEERS = {peer.name: peer for peer in _BUILDS}


def folder() -> Path:
    """The folder of the peers' programs, sources and logs."""
    return cache_dir() / "peers"


def absent(peers: Iterable[Peer]) -> list[str]:
    """The names of the peers that are not built."""
    return [peer.name for peer in peers if not peer.is_there]


def absence(names: Sequence[str]) -> list[tuple[str, str]]:
    """The condition of a table that peers are not built; none if all are."""
    return [("absent", f"{', '.join(names)}; `{HOW_TO_BUILD}` builds them")] if names else []


def named(names: str) -> list[Peer]:
    """The peers of a comma-separated list, or `all`, or `none`. Raises LabError.

    A name with a slash is the folder of a scheduler that the user brings.
    """
    if names == "all":
        return list(PEERS.values())
    if names == "none":
        return []
    wanted = [name.strip() for name in names.split(",")]
    return [_brought(Path(name)) if "/" in name else _known(name) for name in dict.fromkeys(wanted)]


def _known(name: str) -> Peer:
    if name not in PEERS:
        raise LabError(
            f"unknown scheduler {name!r}",
            f"The lab has {', '.join(PEERS)}, and runs what a folder such as ./mine brings.",
        )
    return PEERS[name]


def _brought(folder: Path) -> Peer:
    start = folder / _START
    if not (start.is_file() and os.access(start, os.X_OK)):
        raise LabError(
            f"{start} is no executable file",
            "It becomes the scheduler in the guest, such as a shell script that ends with `exec`.",
        )
    return BroughtPeer(folder.resolve().name, brought=folder)
