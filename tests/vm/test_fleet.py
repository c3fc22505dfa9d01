# SPDX-License-Identifier: Apache-2.0
"""Nodes of a fleet with the real loader: a dry run, a text in force, and a broken promise.

First one node without an API, then two guests as the nodes of a real API server, whose controller
rolls policies out to them.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import api_machinery
import guest_loader
import guest_python
import node_parts
import pods
from api_machinery import Machinery, free_port
from command import environment
from fleet_accounts import NAMESPACE, Accounts, is_allowed
from fleet_scenes import GROUP
from gthulhu.fleet.resources import NODES, POLICIES
from gthulhu_lab import processes, vm
from gthulhu_lab.request import Clock

pytestmark = [pytest.mark.vm, pytest.mark.soak]

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "compiler" / "gthulhuc" / "diagnostics" / "pages.md"
GOOD = 'policy shop {}\nrule victims { match comm == "victim" priority high }\n'
BAD = f"""{GOOD}promise default over 1s {{
    max(wakeup default) < 1us
    else rollback
}}
"""
MODULES = (
    "gthulhu.fleet.following", "gthulhu.fleet.loading", "gthulhu.serve.worker",
    "gthulhu.serve.broker", "asyncio.subprocess", "gthulhuc.importers.gthulhu",
    "concurrent.futures.thread", "gthulhuc.syntax.recovery", "gthulhuc.diagnostics.suggest",
    "gthulhuc.formatter", "gthulhuc.formatter.doc", "gthulhuc.difference.changes",
)  # fmt: skip
CLIENT = (
    "gthulhu.fleet.node", "httpcore2", "anyio._backends._asyncio", "anyio.to_thread", "truststore",
)  # fmt: skip
# The client imports these where they are, as on this machine, for the tests of the API.
_NOT_ON_NODES = {"trio", "h2"}
PATIENCE_S = 900
SCRIPT = """
start loader local.bpf.o
await_line loader enabled
victim & sleeper &
step drive python fleet.py $RESULTS good.gpl bad.gpl
step stop gthulhu stop
"""
# A node of a cluster. It ends when the host connects to a port, or when its process has ended.
NODE_SCRIPT = """
ip link set lo up
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
start loader local.bpf.o
await_line loader enabled
victim & sleeper &
{{
    python fleet_node.py /etc/kubeconfig {name} >$RESULTS/node.out 2>$RESULTS/node.err
    nc 127.0.0.1 99 </dev/null
}} &
nc -l -p 99 >/dev/null
step status gthulhu status --json
step events gthulhu events
step stop gthulhu stop
"""


def node_files(folder: Path, *modules: str) -> dict[str, Path | str | bytes]:
    """The files of a node: tasks, the loader with a policy of its own, the broker, the compiler."""
    objects: dict[str, bytes] = {}
    for name, text in (("good", GOOD), ("bad", BAD)):
        (folder / name).mkdir()
        (folder / name / "shop.gpl").write_text(text)
        objects |= guest_python.compiled(folder / name, "--stats")
    (folder / "local.gpl").write_text("policy local {}\n")
    return {
        **guest_loader.FILES,
        **guest_loader.objects(folder, folder / "local.gpl"),
        "bin/victim": b"#!/bin/sh\nwhile :; do usleep 50000; done\n",
        "bin/sleeper": b"#!/bin/sh\nwhile :; do usleep 50000; done\n",
        f"{guest_python.FOLDER}/gthulhuc/diagnostics/pages.md": PAGES,
        **node_parts.FILES,
        **objects,
        **guest_python.files(*MODULES, *modules, compiling=True),
    }


def request(script: str, files: Mapping[str, Path | str | bytes], **more: Any) -> vm.GuestRequest:
    return vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{script}",
        kernel="7.2", clock=Clock.TCG_TURNS, memory_mib=2048, files=files, **more,
    )  # fmt: skip


# ---- one node -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    files = {
        "fleet.py": HERE / "programs" / "fleet.py",
        "good.gpl": GOOD.encode(),
        "bad.gpl": BAD.encode(),
        **node_files(tmp_path_factory.mktemp("fleet")),
    }
    guest = vm.run(request(SCRIPT, files, deadline_s=900)).check()
    assert guest.files["drive.err"].decode() == ""
    found: dict[str, Any] = json.loads(guest.files["answers.json"])
    return found


def test_a_text_is_verified_and_then_put_in_force_once(answers: dict[str, Any]) -> None:
    assert answers["dry-run"]["dryRun"]["ok"]
    assert "inForce" not in answers["dry-run"]
    assert (answers["good"]["state"], answers["good"]["inForce"]["generation"]) == ("InForce", 2)
    assert answers["again"]["inForce"] == answers["good"]["inForce"]
    assert answers["again"]["kernel"].startswith("7.2")


def test_a_broken_promise_is_told_and_the_text_before_is_back(answers: dict[str, Any]) -> None:
    assert answers["bad"]["inForce"]["generation"] == 3
    failed = answers["broken"]["failed"]
    assert failed["reason"] == "PromiseBroken"
    assert "max(wakeup default) < 1us" in failed["message"]
    assert failed["revision"] == answers["bad"]["inForce"]["revision"]
    # The loader has gone back by itself, so that nothing is left to do.
    assert answers["back"]["inForce"]["revision"] == answers["good"]["inForce"]["revision"]
    assert answers["back"]["inForce"]["generation"] == 4


# ---- two nodes of a cluster ---------------------------------------------------------------------


def cluster_files(folder: Path) -> dict[str, Path | str | bytes]:
    """The files of a node with the client of the API, and with longer limits."""
    files = {
        place: file
        for place, file in node_files(folder, *CLIENT).items()
        if _NOT_ON_NODES.isdisjoint(Path(place).parts)
    }
    node = HERE / "programs" / "fleet_node.py"
    return guest_python.patient(files) | {"fleet_node.py": node}


@dataclass
class Cluster:
    """Guests as nodes of an API server on the host; `guests` by the nodes' names."""

    machinery: Machinery
    accounts: Accounts
    guests: dict[str, Future[vm.GuestResult]]

    def policy(self) -> dict[str, Any]:
        found: dict[str, Any] = self.machinery.ask("GET", f"{POLICIES}/shop")
        status = found.get("status") or {}
        is_seen = status.get("observedGeneration") == found["metadata"]["generation"]
        return status if is_seen else {}

    def nodes(self) -> dict[str, dict[str, Any]]:
        found = self.machinery.ask("GET", NODES)["items"]
        return {each["metadata"]["name"]: each.get("status") or {} for each in found}

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            for guest in self.guests.values():
                assert not guest.done(), guest.result().check().text("node.err")
            assert time.monotonic() < end, (self.policy(), self.nodes())
            time.sleep(1)

    def change(self, **spec: Any) -> None:
        self.machinery.ask("PATCH", f"{POLICIES}/shop", {"spec": spec})


@contextmanager
def controller(machinery: Machinery, accounts: Accounts) -> Iterator[None]:
    """A context with the controller as a process, with the token of its pod."""
    login = str(accounts.of("controller", "controller"))
    process = subprocess.Popen(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "fleet", "controller",
         "--kubernetes", login, "--namespace", NAMESPACE],
        env=environment(), stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def nodes(machinery: Machinery, accounts: Accounts, folder: Path, *names: str) -> Iterator[Cluster]:
    """A context with a guest for each node; at its end they stop and leave their results."""
    files = cluster_files(folder)
    ends = {name: free_port() for name in names}
    with ThreadPoolExecutor(len(names)) as pool:
        guests = {}
        for name, port in ends.items():
            login = accounts.of("node", name, server=machinery.guests_url)
            asked = request(
                NODE_SCRIPT.format(name=name), {**files, "/etc/kubeconfig": login},
                modules=("virtio_net",), ports={port: 99}, deadline_s=2 * PATIENCE_S,
                reaches={machinery.port: machinery.port},
            )  # fmt: skip
            guests[name] = pool.submit(vm.run, asked)
        try:
            yield Cluster(machinery, accounts, guests)
            for port in ends.values():
                socket.create_connection(("127.0.0.1", port)).close()
            for guest in guests.values():
                guest.result()
        except BaseException:
            processes.end_all()
            raise


def test_two_nodes_go_back(tmp_path: Path) -> None:
    """The canary breaks its promise: it goes back, and the other node has never left its text."""
    first, second = "guest-1", "guest-2"
    with api_machinery.running() as machinery:
        accounts = Accounts(machinery, pods.resources())
        with (
            controller(machinery, accounts),
            nodes(machinery, accounts, tmp_path, first, second) as cluster,
        ):
            spec = {
                "policy": GOOD, "paused": True,
                "rollout": {"steps": [1], "hold": "20s", "canaryNodes": [first]},
            }  # fmt: skip
            machinery.apply({
                "apiVersion": GROUP, "kind": "SchedulingPolicy", "metadata": {"name": "shop"},
                "spec": spec,
            })  # fmt: skip
            cluster.until(lambda: sum("joined" in each for each in cluster.nodes().values()) == 2)
            cluster.change(paused=False)
            cluster.until(lambda: cluster.policy().get("phase") == "Complete")
            good = cluster.policy()["stable"]["revision"]
            cluster.until(lambda: _in_force(cluster) == {first: (good, 2), second: (good, 2)})

            cluster.change(policy=BAD)
            cluster.until(lambda: cluster.policy().get("phase") == "Failed")
            # The loader of the first has loaded the text, and the one before again.
            cluster.until(lambda: _in_force(cluster) == {first: (good, 4), second: (good, 2)})
            assert cluster.policy()["failed"]["node"] == first
            assert "max(wakeup default) < 1us" in cluster.policy()["message"]
            assert "failed" not in cluster.nodes()[second]
        refused = [each["requestURI"] for each in machinery.audited() if not is_allowed(each)]
    assert refused == []
    results = {name: guest.result().check() for name, guest in cluster.guests.items()}
    for name, generation in ((first, 4), (second, 2)):
        status = json.loads(results[name].text("status.out"))
        assert (status["policy"], status["generation"]) == ("shop", generation)
    assert "went-back" in _events(results[first])
    assert _events(results[second]).isdisjoint({"went-back", "promise-broken"})


def _in_force(cluster: Cluster) -> dict[str, tuple[str, int]]:
    """The revision and the generation that each node has in force."""
    return {
        name: (status["inForce"]["revision"], status["inForce"]["generation"])
        for name, status in cluster.nodes().items()
        if "inForce" in status
    }


def _events(result: vm.GuestResult) -> set[str]:
    return {json.loads(line)["event"] for line in result.text("events.out").splitlines()}
