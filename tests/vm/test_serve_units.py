# SPDX-License-Identifier: Apache-2.0
"""The units of `gthulhu serve` as they are, under Debian 12's systemd, with the real loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import node_tree
import pytest

import debian_guest
import guest_loader
import guest_python
import guest_server
from debian_guest import Steps
from gthulhu.serve import worker
from gthulhu_lab import vm
from gthulhuc.importers import gthulhu as importer

pytestmark = [pytest.mark.vm, pytest.mark.soak]

RUNTIME = Path(__file__).parents[2] / "runtime"
UNITS = ("gthulhu-broker", "gthulhu-serve")
POLICIES = {
    "shop": 'policy shop {}\nrule web { match comm == "nginx" priority high }\n',
    "other": 'policy other {}\nrule web { match comm == "nginx" priority low }\n',
}
BAD = 'policy p {}\nrule a { match comm == "averyverylongname" }\n'
INTENT = {
    "podName": "", "podID": "u", "nodeID": "", "k8sNamespace": "", "commandRegex": "^victim$",
    "priority": 5, "executionTime": 5_000_000, "podLabels": {"app": "web"},
}  # fmt: skip


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    folder = tmp_path_factory.mktemp("units")
    rows = {"strategies": [], "intents": worker.grouped([INTENT])}
    document, _ = importer.convert("request", [rows], importer.Semantics.CURRENT)
    texts = {**POLICIES, "imported": worker.policy_of(document, "off")[0]}
    for name, text in texts.items():
        (folder / f"{name}.gpl").write_text(text)
    bodies = {
        "bad": {"text": BAD},
        "other": {"text": texts["other"], "name": "other"},
        "intents": {"intents": [INTENT]},
    }
    result = vm.run(
        vm.GuestRequest(
            script=debian_guest.script("serve_units"),
            # busybox has other versions of what the packages' scripts use.
            packages=("coreutils", "curl", "dash", "procps", "python3", "util-linux"),
            memory_mib=4096,
            files={
                **guest_python.on_debian(guest_server.files(*guest_python.TRACER)),
                **guest_python.compiled(folder),
                **guest_python.compiled(folder, "--stats"),
                **guest_loader.objects(folder, folder / "shop.gpl"),
                "/usr/local/bin/gthulhu-loader": guest_loader.LOADER,
                "/lib/sysusers.d/gthulhu.conf": RUNTIME / "sysusers" / "gthulhu.conf",
                "units": RUNTIME / "systemd",
                "install.sh": node_tree.SERVE.encode(),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                **{f"{name}.json": json.dumps(body).encode() for name, body in bodies.items()},
            },
            deadline_s=3600,
        )
    )
    return Steps(result.check())


def said(node: Steps, name: str) -> dict[str, Any]:
    """The API's answer of a step that succeeded."""
    assert node.status(name) == 0, node.text(name) + node.text("journal")
    found: dict[str, Any] = json.loads(node.text(name))
    return found


def test_an_installation_makes_users_and_keys_and_starts_nothing(node: Steps) -> None:
    assert node.status("install") == 0, node.text("install")


@pytest.mark.parametrize("unit", UNITS)
def test_units_start_as_they_are(node: Steps, unit: str) -> None:
    assert node.status("start") == 0, node.text("start")
    assert node.show(f"{unit}.started") == {
        "ActiveState": "active", "SubState": "running", "Result": "success", "NRestarts": "0",
    }  # fmt: skip


def rights(node: Steps, name: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in node.text(name).splitlines())


def test_the_server_and_the_compilers_have_no_rights(node: Steps) -> None:
    server, broker = (rights(node, f"{each}.rights") for each in UNITS[::-1])
    assert server["Uid:"].split()[0] not in {"0", broker["Uid:"].split()[0]}
    assert int(server["CapBnd:"], 16) == 0
    assert (server["NoNewPrivs:"], server["Seccomp:"]) == ("1", "2")
    assert (broker["NoNewPrivs:"], broker["Seccomp:"]) == ("1", "2")
    values = {line.partition("status:")[2] for line in node.text("compilers").splitlines()}
    assert values == {f"CapEff:\t{0:016}", "NoNewPrivs:\t1", "Seccomp:\t2"}


def test_a_policy_comes_in_force_through_the_units(node: Steps) -> None:
    assert not said(node, "check")["ok"]
    said(node, "dry-run")
    assert said(node, "swap")["generation"] == 2
    assert node.text("swap.force") == "gthulhu_other\n"


def test_an_intent_comes_in_force_and_takes_its_task(node: Steps) -> None:
    said(node, "intents")
    assert node.text("intents.force") == "gthulhu_imported\n"
    said(node, "label")
    found = said(node, "explanation")
    assert (found["comm"], found["rule"]["name"], found["differs"]) == ("victim", "web", False)


def test_a_trace_is_recorded(node: Steps) -> None:
    said(node, "trace")
    assert int(node.text("trace.size")) > 1000


def test_a_restart_of_the_server_leaves_the_policy_in_force(node: Steps) -> None:
    assert node.status("restart") == 0
    assert node.text("restart.force") == "gthulhu_imported\n"
    status = said(node, "restart.status")
    assert (status["policy"], status["generation"]) == ("imported", 3)
    said(node, "renewal")
    assert said(node, "killed.server.status")["generation"] == 3


@pytest.mark.parametrize("part", ["server", "broker"])
def test_a_crash_starts_it_again(node: Steps, part: str) -> None:
    assert node.show(f"killed.{part}") == {
        "ActiveState": "active", "SubState": "running", "Result": "success", "NRestarts": "1",
    }  # fmt: skip


def test_policies_come_in_force_after_crashes(node: Steps) -> None:
    assert node.text("killed.broker.force") == "gthulhu_imported\n"
    assert said(node, "again")["generation"] == 4
    assert node.text("again.force") == "gthulhu_other\n"


def test_units_that_are_stopped_have_not_failed(node: Steps) -> None:
    for unit in ("serve", "broker"):
        shown = node.show(f"gthulhu-{unit}.stopped")
        assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")


def test_the_policy_needs_no_unit_but_the_loaders(node: Steps) -> None:
    assert node.status("stop") == 0
    assert node.text("stop.force") == "gthulhu_other\n"
    lines = [json.loads(line) for line in node.text("audit").splitlines()]
    assert [line["what"] for line in lines if line["result"] == "done"] == [
        "dry-run", "swap", "strategies", "label", "trace", "swap",
    ]  # fmt: skip
