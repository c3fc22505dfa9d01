# SPDX-License-Identifier: Apache-2.0
"""Scenes that are recorded in guests, replayed under policies, and really run under these.

    python tests/replay_scenes.py

prints the table of docs/replay.md. A guest records each scene under the kernel's own scheduler and
under each policy. The record under the kernel's own is replayed under each policy, and each other
record under the control `eevdf`. Figures of both sides come from the same code: a replay's switches
and wake-ups are counted as a record's. Guests that ran before are kept.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import guest_loader
import guest_python
from gthulhu_lab import catalogue, vm
from gthulhu_lab.request import Clock

RECORDER = Path(guest_loader.LOADER).with_name("gthulhu-record")
SECONDS = 2
EEVDF = "eevdf"

_HEAD = "policy {name} {{ kernel >= 6.16 }}\n"
_RULE = 'rule {name} {{ match process ~ "{name}*" or cgroup under "/{name}" {actions} }}\n'
_ACTIONS = {
    "quick": {
        "front": "priority high preempt", "middle": "priority high", "job": "priority low"
    },
    "plain": {"front": "slice 3ms", "middle": "slice 3ms", "job": "slice 3ms"},
    "batch": {"front": "priority low", "middle": "slice 2ms", "job": "slice 8ms"},
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A workload of the catalogue, with the name that its processes have.

    `amount`: of its units. `cgroup`: in which it runs.
    """

    workload: str
    name: str
    amount: int
    cgroup: str = ""


@dataclass(frozen=True)
class Scene:
    """Workloads that run together in a guest."""

    name: str
    cpus: int
    parts: tuple[Part, ...]


SCENES = {
    scene.name: scene
    for scene in (
        Scene("waker", 1, (Part("waker", "front", 1), Part("hogs", "job", 2))),
        Scene("rpc", 2, (Part("rpc", "front", 2), Part("hogs", "job", 4))),
        Scene("udp", 2, (Part("rpc-udp", "front", 2), Part("hogs", "job", 4))),
        Scene("web-events", 2, (Part("web-events", "front", 2), Part("hogs", "job", 4))),
        Scene("web-threads", 2, (Part("web-threads", "front", 2), Part("hogs", "job", 4))),
        Scene("pgbench", 2, (Part("pgbench", "front", 2), Part("hogs", "job", 4))),
        Scene("messages", 2, (Part("messages", "middle", 1), Part("waker", "front", 2))),
        Scene("build", 2, (Part("forks", "job", 4), Part("waker", "front", 2))),
        Scene(
            "mixed", 2,
            (
                Part("waker", "front", 2), Part("rpc", "middle", 2), Part("pipeline", "job", 1),
                Part("hogs", "job", 2),
            ),
        ),
        Scene(
            "kubernetes", 2,
            (
                Part("rpc", "app", 2, "/front/pod1"), Part("waker", "app", 2, "/middle/pod2"),
                Part("hogs", "app", 2, "/job/pod3"), Part("forks", "app", 1, "/job/pod4"),
            ),
        ),
        Scene("gtp-ping", 2, (Part("gtp-ping", "front", 1), Part("hogs", "job", 4))),
    )
}  # fmt: skip

_SCRIPT = """
recorders() {{
    grep -l '^gthulhu-record$' /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3
}}

# scene NAME: a record of its workloads. The recorder begins first: Python takes long beside hogs.
scene() {{
    STARTED=
{prepared}
    step $1 gthulhu record -o $RESULTS/$1.gtr --for 0 --cost 50 &
    STEP=$!
    until [ -s $RESULTS/$1.gtr ] || ! kill -0 $STEP; do
        usleep 50000
    done
    RECORDER=$(grep PPid /proc/$(recorders)/status | cut -f 2)
    sleep 0.3
{workloads}
    sleep {seconds}
    kill -TERM $RECORDER
    sleep 0.1
    kill -TERM $STARTED
    wait $STARTED
    wait $STEP
}}
await_ready() {{
    i=0
    until [ -e "$1/ready" ] || [ $i = 600 ]; do usleep 50000; i=$((i + 1)); done
}}
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
scene eevdf
for policy in {policies}; do
    start $policy $policy.bpf.o
    await_line $policy enabled || exit 1
    scene replayed-$policy
    kill -TERM $LOADER
    finish $policy
done
exit 0
"""


def policy_text(name: str) -> str:
    """Returns one of the three policies: a rule for each name of a part."""
    rules = (_RULE.format(name=rule, actions=actions) for rule, actions in _ACTIONS[name].items())
    return _HEAD.format(name=name) + "".join(rules)


def _starts(scene: Scene, *, is_prepared: bool) -> Iterator[str]:
    for number, part in enumerate(scene.parts):
        if catalogue.find(part.workload).prepares == is_prepared:
            yield _start(part, number, scene.cpus)


def _start(part: Part, number: int, cpus: int) -> str:
    """The line that starts a part in the background."""
    workload = catalogue.find(part.workload)
    results = f"$RESULTS/$1.work/{number}"
    words = workload.command(cpus=cpus, seconds=600, results=results, amount=part.amount)
    move = ""
    if part.cgroup:
        folder = f"/sys/fs/cgroup{part.cgroup}"
        move = f"mkdir -p {folder}; echo 0 >{folder}/cgroup.procs; "
    named = f"TASK_PROCESS={part.name} TASK_COMM={part.name}"
    lines = [
        f"    mkdir -p {results}",
        f"    ({move}{named} exec {' '.join(words)}) >{results}/log 2>&1 &",
        '    STARTED="$STARTED $!"',
    ]
    if workload.prepares:
        lines.append(f"    await_ready {results}")
    return "\n".join(lines)


def run(scene: Scene, deadline_s: float = 1200) -> vm.GuestResult:
    """Records a scene under EEVDF and under the policies. Raises GuestError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for policy in _ACTIONS:
            (folder / f"{policy}.gpl").write_text(policy_text(policy))
        workloads = [catalogue.find(part.workload) for part in scene.parts]
        script = _SCRIPT.format(
            prepared="\n".join(_starts(scene, is_prepared=True)),
            workloads="\n".join(_starts(scene, is_prepared=False)),
            seconds=SECONDS,
            policies=" ".join(_ACTIONS),
        )
        return vm.run(
            vm.GuestRequest(
                script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{script}",
                clock=Clock.ICOUNT,
                cpus=scene.cpus,
                modules=catalogue.modules(workloads),
                files={
                    **guest_loader.FILES,
                    "bin/gthulhu-record": RECORDER,
                    **catalogue.files(workloads),
                    **{
                        path: built
                        for policy in _ACTIONS
                        for path, built in guest_loader.objects(
                            folder, folder / f"{policy}.gpl"
                        ).items()
                    },
                    **guest_python.files(
                        "zstandard", "zstandard.backend_c", "heapq",
                        "gthulhu.record.recorder", "gthulhu.record.summary",
                    ),
                },
                deadline_s=deadline_s,
            )
        ).check()  # fmt: skip
