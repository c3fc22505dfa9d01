# SPDX-License-Identifier: Apache-2.0
"""Guests with real cgroups: what their scripts call, and other policies that are loaded there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gthulhu_lab import vm, workloads
from gthulhu_lab.measure import Subject
from gthulhu_lab.request import GuestRequest
from gthulhuc import codegen, frontend, plan
from gthulhuc.source import Source
from scenes import ROOT

_FUNCTIONS = """
set -e
. "$LAB/scheduler.sh"
make_group() {
    echo +cpu >"${1%/*}/cgroup.subtree_control"
    mkdir "$1"
    echo $2 >"$1/cpu.weight"
}
in_group() {
    sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$@" &
}
# Those below go first.
remove_groups() {
    find "$1" -depth -type d -exec rmdir {} \\;
}
# A few hundred cgroups, each with a task that ends in it.
storm_groups() {
    for i in $(seq 100); do
        mkdir $1/s$i
        sh -c 'echo $$ >'$1/s$i'/cgroup.procs; usleep 3000'
        echo 7 >$1/s$i/cpu.weight
        rmdir $1/s$i
    done
    echo done >$RESULTS/storm
}
"""
_START = """
sleep 6
start_scheduler
"""
_CONTROLLER = "echo +cpu >/sys/fs/cgroup/cgroup.subtree_control"

_LOAD = """
start_other() {
    gthulhu-loader $LAB/$1.bpf.o >"$RESULTS/$1.out" 2>&1 &
    other=$!
    until [ "$(state)" = enabled ]; do
        kill -0 $other || die "$1 does not load"
        sleep 0.2
    done
    mkdir /sys/fs/cgroup/$1
    in_group /sys/fs/cgroup/$1 crowd hog 6 1000
    wait $!
    rmdir /sys/fs/cgroup/$1
    [ "$(state)" = enabled ] || die "$1 was ejected"
    kill -INT $other
    wait $other
}
"""
OTHERS = ("upf-pinned", "k8s-node", "interactive", "isolate")
"""Shipped policies with exclusive CPUs, preemption, homes, facts: the verifier sees all parts."""


Files = Mapping[str, bytes]


def request(
    subject: Subject,
    kernel: str,
    *scripts: str,
    others: Files | None = None,
    then: Sequence[str] = (),
    has_controller: bool = True,
) -> GuestRequest:
    """Returns the request of a guest that goes through scripts, and then loads `others`.

    `then` goes on under the kernel's own scheduler. `has_controller`: cgroups have the cpu
    controller when the scheduler is loaded.
    """
    loads = [_LOAD, *(f"start_other {name}" for name in others or ())]
    begin = [_FUNCTIONS, *([_CONTROLLER] if has_controller else []), _START]
    return GuestRequest(
        script="\n".join([*begin, *scripts, "stop_scheduler", *loads, *then]),
        kernel=kernel,
        files={
            **workloads.build(),
            **subject.guest_files(),
            **{f"{name}.bpf.o": data for name, data in (others or {}).items()},
        },
        cpus=4,
        deadline_s=1200,
    )


def run(
    subject: Subject,
    kernel: str,
    *scripts: str,
    others: Files | None = None,
    then: Sequence[str] = (),
    has_controller: bool = True,
) -> Files:
    """Runs such a guest; returns its files."""
    made = request(
        subject, kernel, *scripts, others=others, then=then, has_controller=has_controller
    )
    return vm.run(made).check().files


def with_setting(name: str, word: str) -> bytes:
    """Returns the object of a shipped policy with that setting of `cgroups`."""
    text = (ROOT / "policies" / f"{name}.gpl").read_text()
    changed = re.sub(r"\bwatchdog (\d+s)", rf"watchdog \1 cgroups {word}", text)
    assert changed != text
    policy, problems = frontend.check(Source(f"{name}.gpl", changed))
    assert policy is not None, problems
    return codegen.compile_object(codegen.render(plan.build(policy)))
