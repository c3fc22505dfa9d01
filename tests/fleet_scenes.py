# SPDX-License-Identifier: Apache-2.0
"""Fleets of nodes with the real code for watches and statuses, and loaders that only keep count."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from gthulhu.fleet import controller as controlling
from gthulhu.fleet import node as noding
from gthulhu.fleet.controller import Controller
from gthulhu.fleet.loading import PolicyError
from gthulhu.fleet.node import FleetNode
from gthulhu.fleet.resources import POLICIES, Revision
from gthulhu.kubernetes import Api, ApiError
from gthulhu.serve.node import NothingInForceError, RefusedError

_T = TypeVar("_T")

PATIENCE_S = 60
GROUP = "gthulhuc.dev/v1alpha1"
GOOD = "policy shop {\n}\n"
BETTER = "policy shop {\n  # a better one\n}\n"
BAD = "policy shop {\n  # breaks its promise\n}\n"
UNLOADABLE = "policy shop {\n  # the verifier refuses it\n}\n"
LOCAL = "/etc/gthulhu/local.gpl"
BROKEN = "promise `ran` (shop.gpl:3) is broken: p99(wakeup ran) < 300us: 412us"


class SimLoader:
    """Behaves as a loader does. It ends a policy with the text BAD after a moment."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = [(LOCAL, "")]
        """The generations, the newest last: the path of each, and its text."""
        self.generation, self.pid, self.is_running = 1, 7, True
        self.fallback: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.bad_at_s = 0.0
        self.patience_s = 0.3
        self.heard: list[str] = []

    def status(self) -> dict[str, Any]:
        if not self.is_running:
            raise NothingInForceError("no policy is in force")
        self._judge()
        return {
            "ok": True, "pid": self.pid, "generation": self.generation, "restarts": 0,
            "object": self.kept[-1][0], "kernel": "7.2.0", "since": "2026-11-28T12:00:00Z",
            "promises": [], "fallback": self.fallback,
        }  # fmt: skip

    def _judge(self) -> None:
        if self.kept[-1][1] == BAD and time.monotonic() - self.bad_at_s > self.patience_s:
            before = self.generation
            self._load(*self.kept[-2])
            self.fallback = [{"from": before, "to": self.generation, "reason": BROKEN}]

    def _load(self, called: str, text: str) -> None:
        self.kept.append((called, text))
        self.generation += 1
        self.bad_at_s = time.monotonic()

    def dry_run(self, name: str, revision: Revision) -> None:
        self.heard.append("dry-run")
        if revision.text == UNLOADABLE:
            raise PolicyError("DryRunFailed", "R1 is not a pointer")

    def swap(self, name: str, revision: Revision, *, force: bool) -> int:
        self.heard.append("swap")
        self._load(f"/var/lib/gthulhu-fleet/{revision.sha256}/{name}.gpl", revision.text)
        return self.generation

    def rollback(self) -> None:
        self.heard.append("rollback")
        if len(self.kept) < 2:
            raise RefusedError({"error": "there is no generation before"})
        self._load(*self.kept[-2])

    def last_events(self) -> list[dict[str, Any]]:
        return self.events

    def restart(self) -> None:
        """A new loader, as a service manager starts it, with the policy of the machine."""
        self.pid += 1
        self.generation += 1
        self.kept = [(LOCAL, "")]

    @property
    def text(self) -> str:
        """The text in force."""
        return self.kept[-1][1]


class Known:
    """A Node that is known without a watch, for API servers that serve none."""

    def __init__(self, name: str, labels: dict[str, str]) -> None:
        meta = {"name": name, "uid": f"uid-{name}", "labels": labels}
        self.version, self.problem = "1", ""
        self.items = {name: {"metadata": meta}}

    async def run(self) -> None:
        await asyncio.Event().wait()


class Fleet:
    """Nodes and controllers in one event loop, against the API of a kubeconfig.

    `accounts`: returns the kubeconfig of an account of the project's, `node` or `controller`, for a
    process of the given name; without it all have the first one's rights.
    """

    def __init__(
        self, kubeconfig: Path, folder: Path, *, client: Any = None,
        accounts: Callable[[str, str], Path] | None = None,
    ) -> None:  # fmt: skip
        self._folder, self._client = folder, client
        self._account = accounts or (lambda _account, _name: kubeconfig)
        self.api = Api(str(kubeconfig))
        self.loaders: dict[str, SimLoader] = {}
        self.nodes: dict[str, FleetNode] = {}
        self.apis: dict[str, Api] = {}
        self.controllers: list[Controller] = []
        self.labels: dict[str, dict[str, str]] = {}
        """Of nodes that the API does not have."""
        self.said: list[str] = []
        self._locks: dict[str, threading.Lock] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def name(self, number: int) -> str:
        return f"node-{number}"

    def start_node(self, name: str, *, labels: dict[str, str] | None = None) -> None:
        """Starts the process of a node, or starts it again."""
        loader = self.loaders.setdefault(name, SimLoader())
        where = str(self._account("node", name))
        api = self.apis[name] = Api(where, self._client() if self._client else None)
        memory = self._folder / f"{name}.json"
        node = FleetNode(api, name, loader, memory, self.said.append)
        if labels is not None:
            self.labels[name] = labels
            vars(node)["_nodes"] = Known(name, labels)
        vars(node.follower)["step"] = _locked(node.follower.step, self._lock(name))
        self.nodes[name] = node
        self._tasks[name] = asyncio.create_task(node.run())

    def start_controller(self, name: str = "controller") -> Controller:
        api = self.apis[name] = Api(str(self._account("controller", name)))
        made = Controller(api, "gthulhuc", name, self.said.append)
        self.controllers.append(made)
        self._tasks[name] = asyncio.create_task(made.run())
        return made

    async def end(self, name: str) -> None:
        """Ends a node or a controller as by a signal that nothing can catch."""
        task = self._tasks.pop(name)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        # A thread does a step, and would go on: a process that is killed ends at once.
        await asyncio.to_thread(self._lock(name).acquire)
        self._lock(name).release()
        await self.apis[name].close()

    def _lock(self, name: str) -> threading.Lock:
        return self._locks.setdefault(name, threading.Lock())

    async def close(self) -> None:
        for name in list(self._tasks):
            await self.end(name)
        await self.api.close()
        await asyncio.sleep(0.1)  # connections with TLS take a moment to close

    # ---- policies -------------------------------------------------------------------------------

    async def patiently(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """The result of a request, to a server that may have been started just now."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await work()
            except ApiError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.2)

    async def apply(self, text: str | None, name: str = "shop", **spec: Any) -> None:
        """Creates a policy, or gives it another text. None: `spec` says where it is."""
        spec = {"policy": text, "rollout": {"hold": "1s"}, **spec}
        body = {"apiVersion": GROUP, "kind": "SchedulingPolicy", "metadata": {"name": name}}
        there, _ = await self.patiently(lambda: self.api.everything(POLICIES, {}))
        if any(each["metadata"]["name"] == name for each in there):
            await self.patiently(lambda: self.api.patch(f"{POLICIES}/{name}", {"spec": spec}))
        else:
            await self.api.create(POLICIES, {**body, "spec": spec})

    async def status(self, name: str = "shop") -> dict[str, Any]:
        found = await self.patiently(lambda: self.api.get(f"{POLICIES}/{name}"))
        return found.get("status") or {}

    async def until_phase(self, *phases: str, name: str = "shop") -> dict[str, Any]:
        """Waits until a rollout is in one of these phases, and returns its status."""
        status: dict[str, Any] = {}
        end = time.monotonic() + PATIENCE_S
        while status.get("phase") not in phases:
            assert time.monotonic() < end, (status, self.said[-5:])
            await asyncio.sleep(0.1)
            status = await self.status(name)
        return status

    def running(self, text: str) -> list[str]:
        """The nodes with a text in force."""
        return [name for name, loader in self.loaders.items() if loader.text == text]

    async def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            said = {name: loader.heard for name, loader in list(self.loaders.items())[:3]}
            assert time.monotonic() < end, (said, self.said[-5:])
            await asyncio.sleep(0.05)


def _locked(step: Callable[..., Any], lock: threading.Lock) -> Callable[..., Any]:
    def locked(*arguments: Any) -> Any:
        with lock:
            return step(*arguments)

    return locked


def hurry(monkeypatch: Any) -> None:
    """Lets nodes look at their loaders more often than in real life."""
    monkeypatch.setattr(noding, "LOOK_S", 0.2)
    monkeypatch.setattr(noding, "ON_TRIAL_S", 0.5)
    monkeypatch.setattr(controlling, "_DEBOUNCE_S", 0.05)
    monkeypatch.setattr(controlling, "_LOOK_S", 0.3)
    monkeypatch.setattr(controlling, "_COUNTS_S", 0.2)


def make_nodes(api: Any, count: int) -> None:
    """Nodes in the small API."""
    for number in range(count):
        name = f"node-{number}"
        meta = {"name": name, "labels": {"odd": str(number % 2)}}
        api.put(f"/api/v1/nodes/{name}", {"metadata": meta})


def shown(status: dict[str, Any]) -> str:
    """A status for messages of tests."""
    return json.dumps(status, indent=1)
