# SPDX-License-Identifier: Apache-2.0
"""Pods from a server that imitates the Kubernetes API."""

from __future__ import annotations

import json
import queue
import select
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gthulhu.agent.agent import Agent, Places
from gthulhu.agent.known import Known
from gthulhu.agent.paths import uid_of
from gthulhu.agent.pods import Pods
from gthulhuc.cli.frame import CommandError
from listening_loader import Loader

Watch = Callable[[Callable[[str], None]], Pods]
UID = "0a1b2c3d-0000-4000-8000-00000000000f"
HASH = "cafe" * 8


class Api(BaseHTTPRequestHandler):
    """Streams the events of its server's queue; None ends the answer."""

    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        while (event := self.server.events.get()) is not None:
            self.wfile.write(json.dumps(event).encode() + b"\n")
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Api)
        self.events: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.asked: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def tell(self, what: str, **metadata: object) -> None:
        meta = {"name": "api-1", "namespace": "prod", "uid": UID, "resourceVersion": "7"} | metadata
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": meta}
        self.events.put({"type": what, "object": pod})


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.events.put(None)
    made.shutdown()
    made.server_close()


@pytest.fixture
def watch(server: Server, kubeconfig: str) -> Iterator[Watch]:
    """Watches the server's pods, until the test ends."""
    made: list[Pods] = []

    def start(say: Callable[[str], None]) -> Pods:
        made.append(Pods(kubeconfig, "node-1", say))
        return made[-1]

    yield start
    for each in made:
        each.close()
    server.events.put(None)


@pytest.fixture
def kubeconfig(server: Server, tmp_path: Path) -> str:
    path = tmp_path / "kubeconfig"
    url = f"http://127.0.0.1:{server.server_address[1]}"
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "here",
        "clusters": [{"name": "lab", "cluster": {"server": url}}],
        "users": [{"name": "agent", "user": {}}],
        "contexts": [{"name": "here", "context": {"cluster": "lab", "user": "agent"}}],
    }  # fmt: skip
    path.write_text(json.dumps(config))
    return str(path)


def changes(pods: Pods) -> set[str]:
    assert select.select([pods.fileno()], [], [], 10)[0]
    return pods.changes()


def test_uids() -> None:
    dashed = UID.replace("-", "_")
    for path in (
        f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{dashed}.slice",
        f"/kubepods.slice/kubepods-pod{dashed}.slice/cri-containerd-{'a' * 64}.scope",
        f"/kubepods/besteffort/pod{UID}/{'a' * 64}",
    ):
        assert uid_of(path) == UID
    assert uid_of("/system.slice/podman.service") is None
    assert uid_of("/") is None


def test_pods_come_change_and_go(server: Server, watch: Watch) -> None:
    said: list[str] = []
    pods = watch(said.append)
    server.tell("ADDED", labels={"app": "web"})
    assert changes(pods) == {UID}
    assert pods.known(UID) == Known({"app": "web"}, "prod", "api-1", complete=True)
    assert "watch=true" in server.asked[0]
    assert "fieldSelector=spec.nodeName%3Dnode-1" in server.asked[0]
    server.tell("MODIFIED", labels={"app": "db"})
    assert changes(pods) == {UID}
    assert (pods.known(UID) or Known()).labels == {"app": "db"}
    server.tell("ADDED", uid="1", annotations={"kubernetes.io/config.hash": HASH})
    assert changes(pods) == {"1", HASH}
    server.tell("DELETED")
    assert changes(pods) == {UID}
    assert pods.known(UID) is None
    assert said == []


def test_watch_is_renewed_after_it_breaks_off(server: Server, watch: Watch) -> None:
    pods = watch(print)
    server.tell("ADDED")
    changes(pods)
    server.events.put(None)
    server.tell("MODIFIED", labels={"app": "web"})
    assert changes(pods) == {UID}
    assert len(server.asked) == 2


def test_missing_api_is_reported_once(watch: Watch, server: Server) -> None:
    server.shutdown()
    server.server_close()
    said: list[str] = []
    watch(said.append)
    time.sleep(1.2)
    assert len(said) == 1
    assert said[0].endswith("; trying again")


def test_invalid_kubeconfig_is_refused(tmp_path: Path) -> None:
    for where in (str(tmp_path / "none"), "in-cluster"):
        with pytest.raises(CommandError, match="cannot use the Kubernetes API"):
            Pods(where, "node-1", print)


def test_a_pod_and_its_containers(server: Server, watch: Watch, tmp_path: Path) -> None:
    cgroups, root, state = tmp_path / "cgroup", tmp_path / "root", tmp_path / "run"
    pod = f"/kubepods.slice/kubepods-pod{UID.replace('-', '_')}.slice"
    scope = f"{pod}/cri-containerd-{'a' * 64}.scope"
    bundle = root / "run/containerd/io.containerd.runtime.v2.task/k8s.io" / ("a" * 64)
    for folder in (cgroups / scope[1:], state, bundle):
        folder.mkdir(parents=True)
    notes = {"io.kubernetes.cri.container-name": "main"}
    (bundle / "config.json").write_text(json.dumps({"annotations": notes}))
    loader = Loader(state)
    loader.publish(7)
    places = Places(str(state), str(tmp_path / "labels.toml"), str(cgroups), root)
    agent = Agent(places, print, watch(print))
    agent.start()
    assert loader.told()[scope] == ["some", "container=main"]
    server.tell("ADDED", labels={"app": "web"})
    deadline_s = time.monotonic() + 10
    while loader.told()[scope][0] != "all" and time.monotonic() < deadline_s:
        agent.step(0.1)
    assert loader.told()[scope] == [
        "all", "namespace=prod", "pod=api-1", "container=main", "label:app=web",
    ]  # fmt: skip
    # A container that comes to the pod has a name, which is not known yet.
    assert loader.told()[pod] == ["some", "namespace=prod", "pod=api-1", "label:app=web"]
    agent.close()
    loader.close()
