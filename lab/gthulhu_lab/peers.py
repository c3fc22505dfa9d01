# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Schedulers of others, to measure against. They are optional, and built into the cache."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import Subject
from gthulhu_lab.paths import cache_dir

HOW_TO_BUILD = "gthulhu lab peers"
_CONFIGURATION = "layers.json"


def _layers(programs: Sequence[str]) -> bytes:
    """The nearest that scx_layered has to policies/upf.gpl: a layer that preempts, and the rest."""
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
    """A released scheduler: a crate, or an example of the kernel's source (no version then)."""

    name: str
    what: str
    version: str = ""
    arguments: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def program(self) -> Path:
        """Where it is, once it is built."""
        return folder() / "bin" / self.name

    @property
    def is_there(self) -> bool:
        return self.program.exists()

    def preferring(self, programs: Sequence[str]) -> Peer:
        """The same with these programs ahead, if it is told whom to prefer."""
        if _CONFIGURATION not in self.files:
            return self
        return replace(self, files={_CONFIGURATION: _layers(programs)})

    def subject(self) -> Subject:
        """What the lab measures."""
        return Subject(
            self.name,
            f"{self.name} {self.arguments}".strip(),
            {f"bin/{self.name}": self.program, **self.files},
        )


PEERS = {
    peer.name: peer
    for peer in (
        Peer("scx_simple", "the kernel's own example: a global queue by virtual time"),
        Peer("scx_bpfland", "interactive tasks first, by their virtual deadline", "1.1.4"),
        Peer("scx_flash", "deadlines by latency, weights", "1.1.4"),
        Peer(
            "scx_layered",
            "layers of tasks after a configuration; here a layer that preempts",
            "1.1.4",
            arguments=f"f:/lab/{_CONFIGURATION}",
            files={_CONFIGURATION: _layers(("nr-gnb", "nr-ue", "ping"))},
        ),
        Peer("scx_rustland", "decides in user space", "1.1.4"),
    )
}


def folder() -> Path:
    """Where all that belongs to the peers is."""
    return cache_dir() / "peers"


def named(names: str) -> list[Peer]:
    """The peers of a comma-separated list; `all` and `none` are understood. LabError else."""
    if names == "all":
        return list(PEERS.values())
    if names == "none":
        return []
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in PEERS:
            raise LabError(f"no peer {name!r} is known", f"There are: {', '.join(PEERS)}.")
    return [PEERS[name] for name in dict.fromkeys(wanted)]
