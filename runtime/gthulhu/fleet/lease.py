# SPDX-License-Identifier: Apache-2.0
"""Elects one of several controllers by a Lease, with the times of Kubernetes's own controllers.

A holder that has not renewed its Lease for `TERM_S`, by the clock of who looks, has lost it. Two
controllers at a time would do no harm: each writes the version of a status that it has read.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

from gthulhu.kubernetes import Api, ApiError, Object

NAME = "gthulhu-fleet"
TERM_S, _RENEW_S, _RETRY_S = 15.0, 5.0, 2.0


class Lease:
    """The Lease in a namespace, for the controller `identity`."""

    def __init__(self, api: Api, namespace: str, identity: str) -> None:
        self._api, self._identity = api, identity
        self._folder = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
        self._seen: tuple[str, float] = ("", 0.0)
        self._held_until_s = 0.0
        self.problem = ""

    @property
    def is_held(self) -> bool:
        """Whether this controller leads."""
        return time.monotonic() < self._held_until_s

    async def run(self) -> None:
        """Takes and renews the Lease until it is cancelled; then gives it back."""
        try:
            while True:
                began_s = time.monotonic()
                try:
                    if await self._take():
                        self._held_until_s = began_s + TERM_S
                    self.problem = ""
                except ApiError as error:
                    self.problem = str(error)
                await asyncio.sleep(_RENEW_S if self.is_held else _RETRY_S)
        finally:
            await asyncio.shield(self._give_back())

    async def _take(self) -> bool:
        try:
            lease = await self._api.get(f"{self._folder}/{NAME}")
        except ApiError as error:
            if error.status != 404:
                raise
            await self._api.create(
                self._folder,
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                 "metadata": {"name": NAME}, "spec": self._spec({})},
            )  # fmt: skip
            return True
        spec = lease.get("spec") or {}
        version = lease["metadata"]["resourceVersion"]
        if self._seen[0] != version:
            self._seen = version, time.monotonic()
        holder = spec.get("holderIdentity")
        if holder and holder != self._identity and time.monotonic() - self._seen[1] < TERM_S:
            return False
        lease["spec"] = self._spec(spec)
        try:
            await self._api.replace(f"{self._folder}/{NAME}", lease)
        except ApiError as error:
            if error.status == 409:  # another one was faster
                return False
            raise
        return True

    def _spec(self, before: Object) -> Object:
        at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        is_new = before.get("holderIdentity") != self._identity
        return {
            "holderIdentity": self._identity,
            "leaseDurationSeconds": int(TERM_S),
            "acquireTime": at if is_new else before.get("acquireTime", at),
            "renewTime": at,
            "leaseTransitions": int(before.get("leaseTransitions") or 0) + int(is_new),
        }

    async def _give_back(self) -> None:
        """Lets another one lead at once."""
        if not self.is_held:
            return
        self._held_until_s = 0.0
        try:
            lease = await self._api.get(f"{self._folder}/{NAME}")
            if lease["spec"]["holderIdentity"] == self._identity:
                lease["spec"]["holderIdentity"] = ""
                await self._api.replace(f"{self._folder}/{NAME}", lease)
        except (ApiError, LookupError):
            return
