# SPDX-License-Identifier: Apache-2.0
"""The effects of generated schedulers on tasks, on each supported kernel."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import guest_loader
import guest_programs
from gthulhu_lab import vm
from guest_programs import ran_ms, ran_on

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "6.18", "7.0", "7.2")

SCRIPT = """
enable() {
    gthulhu-loader "$LAB/$1.bpf.o" >"$RESULTS/$1.loader" 2>&1 &
    loader=$!
    until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
        kill -0 $loader || return 1
        sleep 0.1
    done
}
disable() { kill $loader; wait $loader; }

mkdir -p /sys/fs/cgroup/bygroup
enable classes
probe events /sys/fs/cgroup/bygroup >"$RESULTS/events"
disable

enable exclusive
probe tally hog 6 800 >"$RESULTS/exclusive-foreign" &
probe tally owner 2 800 >"$RESULTS/exclusive-owner" &
probe tally pinned 3 800 >"$RESULTS/exclusive-pinned" &
wait %2 %3 %4
probe tally hog 1 200 3 >"$RESULTS/exclusive-affinity"
disable

enable shares
probe tally heavy 1 2000 1 >"$RESULTS/share-heavy" &
probe tally plain 1 2000 1 >"$RESULTS/share-plain" &
wait %2 %3
probe tally urgent 1 2000 1 >"$RESULTS/share-urgent" &
probe tally low 1 2000 1 >"$RESULTS/share-low" &
wait %2 %3
for i in 1 2 3 4 5 6 7 8; do probe tally hog$i 1 2400 >"$RESULTS/equal-$i" & done
sleep 0.2
for name in stay lazy goback; do probe wakes $name 40 >"$RESULTS/wakes-$name"; done
wait %2 %3 %4 %5 %6 %7 %8 %9
ip link set lo up 2>/dev/null || ifconfig lo up
for by in pipe udp; do notify $by 30 4 >"$RESULTS/notify-$by"; done
cat /sys/kernel/sched_ext/state >"$RESULTS/state"
disable

mount -t tracefs none /sys/kernel/tracing 2>/dev/null
echo 'p:perf scx_bpf_cpuperf_set cpu=%di:s32 perf=%si:u32' >/sys/kernel/tracing/kprobe_events
enable perf
echo 1 >/sys/kernel/tracing/events/kprobes/perf/enable
probe tally half 1 200 1 >/dev/null
probe tally tenth 1 200 2 >/dev/null
for _ in 1 2; do sleep 0.2; probe tally lone 1 200 3 >/dev/null; done
echo 0 >/sys/kernel/tracing/events/kprobes/perf/enable
cat /sys/kernel/tracing/trace >"$RESULTS/perf"
disable
"""

PERF = """
policy perf {}
rule half  { match comm == "half" perf 50% }
rule tenth { match comm == "tenth" perf 10% }
"""


@pytest.fixture(scope="module")
def guest_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("scheduling")
    (folder / "perf.gpl").write_text(PERF)
    policies = [HERE / "policies" / f"{name}.gpl" for name in ("classes", "exclusive", "shares")]
    return {
        **guest_programs.build(folder, "probe", "notify"),
        "bin/byexec": folder / "probe",
        "bin/gthulhu-loader": guest_loader.LOADER,
        **guest_loader.objects(folder, *policies, folder / "perf.gpl"),
    }


@pytest.fixture(scope="module", params=KERNELS)
def scene(request: pytest.FixtureRequest, guest_files: dict[str, Path]) -> vm.GuestResult:
    """One guest per kernel goes through everything; each test looks at one thing."""
    return vm.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            files=guest_files,
            cpus=4,
            deadline_s=900,
        )
    ).check()


def events(scene: vm.GuestResult) -> dict[str, tuple[int, int]]:
    """CPU and microseconds until the task was on it, by event."""
    rows = [line.split() for line in scene.files["events"].decode().splitlines()]
    return {name: (int(cpu), int(delay)) for name, cpu, delay in rows}


# The policy gives name CPU 1, process CPU 2, group CPU 3 and default CPU 0.
CLASS_OF_EVENT = {
    "start": 0,
    "rename": 1,
    "fork": 1,
    "affinity_back": 1,
    "rename_back": 0,
    "nice": 1,
    "nice_back": 0,
    "gid": 1,
    "gid_back": 0,
    "uid": 1,
    "uid_back": 0,
    "rename_of_main_thread": 2,
    "thread_of_renamed_process": 2,
    "main_thread_back": 0,
    "cgroup_move": 3,
    "thread_of_moved_process": 3,
    "fork_in_cgroup": 3,
    "cgroup_back": 0,
    "clone_into_cgroup": 3,
    "exec": 1,
}


def test_a_task_has_the_class_that_its_latest_event_gives_it(scene: vm.GuestResult) -> None:
    seen = {name: cpu for name, (cpu, _) in events(scene).items() if name in CLASS_OF_EVENT}
    assert seen == CLASS_OF_EVENT


def test_a_new_class_holds_at_once_also_for_a_task_that_never_sleeps(
    scene: vm.GuestResult,
) -> None:
    # A kick moves the task; without it, it would stay until its slice ends, 1 ms at the least.
    slow = {name: delay for name, (_, delay) in events(scene).items() if delay > 900}
    assert not slow


def test_affinity_wins_over_a_pin(scene: vm.GuestResult) -> None:
    assert events(scene)["affinity_wins"][0] in (2, 3)


def test_no_other_task_runs_on_an_exclusive_cpu(scene: vm.GuestResult) -> None:
    assert ran_on(scene, "exclusive-foreign").keys() == {0, 1, 2}
    assert ran_on(scene, "exclusive-pinned").keys() == {0, 1}


def test_the_owner_runs_on_its_cpus_only(scene: vm.GuestResult) -> None:
    owner = ran_on(scene, "exclusive-owner")
    assert owner.keys() == {3}
    assert owner[3] > 600


def test_affinity_that_leaves_no_choice_opens_an_exclusive_cpu(scene: vm.GuestResult) -> None:
    assert ran_on(scene, "exclusive-affinity")[3] > 150


def test_shares_follow_weights(scene: vm.GuestResult) -> None:
    ratio = ran_ms(scene, "share-heavy") / ran_ms(scene, "share-plain")
    assert 4 * 0.93 < ratio < 4 * 1.07


def test_a_level_is_a_bounded_lead_and_leaves_shares_to_the_weights(
    scene: vm.GuestResult,
) -> None:
    urgent, low = ran_ms(scene, "share-urgent"), ran_ms(scene, "share-low")
    # Urgent leads low by 80 ms of virtual time, once; then they are equal.
    assert 0 <= urgent - low < 200
    assert low > 800


def test_equal_tasks_get_equal_shares(scene: vm.GuestResult) -> None:
    shares = [ran_ms(scene, f"equal-{i}") for i in range(1, 9)]
    mean = sum(shares) / len(shares)
    assert all(abs(share - mean) < 0.1 * mean for share in shares)


def test_never_stays_where_it_was_placed(scene: vm.GuestResult) -> None:
    cpus = scene.files["wakes-stay"].split()[1:]
    # The first CPU is where it ran before it had its name.
    assert len(set(cpus[1:])) == 1


@pytest.mark.parametrize("by", ["pipe", "udp"])
def test_a_message_does_not_wait_for_its_sender_beside_an_idle_cpu(
    scene: vm.GuestResult, by: str
) -> None:
    """The kernel says that the sender is about to sleep, but it computes for 4 ms."""
    waits_us = [int(line) for line in scene.files[f"notify-{by}"].split()]
    assert len(waits_us) == 30
    assert max(waits_us) < 1000


def test_the_scheduler_is_in_force_to_the_end(scene: vm.GuestResult) -> None:
    assert scene.files["state"] == b"enabled\n"


def test_a_cpu_gets_the_performance_target_of_its_task(scene: vm.GuestResult) -> None:
    asked: dict[int, list[int]] = {cpu: [] for cpu in range(4)}
    for cpu, perf in re.findall(r"cpu=(\d+) perf=(\d+)", scene.files["perf"].decode()):
        asked[int(cpu)].append(int(perf))
    assert 512 in asked[1]
    assert 102 in asked[2]
    # After a pause the load is low; a task that does not sleep makes it the CPU's most.
    assert min(asked[3]) < 256
    assert 1024 in asked[3][asked[3].index(min(asked[3])) :]
