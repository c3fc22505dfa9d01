# SPDX-License-Identifier: Apache-2.0
"""Each event gives a task its class in a real kernel."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gthulhu_lab import vm

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).with_name("classes")

RULES = re.findall(r"^rule (\w+)", (FOLDER / "policy.gpl").read_text(), re.MULTILINE)
CLASSES = [*RULES, "default", "kernel threads"]
EXPECTED = {
    # There before the scheduler was: by the tree of processes as it is.
    "loaded-child": "child",
    "loaded-grandchild": "descendant",
    "kthreadd": "kernel",
    "kthread": "kernel threads",
    "fork": "default",
    "rename": "named",
    "rename-glob": "pattern",
    "rename-no-glob": "default",
    "rename-regex": "pattern",
    "rename-away": "default",
    "exec": "pattern",
    "thread-before": "default",
    "main-renamed": "main",
    "thread-after": "thread",
    "thread-cgroup": "slice",
    "cgroup-slice": "slice",
    "cgroup-out": "default",
    "cgroup-unit": "service",
    "cgroup-other-unit": "default",
    "cgroup-pod": "pod",
    "cgroup-no-pod": "default",
    "cgroup-root": "default",
    "fork-in-cgroup": "slice",
    "setegid": "group",
    "seteuid": "user",
    "seteuid-back": "default",
    "renice": "nice",
    "renice-back": "default",
    "parent": "default",
    "child": "child",
    "child-thread": "descendant",
    "grandchild": "descendant",
    "orphan": "descendant",
    "no-offspring": "default",
    "offspring": "offspring",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    compiler: list[str | Path] = [
        sys.executable,
        "-m",
        "gthulhuc.cli.compile",
        FOLDER / "policy.gpl",
    ]
    subprocess.run([*compiler, "-o", folder / "policy.bpf.o"], check=True)
    source = FOLDER / "classes.c"
    command: list[str | Path] = [
        "gcc",
        "-O1",
        "-Wall",
        "-Werror",
        "-o",
        folder / "classes",
        source,
        "-lbpf",
    ]
    subprocess.run(command, check=True)
    return folder


@pytest.mark.parametrize("kernel", ["6.16", "7.2"])
def test_every_event_classifies(kernel: str, programs: Path) -> None:
    request = vm.GuestRequest(
        script="""
            grep -q cgroup2 /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup
            ln -sf /bin/sleep /tmp/vm-exec
            classes policy.bpf.o "$(command -v gthulhu-loader)" >$RESULTS/classes
            cat /sys/kernel/sched_ext/state >$RESULTS/state
        """,
        kernel=kernel,
        files={
            "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
            "bin/classes": programs / "classes",
            "policy.bpf.o": programs / "policy.bpf.o",
        },
        deadline_s=400,
    )
    guest = vm.run(request).check()
    lines = guest.files["classes"].decode().splitlines()
    found = {step: CLASSES[int(number)] for step, number in (line.split() for line in lines)}
    assert found == EXPECTED, guest.stderr
    assert guest.files["state"] == b"enabled\n"
