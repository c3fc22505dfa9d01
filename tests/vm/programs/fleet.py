# SPDX-License-Identifier: Apache-2.0
"""Follows policies of a fleet in a guest, with the real loader and broker.

The API is left out: the policies come from here, and their statuses are what a controller writes.
Arguments: the folder for the results, and two texts, of which the second breaks its promise.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import node_parts
from gthulhu.fleet.following import Follower
from gthulhu.fleet.loading import BrokerLoader
from gthulhu.fleet.resources import (
    Candidate,
    Meta,
    NodeStatus,
    Policy,
    PolicySpec,
    PolicyStatus,
    Revision,
)

PLACE = Path("/run/fleet")
PATIENCE_S = 300


def policy(stable: str | None, candidate: str | None = None, step: int = 0) -> Policy:
    made = None
    if candidate is not None:
        whole = Revision.of(candidate).model_dump()
        made = Candidate(**whole, step=step, up_to="2" if step >= 0 else "", as_of="9")
    status = PolicyStatus(
        phase="Step", candidate=made, stable=Revision.of(stable) if stable is not None else None
    )
    return Policy(metadata=Meta(name="shop", uid="u"), spec=PolicySpec(policy="x"), status=status)


def main(results: Path, good: str, bad: str) -> None:
    node_parts.start_broker_as_nobody(PLACE)
    noted: dict[str, Any] = {}

    def follow(name: str, wanted: Policy, until: Callable[[NodeStatus], bool]) -> None:
        """Steps, each of a process that has just begun, until a status is as wanted."""
        end = time.monotonic() + PATIENCE_S
        while True:
            loader = BrokerLoader(str(PLACE / "broker"), PLACE / "store")
            status = Follower("guest", loader, PLACE / "store" / "fleet.json").step(wanted, "5")
            raw = loader.status() if status.in_force else {}
            loader.close()
            noted[name] = status.as_json() | {"generation": raw.get("generation")}
            (results / "answers.json").write_text(json.dumps(noted))
            if until(status) or time.monotonic() > end:
                return
            time.sleep(1)

    follow("dry-run", policy(None, good, -1), lambda status: status.dry_run is not None)
    follow("good", policy(None, good), lambda status: status.state == "InForce")
    follow("again", policy(good), lambda _: True)
    follow("dry-run-bad", policy(good, bad, -1), lambda status: status.dry_run is not None)
    follow("bad", policy(good, bad), lambda status: status.state == "InForce")
    follow("broken", policy(good, bad), lambda status: status.failed is not None)
    follow("back", policy(good), lambda status: status.state == "InForce")
    (results / "answers.json").write_text(json.dumps(noted))


if __name__ == "__main__":
    results = Path(sys.argv[1])
    results.mkdir(exist_ok=True)
    results.chmod(0o777)
    (results / "answers.json").write_text("{}")
    (results / "answers.json").chmod(0o666)
    main(results, *(Path(each).read_text() for each in sys.argv[2:]))
