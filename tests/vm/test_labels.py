# SPDX-License-Identifier: Apache-2.0
"""Labels of processes and of containers, given to a scheduler in force."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
import guest_python
from gthulhu.record import labels
from gthulhu.record.reader import Record
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
RECORDER = Path(guest_loader.LOADER).with_name("gthulhu-record")
KERNELS = ("6.16", "7.2")
POLICIES = ("labels", "other_labels", "shares")
HOTPLUG = r'"gthulhu_other_labels" disabled \(unregistered from the main kernel\)'

SCRIPT = """
grep -q cgroup2 /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup
POLICY=labels
# a path of fifty folders
FIFTY=$(printf 'd/%.0s' $(seq 50))
# see STEP PID...: notes the classes of tasks
see() {
    step=$1
    shift
    echo "$step $(class-of $POLICY.bpf.o "$@")" >>$RESULTS/classes
}
# tell STEP FIELD...: sends a request, and notes the answer
tell() {
    step=$1
    shift
    ask "$@" >$RESULTS/$step.json
}
# sleeper: a process that only sleeps, in the cgroup of the shell
sleeper() {
    sleep 10000 &
    SLEEPER=$!
}

# A process with a child that is there before its label, and one that comes later on request.
mkfifo /tmp/fork
sh -c '
    sleep 10000 &
    echo $! >/tmp/child
    # Open for as long as the process lives: a reader that came while the writer of the last line
    # still had it open would find the end of the file, not the next line.
    exec 3<>/tmp/fork
    while read -r _ <&3; do
        sleep 10000 &
        echo $! >/tmp/late
    done
' &
PARENT=$!
while [ ! -s /tmp/child ]; do usleep 10000; done
CHILD=$(cat /tmp/child)
# fork_late: has it start one more
fork_late() {
    rm -f /tmp/late
    echo >/tmp/fork
    while [ ! -s /tmp/late ]; do usleep 10000; done
    LATE=$(cat /tmp/late)
}
sleeper
OTHER=$SLEEPER

start loader -vv labels.bpf.o
await_line loader enabled
see nothing-known $PARENT $CHILD $OTHER

tell give label $PARENT tier=edge
see given $PARENT $CHILD $OTHER
fork_late
see forked $LATE
tell show label $CHILD
tell unused label $OTHER color=red
see other-unused $OTHER
gthulhu label $PARENT tier=back batch=1 color=red >$RESULTS/command.out 2>$RESULTS/command.err
gthulhu label $PARENT >>$RESULTS/command.out
tell replace label $PARENT color-
see not-known-yet $PARENT
tell replaced label $PARENT tenant=y
see replaced $PARENT $CHILD $LATE $OTHER
tell child-alone label $CHILD tenant=x
see child-alone $PARENT $CHILD
tell taken label $PARENT tenant- batch- tier-
see taken $PARENT $CHILD $LATE
tell no-process label 999999 tier=edge
tell no-number label 12x tier=edge
tell no-label label $PARENT tier=edge tier
see untouched $PARENT

mkdir -p /sys/fs/cgroup/pods/api/main /sys/fs/cgroup/pods/api/side
for name in main side; do
    sleep 10000 &
    eval $name=$!
    echo $! >/sys/fs/cgroup/pods/api/$name/cgroup.procs
done
tell root cgroup / all
see root $OTHER $main $side
tell pod cgroup /pods/api all namespace=prod pod=api-1 label:tier=front
see pod $OTHER $main $side
tell side cgroup /pods/api/side all namespace=prod pod=api-1 label:tier=front container=sidecar
see side $main $side
# A process that comes to the cgroup, and one that is forked there.
echo $OTHER >/sys/fs/cgroup/pods/api/main/cgroup.procs
(echo 0 >/sys/fs/cgroup/pods/api/side/cgroup.procs; exec sleep 10000) &
FORKED=$!
usleep 100000
see came $OTHER $FORKED
# The labels of the process come first.
tell own label $main tier=none
tell show-both label $main
tell own-of-other label $OTHER tier=edge
tell partly cgroup /pods/api some label:tier=back
see partly $main $side $OTHER
tell tasks tasks
tell task tasks $main
gthulhu record -o $RESULTS/labels.gtr --for 1 >$RESULTS/record.out 2>&1
gthulhu explain --all >$RESULTS/all.out 2>$RESULTS/all.err
echo $? >$RESULTS/all.status
gthulhu explain --pid $main >$RESULTS/main.out 2>&1
echo $PARENT $CHILD $OTHER $main $side >$RESULTS/pids
tell forget cgroup /pods/api none
tell forget-side cgroup /pods/api/side none
see forgotten $main $side
# One cgroup, however its path is written.
tell alias cgroup //pods/api/./ all namespace=prod pod=api-2
see alias $side
tell alias-gone cgroup /pods/api/ none
see alias-gone $side
tell again cgroup /pods/api all namespace=prod pod=api-2
tell no-cgroup cgroup /pods/none all
tell no-path cgroup /pods/../pods all
tell no-fact cgroup /pods all color=red
see again $side

# Another policy, with other questions; and one without any, under which no label can be given.
tell give-before label $PARENT tier=edge
tell swap swap $PWD/other_labels.bpf.o
POLICY=other_labels
see swapped $PARENT $CHILD $LATE $main $side
tell swap-shares swap $PWD/shares.bpf.o
tell no-labels label $PARENT tier=front
tell cgroup-meanwhile cgroup /pods/api all pod=api-1
fork_late
tell back rollback
see back $PARENT $CHILD $LATE $main $side

# CPU hotplug: the same again.
echo 0 >/sys/devices/system/cpu/cpu1/online
await_line loader enabled 5
echo 1 >/sys/devices/system/cpu/cpu1/online
await_line loader enabled 6
fork_late
see hotplug $PARENT $LATE $side

# As deep as a path can say, and deeper than that.
FOLDER=$PWD
cd /sys/fs/cgroup
i=0
while [ $i -lt 40 ]; do
    mkdir -p $FIFTY
    cd $FIFTY
    i=$((i + 1))
done
sleeper
echo $SLEEPER >cgroup.procs
mkdir -p $FIFTY/$FIFTY
cd $FOLDER
tell deep cgroup / all label:tier=edge
see deep $SLEEPER
tell deep-label label $SLEEPER tier=none
see deep-label $SLEEPER
ask stop >$RESULTS/stop.json
finish loader
cp /run/gthulhu/events $RESULTS/
"""
CLASSES = {
    "labels": ("side", "api", "tier", "batch", "plain", "default", "kernel threads"),
    "other_labels": ("first", "second", "third", "default", "kernel threads"),
}
EXPECTED = {
    # Nobody has said anything: neither `label` nor `not label` is true.
    "nothing-known": ["default", "default", "default"],
    "given": ["tier", "tier", "default"],
    "forked": ["tier"],
    "other-unused": ["default"],
    # `batch` is known, whether there is a tenant is not.
    "not-known-yet": ["default"],
    "replaced": ["batch", "batch", "batch", "default"],
    "child-alone": ["batch", "default"],
    "taken": ["default", "default", "default"],
    "untouched": ["default"],
    "root": ["plain", "plain", "plain"],
    "pod": ["plain", "api", "api"],
    "side": ["api", "side"],
    "came": ["api", "side"],
    "partly": ["default", "side", "tier"],
    "forgotten": ["default", "plain"],
    "alias": ["api"],
    "alias-gone": ["plain"],
    "again": ["api"],
    "swapped": ["third", "third", "third", "second", "second"],
    "back": ["third", "third", "third", "default", "default"],
    "hotplug": ["third", "third", "default"],
    "deep": ["third"],
    "deep-label": ["default"],
}


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("labels")
    policies = [HERE / "policies" / f"{name}.gpl" for name in POLICIES]
    return guest_loader.run(
        vm.GuestRequest(
            script=f"{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            clock=Clock.TCG_TURNS,
            files={
                **guest_programs.build(folder, "ask", "class-of"),
                "labels.gpl": HERE / "policies" / "labels.gpl",
                **guest_loader.objects(folder, *policies),
                "bin/gthulhu-record": RECORDER,
                **guest_python.files(
                    "zstandard",
                    "zstandard.backend_c",
                    "heapq",
                    "gthulhu.record.recorder",
                    reading=True,
                ),
            },
            deadline_s=600,
            allow_splats=(HOTPLUG,),
        )
    )


def answer(guest: vm.GuestResult, step: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(guest.files[f"{step}.json"])
    return found


def _name(policy: str, number: int) -> str:
    return CLASSES[policy][number] if number >= 0 else "gone"


def test_every_label_gives_its_class(guest: vm.GuestResult) -> None:
    seen = {}
    policy = "labels"
    for line in guest.files["classes"].decode().splitlines():
        step, *numbers = line.split()
        policy = "other_labels" if step == "swapped" else policy
        seen[step] = [_name(policy, int(number)) for number in numbers]
    assert seen == EXPECTED


def test_labels_are_for_a_process_and_what_it_has_started(guest: vm.GuestResult) -> None:
    assert answer(guest, "give")["processes"] == 2
    assert answer(guest, "replace")["processes"] == 3
    assert answer(guest, "child-alone")["processes"] == 1
    parent = int(guest.files["pids"].split()[0])
    assert answer(guest, "show") == {
        "ok": True, "own": [{"fact": "label:tier=edge", "from": parent}], "cgroup": "",
        "container": [], "complete": False,
    }  # fmt: skip


def test_the_command(guest: vm.GuestResult) -> None:
    done, shown = guest.files["command.out"].decode().split("\n", 1)
    assert done == "labelled 3 processes"
    assert shown == ("its own: batch=1, color=red, tier=back\nno container is known\n")
    assert guest.files["command.err"].decode() == ("  = note: no rule of the policy uses `color`\n")


def test_facts_that_no_rule_compares_are_reported(guest: vm.GuestResult) -> None:
    assert answer(guest, "unused") == {"ok": True, "processes": 1, "unused": "`color`"}
    refused = answer(guest, "no-labels")
    assert refused["error"] == "policy shares asks for no labels"
    assert "asks for `label`" in refused["help"]


def test_invalid_requests_are_refused(guest: vm.GuestResult) -> None:
    errors = {
        "no-process": "there is no process 999999",
        "no-number": "invalid process ID",
        "no-label": "invalid label: `tier`",
        "no-cgroup": "there is no cgroup /pods/none",
        "no-path": r"there is no cgroup /pods/\.\./pods",
        "no-fact": "invalid fact about a container: `color=red`",
    }
    for step, error in errors.items():
        said = answer(guest, step)
        assert said["ok"] is False
        assert re.fullmatch(error, said["error"]), step


def test_deepest_possible_cgroups(guest: vm.GuestResult) -> None:
    assert answer(guest, "deep")["ok"]
    assert answer(guest, "deep-label") == {"ok": True, "processes": 1}


def test_known_facts_of_a_container_are_shown(guest: vm.GuestResult) -> None:
    assert answer(guest, "pod") == {"ok": True, "processes": 2}
    both = answer(guest, "show-both")
    assert both["own"] == [{"fact": "label:tier=none"}]
    assert (both["cgroup"], both["complete"]) == ("/pods/api", True)
    assert [each["fact"] for each in both["container"]] == [
        "label:tier=front", "namespace=prod", "pod=api-1",
    ]  # fmt: skip


def test_a_record_has_the_labels_of_containers_and_processes(guest: vm.GuestResult) -> None:
    record = Record(io.BytesIO(guest.files["labels.gtr"]), "labels.gtr")
    assert record.damage is None, guest.files["record.out"]
    told = labels.told(answer(guest, "tasks"))
    assert record.labels.containers.items() >= told.containers.items()
    # The command and the recorder are tasks, too, and have none.
    assert record.labels.tasks == told.tasks
    *_, other, main, side = map(int, guest.files["pids"].split())
    own = {number: record.labels.tasks.get(number) for number in (other, main, side)}
    assert own == {
        other: ("label:color=red", "label:tier=edge"),
        main: ("label:tier=none",),
        side: None,
    }
    assert record.labels.containers["/pods/api/side"].facts == (
        "container=sidecar", "label:tier=front", "namespace=prod", "pod=api-1",
    )  # fmt: skip


def test_the_reference_agrees_about_labels(guest: vm.GuestResult) -> None:
    all_, said = guest.files["all.out"].decode(), guest.files["main.out"].decode()
    assert guest.files["all.err"].decode() == ""
    assert guest.files["all.status"] == b"0\n"
    *_, other, main, side = map(int, guest.files["pids"].split())
    heads, head = {}, ""
    for line in all_.splitlines():
        head = line if not line.startswith(" ") else head
        heads[line.split()[0]] = head.partition(":")[0]
    names = [heads[str(pid)] for pid in (other, main, side)]
    assert names == ["rule `tier` (labels.gpl", "default", "rule `side` (labels.gpl"]
    assert said.startswith(f"task {main} `sleep`: default\n")
    assert "  labels   tier=none  (its own)\n" in said
    assert (
        "others are unknown yet: the loader does not know all of its container, /pods/api\n" in said
    )
    assert "  unless   `side` (" in said


def test_responses_contain_labels(guest: vm.GuestResult) -> None:
    everything, one = answer(guest, "tasks"), answer(guest, "task")
    sets = {each["number"]: [f["fact"] for f in each["facts"]] for each in everything["label_sets"]}
    own = {each["tid"]: sets.get(each["label_set"]) for each in everything["tasks"]}
    parent, _, other, main, side = map(int, guest.files["pids"].split())
    assert (own[main], own[side]) == (["label:tier=none"], None)
    assert own[other] == ["label:color=red", "label:tier=edge"]
    assert not own[parent]  # they were taken away
    assert [each["cgroup"] for each in everything["containers"]] == [
        "/", "/pods/api", "/pods/api/side",
    ]  # fmt: skip
    assert one["tasks"][0]["tid"] == main
    assert [each["facts"] for each in one["label_sets"]] == [[{"fact": "label:tier=none"}]]
    assert one["containers"] == [
        {"cgroup": "/pods/api", "facts": [{"fact": "label:tier=back"}], "complete": False}
    ]


def test_labels_outlive_a_policy(guest: vm.GuestResult) -> None:
    assert all(answer(guest, step)["ok"] for step in ("swap", "swap-shares", "back", "stop"))
    assert guest.files["loader.status"] == b"0\n"


def test_events_tell_of_labels_and_hotplug(guest: vm.GuestResult) -> None:
    events = [json.loads(line) for line in guest.files["events"].splitlines()]
    parent, *_ = guest.files["pids"].split()
    labelled = [event for event in events if event["event"] == "labelled"]
    assert [event["facts"] for event in labelled if event["of"] == parent.decode()][:3] == [
        "tier=edge", "tier=back batch=1 color=red", "color-",
    ]  # fmt: skip
    pod = [event["facts"] for event in labelled if event["of"] == "/pods/api"]
    assert pod[0] == "all namespace=prod pod=api-1 label:tier=front"
    assert [event["event"] for event in events].count("cpus-changed") == 2
