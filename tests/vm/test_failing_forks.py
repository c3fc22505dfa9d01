# SPDX-License-Identifier: Apache-2.0
"""A fork that fails takes the storage of the task along that forks, before 7.2.

7.0 is left out: there the kernel itself panics or hangs over it (docs/invariants.md).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import guest_loader
import guest_programs
import mutations
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

POLICY = """
policy forks {}
rule forker { match comm == "failing-forks" weight 50 }
rule other { match comm == "other" }
"""
SCRIPT = """
start loader forks.bpf.o
await_line loader enabled
other &
failing-forks >$RESULTS/forker &
FORKER=$!
while [ ! -s $RESULTS/forker ]; do usleep 100000; done
usleep 100000
class-of forks.bpf.o $FORKER >$RESULTS/class
ask stop >$RESULTS/stop.json
finish loader
"""
NOT_RESTORED = mutations.Mutation(
    "not-restored", "place.j2", "\tif (!t) {\n\t\tt = create_task_ctx(p);", "\tif (false) {"
)


def run(folder: Path, kernel: str, mutation: mutations.Mutation | None = None) -> vm.GuestResult:
    policy = folder / "forks.gpl"
    policy.write_text(POLICY)
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{SCRIPT}",
            kernel=kernel,
            cpus=1,
            files={
                **guest_loader.FILES,
                "forks.bpf.o": mutations.build(policy, folder / "forks.bpf.o", mutation),
                "bin/other": b"#!/bin/sh\nwhile :; do :; done\n",
                **guest_programs.build(folder, "ask", "class-of", "failing-forks"),
            },
            deadline_s=300,
        )
    ).check()


def figures(guest: vm.GuestResult) -> tuple[int, float, int]:
    """How many forks failed; the part of the CPU that the task had in 2 s; its class."""
    failed, ran_ms = map(int, guest.files["forker"].split())
    return failed, ran_ms / 2000, int(guest.files["class"])


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.2"])
def test_a_task_gains_nothing_by_forks_that_fail(kernel: str, tmp_path: Path) -> None:
    failed, share, klass = figures(run(tmp_path, kernel))
    assert failed == 100
    # A third by the weights. Its lag is forgiven with its storage.
    assert share < 0.45
    assert klass == 0


def test_task_without_storage_would_gain(tmp_path: Path) -> None:
    failed, share, klass = figures(run(tmp_path, "6.16", NOT_RESTORED))
    assert failed == 100
    assert share > 0.8
    assert klass == -1
