# SPDX-License-Identifier: Apache-2.0
"""policies/upf-traced.gpl where things come and go: the base station, and the tunnel's module."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import guest_programs
import library
import loader_objects
from extent import Extent
from gthulhu import counters
from gthulhu_lab import catalogue, vm, workloads

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
GTP_PING = catalogue.find("gtp-ping")
HOGS = 8
USER_PLANE, DEFAULT = 0, 1  # numbers of classes, in the order of the policy
# How long a bystander on whose CPU a packet was handled is in the class (`via softirq`), and more.
GUESS_S = 0.2
# Those that handle packets; `main` only says every second that it is there.
THREADS = 5
SCENE = {"nr-ue", "nr-gnb", "ping", "client", "bulk", "server", "sink", "probe"}
COMMAND = " ".join(GTP_PING.command(cpus=2, seconds=1000, results="$RESULTS/$1"))
NR_GNB = "nr-gnb 10.60.1.2 10.60.3.1 10.60.3.2 1 2"

SCRIPT = f"""
sleep 4
cd $LAB
gthulhu-loader policy.bpf.o >$RESULTS/loader 2>&1 &
loader=$!
until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
	kill -0 $loader || exit 1
	sleep 0.1
done
hog {HOGS} >/dev/null &
hogs=$!

start() {{
	mkdir $RESULTS/$1
	{COMMAND} >$RESULTS/$1.out 2>&1 &
	scene=$!
	until grep -q up $RESULTS/$1.out; do
		kill -0 $scene || exit 1
		sleep 0.1
	done
}}
look() {{
	sleep 0.3
	grep '' /proc/[0-9]*/task/[0-9]*/stat >$RESULTS/stat-$1 2>/dev/null
	ask tasks >$RESULTS/tasks-$1
	sleep {GUESS_S}
	ask tasks >$RESULTS/tasks-$1-later
}}

first_call policy.bpf.o {USER_PLANE} >$RESULTS/first-calls &
watcher=$!
until grep -q ready $RESULTS/first-calls; do
	kill -0 $watcher || exit 1
	sleep 0.1
done
start first
look 0
# It would end everything when a part of it ends.
kill -STOP $scene
gnb=$(pidof nr-gnb)
nsenter -t $gnb -n sleep 100000 &
holder=$!
sleep 0.2
for number in $(seq $RESTARTS); do
	kill -KILL $gnb
	while [ -e /proc/$gnb/fd/0 ]; do sleep 0.01; done
	nsenter -t $holder -n {NR_GNB} >$RESULTS/gnb.out 2>&1 &
	gnb=$!
	look $number
done
kill $watcher
wait $watcher || exit 1
grep -h recursion_misses /proc/$loader/fdinfo/* >$RESULTS/misses
ask status >$RESULTS/status-with
kill -KILL $gnb $holder
kill -CONT $scene
wait $scene

# The network goes a moment after the last process in it.
for try in $(seq 50); do
	rmmod gtp 2>$RESULTS/rmmod && break
	sleep 0.1
done
grep -q '^gtp ' /proc/modules && exit 1
sleep 0.2
ask status >$RESULTS/status-without
insmod /lab/ko/*-gtp.ko || exit 1
sleep 0.2
start second
look again
ask status >$RESULTS/status-again
kill -TERM $scene
wait $scene
kill $hogs
kill -INT $loader
wait $loader || exit 1
"""


@pytest.fixture(scope="module")
def files(extent: Extent, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    folder = tmp_path_factory.mktemp("traced")
    policy = library.POLICIES["upf-traced"]
    target = folder / "policy.bpf.o"
    subprocess.run(["gthulhuc", "-Wno-all", policy, "-o", target], check=True)
    loader_objects.build(folder / "first_call.bpf.o", source="first_call")
    guest_programs.build(folder, "first_call")
    needed = {"hog", "ask", GTP_PING.program, *GTP_PING.starts}
    programs = workloads.build()
    guest = vm.run(
        vm.GuestRequest(
            script=f"RESTARTS={extent.restarts}\n{SCRIPT}",
            files={
                "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
                "policy.bpf.o": target,
                "first_call.bpf.o": folder / "first_call.bpf.o",
                "bin/first_call": folder / "first_call",
                **{path: programs[path] for path in (f"bin/{name}" for name in needed)},
            },
            modules=GTP_PING.modules,
            cpus=2,
            deadline_s=900,
        )
    )
    return guest.check().files


STAT = re.compile(r"^/proc/(\d+)/task/(\d+)/stat:\d+ \((.*)\) (\S)", re.MULTILINE)


def taken(files: Mapping[str, bytes], when: str) -> dict[int, bool]:
    """Of each thread: whether the rule has it."""
    said = json.loads(files[f"tasks-{when}"])
    names = [counters.owner(each["owner"]).name for each in said["classes"]]
    return {task["tid"]: names[task["class"]] == "user_plane" for task in said["tasks"]}


def classes(files: Mapping[str, bytes], when: str) -> list[tuple[str, bool]]:
    """Of each thread that was there: its name, and whether the rule has it and keeps it."""
    first, later = taken(files, when), taken(files, f"{when}-later")
    threads = STAT.findall(files[f"stat-{when}"].decode())
    return [
        (name, first[int(tid)] and later.get(int(tid), False))
        for _, tid, name, state in threads
        if state != "Z" and int(tid) in first
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "when" in metafunc.fixturenames:
        restarts = range(Extent.of(metafunc.config).restarts + 1)
        metafunc.parametrize("when", [*map(str, restarts), "again"])


def test_every_task_has_the_right_class(files: Mapping[str, bytes], when: str) -> None:
    found = classes(files, when)
    assert {name for name, taken in found if taken} <= SCENE
    assert sum(taken for name, taken in found if name == "nr-gnb") >= THREADS
    hogs = [taken for name, taken in found if name == "hog"]
    assert len(hogs) > HOGS
    assert not any(hogs)


def test_the_class_is_in_force_with_the_dispatch_after_the_first_call(
    files: Mapping[str, bytes], extent: Extent
) -> None:
    ready, *lines = files["first-calls"].decode().splitlines()
    assert ready == "ready"
    rows = [tuple(map(int, line.split())) for line in lines]
    # Of each base station the main thread and four that send or receive; one may end before.
    called = [row for row in rows if row[2]]
    assert len(called) >= 4 * extent.restarts
    assert {before for _, before, _, _ in called} <= {USER_PLANE, DEFAULT}
    assert sum(before == DEFAULT for _, before, _, _ in called) >= 3 * extent.restarts
    assert {in_force for *_, in_force in called} == {1}
    # The kernel drops a call while another task was interrupted inside the same program.
    missed = sum(int(line.split()[1]) for line in files["misses"].decode().splitlines())
    assert sum(dispatches != 1 for _, _, dispatches, _ in called) <= missed


def traced(files: Mapping[str, bytes], when: str) -> dict[str, str]:
    return {each["function"]: each["by"] for each in json.loads(files[f"status-{when}"])["calls"]}


def test_the_tunnels_module_goes_and_comes_again(files: Mapping[str, bytes]) -> None:
    ours = ("gtp_encap_recv", "gtp_dev_xmit")
    by = [[traced(files, when)[name] for name in ours] for when in ("with", "without", "again")]
    assert by == [["kprobe", "kprobe"], ["nothing", "nothing"], ["kprobe", "kprobe"]]
    assert traced(files, "without")["udp_sendmsg"] == "fentry"
