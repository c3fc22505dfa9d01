# SPDX-License-Identifier: Apache-2.0
"""The pods of this node, from the Kubernetes API.

A thread lists the pods and then watches them; `fileno` is readable when a pod has changed. The
server ends each watch after some time, and names its version in between (bookmarks), so that
silence means that the connection is dead. After any failure all pods are listed again, and those
that are no longer there are forgotten.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from lightkube import KubeConfig
from lightkube.config.client_adapter import Client, ConnectionParams
from lightkube.config.kubeconfig import SingleConfig
from lightkube.core.exceptions import ConfigError

from gthulhu.agent.known import Known
from gthulhu.options import IN_CLUSTER
from gthulhuc.cli.frame import CommandError

SILENCE_S = 75.0
"""A watch on which nothing arrives for so long is dead; the server ends it after 4/5 of that."""
_REQUEST_S = 10.0
_PAUSE_S = 0.25  # between two watches, so that a server that ends them at once is not flooded
_MAX_DELAY_S = 30.0
_REMIND_S = 600.0
_PAGE = 500
# A static pod's cgroup has its file's hash as its UID; this annotation of its mirror pod has it.
_HASH = "kubernetes.io/config.hash"


class _ExpiredError(Exception):
    """The server no longer knows the version from which a watch was to go on."""


class Pods:
    """The labels of pods, by UID. `where`: `in-cluster`, or a kubeconfig."""

    def __init__(
        self, where: str, node: str, say: Callable[[str], None], silence_s: float = SILENCE_S
    ) -> None:
        self._where, self._say, self._silence_s = where, say, silence_s
        self._selector = {"fieldSelector": f"spec.nodeName={node}"}
        self._config = config(where)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._known: dict[str, Known] = {}
        self._changed: set[str] = set()
        self._said_at_s = 0.0
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

    # ---- the API --------------------------------------------------------------------------------

    def _watch(self) -> None:
        failures = 0
        while not self._closed.is_set():
            try:
                # A new client for each attempt, so that none reads from a dead connection.
                with self._client() as client:
                    version = self._list(client)
                    if failures:
                        self._say(f"Kubernetes API ({self._where}): it answers again")
                    failures = 0
                    while not self._closed.wait(_PAUSE_S):
                        version = self._follow(client, version)
            except _ExpiredError:
                self._closed.wait(_PAUSE_S)
            except Exception as error:
                failures += 1
                self._complain(error, is_first=failures == 1)
                self._closed.wait(min(0.25 * 2**failures, _MAX_DELAY_S))

    def _complain(self, error: Exception, *, is_first: bool) -> None:
        """Reports a failure, and from time to time that it lasts."""
        now_s = time.monotonic()
        if self._closed.is_set() or (not is_first and now_s - self._said_at_s < _REMIND_S):
            return
        self._said_at_s = now_s
        why = str(error) or type(error).__name__
        self._say(f"Kubernetes API ({self._where}): {why}; trying again")

    def _client(self) -> Any:
        """A client of httpx with the kubeconfig's address, certificates and login."""
        return Client(self._config, ConnectionParams(trust_env=False))

    def _list(self, client: Any) -> str:
        """Reads all pods, forgets all others, and returns the version of the list."""
        found: dict[str, Known] = {}
        page: dict[str, str] = {}
        while True:
            query = {**self._selector, "limit": str(_PAGE), **page}
            answer = client.get("/api/v1/pods", params=query, timeout=_REQUEST_S)
            answer.raise_for_status()
            pods = answer.json()
            for pod in pods.get("items") or ():
                found |= _known(pod)
            rest = pods["metadata"].get("continue")
            if not rest:
                break
            page = {"continue": rest}
        with self._lock:
            gone = self._known.keys() - found.keys()
        self._note(found, gone)
        return str(pods["metadata"]["resourceVersion"])

    def _follow(self, client: Any, version: str) -> str:
        """Watches until the server ends it, and returns the version that it came to."""
        query = {
            **self._selector, "watch": "true", "allowWatchBookmarks": "true",
            "timeoutSeconds": str(max(1, int(self._silence_s * 4 / 5))), "resourceVersion": version,
        }  # fmt: skip
        times = (_REQUEST_S, self._silence_s, _REQUEST_S, _REQUEST_S)  # to connect, read, write ..
        with client.stream("GET", "/api/v1/pods", params=query, timeout=times) as answer:
            if answer.status_code == 410:  # Gone
                raise _ExpiredError
            answer.raise_for_status()
            for line in answer.iter_lines():
                event = json.loads(line)
                what, pod = event["type"], event["object"]
                if what == "ERROR":
                    if pod.get("code") == 410:
                        raise _ExpiredError
                    raise ConnectionError(str(pod.get("message")))
                version = str(pod["metadata"]["resourceVersion"])
                if self._closed.is_set():
                    break
                if what == "DELETED":
                    self._note({}, _known(pod).keys())
                elif what != "BOOKMARK":
                    self._note(_known(pod), ())
        return version

    def _note(self, there: Mapping[str, Known], gone: Iterable[str]) -> None:
        with self._lock:
            changed = {uid for uid, known in there.items() if self._known.get(uid) != known}
            changed.update(uid for uid in gone if self._known.pop(uid, None) is not None)
            self._known.update(there)
            self._changed |= changed
        if changed:
            with suppress(BlockingIOError):  # a full pipe is readable anyway
                os.write(self._bell, b"\0")


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


def config(where: str) -> SingleConfig:
    """The address and the login of `in-cluster`, or of a kubeconfig. Raises CommandError."""
    try:
        if where == IN_CLUSTER:
            found = KubeConfig.from_service_account().get()
        else:
            found = KubeConfig.from_file(where).get()
        if found is None:
            raise ConfigError("it has no current context")
    except (ConfigError, OSError) as error:
        raise CommandError(
            f"{where}: cannot use the Kubernetes API: {error}",
            "give a kubeconfig, or `in-cluster` inside a pod",
        ) from None
    return found
