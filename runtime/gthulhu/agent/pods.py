# SPDX-License-Identifier: Apache-2.0
"""The pods of this node, from the Kubernetes API.

A thread watches the pods; `fileno` is readable when a pod has changed. Pods that are gone after an
outage are forgotten.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from gthulhu.agent.known import Known
from gthulhu.kubernetes import Api, Object, Watched, config

# A static pod's cgroup has its file's hash as its UID; this annotation of its mirror pod has it.
_HASH = "kubernetes.io/config.hash"


class Pods:
    """The labels of pods, by UID. `where`: `in-cluster`, or a kubeconfig. Raises CommandError."""

    def __init__(
        self, where: str, node: str, say: Callable[[str], None], silence_s: float | None = None
    ) -> None:
        config(where)  # fails here, and not in the thread
        self._where, self._node, self._say, self._silence_s = where, node, say, silence_s
        self._lock = threading.Lock()
        self._known: dict[str, Known] = {}
        self._changed: set[str] = set()
        self._ready, self._bell = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._loop = asyncio.new_event_loop()
        self._watching = self._loop.create_task(self._watch())
        threading.Thread(target=self._run, daemon=True).start()

    def fileno(self) -> int:
        """The descriptor, for select(2)."""
        return self._ready

    def known(self, uid: str) -> Known | None:
        """The labels of a pod; None: the API has not named it."""
        with self._lock:
            return self._known.get(uid)

    def changes(self) -> set[str]:
        """The UIDs of the pods that have changed since the last call."""
        os.read(self._ready, 4096)
        with self._lock:
            changed, self._changed = self._changed, set()
        return changed

    def close(self) -> None:
        """Stops all updates."""
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._watching.cancel)

    # ---- the API --------------------------------------------------------------------------------

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._watching)
        self._loop.close()

    async def _watch(self) -> None:
        api = Api(self._where)
        pods = Watched(
            api, "/api/v1/pods", lambda: self._note(pods.items.values()), self._say,
            query={"fieldSelector": f"spec.nodeName={self._node}"}, key=_uid,
            silence_s=self._silence_s,
        )  # fmt: skip
        try:
            await pods.run()
        finally:
            await api.close()

    def _note(self, pods: Iterable[Object]) -> None:
        there = {uid: known for pod in pods for uid, known in _known(pod).items()}
        with self._lock:
            changed = {
                uid
                for uid in there.keys() | self._known.keys()
                if there.get(uid) != self._known.get(uid)
            }
            self._known = there
            self._changed |= changed
        if changed:
            with suppress(BlockingIOError):  # a full pipe is readable anyway
                os.write(self._bell, b"\0")


def _uid(pod: Object) -> str:
    return str(pod["metadata"]["uid"])


def _known(pod: Mapping[str, Any]) -> dict[str, Known]:
    """The labels of a pod, by the UIDs that its cgroup may have."""
    meta = pod["metadata"]
    known = Known(
        labels=dict(meta.get("labels") or {}),
        namespace=meta.get("namespace"),
        pod=meta.get("name"),
        complete=True,
    )
    uid = meta["uid"]
    return {
        each.lower(): known for each in (uid, (meta.get("annotations") or {}).get(_HASH) or uid)
    }
