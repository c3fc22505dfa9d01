# SPDX-License-Identifier: Apache-2.0
"""Faults around a policy: the machine goes on, and one line gives the reason."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import loader_objects
from extent import Extent
from gthulhu_lab import kernels, vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OOM = r"Memory cgroup out of memory"


def run(
    folder: Path,
    script: str,
    *,
    memory_mib: int = 1024,
    watchdog: str = "5s",
    deadline_s: int = 300,
    allow_splats: tuple[str, ...] = (OOM,),
    clocksource_watchdog: bool = False,
    kernel: str = kernels.DEFAULT_KERNEL,
) -> vm.GuestResult:
    source, policy = folder / "upf.gpl", folder / "upf.bpf.o"
    shipped = (ROOT / "policies" / "upf.gpl").read_text()
    assert "watchdog 5s" in shipped
    source.write_text(shipped.replace("watchdog 5s", f"watchdog {watchdog}"))
    subprocess.run(["gthulhuc", source, "-W", "no-all", "-o", policy], check=True)
    request = vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{script}",
        clock=Clock.TCG_TURNS,
        memory_mib=memory_mib,
        files={
            **guest_loader.FILES,
            **guest_programs.build(folder, "ask", "masses", "worker"),
            "upf.bpf.o": policy,
            "fifo.bpf.o": loader_objects.build(folder / "fifo.bpf.o"),
            "missing.bpf.o": loader_objects.build(folder / "missing.bpf.o", "MISSING"),
        },
        clocksource_watchdog=clocksource_watchdog,
        kernel=kernel,
        deadline_s=deadline_s,
        allow_splats=allow_splats,
    )
    return vm.run(request).check()


SHORTAGES = """
start_workers

attempt missing missing.bpf.o

umount /sys/fs/bpf
start without-bpffs upf.bpf.o
await_line without-bpffs enabled
kill -TERM $LOADER
finish without-bpffs
mount -t bpf none /sys/fs/bpf

mkdir -m 0700 /run/gthulhu 2>/dev/null
mount -t tmpfs -o size=16k,mode=0700 none /run/gthulhu
attempt disk-full upf.bpf.o
umount /run/gthulhu

# Less and less memory: it is loaded, or refused, or killed.
for mib in 24 12 6; do
    (ulimit -v $((mib * 1024)); exec gthulhu-loader --detach upf.bpf.o) \
        >$RESULTS/limit-$mib.out 2>$RESULTS/limit-$mib.err
    echo $? >$RESULTS/limit-$mib.status
    killall gthulhu-loader 2>/dev/null
    while pidof gthulhu-loader >/dev/null; do usleep 50000; done
    cat $STATE >$RESULTS/limit-$mib.state
done
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/small
for mib in 6 2; do
    echo ${mib}M >/sys/fs/cgroup/small/memory.max
    sh -c 'echo 0 >/sys/fs/cgroup/small/cgroup.procs; exec gthulhu-loader --detach upf.bpf.o' \
        >$RESULTS/cgroup-$mib.out 2>$RESULTS/cgroup-$mib.err
    echo $? >$RESULTS/cgroup-$mib.status
    killall gthulhu-loader 2>/dev/null
    while pidof gthulhu-loader >/dev/null; do usleep 50000; done
    await_state disabled
    cat $STATE >$RESULTS/cgroup-$mib.state
done
alive shortages
find /sys/fs/bpf -mindepth 1 >$RESULTS/pinned

start after upf.bpf.o
await_line after enabled
kill -TERM $LOADER
finish after
"""


@pytest.fixture(scope="module")
def shortages(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    return run(tmp_path_factory.mktemp("shortages"), SHORTAGES)


def text(guest: vm.GuestResult, name: str) -> str:
    return guest.files[name].decode()


def test_missing_kernel_function_is_reported(shortages: vm.GuestResult) -> None:
    assert text(shortages, "missing.status") == "1\n"
    assert "the kernel refuses to load it" in text(shortages, "missing.err")
    assert "scx_bpf_of_tomorrow" in text(shortages, "missing.err")
    assert text(shortages, "missing.state") == "disabled\n"


def test_without_bpffs(shortages: vm.GuestResult) -> None:
    assert text(shortages, "without-bpffs.status") == "0\n"
    assert text(shortages, "without-bpffs.err") == ""


def test_no_room_for_the_state(shortages: vm.GuestResult) -> None:
    assert text(shortages, "disk-full.status") == "1\n"
    said = text(shortages, "disk-full.err")
    assert re.match(r"gthulhu-loader: cannot write \S+: No space left on device\n", said)
    assert "help: free space in its file system" in said
    assert text(shortages, "disk-full.state") == "disabled\n"


def test_no_memory(shortages: vm.GuestResult) -> None:
    """In any case the policy is in force, or the loader says why it is not."""
    names = [name.removesuffix(".status") for name in shortages.files]
    endings = set()
    for name in names:
        if not name.startswith(("limit-", "cgroup-")) or f"{name}.status" not in shortages.files:
            continue
        status = int(text(shortages, f"{name}.status"))
        said = text(shortages, f"{name}.err")
        assert text(shortages, f"{name}.state") == "disabled\n", name
        assert status in {0, 1, 137}, (name, status, said)
        if status == 0:
            assert "enabled on 2 CPUs" in text(shortages, f"{name}.out")
        if status == 1:
            assert said.startswith("gthulhu-loader: "), (name, said)
        endings.add((name.partition("-")[0], status))
    assert ("limit", 1) in endings
    assert endings & {("cgroup", 1), ("cgroup", 137)}


def test_shortages_change_nothing(shortages: vm.GuestResult) -> None:
    assert text(shortages, "shortages.alive") == "lost:\n"
    assert text(shortages, "pinned") == ""
    assert text(shortages, "after.status") == "0\n"


KILLS = """
start_workers
# Somewhere in so many tenths of a millisecond.
pause() { usleep $((RANDOM * $1 / 327)); }
gone() { while pidof gthulhu-loader >/dev/null; do usleep 20000; done; await_state disabled; }
now() { cut -d ' ' -f 1 /proc/uptime | tr -d .; }

began=$(now)
gthulhu-loader --detach fifo.bpf.o >/dev/null
tenths=$((($(now) - began) * 100 + 100))
# Clients of the loader.
for round in $(seq ASKING); do
    request=status
    [ $((round % 10)) != 0 ] || request="swap $PWD/fifo.bpf.o"
    ask $request >/dev/null 2>&1 &
    pause 100
    kill -9 $!
    wait $!
    ask status | grep -q '"in_force": true' && echo asking
done >$RESULTS/rounds 2>/dev/null
ask stop >/dev/null
gone
# The loader, as it loads.
for round in $(seq LOADING); do
    gthulhu-loader fifo.bpf.o >/dev/null 2>&1 &
    pause $tenths
    kill -9 $!
    wait $!
    gone && echo loading
done >>$RESULTS/rounds 2>/dev/null
# As another policy takes the place of one.
for round in $(seq EXCHANGING); do
    gthulhu-loader --detach fifo.bpf.o >/dev/null 2>&1 || echo refused
    ask swap $PWD/fifo.bpf.o >/dev/null 2>&1 &
    pause $tenths
    killall -9 gthulhu-loader
    wait $!
    gone && echo exchanging
done >>$RESULTS/rounds 2>/dev/null
alive killed
find /sys/fs/bpf -mindepth 1 >$RESULTS/pinned
start last fifo.bpf.o
await_line last enabled
kill -TERM $LOADER
finish last
ls /run/gthulhu >$RESULTS/left
"""


def test_killed_at_any_moment(tmp_path: Path, extent: Extent) -> None:
    wanted = dict(zip(("asking", "loading", "exchanging"), extent.loader_kills, strict=True))
    script = KILLS
    for name, count in wanted.items():
        script = script.replace(f"seq {name.upper()}", f"seq {count}")
    guest = run(tmp_path, script)
    rounds = text(guest, "rounds").split()
    assert {name: rounds.count(name) for name in set(rounds)} == wanted
    assert text(guest, "killed.alive") == "lost:\n"
    assert text(guest, "pinned") == ""
    assert text(guest, "last.status") == "0\n"
    # The next one removes what killed ones left.
    generations = [name for name in text(guest, "left").split() if name.startswith("generation-")]
    assert len(generations) == 4


MASSES = """
ulimit -u unlimited 2>/dev/null
echo 200000 >/proc/sys/kernel/pid_max
echo 200000 >/proc/sys/kernel/threads-max
echo 300000 >/proc/sys/vm/max_map_count
start_workers
start stormy upf.bpf.o
await_line stormy enabled
masses forks FORKS >$RESULTS/forks 2>&1
alive stormy
cat $STATE >$RESULTS/stormy.state

mkfifo go
masses tasks TASKS <go >$RESULTS/tasks 2>&1 &
crowd=$!
exec 9>go
while ! grep -q wait $RESULTS/tasks && kill -0 $crowd; do usleep 100000; done
cat $STATE >$RESULTS/crowded.state
# So many tasks change their scheduler: away, killed, and back.
kill -TERM $LOADER
finish stopped
start killed upf.bpf.o
await_line killed enabled
kill -9 $LOADER
finish killed
await_state disabled
start again upf.bpf.o
await_line again enabled
echo now >&9
wait $crowd
echo $? >$RESULTS/tasks.status
alive crowded
cat $STATE >$RESULTS/again.state
kill -TERM $LOADER
finish done
"""


def test_forks_and_tasks_without_end(tmp_path: Path, extent: Extent) -> None:
    script = MASSES.replace("forks FORKS", f"forks {extent.forks}")
    script = script.replace("tasks TASKS", f"tasks {extent.tasks}")
    # 50,000 tasks that end at once take an emulated CPU longer than the policy's watchdog waits
    # for a kernel thread, which has its turn after those that were woken before it.
    guest = run(tmp_path, script, memory_mib=6144, watchdog="30s", deadline_s=900)
    assert re.fullmatch(r"\d+ forks per second\n", text(guest, "forks"))
    assert text(guest, "tasks") == f"{extent.tasks} wait\n{extent.tasks} have run\n"
    assert text(guest, "tasks.status") == "0\n"
    for name in ("stormy", "crowded"):
        assert text(guest, f"{name}.alive") == "lost:\n"
        assert text(guest, f"{name}.state") == "enabled\n"
    assert text(guest, "again.state") == "enabled\n"
    assert (text(guest, "stopped.status"), text(guest, "done.status")) == ("0\n", "0\n")
    assert text(guest, "killed.state") in {"disabled\n", "disabling\n"}
    assert text(guest, "again.err") == ""


SUSPENSION = """
start_workers
start one upf.bpf.o
await_line one enabled
echo deep >/sys/power/mem_sleep
echo +2 >/sys/class/rtc/rtc0/wakealarm
echo mem >/sys/power/state
echo $? >$RESULTS/woken
await_line one enabled 2
alive suspended
ask status >$RESULTS/suspended.json
kill -TERM $LOADER
finish one
# The emulated machine has forgotten how it is switched off. Where it starts anew, QEMU ends, too:
# when the first process has sent the results and asks for the name of one more port.
for port in /sys/class/virtio-ports/*; do
    mkdir -p /tmp/ports/${port##*/}
    cat $port/name >/tmp/ports/${port##*/}/name
done
mkdir /tmp/ports/zz
mkfifo /tmp/ports/zz/name
mount --bind /tmp/ports /sys/class/virtio-ports
(echo >/tmp/ports/zz/name; echo b >/proc/sysrq-trigger) &
"""


def test_suspend_to_memory(tmp_path: Path) -> None:
    """The kernel takes all CPUs but one away meanwhile, and the scheduler with them."""
    unregistered = r"disabled \(unregistered from the main kernel\)"
    # Only so does the emulated machine come back from its sleep: with this watchdog, and with a
    # kernel that the firmware has started, as a user's own is.
    guest = run(
        tmp_path,
        SUSPENSION,
        allow_splats=(unregistered,),
        clocksource_watchdog=True,
        kernel=str(kernels.ensure().image_path),
    )
    assert text(guest, "woken") == "0\n"
    assert "PM: suspend entry (deep)" in guest.dmesg
    assert "PM: suspend exit" in guest.dmesg
    answer = json.loads(text(guest, "suspended.json"))
    assert (answer["in_force"], answer["generation"], answer["restarts"]) == (True, 1, 0)
    assert text(guest, "suspended.alive") == "lost:\n"
    assert text(guest, "one.err") == ""
    assert "upf: reloading after CPU hotplug\n" in text(guest, "one.out")
    assert (text(guest, "one.status"), text(guest, "one.state")) == ("0\n", "disabled\n")
