# SPDX-License-Identifier: Apache-2.0
"""A loader with --take-over: it waits for the one before, and goes on with its policy."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
import loader_objects
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
SCRIPT = """
# next NAME: a loader that takes over; the one before has the number OLD
next() {
    OLD=$LOADER
    start $1 --take-over fifo.bpf.o
}
# gone NAME: when the kernel ran without a policy, until the next one is in force
gone() {
    while kill -0 $OLD 2>/dev/null && [ "$(cat $STATE)" = enabled ]; do usleep 5000; done
    cut -d ' ' -f 1 /proc/uptime >$RESULTS/$1.gap
    await_line $1 enabled
    cut -d ' ' -f 1 /proc/uptime >>$RESULTS/$1.gap
    ask status >$RESULTS/$1.answer
}

start first tunables.bpf.o
await_line first enabled
ask set quantum=500us >$RESULTS/set
next second
usleep 500000
ask status >$RESULTS/waiting
kill -TERM $OLD
gone second
# One that waits ends on request, and changes nothing.
next idle
usleep 300000
kill -TERM $LOADER
finish idle
LOADER=$OLD
next third
kill -KILL $OLD
gone third
next fourth
ask stop >$RESULTS/stop
gone fourth
kill -TERM $LOADER
finish fourth
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("take-over")
    policy = folder / "tunables.bpf.o"
    source = HERE / "policies" / "tunables.gpl"
    subprocess.run(["gthulhuc", "-Wno-all", source, "-o", policy], check=True)
    request = vm.GuestRequest(
        script=SCRIPT,
        clock=Clock.TCG_TURNS,
        files={
            **guest_programs.build(folder, "ask"),
            "tunables.bpf.o": policy,
            "fifo.bpf.o": loader_objects.build(folder / "fifo.bpf.o"),
        },
        deadline_s=600,
    )
    return guest_loader.run(request)


def answer(guest: vm.GuestResult, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(guest.files[name])
    return found


def test_it_waits_for_the_loader_before(guest: vm.GuestResult) -> None:
    assert answer(guest, "set")["ok"]
    waiting = answer(guest, "waiting")
    assert (waiting["policy"], waiting["generation"]) == ("tunables", 1)
    assert guest.files["idle.status"] == b"0\n"


@pytest.mark.parametrize(("name", "generation"), [("second", 2), ("third", 3)])
def test_it_goes_on_with_the_policy_and_its_tunables(
    guest: vm.GuestResult, name: str, generation: int
) -> None:
    """After SIGTERM, and after SIGKILL."""
    found = answer(guest, f"{name}.answer")
    assert (found["policy"], found["generation"]) == ("tunables", generation)
    values = {each["name"]: each["value"] for each in found["tunables"]}
    assert values["quantum"] == "500us"
    began, ended = map(float, guest.files[f"{name}.gap"].split())
    assert ended - began < 30  # the clock is that of the machine, whatever else it does


def test_a_policy_that_was_stopped_stays_out(guest: vm.GuestResult) -> None:
    assert answer(guest, "stop")["ok"]
    assert answer(guest, "fourth.answer")["policy"] == "fifo"
    assert guest.files["fourth.state"] == b"disabled\n"
