# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet` as processes: a node with a real broker, a controller, and `status`."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from api_machinery import free_port
from command import environment
from fleet_scenes import GROUP, make_nodes
from gthulhu.fleet.resources import NODES, POLICIES
from gthulhuc.cli import gthulhu
from serving import Loader, quick_clang, until
from small_api import SmallApi, serving


class Processes:
    """A node and a controller, each of which can be killed and started again."""

    def __init__(self, api: SmallApi, folder: Path) -> None:
        self.api, self._folder = api, folder
        (folder / "loader").mkdir()
        self.loader = Loader(folder / "loader")
        self.loader.status |= {"promises": [], "fallback": [], "fallbacks": 0}
        self._environment = environment(CLANG=str(quick_clang(folder / "clang")))
        self._running: dict[str, subprocess.Popen[str]] = {}
        broker = (
            "serve", "broker", "--user", str(os.geteuid()), "--compiler", "root",
            "--folder", str(folder / "broker"), "--state", str(folder / "loader"),
        )  # fmt: skip
        self._commands = {
            "broker": broker,
            "node": (
                "fleet", "node", "--kubernetes", str(api.kubeconfig), "--node", "node-0",
                "--broker", str(folder / "broker"), "--store", str(folder / "store"),
            ),
            "controller": ("fleet", "controller", "--kubernetes", str(api.kubeconfig)),
        }  # fmt: skip

    def start(self, name: str, *more: str) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            process = self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "gthulhuc.cli.gthulhu", *self._commands[name], *more],
                env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline(), (self._folder / f"{name}.log").read_text()

    def end(self, name: str, how: signal.Signals = signal.SIGKILL) -> int:
        process = self._running.pop(name)
        process.send_signal(how)
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
        return process.returncode

    def close(self) -> None:
        for name in list(self._running):
            self.end(name, signal.SIGTERM)
        self.loader.close()

    def heard(self, name: str) -> str:
        """The next line of a process's output."""
        output = self._running[name].stdout
        assert output is not None
        return output.readline()

    def said(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text()

    def apply(self, text: str, **spec: Any) -> None:
        meta = {"name": "shop"}
        spec = {"policy": text, "rollout": {"hold": "0s", "steps": []}, **spec}
        path = f"{POLICIES}/shop"
        before = self.api.objects.get(path, {})
        kept = {"status": before["status"]} if "status" in before else {}
        self.api.put(
            path,
            {"apiVersion": GROUP, "kind": "SchedulingPolicy", "metadata": meta, "spec": spec}
            | kept,
        )  # fmt: skip

    def swaps(self) -> list[str]:
        return [
            fields[2] for fields in self.loader.of("swap") if "dry-run" not in fields[3:]
        ]  # fmt: skip


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with serving(tmp_path) as api:
        make_nodes(api, 1)
        made = Processes(api, tmp_path)
        try:
            made.start("broker")
            yield made
        finally:
            made.close()


def policy(number: int) -> str:
    return f"policy shop {{\n  # {number}\n}}\n"


def kill_at_random(processes: Processes, rounds: int, seed: int, *names: str) -> None:
    """Kills the named processes while texts come. Each text gets in force once, all the same."""
    draw = random.Random(seed)
    for name in ("node", "controller"):
        processes.start(name)
    for number in range(rounds):
        processes.apply(policy(number))
        time.sleep(draw.uniform(0, 2.5))
        for name in draw.sample(names, draw.randint(1, len(names))):
            processes.end(name)
            processes.start(name)
        until(partial(_is_done, processes, number + 1))
        until(lambda: _node(processes).get("state") == "InForce")
        assert len(processes.swaps()) == number + 1, "the same text has caused a generation"
    assert len(set(processes.swaps())) == rounds


def _is_done(processes: Processes, swaps: int) -> bool:
    return len(processes.swaps()) >= swaps and _phase(processes) == "Complete"


def _phase(processes: Processes) -> str:
    found = processes.api.objects[f"{POLICIES}/shop"]
    status = found.get("status") or {}
    is_seen = status.get("observedGeneration") == found["metadata"]["generation"]
    return str(status.get("phase")) if is_seen else ""


def _node(processes: Processes) -> dict[str, Any]:
    found: dict[str, Any] = processes.api.objects[f"{NODES}/node-0"].get("status") or {}
    return found


@pytest.mark.soak
def test_killed_at_random(processes: Processes) -> None:
    kill_at_random(processes, 2, 3, "node")
    said = _node(processes)
    assert (said["policy"], said["kernel"], said["inForce"]["generation"]) == ("shop", "7.2", 5)
    owner = processes.api.objects[f"{NODES}/node-0"]["metadata"]["ownerReferences"][0]
    assert (owner["kind"], owner["name"]) == ("Node", "node-0")
    for name in ("node", "controller"):
        assert processes.end(name, signal.SIGTERM) == 128 + signal.SIGTERM
        assert "Traceback" not in processes.said(name)


@pytest.mark.soak
def test_killed_at_random_a_hundred_times(processes: Processes) -> None:
    kill_at_random(processes, 100, 4, "node", "controller")


def test_a_wrong_text_gets_nowhere(processes: Processes) -> None:
    processes.start("controller", "--health", f"127.0.0.1:{(port := free_port())}")
    processes.apply("policy shop {\n  rule a {}\n")
    until(lambda: _phase(processes) == "Rejected")
    message = processes.api.objects[f"{POLICIES}/shop"]["status"]["message"]
    assert message.startswith("the policy has errors: shop.gpl:")
    assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    assert httpx.get(f"http://127.0.0.1:{port}/other").status_code == 404


def test_status(processes: Processes, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--kubernetes", str(processes.api.kubeconfig))
    assert gthulhu.main(["fleet", "status", *where]) == 0
    assert capsys.readouterr().out == "there is no SchedulingPolicy\n"
    processes.apply(policy(1))
    found = processes.api.objects[f"{POLICIES}/shop"]
    said = "in force on 37 of 40; node-7 refused: kernel 6.12 has no sched_ext"
    processes.api.put(
        f"{POLICIES}/shop", found | {"status": {"phase": "Complete", "message": said}}
    )
    status = {
        "policy": "shop",
        "state": "Unable",
        "message": "kernel 6.12 has no sched_ext\x1b[31m",
    }
    processes.api.put(f"{NODES}/node-7", {"metadata": {"name": "node-7"}, "status": status})
    assert gthulhu.main(["fleet", "status", *where, "shop"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"shop: Complete: {said}",
        "  node-7: Unable, no revision of the fleet: kernel 6.12 has no sched_ext\\x1b[31m",
    ]
    assert gthulhu.main(["fleet", "status", *where, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [each["metadata"]["name"] for each in shown["nodes"]] == ["node-7"]
    processes.api.put(f"{POLICIES}/shop", found | {"status": {"phase": "Failed", "message": "x"}})
    assert gthulhu.main(["fleet", "status", *where]) == 1
    capsys.readouterr()
    assert gthulhu.main(["fleet", "status", *where, "other"]) == 2
    assert "there is no SchedulingPolicy other" in capsys.readouterr().err


def test_an_api_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gthulhu.main(["fleet", "status", "--kubernetes", str(tmp_path / "none")]) == 2
    assert "cannot use the Kubernetes API" in capsys.readouterr().err
    with serving(tmp_path) as api:
        monkeypatch.setattr(api, "token", "another")
        assert gthulhu.main(["fleet", "status", "--kubernetes", str(api.kubeconfig)]) == 2
    assert "cannot read from the Kubernetes API: Unauthorized" in capsys.readouterr().err


def test_the_controller_shows_its_page(processes: Processes) -> None:
    """It shows what the controller watches, and ends with it."""
    processes.start("controller", "--page", "0")
    url = processes.heard("controller").removeprefix("serving ").strip()
    processes.apply(policy(1))
    until(lambda: "shop" in httpx.get(f"{url}/page/").text)
    with httpx.stream("GET", f"{url}/page/live?name=shop") as stream:
        assert "shop" in next(line for line in stream.iter_lines() if line.startswith("data: "))
        began = time.monotonic()
        assert processes.end("controller", signal.SIGTERM) == 128 + signal.SIGTERM
    assert time.monotonic() - began < 10
    assert "Traceback" not in processes.said("controller")


def test_a_page_on_a_port_that_is_taken(
    processes: Processes, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = ("--kubernetes", str(processes.api.kubeconfig), "--page")
        port = str(taken.getsockname()[1])
        assert gthulhu.main(["fleet", "controller", *words, port]) == 2
    assert "choose another port with `--page`" in capfd.readouterr().err
