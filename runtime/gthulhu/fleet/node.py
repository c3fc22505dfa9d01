# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet node`: watches the policies, follows the one for this node, and tells its status.

It has two watches, of all policies and of its own Node, and writes its own status when that changes
and once a minute. How many nodes there are does not matter for any of these.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu.fleet import health
from gthulhu.fleet.following import Follower, chosen
from gthulhu.fleet.loading import BrokerLoader
from gthulhu.fleet.parsed import Parsed
from gthulhu.fleet.resources import NODES, POLICIES, NodeObject, NodeStatus, Policy, now
from gthulhu.fleet.stopping import run_until_stopped
from gthulhu.kubernetes import Api, ApiError, Object, Say, Watched
from gthulhuc.cli import frame

if TYPE_CHECKING:
    from gthulhu.fleet.loading import Loader

_CORE_NODES = "/api/v1/nodes"
LOOK_S = 5.0
"""How often the node looks at its loader."""
RENEW_S = 60.0
ON_TRIAL_S = 15.0
"""How often it writes at least while it has a revision that is not for all nodes yet."""
_FIRST_RETRY_S, _MAX_RETRY_S = 1.0, 30.0
_DECIDING = ("phase", "candidate", "stable")


@dataclass(frozen=True, slots=True)
class Options:
    """The command's options; `where`: the API."""

    where: str
    name: str
    broker: str
    store: Path
    health: tuple[str, int] | None = None


class Teller:
    """Writes a node's status object, and knows since when the node follows a policy."""

    def __init__(self, api: Api, name: str, owner: Any) -> None:
        self._api, self._name, self._owner = api, name, owner
        self._told: NodeStatus | None = None
        self._told_at_s = 0.0
        self._retry_at_s, self._retry_s = 0.0, _FIRST_RETRY_S
        self.joined: dict[str, str] = {}
        """The version with which the node joined its policy, by the policy's name."""

    async def tell(self, status: NodeStatus, seen: datetime, *, on_trial: bool) -> None:
        """Writes the status if it differs from the last one, or if that is a minute old.

        `seen`: when the loader was looked at. `on_trial`: the rollout waits for its next report,
        so 15 seconds are enough.

        Raises ApiError.
        """
        at_s = time.monotonic()
        if at_s < self._retry_at_s:
            return
        is_old = at_s - self._told_at_s >= (ON_TRIAL_S if on_trial else RENEW_S)
        status = status.model_copy(update={"joined": self.joined.get(status.policy or "")})
        if self._told == status and not is_old:
            return
        try:
            if self._told is None:
                await self._begin(status)
            await self._write(status, seen)
        except ApiError as error:
            if error.status == 404:  # someone has deleted the object
                self._told = None
            self._retry_at_s = at_s + self._retry_s
            self._retry_s = min(2 * self._retry_s, _MAX_RETRY_S)
            raise
        self._retry_s = _FIRST_RETRY_S

    async def _begin(self, status: NodeStatus) -> None:
        """Finds or creates the object."""
        try:
            there = await self._api.get(f"{NODES}/{self._name}")
        except ApiError as error:
            if error.status != 404:
                raise
            meta: Object = {"name": self._name}
            if owner := self._owner():
                meta["ownerReferences"] = [owner]
            there = await self._api.create(
                NODES,
                {"apiVersion": "gthulhuc.dev/v1alpha1", "kind": "NodeSchedulingStatus",
                 "metadata": meta},
            )  # fmt: skip
        found = NodeObject.model_validate(there)
        if found.status.policy == status.policy and status.policy is not None:
            # A version that is too new is as good: the controller counts the node a bit later.
            version = found.status.joined or found.metadata.resource_version
            self.joined = {status.policy: version}

    async def _write(self, status: NodeStatus, seen: datetime) -> None:
        joined = self.joined.get(status.policy or "")
        status = status.model_copy(update={"joined": joined})
        told = await self._patch(status, seen)
        if joined is None and status.policy is not None:
            joined = str(told["metadata"]["resourceVersion"])
            self.joined = {status.policy: joined}
            status = status.model_copy(update={"joined": joined})
            await self._patch(status, seen)
        self._told, self._told_at_s = status, time.monotonic()

    async def _patch(self, status: NodeStatus, seen: datetime) -> Object:
        body = status.model_copy(update={"renewed": seen}).model_dump(mode="json", by_alias=True)
        return await self._api.patch(f"{NODES}/{self._name}/status", {"status": body})


class FleetNode:
    """The process of a node. Its parts can be replaced in tests, not its behaviour."""

    def __init__(self, api: Api, name: str, loader: Loader, memory: Path, say: Say) -> None:
        self.name = name
        self.follower = Follower(name, loader, memory)
        self._bell = asyncio.Event()
        self._say = say
        self._policies = Watched(api, POLICIES, self._bell.set, say)
        self._parsed = Parsed(self._policies, Policy, say)
        self._nodes = Watched(
            api, _CORE_NODES, self._bell.set, say, query={"fieldSelector": f"metadata.name={name}"}
        )
        self._teller = Teller(api, name, self._owner)
        self._problem = ""
        self._settled_for: Object = {}
        self._policy: Policy | None = None

    async def run(self) -> None:
        """Follows until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for each in (self._policies, self._nodes):
                group.create_task(each.run())
            group.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            await self.settle()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._until_something_matters()

    async def _until_something_matters(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            if self._matters() != self._settled_for:
                return

    def _matters(self) -> Object:
        """The parts of the API that decide what this node does: numbers and messages do not."""
        policies = {
            name: [
                each["metadata"].get("uid"), each.get("spec"),
                *((each.get("status") or {}).get(part) for part in _DECIDING),
            ]
            for name, each in self._policies.items.items()
        }  # fmt: skip
        return {"policies": policies, "labels": self._labels(), "joined": self._teller.joined}

    async def settle(self) -> None:
        """Does what is due now."""
        if not self._policies.version or not self._nodes.version:
            return  # what is in force stays
        matters = self._matters()
        if matters != self._settled_for:
            self._settled_for = matters
            self._policy = chosen(self._parsed.all(), self._labels())
        policy = self._policy
        joined = self._teller.joined.get(policy.name) if policy is not None else None
        # A promise that breaks after this moment is not in the status, however late that is told.
        seen = now()
        status = await asyncio.to_thread(self.follower.step, policy, joined)
        try:
            await self._teller.tell(status, seen, on_trial=_is_on_trial(policy, status))
            if self._problem:
                self._say("the status is told again")
            self._problem = ""
        except ApiError as error:
            if str(error) != self._problem:
                self._say(f"cannot tell the status: {error}; trying again")
            self._problem = str(error)
        if joined is None and policy is not None and policy.name in self._teller.joined:
            self._bell.set()  # now something may be put in force

    def _labels(self) -> dict[str, str]:
        node = self._nodes.items.get(self.name)
        return dict(node["metadata"].get("labels") or {}) if node is not None else {}

    def _owner(self) -> Object | None:
        """The Node, so that the status object goes with it."""
        node = self._nodes.items.get(self.name)
        if node is None:
            return None
        meta = node["metadata"]
        return {"apiVersion": "v1", "kind": "Node", "name": meta["name"], "uid": meta["uid"]}


def _is_on_trial(policy: Policy | None, status: NodeStatus) -> bool:
    candidate = policy.status.candidate if policy is not None else None
    has = status.in_force
    return candidate is not None and has is not None and has.revision == candidate.revision


def run(options: Options) -> int:
    """Follows until a signal raises an exception. Raises CommandError."""

    def say(text: str) -> None:
        frame.err(f"gthulhu fleet node: {text}\n")

    loader = BrokerLoader(options.broker, options.store)

    async def main() -> None:
        api = Api(options.where)
        probe = await health.serve(options.health)
        try:
            await FleetNode(api, options.name, loader, options.store / "fleet.json", say).run()
        finally:
            if probe is not None:
                probe.close()
            await api.close()

    frame.out(f"following the policies for {options.name}\n")
    try:
        run_until_stopped(main())
    finally:
        loader.close()
    return frame.OK
