# SPDX-License-Identifier: Apache-2.0
"""The page of a real node: Chromium on the host, scheduler, loader and server in a guest."""

from __future__ import annotations

import json
import socket
import ssl
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import guest_loader
import guest_python
import guest_server
from browser import browser
from certificates import certificate
from gthulhu.serve import keys
from gthulhu.serve.keys import Keys, Kind, Role
from gthulhu_lab import processes, vm
from gthulhu_lab.request import Clock
from page_walk import Walk

pytestmark = [pytest.mark.vm, pytest.mark.soak]

PROGRAMS = Path(__file__).parent / "programs"
PATIENCE_S = 300
DEADLINE_S = 1800
TRACING = (
    "mmap", "heapq", "gthulhu.commands.trace", "gthulhu.tracing.perfetto",
    "gthulhu.tracing.recording", "gthulhu.tracing.rules", "gthulhu.tracing.runs",
    "gthulhu.tracing.steady",
)  # fmt: skip
SHOP = """\
policy shop {}
rule victims { match comm == "victim" priority high }
"""
NEXT = """\
policy next {}
rule victims { match comm == "victim" priority low }
promise victims over 60s { max(wait victims) < 10s }
"""
SCRIPT = """\
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
start loader shop.bpf.o
await_line loader enabled
step drive python page.py $RESULTS given
step stop gthulhu stop
"""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def request(folder: Path, port: int) -> vm.GuestRequest:
    given = folder / "given"
    for name, text in (("shop", SHOP), ("next", NEXT)):
        (folder / f"{name}.gpl").write_text(text)
    return vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
        clock=Clock.TCG_TURNS,
        memory_mib=2048,
        modules=("virtio_net",),
        ports={port: 8443},
        files={
            **guest_loader.FILES,
            **guest_loader.objects(folder, folder / "shop.gpl"),
            **{f"given/{path.relative_to(given)}": path for path in given.rglob("*.*")},
            "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
            "shop.gpl": folder / "shop.gpl",  # what a dry run compares with
            "page.py": PROGRAMS / "page.py",
            **guest_python.compiled(folder, "--stats"),
            **guest_server.files(*TRACING),
        },
        deadline_s=DEADLINE_S,
    )


def await_server(url: str, authority: Path, guest: Future[vm.GuestResult]) -> None:
    trusted = ssl.create_default_context(cafile=authority)
    while True:
        assert not guest.done(), guest.result().explain()
        try:
            httpx.get(f"{url}/health", verify=trusted, timeout=PATIENCE_S)
        except httpx.TransportError:
            time.sleep(1)
        else:
            return


def walk_over(url: str, token: str) -> None:
    with browser(patience_s=PATIENCE_S) as found:
        walk = Walk(found, url)
        walk.log_in(token)
        walk.see_the_node("shop")
        walk.write("next", NEXT)
        said = walk.dry_run()
        assert "victims: priority low, was high" in said
        walk.try_out("next")
        walk.write("next", NEXT)
        walk.put_in_force("next", "ops@example")
        walk.see_figures()  # the first policy does not count
        said = walk.ask_why("victims", "next.gpl:2")
        assert "max(wait victims) < 10s" in said
        walk.roll_back("shop")
        walk.see_the_changes("rollback", "swap", "trial", "dry-run", "login")
        assert walk.record(2) > 1000
        walk.log_out()


def test_from_login_to_rollback(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    keys.make(given / "keys")
    certificate(given, "node")
    token = Keys(given / "keys").mint("ops@example", Role.OPERATE, Kind.ACCESS, 7200)
    port = free_port()
    url = f"https://127.0.0.1:{port}"
    asked = request(tmp_path, port)
    with ThreadPoolExecutor(1) as pool:
        guest = pool.submit(vm.run, asked)
        try:
            await_server(url, given / "node.pem", guest)
            walk_over(url, token)
        except BaseException:
            processes.end_all()
            raise
        result = guest.result().check()
    lines = [json.loads(line) for line in result.text("audit").splitlines()]
    assert {(line["who"], line["result"]) for line in lines} == {("ops@example", "done")}
    assert result.scheduler == "gthulhu_shop"
