# SPDX-License-Identifier: Apache-2.0
"""Tunables that are set at load, and while the policy is in force, as tasks feel them."""

from __future__ import annotations

from pathlib import Path

import pytest

import guest_loader
import guest_programs
from gthulhu_lab import vm
from guest_programs import ratio

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")

SCRIPT = """
# share NAME ARGUMENT...: what two tasks on one CPU get; $LATER is set once it is in force
share() {
    start "$@" -v tunables.bpf.o
    await_line "$1" enabled
    [ -z "$LATER" ] || ask set "$LATER" >"$RESULTS/$1.set"
    probe tally heavy 1 2000 1 >"$RESULTS/$1.heavy" &
    heavy=$!
    probe tally plain 1 2000 1 >"$RESULTS/$1.plain"
    wait $heavy
    kill -TERM $LOADER
    finish "$1"
}

share as-written
share three-times --set heft=300 --set quantum=2ms
LATER=heft=300
share set-later
LATER=
attempt refused --set heft=3000 tunables.bpf.o
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("tunables")
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            files={
                **guest_programs.build(folder, "ask", "probe"),
                **guest_loader.objects(folder, HERE / "policies" / "tunables.gpl"),
            },
            deadline_s=600,
        )
    )


def test_a_weight_is_the_one_that_was_set(guest: vm.GuestResult) -> None:
    assert ratio(guest, "as-written") == pytest.approx(1, rel=0.05)
    assert ratio(guest, "three-times") == pytest.approx(3, rel=0.05)
    assert b'"value": "300", "before": "100"' in guest.files["set-later.set"]
    assert ratio(guest, "set-later") == pytest.approx(3, rel=0.05)


def test_out_of_range_values_are_not_loaded(guest: vm.GuestResult) -> None:
    assert guest.files["refused.status"] == b"1\n"
    assert b"must be within 100..1000, found `3000`" in guest.files["refused.err"]
    assert guest.files["refused.state"] == b"disabled\n"
