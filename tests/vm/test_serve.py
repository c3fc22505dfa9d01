# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve` as a user without rights, with its broker and the real loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_python
import guest_server
from gthulhu.serve import worker
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc.importers import gthulhu as importer

pytestmark = [pytest.mark.vm, pytest.mark.soak]

PROGRAMS = Path(__file__).parent / "programs"
KERNELS = ("6.16", "7.2")
TEXT = """\
policy shop {}
tunable turn = 1ms in 100us..10ms
rule victims { match comm == "victim" priority high slice turn }
rule edge { match label "tier" == "web" priority low }
"""
SCRIPT = """
start loader shop.bpf.o
await_line loader enabled
step drive python serve.py $RESULTS shop.gpl
step stop gthulhu stop
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("serve")
    (folder / "shop.gpl").write_text(TEXT)
    row = {"pid": 1, "priority": True, "execution_time": 20_000_000}
    document, _ = importer.convert(
        "request", [{"strategies": [row]}], importer.Semantics.CURRENT
    )  # fmt: skip
    (folder / "imported.gpl").write_text(worker.policy_of(document, "off")[0])
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            clock=Clock.TCG_TURNS,
            memory_mib=2048,
            files={
                **guest_loader.FILES,
                **guest_loader.objects(folder, folder / "shop.gpl"),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                "serve.py": PROGRAMS / "serve.py",
                "shop.gpl": TEXT.encode(),
                **guest_python.compiled(folder, "--stats"),
                **guest_server.files(),
            },
            deadline_s=900,
        )
    ).check()


@pytest.fixture(scope="module")
def answers(guest: vm.GuestResult) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(guest.files["answers.json"])
    assert guest.files["drive.err"].decode() == "", found
    return found


def test_the_server_has_no_rights(answers: dict[str, Any]) -> None:
    rights = dict(line.partition(":\t")[::2] for line in answers["rights"].splitlines())
    assert rights["Uid"].split() == ["65534"] * 4
    assert int(rights["CapEff"], 16) == 0


def test_a_policy_is_put_in_force(answers: dict[str, Any]) -> None:
    assert answers["status"]["said"]["generation"] == 1
    assert answers["bad"]["status"] == 422, answers["bad"]
    assert "the kernel accepts it" in answers["dry-run"]["said"].get("changes", [""])[0], answers
    assert answers["swap"]["said"]["generation"] == 2
    assert answers["scheduler"] == "gthulhu_shop"
    assert answers["source"]["said"]["compared"]["source"]["state"] == "same"
    assert answers["tunables"]["said"]["tunables"][0]["value"] == "2ms"


def test_a_task_is_explained(answers: dict[str, Any]) -> None:
    found = answers["explanation"]["said"]
    assert (found["comm"], found["rule"]["name"]) == ("victim", "victims")
    assert (found["compared"], found["differs"]) == (True, False)
    names = [each["name"] for each in answers["counters"]["said"]["classes"]]
    assert "victims" in names
    # The loop, and the sleep that it may just have started.
    assert answers["label"]["said"]["processes"] in {1, 2}
    assert answers["labels"]["said"]["own"][0]["fact"] == "label:tier=web"


def test_strategies_are_in_force(answers: dict[str, Any]) -> None:
    assert answers["strategies"]["said"]["generation"] == 3
    assert answers["renewal"]["said"]["generation"] == 3
    assert answers["another"]["said"]["generation"] == 3
    for name in ("by-strategy", "other"):
        found = answers[name]["said"]
        assert (found["rule"]["name"], found["differs"]) == ("pids", False)
    assert answers["renewal"]["took_s"] < answers["strategies"]["took_s"]


def test_back_and_on_trial(answers: dict[str, Any]) -> None:
    assert answers["rollback"]["said"]["generation"] == 4
    assert answers["trial"]["said"]["state"] == "on trial"
    # It has no promise, so that it cannot pass.
    assert answers["trial-end"]["said"]["state"] == "failed"
    assert answers["before-kill"]["said"]["policy"] == "shop"
    kept = [each["generation"] for each in answers["generations"]["said"]["generations"]]
    assert kept == sorted(kept, reverse=True)
    events = answers["events"]["said"]
    assert all(f"event: {name}\n" in events for name in ("swapped", "rolled-back", "trial-failed"))


def test_the_policy_needs_neither_server_nor_broker(
    guest: vm.GuestResult, answers: dict[str, Any]
) -> None:
    assert answers["after-kill"]["said"] == answers["before-kill"]["said"]
    assert answers["no-broker"]["status"] == 503
    assert answers["ended"] == 143
    assert guest.files["stop.out"].startswith(b"stopped shop, ")


def test_each_change_has_a_line(answers: dict[str, Any]) -> None:
    lines = [json.loads(line) for line in answers["audit"].splitlines()]
    assert [(line["what"], line["result"]) for line in lines] == [
        ("swap", "refused"), ("dry-run", "done"), ("swap", "done"), ("set", "done"),
        ("label", "done"), ("strategies", "done"), ("strategies", "done"), ("rollback", "done"),
        ("trial", "done"),
    ]  # fmt: skip
    assert {line["who"] for line in lines} == {"guest@example"}
