# SPDX-License-Identifier: Apache-2.0
"""The pods of this node, from the Kubernetes API.

A thread waits for the API's events; `fileno` is readable when a pod has changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

from lightkube import Client, KubeConfig
from lightkube.core.exceptions import ConfigError
from lightkube.resources.core_v1 import Pod

from gthulhu.agent.known import Known
from gthulhuc.cli.frame import CommandError

IN_CLUSTER = "in-cluster"
_MAX_DELAY_S = 30.0
# A static pod's cgroup has its file's hash as its UID; this annotation of its mirror pod has it.
_HASH = "kubernetes.io/config.hash"


class Pods:
    """The labels of pods, by UID. `where`: `in-cluster`, or a kubeconfig."""

    def __init__(self, where: str, node: str, say: Callable[[str], None]) -> None:
        self._where, self._node, self._say = where, node, say
        self._config = _config(where)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._known: dict[str, Known] = {}
        self._changed: set[str] = set()
        self._ready, self._bell = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        threading.Thread(target=self._watch, daemon=True).start()

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
        """Stops all updates. The thread ends at the API's next event or response."""
        self._closed.set()

    def _watch(self) -> None:
        failures = 0
        while not self._closed.is_set():
            try:
                for what, pod in self._events():
                    failures = 0
                    self._note(pod, is_there=what != "DELETED")
            except Exception as error:
                failures += 1
                if failures == 1 and not self._closed.is_set():
                    self._say(f"Kubernetes API ({self._where}): {error}; trying again")
                self._closed.wait(min(0.25 * 2**failures, _MAX_DELAY_S))

    def _events(self) -> Iterator[tuple[str, Pod]]:
        """All pods first, then every change."""
        client = Client(config=self._config, trust_env=False)
        return client.watch(Pod, namespace="*", fields={"spec.nodeName": self._node})

    def _note(self, pod: Pod, *, is_there: bool) -> None:
        meta = pod.metadata
        if meta is None or meta.uid is None or self._closed.is_set():
            return
        known = Known(
            labels=dict(meta.labels or {}), namespace=meta.namespace, pod=meta.name, complete=True
        )
        uids = {meta.uid.lower(), ((meta.annotations or {}).get(_HASH) or meta.uid).lower()}
        with self._lock:
            for uid in uids:
                if is_there:
                    self._known[uid] = known
                else:
                    self._known.pop(uid, None)
            self._changed |= uids
        with suppress(BlockingIOError):  # a full pipe is readable anyway
            os.write(self._bell, b"\0")


def _config(where: str) -> KubeConfig:
    try:
        if where == IN_CLUSTER:
            return KubeConfig.from_service_account()
        return KubeConfig.from_file(where)
    except (ConfigError, OSError) as error:
        raise CommandError(
            f"{where}: cannot use the Kubernetes API: {error}",
            "give a kubeconfig, or `in-cluster` inside a pod",
        ) from None
