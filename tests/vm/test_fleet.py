# SPDX-License-Identifier: Apache-2.0
"""A node of a fleet with the real loader: a dry run, a text in force, and a broken promise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_python
from gthulhu_lab import vm
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
SCRIPT = """
start loader local.bpf.o
await_line loader enabled
victim & sleeper &
step drive python fleet.py $RESULTS good.gpl bad.gpl
step stop gthulhu stop
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("fleet")
    objects: dict[str, bytes] = {}
    for name, text in (("good", GOOD), ("bad", BAD)):
        (folder / name).mkdir()
        (folder / name / "shop.gpl").write_text(text)
        objects |= guest_python.compiled(folder / name, "--stats")
    (folder / "local.gpl").write_text("policy local {}\n")
    guest = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            kernel="7.2",
            clock=Clock.TCG_TURNS,
            memory_mib=2048,
            files={
                **guest_loader.FILES,
                **guest_loader.objects(folder, folder / "local.gpl"),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                "bin/sleeper": b"#!/bin/sh\nwhile :; do usleep 5000; done\n",
                f"{guest_python.FOLDER}/gthulhuc/diagnostics/pages.md": PAGES,
                "fleet.py": HERE / "programs" / "fleet.py",
                "good.gpl": GOOD.encode(),
                "bad.gpl": BAD.encode(),
                **objects,
                **guest_python.files(*MODULES, compiling=True),
            },
            deadline_s=900,
        )
    ).check()
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
