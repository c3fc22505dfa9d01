# SPDX-License-Identifier: Apache-2.0
"""A policy and its nodes without an API, for decisions on rollouts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from gthulhu.fleet.resources import (
    DryRun,
    InForce,
    Meta,
    NodeObject,
    NodeStatus,
    Policy,
    PolicySpec,
    PolicyStatus,
    Revision,
    Rollout,
    Text,
    digest,
    is_admitted,
    revision_of,
)
from gthulhu.fleet.rollout import advance

BEGIN = datetime(2026, 11, 28, 12, tzinfo=UTC)
HOLD = timedelta(minutes=10)


@dataclass
class World:
    """A policy and its nodes, at a time that passes only when a test says so."""

    text: Text = field(default_factory=lambda: Text("policy a {}"))
    spec: PolicySpec = field(
        default_factory=lambda: PolicySpec(policy="x", rollout=Rollout(hold="10m"))
    )
    status: PolicyStatus = field(default_factory=PolicyStatus)
    nodes: dict[str, NodeStatus] = field(default_factory=dict)
    now: datetime = BEGIN
    version: int = 100

    def add(self, *names: str, **status: Any) -> None:
        for name in names:
            self.version += 1
            made = NodeStatus(policy="shop", joined=str(self.version), renewed=self.now, **status)
            self.nodes[name] = made

    def set(self, name: str, **changes: Any) -> None:
        self.version += 1
        changes.setdefault("renewed", self.now)
        self.nodes[name] = self.nodes[name].model_copy(update=changes)

    def policy(self) -> Policy:
        return Policy(
            metadata=Meta(name="shop", uid="u", generation=7), spec=self.spec, status=self.status
        )

    def look(self, *, restart: bool = True) -> PolicyStatus:
        objects = [
            NodeObject(metadata=Meta(name=name), status=status)
            for name, status in self.nodes.items()
        ]
        found = advance(self.policy(), self.text, objects, str(self.version), self.now)
        if restart:  # a controller knows nothing but what the API gives back
            found = PolicyStatus.model_validate(json.loads(json.dumps(found.as_json())))
        self.status = found
        return found

    def follow(self, *skip: str) -> None:
        """Lets the nodes do what they may."""
        for name in self.nodes:
            if name not in skip:
                self.follow_one(name)

    def follow_one(self, name: str) -> None:
        candidate, status = self.status.candidate, self.nodes[name]
        if status.state == "Unable":
            self.set(name)
            return
        dry_run = status.dry_run
        if candidate is not None and candidate.step < 0:
            dry_run = DryRun(revision=candidate.revision, ok=True)
        wanted: Revision | None = self.status.stable
        if candidate is not None and is_admitted(candidate, name, status.joined):
            wanted = candidate
        in_force = None if wanted is None else InForce(revision=wanted.revision)
        if status.failed is not None and in_force and in_force.revision == status.failed.revision:
            in_force = status.in_force
        self.set(name, dry_run=dry_run, in_force=in_force, state="InForce")

    def running(self, revision: str) -> list[str]:
        return [
            name
            for name, each in self.nodes.items()
            if each.in_force is not None and each.in_force.revision == revision
        ]

    def wait(self, how: timedelta = HOLD) -> None:
        """Lets time pass, with nodes that go on reporting."""
        self.now += how
        for name in self.nodes:
            self.set(name)

    def step(self) -> PolicyStatus:
        """A step that goes well, until the next one begins."""
        self.follow()
        self.look()
        self.wait()
        return self.look()


def name(number: int) -> str:
    return f"node-{number}"


def forty(**changes: Any) -> World:
    world = World(**changes)
    world.add(*map(name, range(40)))
    return world


def revision(world: World) -> str:
    assert world.text.text is not None
    return revision_of(digest(world.text.text), world.spec.attempt)
