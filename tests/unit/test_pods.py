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
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

import pytest

from gthulhu.agent import static
from gthulhu.agent.agent import Agent, Places
from gthulhu.agent.known import Known
from gthulhu.agent.paths import uid_of
from gthulhu.agent.pods import Pods
from gthulhuc.cli.frame import CommandError
from listening_loader import Loader


class Watch(Protocol):
    def __call__(self, say: Callable[[str], None], silence_s: float = ...) -> Pods: ...


UID = "0a1b2c3d-0000-4000-8000-00000000000f"
HASH = "cafe" * 8


class Api(BaseHTTPRequestHandler):
    """Lists its server's pods, and streams the events of its queue."""

    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.server.is_broken:
            self.send_error(500)
        elif "watch=true" in self.path:
            self._stream()
        else:
            self._list()

    def _list(self) -> None:
        """Two pods a page, as the real one has 500."""
        pods = list(self.server.pods.values())
        at = int(parse_qs(urlsplit(self.path).query).get("continue", ["0"])[0])
        meta = {"resourceVersion": "100"}
        if len(pods) > at + 2:
            meta["continue"] = str(at + 2)
        body = json.dumps({"metadata": meta, "items": pods[at : at + 2]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
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
        self.pods: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.is_broken = False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def tell(self, what: str, **metadata: object) -> None:
        self.events.put({"type": what, "object": pod(**metadata)})

    def has(self, *uids: str) -> None:
        """Sets the pods that a list shows; no event tells of the change."""
        self.pods = {uid: pod(uid=uid) for uid in uids}

    def wait_for(self, requests: int) -> None:
        deadline_s = time.monotonic() + 10
        while len(self.asked) < requests:
            assert time.monotonic() < deadline_s, self.asked
            time.sleep(0.01)


def pod(**metadata: object) -> dict[str, Any]:
    meta = {"name": "api-1", "namespace": "prod", "uid": UID, "resourceVersion": "107"} | metadata
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta}


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

    def start(say: Callable[[str], None], silence_s: float = 60) -> Pods:
        made.append(Pods(kubeconfig, "node-1", say, silence_s))
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
    listed, watched = (parse_qs(urlsplit(each).query) for each in server.asked)
    assert listed["fieldSelector"] == watched["fieldSelector"] == ["spec.nodeName=node-1"]
    assert (watched["resourceVersion"], watched["allowWatchBookmarks"]) == (["100"], ["true"])
    server.tell("MODIFIED", labels={"app": "db"})
    assert changes(pods) == {UID}
    assert (pods.known(UID) or Known()).labels == {"app": "db"}
    server.tell("ADDED", uid="1", annotations={"kubernetes.io/config.hash": HASH})
    assert changes(pods) == {"1", HASH}
    server.tell("DELETED")
    assert changes(pods) == {UID}
    assert pods.known(UID) is None
    assert said == []


def test_watch_goes_on_from_where_the_server_ended_it(server: Server, watch: Watch) -> None:
    pods = watch(print)
    server.tell("ADDED")
    changes(pods)
    server.tell("BOOKMARK", uid=None, resourceVersion="200")
    server.events.put(None)
    server.tell("MODIFIED", labels={"app": "web"})
    assert changes(pods) == {UID}
    assert [("resourceVersion=200" in each) for each in server.asked] == [False, False, True]


def test_pods_that_went_during_a_gap_are_forgotten(server: Server, watch: Watch) -> None:
    server.has("1", "2", "3")
    said: list[str] = []
    pods = watch(said.append)
    assert changes(pods) == {"1", "2", "3"}
    server.has("2", "4")
    server.events.put({"type": "ERROR", "object": {"code": 500, "message": "etcd is gone"}})
    assert changes(pods) == {"1", "3", "4"}
    assert [uid for uid in "1234" if pods.known(uid)] == ["2", "4"]
    assert said[0].endswith("etcd is gone; trying again")


def test_a_version_that_is_too_old_is_no_failure(server: Server, watch: Watch) -> None:
    said: list[str] = []
    pods = watch(said.append)
    server.wait_for(2)
    server.has("1")
    server.events.put({"type": "ERROR", "object": {"code": 410, "message": "too old"}})
    assert changes(pods) == {"1"}
    assert said == []


def test_a_silent_peer_is_left(server: Server, watch: Watch) -> None:
    said: list[str] = []
    pods = watch(said.append, silence_s=0.3)
    server.wait_for(2)
    server.has("1")
    # No event and no end, as after a cable was pulled.
    assert changes(pods) == {"1"}
    assert "timed out" in said[0]


def test_each_outage_is_reported_and_its_end(server: Server, watch: Watch) -> None:
    said: list[str] = []
    watch(said.append, silence_s=0.3)
    for outage in (1, 2):
        server.is_broken = True
        server.wait_for(len(server.asked) + 2)
        server.is_broken = False
        deadline_s = time.monotonic() + 10
        while len(said) < 2 * outage and time.monotonic() < deadline_s:
            time.sleep(0.01)
    assert ["answers again" in each for each in said[:4]] == [False, True, False, True], said


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


def test_an_event_is_about_the_cgroups_of_its_pod(
    server: Server, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cgroups, state = tmp_path / "cgroup", tmp_path / "run"
    for number in range(500):
        (cgroups / f"kubepods/pod{number}" / f"{number:064}").mkdir(parents=True)
    state.mkdir()
    places = Places(str(state), str(tmp_path / "labels.toml"), str(cgroups), tmp_path / "root")
    agent = Agent(places, print, watch(print))
    agent.start()
    looked_at: list[str] = []

    def note(entries: object, path: str) -> None:
        looked_at.append(path)

    monkeypatch.setattr(static, "known_of", note)
    server.tell("ADDED", uid="77", labels={"app": "web"})
    while not {"/kubepods/pod77"} <= set(looked_at):
        agent.step(10)
    pods = {path for path in looked_at if "pod" in path.rpartition("/")[2]}
    assert pods == {"/kubepods/pod77"}
    agent.close()


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
