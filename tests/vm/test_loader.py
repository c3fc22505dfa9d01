# SPDX-License-Identifier: Apache-2.0
"""gthulhu-loader on real kernels: whatever happens, the machine goes on under EEVDF."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import loader_objects
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

OBJECTS = {
    "fifo": (),
    "stall": ("STALL",),
    "fail": ("FAIL_INIT",),
    "future": ("FUTURE",),
    "rejected": ("REJECTED",),
    "new": ("KERNEL_MIN=(99<<16)",),
    "pin1": ("PIN_CPU=1",),
    "pin3": ("PIN_CPU=3",),
    "foreign": ("FOREIGN",),
}
# Messages provoked on purpose; any other kernel message fails the run.
STALL = r'"fifo" disabled \(runnable task stall\)'
HOTPLUG = r'"fifo" disabled \(unregistered from the main kernel\)'
SYSRQ = r'"fifo" disabled \(disabled by sysrq-S\)'
INIT_FAILED = r'"fifo" disabled \(runtime error\)'


@dataclass(frozen=True)
class Scene:
    """One loader's life in a guest."""

    guest: vm.GuestResult
    name: str

    def _text(self, ending: str) -> str:
        return self.guest.files[f"{self.name}.{ending}"].decode()

    @property
    def out(self) -> str:
        return self._text("out")

    @property
    def err(self) -> str:
        return self._text("err")

    @property
    def status(self) -> int:
        return int(self._text("status"))

    def left_the_machine_under_eevdf(self) -> bool:
        return self._text("state") == "disabled\n"

    def every_task_runs(self) -> bool:
        return self._text("alive") == "lost:\n"


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("objects")
    built = {
        f"{name}.bpf.o": loader_objects.build(folder / f"{name}.bpf.o", *defines)
        for name, defines in OBJECTS.items()
    }
    return {**built, **guest_programs.build(folder, "worker")}


def run(
    script: str,
    objects: dict[str, Path],
    *,
    kernel: str = "7.2",
    cmdline: str = "",
    clock: Clock = Clock.TCG_TURNS,
    provokes: tuple[str, ...] = (),
) -> vm.GuestResult:
    passwd = b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"
    request = vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{script}",
        kernel=kernel,
        cmdline=cmdline,
        clock=clock,
        files={
            **guest_loader.FILES,
            # The name of a script is that of its task.
            "bin/victim": b"#!/bin/sh\nwhile :; do usleep 50000; done\n",
            "/etc/passwd": passwd,
            **objects,
        },
        deadline_s=600,
        allow_splats=provokes,
    )
    return vm.run(request).check()


LIFE = """
start_workers

start stopped fifo.bpf.o
await_line stopped enabled
cat $STATE /sys/kernel/sched_ext/root/ops >$RESULTS/in-force
alive in-force
kill -TERM $LOADER
finish stopped
alive stopped

start killed fifo.bpf.o
await_line killed enabled
killall -9 gthulhu-loader
finish killed
alive killed

start stalled stall.bpf.o
await_line stalled enabled
victim &
WORKERS="$WORKERS $!"
# Forgotten as soon as it wants to run again.
finish stalled
alive stalled

start again fifo.bpf.o
await_line again enabled
kill -INT $LOADER
finish again
"""


@pytest.fixture(scope="module", params=["6.16", "6.18", "7.0", "7.2"])
def life(request: pytest.FixtureRequest, objects: dict[str, Path]) -> vm.GuestResult:
    return run(LIFE, objects, kernel=request.param, clock=Clock.ICOUNT, provokes=(STALL,))


def test_loads_on_every_kernel(life: vm.GuestResult) -> None:
    scene = Scene(life, "stopped")
    release = life.environment.kernel
    assert scene.out == f"fifo: enabled on 2 CPUs (kernel {release})\nfifo: stopped\n"
    assert scene.err == ""
    assert life.files["in-force"] == b"enabled\nfifo\n"
    assert Scene(life, "in-force").every_task_runs()


def test_sigterm_stops_the_scheduler(life: vm.GuestResult) -> None:
    scene = Scene(life, "stopped")
    assert scene.status == 0
    assert scene.left_the_machine_under_eevdf()
    assert scene.every_task_runs()


def test_sigkill_leaves_eevdf(life: vm.GuestResult) -> None:
    scene = Scene(life, "killed")
    assert scene.status == 128 + signal.SIGKILL
    assert scene.left_the_machine_under_eevdf()
    assert scene.every_task_runs()


def test_stall_is_ejected_with_its_reason(life: vm.GuestResult) -> None:
    scene = Scene(life, "stalled")
    assert scene.status == 3
    assert re.fullmatch(
        r"gthulhu-loader: fifo: ejected by the kernel: runnable task stall "
        r"\(victim\[\d+\] failed to run for \d\.\d+s\)\n  help: .*\n",
        scene.err,
    ), scene.err
    assert scene.left_the_machine_under_eevdf()
    assert scene.every_task_runs()


def test_loads_again_after_a_kill_and_a_stall(life: vm.GuestResult) -> None:
    scene = Scene(life, "again")
    assert scene.status == 0
    assert "enabled on 2 CPUs" in scene.out
    assert scene.left_the_machine_under_eevdf()


# The pauses go past the whole load, whose length is measured first; a later one may take longer.
INTERRUPTS = """
start_workers
began=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
start whole fifo.bpf.o
await_line whole enabled
ended=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
kill -INT $LOADER
finish whole
took_us=$(((ended - began) * 10000))

for tenth in 0 1 2 3 4 5 6 7 8 9 10 20; do
    start int-$tenth fifo.bpf.o
    usleep $((took_us * tenth / 10))
    kill -INT $LOADER
    # A shell's background jobs ignore SIGINT until they take it themselves.
    usleep 300000
    kill -INT $LOADER
    finish int-$tenth
    start kill-$tenth fifo.bpf.o
    usleep $((took_us * tenth / 10 + took_us / 20))
    kill -KILL $LOADER
    finish kill-$tenth
done
alive interrupted
"""


def test_interrupted_at_any_moment_of_the_load(objects: dict[str, Path]) -> None:
    guest = run(INTERRUPTS, objects, clock=Clock.ICOUNT)
    endings = set()
    for tenth in (*range(11), 20):
        scene = Scene(guest, f"int-{tenth}")
        assert scene.status == 0, scene.name
        assert scene.err == ""
        assert scene.left_the_machine_under_eevdf(), scene.name
        endings.add(scene.out.partition("\n")[0].partition(" (")[0])
        scene = Scene(guest, f"kill-{tenth}")
        assert scene.status == 128 + signal.SIGKILL
        assert scene.left_the_machine_under_eevdf(), scene.name
    # The moments did lie before and after the policy was in force.
    assert {"fifo: stopped before it was enabled", "fifo: enabled on 2 CPUs"} <= endings
    assert Scene(guest, "interrupted").every_task_runs()


REFUSALS = """
start_workers

start first fifo.bpf.o
await_line first enabled
attempt second fifo.bpf.o
kill -TERM $(pidof gthulhu-loader)
await_state disabled

for object in new pin3 foreign fail rejected; do
    attempt $object $object.bpf.o
done
attempt missing nowhere.bpf.o

echo 0 >/sys/devices/system/cpu/cpu1/online
attempt pin1 pin1.bpf.o
echo 1 >/sys/devices/system/cpu/cpu1/online

su nobody -s /bin/sh -c 'gthulhu-loader fifo.bpf.o' >$RESULTS/nobody.out 2>$RESULTS/nobody.err
echo $? >$RESULTS/nobody.status
cat $STATE >$RESULTS/nobody.state

mount -t tmpfs none /sys/kernel/sched_ext
gthulhu-loader fifo.bpf.o >$RESULTS/without.out 2>$RESULTS/without.err
echo $? >$RESULTS/without.status
umount /sys/kernel/sched_ext
cat $STATE >$RESULTS/without.state

umount /sys/kernel/* 2>/dev/null
mount -t tmpfs none /sys
gthulhu-loader fifo.bpf.o >$RESULTS/sysfs.out 2>$RESULTS/sysfs.err
echo $? >$RESULTS/sysfs.status
umount /sys
cat $STATE >$RESULTS/sysfs.state
alive refused
"""


@pytest.fixture(scope="module")
def refusals(objects: dict[str, Path]) -> vm.GuestResult:
    return run(REFUSALS, objects, provokes=(INIT_FAILED,))


@pytest.mark.parametrize(
    ("name", "reason", "remedy"),
    [
        ("second", "another gthulhu-loader is running: pid ", "`gthulhu stop` ends it"),
        ("new", "policy fifo (fifo.gpl) needs kernel 99.0 or later, this is 7.2", "newer kernel"),
        (
            "pin3",
            "rule `poller` (fifo.gpl:12) needs CPU 3; this machine has 0-1 online",
            "change `cpus` in that rule",
        ),
        (
            "pin1",
            "rule `poller` (fifo.gpl:12) needs CPU 1; this machine has 0 online",
            "bring the CPU online",
        ),
        ("foreign", "gthulhuc did not write it", "gthulhuc POLICY.gpl"),
        ("missing", "nowhere.bpf.o: No such file or directory", "gthulhuc POLICY.gpl"),
        ("nobody", "not permitted to load a scheduler", "run it as root"),
        ("without", "has no sched_ext", "CONFIG_SCHED_CLASS_EXT=y"),
        ("sysfs", "sysfs is not mounted", "mount -t sysfs"),
        ("fail", "the kernel did not enable it: ", "init() failed (-7)"),
        ("rejected", "the kernel refuses to load it: ", "\n  | "),
    ],
)
def test_refuses_with_reason_and_remedy(
    refusals: vm.GuestResult, name: str, reason: str, remedy: str
) -> None:
    scene = Scene(refusals, name)
    assert scene.status == 1
    assert scene.out == ""
    assert reason in scene.err
    assert remedy in scene.err
    if name != "second":
        assert scene.left_the_machine_under_eevdf()


def test_refusals_change_nothing(refusals: vm.GuestResult) -> None:
    assert Scene(refusals, "refused").every_task_runs()


def test_verifier_log_is_cut_to_its_end(refusals: vm.GuestResult) -> None:
    lines = Scene(refusals, "rejected").err.splitlines()
    assert 5 < len(lines) < 40


def test_malformed_btf(objects: dict[str, Path]) -> None:
    guest = run("attempt malformed fifo.bpf.o", objects, kernel="7.1")
    scene = Scene(guest, "malformed")
    assert scene.status == 1
    assert f"the BTF of kernel {guest.environment.kernel} is malformed: scx_bpf_" in scene.err
    assert "exposes its hidden argument `aux`" in scene.err
    assert "help: boot another kernel" in scene.err
    assert "libbpf" not in scene.err
    assert scene.left_the_machine_under_eevdf()


LIFE_OF_CHANGES = """
start_workers

start hotplug fifo.bpf.o
await_line hotplug 'enabled on 2'
echo 0 >/sys/devices/system/cpu/cpu1/online
await_line hotplug 'enabled on 1'
await_state enabled
alive hotplug
echo 1 >/sys/devices/system/cpu/cpu1/online
await_line hotplug 'enabled on' 3
kill -TERM $LOADER
finish hotplug

start sysrq -v fifo.bpf.o
await_line sysrq enabled
echo S >/proc/sysrq-trigger
finish sysrq
alive sysrq

start future -v future.bpf.o
await_line future enabled
kill -TERM $LOADER
finish future

# Nobody reads the news any more.
mkfifo pipe
gthulhu-loader fifo.bpf.o >pipe 2>$RESULTS/deaf.err &
LOADER=$!
head -n 1 <pipe >$RESULTS/deaf.out
sleep 1
cat $STATE >$RESULTS/deaf-in-force
kill -TERM $LOADER
finish deaf

start quiet --quiet fifo.bpf.o
await_state enabled
kill -TERM $LOADER
finish quiet
"""


@pytest.fixture(scope="module")
def changes(objects: dict[str, Path]) -> vm.GuestResult:
    return run(LIFE_OF_CHANGES, objects, provokes=(HOTPLUG, SYSRQ))


def test_loads_again_after_hotplug(changes: vm.GuestResult) -> None:
    scene = Scene(changes, "hotplug")
    release = changes.environment.kernel
    again = "fifo: reloading after CPU hotplug\n"
    assert scene.out == (
        f"fifo: enabled on 2 CPUs (kernel {release})\n{again}"
        f"fifo: enabled on 1 CPU (kernel {release})\n{again}"
        f"fifo: enabled on 2 CPUs (kernel {release})\nfifo: stopped\n"
    )
    assert scene.err == ""
    assert scene.status == 0
    assert scene.every_task_runs()
    assert scene.left_the_machine_under_eevdf()


def test_operator_can_stop_the_scheduler(changes: vm.GuestResult) -> None:
    scene = Scene(changes, "sysrq")
    assert scene.status == 4
    assert re.search(r"gthulhu-loader: fifo: disabled on request: .*(?i:sysrq)", scene.err)
    assert scene.left_the_machine_under_eevdf()
    assert scene.every_task_runs()


def test_callback_that_the_kernel_lacks_is_left_out(changes: vm.GuestResult) -> None:
    scene = Scene(changes, "future")
    assert scene.status == 0
    assert "ops.foresee: not in this kernel, left out" in scene.err
    assert "ops.foresight: not in this kernel, left out" in scene.err
    assert "ops.dispatch: " not in scene.err


def test_lost_reader_changes_nothing(changes: vm.GuestResult) -> None:
    assert changes.files["deaf-in-force"] == b"enabled\n"
    assert Scene(changes, "deaf").status == 0


def test_quiet_loader_prints_nothing(changes: vm.GuestResult) -> None:
    scene = Scene(changes, "quiet")
    assert (scene.status, scene.out, scene.err) == (0, "", "")


def test_isolated_cpus(objects: dict[str, Path]) -> None:
    guest = run("attempt isolated fifo.bpf.o", objects, cmdline="isolcpus=1")
    scene = Scene(guest, "isolated")
    assert scene.status == 1
    assert "the kernel refuses to enable it" in scene.err
    assert "boot without isolcpus=" in scene.err
    assert scene.left_the_machine_under_eevdf()


def test_lockdown(objects: dict[str, Path]) -> None:
    script = """
        attempt unseen fifo.bpf.o
        mount -t securityfs none /sys/kernel/security
        attempt seen fifo.bpf.o
    """
    guest = run(script, objects, cmdline="lockdown=confidentiality")
    for name, reason in (
        ("unseen", "may be locked down"),
        ("seen", "the kernel is locked down (confidentiality)"),
    ):
        scene = Scene(guest, name)
        assert scene.status == 1
        assert reason in scene.err
        assert "boot with lockdown=integrity" in scene.err
        assert scene.left_the_machine_under_eevdf()
