# SPDX-License-Identifier: Apache-2.0
"""Measures a fleet of many simulated nodes against one real API server.

Each node has the real code for watches and statuses, and a loader that only keeps count; the
controller is a process of its own. `python fleet_load.py --nodes 1000` prints the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lightkube.config.client_adapter import ConnectionParams

import api_machinery
from api_machinery import Machinery
from command import environment
from fleet_scenes import GROUP, Fleet
from gthulhu.fleet.resources import NODES, POLICIES
from gthulhu.kubernetes import config

_REST_S = 60
_PATIENCE_S = 600
_TEXT = "policy shop {}\n"


def measure(machinery: Machinery, folder: Path, nodes: int, workers: int = 2) -> dict[str, float]:
    """Figures of a rollout to `nodes` nodes, and of the fleet at rest."""
    shares = [range(start, nodes, workers) for start in range(workers)]
    asked = multiprocessing.get_context("spawn").Value("q", 0)
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=_nodes, args=(str(machinery.kubeconfig), str(folder), share, asked))
        for share in shares
    ]
    controller = subprocess.Popen(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "fleet", "controller",
         "--kubernetes", str(machinery.kubeconfig)],
        env=environment(), stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for each in processes:
            each.start()
        spec = {"policy": _TEXT, "rollout": {"hold": "0s", "steps": []}, "paused": True}
        body = {
            "apiVersion": GROUP, "kind": "SchedulingPolicy", "metadata": {"name": "shop"},
            "spec": spec,
        }  # fmt: skip
        machinery.ask("POST", POLICIES, body)
        joined_s = _until(lambda: _count(machinery, "dryRun") == nodes)
        # The controller allows the only step, so from now on each node may have the text.
        machinery.ask("PATCH", f"{POLICIES}/shop", {"spec": {"paused": False}})
        reach_s = _until(lambda: _everywhere(machinery, nodes))
        time.sleep(10)  # what is left of the rollout's messages
        before, cpu_s, began = asked.value, _cpu_s(controller.pid), time.monotonic()
        time.sleep(_REST_S)
        passed_s = time.monotonic() - began
        return {
            "nodes": nodes,
            "joined_s": joined_s,
            "reach_s": reach_s,
            "controller_mb": api_machinery.memory_of(controller.pid) / 1e6,
            "controller_cpu": (_cpu_s(controller.pid) - cpu_s) / passed_s,
            "requests_per_minute": (asked.value - before) / nodes / passed_s * 60,
            "server_mb": machinery.memory() / 1e6,
        }
    finally:
        controller.terminate()
        controller.wait()
        for each in processes:
            each.kill()
            each.join()


def _nodes(kubeconfig: str, folder: str, share: range, asked: Any) -> None:
    """A process with a part of the nodes."""
    import httpx2

    params = ConnectionParams(trust_env=False).httpx_params(config(kubeconfig))
    verify = params["verify"]

    def client() -> Any:
        # They share the certificates, of which a real node has one.
        return httpx2.AsyncClient(base_url=params["base_url"], verify=verify, trust_env=False)

    async def main() -> None:
        fleet = Fleet(Path(kubeconfig), Path(folder), client=client)
        for number in share:
            fleet.start_node(f"node-{number}", labels={})
            await asyncio.sleep(0.01)  # nodes do not start all at once
        told = heard = 0
        while True:
            await asyncio.sleep(1)
            for line in fleet.said[heard : heard + 3]:
                print(line, file=sys.stderr)
            heard = len(fleet.said)
            now = sum(each.requests for each in fleet.apis.values())
            with asked.get_lock():
                asked.value += now - told
            told = now

    asyncio.run(main())


def _status(machinery: Machinery) -> dict[str, Any]:
    found: dict[str, Any] = machinery.ask("GET", f"{POLICIES}/shop").get("status") or {}
    return found


def _count(machinery: Machinery, name: str) -> int:
    return int((_status(machinery).get("nodes") or {}).get(name, 0))


def _everywhere(machinery: Machinery, nodes: int) -> bool:
    """Whether all nodes say that they have the text in force."""
    revision = _status(machinery)["revision"]
    found = machinery.ask("GET", NODES)["items"]
    has = [(each.get("status") or {}).get("inForce") or {} for each in found]
    return bool(nodes == sum(each.get("revision") == revision for each in has))


def _until(holds: Any) -> float:
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < _PATIENCE_S, "it never held"
        time.sleep(0.5)
    return time.monotonic() - began


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1000, help="how many (default: 1000)")
    nodes = parser.parse_args().nodes
    with api_machinery.running() as machinery, tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(machinery, Path(folder), nodes), indent=1))


if __name__ == "__main__":
    main()
