# SPDX-License-Identifier: Apache-2.0
"""The loader with no more rights than the service's unit gives it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import loader_objects
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
UNIT = ROOT / "runtime" / "systemd" / "gthulhu.service"

SCRIPT = """
start_workers
# rights CAPABILITIES COMMAND...: with these alone, as the unit has it
rights() {
    capabilities=$1
    shift
    with-rights --bounding-set=-all,$capabilities --no-new-privs "$@"
}
gone() { while pidof gthulhu-loader >/dev/null; do usleep 20000; done; }

for one in bpf perfmon; do
    rights +$one gthulhu-loader fifo.bpf.o >$RESULTS/$one.out 2>$RESULTS/$one.err
    echo $? >$RESULTS/$one.status
done

rights $RIGHTS sh -c 'grep CapEff /proc/self/status' >$RESULTS/rights
rights $RIGHTS gthulhu-loader --detach tunables.bpf.o
swap="swap $PWD/labels.bpf.o"
for request in 'set quantum=500us' "$swap" "label $$ tier=front" rollback status; do
    ask $request
done >$RESULTS/answers
alive in-force
ask stop >>$RESULTS/answers
gone

rights $RIGHTS gthulhu-loader stall.bpf.o >$RESULTS/stalled.out 2>$RESULTS/stalled.err &
LOADER=$!
await_line stalled enabled
victim &
WORKERS="$WORKERS $!"
finish stalled
alive stalled

strace -f -qq -o $RESULTS/strace gthulhu-loader tunables.bpf.o >$RESULTS/traced.out 2>&1 &
await_line traced enabled
calls="swap $PWD/calls.bpf.o"
for request in 'set quantum=500us' "$swap" "label $$ tier=front" rollback "$calls" status stop; do
    ask $request >>$RESULTS/traced.answers
done
gone
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("service")
    bounds = re.findall(r"^CapabilityBoundingSet=(.*)", UNIT.read_text(), re.MULTILINE)
    rights = ",".join(f"+{each.removeprefix('CAP_').lower()}" for each in bounds[0].split())
    policies = {f"{n}.bpf.o": folder / f"{n}.bpf.o" for n in ("tunables", "labels", "calls")}
    for policy in policies.values():
        source = HERE / "policies" / f"{policy.name.removesuffix('.bpf.o')}.gpl"
        subprocess.run(["gthulhuc", "-Wno-all", str(source), "-o", str(policy)], check=True)
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}RIGHTS={rights}\n{SCRIPT}",
            clock=Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                **guest_programs.build(folder, "ask", "worker"),
                "bin/with-rights": program("setpriv"),
                "bin/strace": program("strace"),
                "bin/victim": b"#!/bin/sh\nwhile :; do usleep 50000; done\n",
                **policies,
                "fifo.bpf.o": loader_objects.build(folder / "fifo.bpf.o"),
                "stall.bpf.o": loader_objects.build(folder / "stall.bpf.o", "STALL"),
            },
            deadline_s=300,
            allow_splats=(r'"fifo" disabled \(runnable task stall\)',),
        )
    ).check()


def program(name: str) -> Path:
    found = shutil.which(name)
    assert found, f"{name} is missing: `make setup` installs it"
    return Path(found)


def test_the_units_capabilities_are_enough(guest: vm.GuestResult) -> None:
    # 1 << 38 is CAP_PERFMON, 1 << 39 CAP_BPF.
    assert guest.files["rights"].split() == [b"CapEff:", b"000000c000000000"]
    answers = [json.loads(line) for line in guest.files["answers"].splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 6
    assert answers[4]["in_force"] is True
    assert guest.files["in-force.alive"] == b"lost:\n"


@pytest.mark.parametrize("name", ["bpf", "perfmon"])
def test_missing_capability_is_an_error(guest: vm.GuestResult, name: str) -> None:
    assert guest.files[f"{name}.status"] == b"1\n"
    assert b"run it as root, or with CAP_BPF and CAP_PERFMON" in guest.files[f"{name}.err"]


def test_ejection_is_reported_with_the_same_capabilities(guest: vm.GuestResult) -> None:
    assert guest.files["stalled.status"] == b"3\n"
    assert b"ejected by the kernel: runnable task stall (victim[" in guest.files["stalled.err"]
    assert guest.files["stalled.alive"] == b"lost:\n"


def test_the_unit_allows_the_system_calls_that_are_made(guest: vm.GuestResult) -> None:
    answers = [json.loads(line) for line in guest.files["traced.answers"].splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 7
    assert {each["by"] for each in answers[5]["calls"]} == {"fentry", "nothing"}
    trace = guest.files["strace"].decode()
    made = set(re.findall(r"^\d+ +(\w+)\(", trace, re.MULTILINE))
    assert {"bpf", "openat", "mmap", "perf_event_open"} < made
    (words,) = re.findall(r"^SystemCallFilter=(.*)", UNIT.read_text(), re.MULTILINE)
    assert made - {call for word in words.split() for call in members(word)} == set()


def members(group: str) -> set[str]:
    """The system calls of one of systemd's groups, which may have others in it."""
    if not group.startswith("@"):
        return {group}
    listing = subprocess.run(
        [program("systemd-analyze"), "syscall-filter", "--no-pager", group],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    names = re.findall(r"^    (@?[\w-]+)$", listing, re.MULTILINE)
    return {call for name in names for call in members(name)}
