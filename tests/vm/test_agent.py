# SPDX-License-Identifier: Apache-2.0
"""The agent and a scheduler in force, with cgroups as systemd and container managers make them."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import guest_python
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")
BAR_US = 10_000
ROUNDS = 5

SCRIPT = """
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
cd $LAB
# number N: 64 digits
number() { printf %064x $1; }
# start CLASS CGROUP NAME: a container, noted with what it takes until it has its class
container_start() {
    set -- "$3" $(container labels.bpf.o $1 $2)
    echo "$1 $2" >>$RESULTS/times
    eval $1=$3
}
mkdir -p /sys/fs/cgroup/system.slice/old.service /sys/fs/cgroup/machine.slice
mkdir -p /sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice
docker=/var/lib/docker/containers
mkdir -p $docker/$(number 1)
echo '{"Name": "/old", "Config": {"Labels": {"tier": "edge"}}}' >$docker/$(number 1)/config.v2.json
mkdir /sys/fs/cgroup/system.slice/docker-$(number 1).scope
sleep 10000 &
OLD=$!
echo $OLD >/sys/fs/cgroup/system.slice/docker-$(number 1).scope/cgroup.procs
sleep 10000 &
PLAIN=$!
echo $PLAIN >/sys/fs/cgroup/system.slice/old.service/cgroup.procs

gthulhu-loader labels.bpf.o >$RESULTS/loader.out 2>&1 &
LOADER=$!
while ! grep -q enabled $RESULTS/loader.out; do usleep 20000; done
echo "before $(class-of labels.bpf.o $OLD $PLAIN)" >>$RESULTS/classes
PYTHON -S -m gthulhuc.cli.gthulhu agent 2>$RESULTS/agent.err &
AGENT=$!
while [ "$(class-of labels.bpf.o $OLD $PLAIN)" != "2 4" ]; do
    usleep 20000
    n=$((n + 1))
    [ $n -lt 500 ] || break
done
echo "agent $(class-of labels.bpf.o $OLD $PLAIN)" >>$RESULTS/classes

# Docker, round after round.
for round in ROUNDS; do
    mkdir -p $docker/$(number $round)
    echo '{"Name": "/new", "Config": {"Labels": {"tier": "front", "maintainer": "a b <c@d>"}}}' \\
        >$docker/$(number $round)/config.v2.json
    container_start 2 /system.slice/docker-$(number $round).scope new
done
# podman, with its data base
mkdir -p /var/lib/containers/storage
cp db.sql /var/lib/containers/storage/db.sql
container_start 0 /machine.slice/libpod-$(number 7).scope podman
# containerd, below a pod
pod=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12_34.slice
bundle=/run/containerd/io.containerd.runtime.v2.task/k8s.io/$(number 8)
mkdir -p $bundle
cp config.json $bundle/config.json
mkdir /sys/fs/cgroup$pod
container_start 1 $pod/cri-containerd-$(number 8).scope containerd
# A systemd unit is in no container, and that is known.
container_start 4 /system.slice/new.service unit
# A new loader is told all again.
kill $LOADER
wait $LOADER
gthulhu-loader labels.bpf.o >$RESULTS/loader2.out 2>&1 &
LOADER=$!
n=0
while [ "$(class-of labels.bpf.o $OLD $PLAIN $podman $containerd $unit)" != "2 4 0 1 4" ]; do
    usleep 20000
    n=$((n + 1))
    [ $n -lt 500 ] || break
done
echo "again $(class-of labels.bpf.o $OLD $PLAIN $podman $containerd $unit)" >>$RESULTS/classes
kill $AGENT $LOADER
wait $AGENT
echo $? >$RESULTS/agent.status
wait $LOADER
echo $? >$RESULTS/loader.status
"""
SCRIPT = SCRIPT.replace("ROUNDS", " ".join(str(2 + n) for n in range(ROUNDS)))
# Not by a function: a signal is for Python, not for a shell around it.
SCRIPT = SCRIPT.replace("PYTHON", os.path.realpath(sys.executable))
CONTAINERD = {
    "annotations": {
        "io.kubernetes.cri.sandbox-name": "api-1",
        "io.kubernetes.cri.sandbox-namespace": "prod",
        "io.kubernetes.cri.container-name": "main",
    }
}


def podman_data_base(path: Path) -> Path:
    """As podman writes it, with one container."""
    with sqlite3.connect(path) as data_base:
        data_base.execute(
            "CREATE TABLE ContainerConfig (ID TEXT PRIMARY KEY NOT NULL, Name TEXT UNIQUE NOT NULL,"
            " PodID TEXT, JSON TEXT NOT NULL)"
        )
        config = json.dumps({"id": f"{7:064x}", "name": "sidecar", "labels": {"tier": "edge"}})
        row = (f"{7:064x}", "sidecar", config)
        data_base.execute("INSERT INTO ContainerConfig (ID, Name, JSON) VALUES (?, ?, ?)", row)
    data_base.close()
    return path


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("agent")
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            files={
                "bin/gthulhu-loader": guest_loader.LOADER,
                **guest_programs.build(folder, "class-of", "container"),
                "db.sql": podman_data_base(folder / "db.sql"),
                "config.json": json.dumps(CONTAINERD).encode(),
                **guest_loader.objects(folder, HERE / "policies" / "labels.gpl"),
                **guest_python.files(),
            },
            deadline_s=600,
        )
    ).check()


def test_each_container_has_its_class_in_time(guest: vm.GuestResult) -> None:
    """From the making of its cgroup; the clock counts instructions."""
    lines = [line.split() for line in guest.files["times"].decode().splitlines()]
    names = [name for name, _ in lines]
    assert names == ["new"] * ROUNDS + ["podman", "containerd", "unit"]
    late = [(name, time) for name, time in lines if not 0 <= int(time) <= BAR_US]
    assert not late, lines


def test_containers_older_than_the_agent_are_reported(guest: vm.GuestResult) -> None:
    classes = dict(line.split(" ", 1) for line in guest.files["classes"].decode().splitlines())
    # Classes 2 and 4 are `tier` and `plain`, 5 is the default: nothing was known.
    assert classes == {"before": "5 5", "agent": "2 4", "again": "2 4 0 1 4"}


def test_agent_runs_quietly_and_ends_by_a_signal(guest: vm.GuestResult) -> None:
    assert guest.files["agent.err"] == b""
    assert guest.files["agent.status"] == b"0\n"
    assert guest.files["loader.status"] == b"0\n"
