# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet controller`: advances rollouts, and writes the policies' status."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from gthulhu.fleet import health
from gthulhu.fleet.lease import Lease
from gthulhu.fleet.parsed import Parsed
from gthulhu.fleet.resources import (
    NODES,
    POLICIES,
    NodeObject,
    Policy,
    PolicyStatus,
    Text,
    now,
)
from gthulhu.fleet.rollout import advance
from gthulhu.fleet.stopping import run_until_stopped
from gthulhu.fleet.texts import Texts
from gthulhu.kubernetes import Api, ApiError, Say, Watched
from gthulhuc.cli import frame

_LOOK_S = 5.0
_DEBOUNCE_S = 0.25
_COUNTS_S = 10.0
"""How often the numbers of nodes are written at most; every node gets each write."""


class Controller:
    """One controller; `identity` is its name in the Lease.

    `policies`, `nodes`: those that it watches. `also_changed`: is called after each change of them.
    """

    def __init__(self, api: Api, namespace: str, identity: str, say: Say) -> None:
        self._api, self._say = api, say
        self._bell = asyncio.Event()
        self.lease = Lease(api, namespace, identity)
        self._texts = Texts(api, namespace, self._bell.set, say)
        self._policies = Watched(api, POLICIES, self._changed, say)
        self._nodes = Watched(api, NODES, self._changed, say)
        self.also_changed: Callable[[], None] = lambda: None
        self.policies = Parsed(self._policies, Policy, say)
        self.nodes = Parsed(self._nodes, NodeObject, say)
        self._written_at_s: dict[str, float] = {}

    async def run(self) -> None:
        """Works until it is cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for each in (self.lease, self._policies, self._nodes):
                    group.create_task(each.run())
                group.create_task(self._work())
        finally:
            await self._texts.close()

    def _changed(self) -> None:
        self._bell.set()
        self.also_changed()

    async def _work(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._bell.wait()
            await asyncio.sleep(_DEBOUNCE_S)
            self._bell.clear()
            if self.lease.is_held and self._is_up_to_date():
                for policy in self.policies.all():
                    await self._look_after(policy)

    def _is_up_to_date(self) -> bool:
        return all(each.version and not each.problem for each in (self._policies, self._nodes))

    async def _look_after(self, policy: Policy) -> None:
        text = await self._texts.of(policy)
        nodes = self.nodes.all()
        status = advance(policy, text, nodes, self._nodes.version, now())
        if status == policy.status:
            return
        try:
            if _goes_on(policy.status, status):
                status = await self._confirmed(policy, text)
            elif not self._is_due(policy, status):
                return
            await self._write(policy, status)
        except ApiError as error:
            # After a conflict the watch brings the version that another one has written.
            if error.status != 409:
                self._say(f"SchedulingPolicy {policy.name}: cannot write its status: {error}")

    async def _confirmed(self, policy: Policy, text: Text) -> PolicyStatus:
        """The next status by what the nodes say now: a watch may be late, or dead."""
        found, version = await self._api.everything(NODES, {})
        nodes = []
        for each in found:
            with suppress(ValidationError):
                nodes.append(NodeObject.model_validate(each))
        return advance(policy, text, nodes, version, now())

    def _is_due(self, policy: Policy, status: PolicyStatus) -> bool:
        """Whether a change is to be written at once; numbers and messages can wait a bit."""
        told = ("nodes", "message", "conditions")
        same = all(
            getattr(policy.status, name) == getattr(status, name)
            for name in PolicyStatus.model_fields
            if name not in told
        )
        since_s = time.monotonic() - self._written_at_s.get(policy.name, 0.0)
        return not same or since_s >= _COUNTS_S

    async def _write(self, policy: Policy, status: PolicyStatus) -> None:
        found = self._policies.items.get(policy.name)
        if found is None or not self.lease.is_held:
            return
        body = {**found, "status": status.as_json()}
        if found["metadata"]["resourceVersion"] != policy.metadata.resource_version:
            return  # it has changed meanwhile; the next look decides anew
        self._written_at_s[policy.name] = time.monotonic()
        written = await self._api.replace(f"{POLICIES}/{policy.name}/status", body)
        written["metadata"].pop("managedFields", None)
        there = self._policies.items.get(policy.name)
        if there is not None and there["metadata"]["resourceVersion"] == (
            policy.metadata.resource_version
        ):
            self._policies.items[policy.name] = written
        if policy.status.phase != status.phase:
            self._say(f"SchedulingPolicy {policy.name}: {status.phase}: {status.message}")


def _goes_on(before: PolicyStatus, after: PolicyStatus) -> bool:
    """Whether more nodes may have something in force after a change."""
    if after.stable != before.stable:
        return True
    if after.candidate is None:
        return False
    return before.candidate is None or after.candidate.up_to != before.candidate.up_to


def run(
    where: str,
    namespace: str,
    address: tuple[str, int] | None,
    show: Callable[[Controller], Coroutine[Any, Any, None]] | None = None,
) -> int:
    """Works until a signal raises an exception. Raises CommandError.

    `show`: what else the process does, with what the controller watches.
    """
    identity = f"{os.uname().nodename}_{uuid.uuid4()}"

    def say(text: str) -> None:
        frame.err(f"gthulhu fleet controller: {text}\n")

    async def main() -> None:
        api = Api(where)
        probe = await health.serve(address)
        try:
            controller = Controller(api, namespace, identity, say)
            async with asyncio.TaskGroup() as group:
                group.create_task(controller.run())
                if show is not None:
                    group.create_task(show(controller))
        finally:
            if probe is not None:
                probe.close()
            await api.close()

    frame.out(f"advancing rollouts; Lease in namespace {namespace}\n")
    run_until_stopped(main())
    return frame.OK
