# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The outputs of a guest: kernel messages, results, and processes that must end."""

from __future__ import annotations

import io
import sys
import tarfile
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gthulhu_lab import kernels, kvm, processes, qemu, selftest, silence
from gthulhu_lab.console import find_splats, while_it_ran
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioExperiment, Size, Subject
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestResult

ENVIRONMENT = GuestEnvironment(
    clock=Clock.ICOUNT,
    backend=Backend.INITRAMFS,
    kernel="7.2.13+deb14-cloud-amd64",
    cpus=4,
    memory_mib=1024,
    qemu="10.0.2",
    seed=7,
)
RESULT = GuestResult(
    status=0,
    files={},
    stdout="",
    stderr="",
    console="",
    dmesg="",
    splats=(),
    timed_out=False,
    wall_s=1.0,
    environment=ENVIRONMENT,
)


@pytest.mark.parametrize(
    "line",
    [
        "[   12.345678] WARNING: CPU: 1 PID: 77 at kernel/sched/ext.c:1234 scx_claim_exit+0x1/0x2",
        "[   12.345678] WARNING: kernel/sched/ext.c:5678 at scx_disable+0x10/0x20, CPU#1: sh/81",
        "[   12.345678] BUG: kernel NULL pointer dereference, address: 0000000000000010",
        "[   12.345678] BUG: sleeping function called from invalid context at mm/slab.h:321",
        "[   12.345678] Oops: int3: 0000 [#1] SMP NOPTI",
        "[   12.345678] Oops: Oops: 0002 [#1] SMP NOPTI",
        "[   12.345678] general protection fault, probably for non-canonical address 0xdead",
        "[   44.000000] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [hog:99]",
        "[   44.000000] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
        "[  244.000000] INFO: task kworker/0:1:12 blocked for more than 120 seconds.",
        "[    3.214860] Kernel panic - not syncing: sysrq triggered crash",
        '[   10.12] sched_ext: BPF scheduler "fifo" disabled (runnable task stall)',
        '[   10.12] sched_ext: BPF scheduler "fifo" disabled (runtime error)',
        "<4>[   10.123456] [   T81] WARNING: possible circular locking dependency detected",
    ],
)
def test_a_kernel_in_trouble_is_noticed(line: str) -> None:
    log = f"[    1.0] Linux version 7.2.13\n{line}\r\n[   50.0] reboot: Power down\n"

    assert len(find_splats(log)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "[    0.12] Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on",
        "[    1.068770] mtrr: your CPUs had inconsistent fixed MTRR settings",
        '[   10.12] sched_ext: BPF scheduler "fifo" enabled',
        '[   12.34] sched_ext: BPF scheduler "fifo" disabled (unregistered from user space)',
        "[    0.5] DEBUG: not a bug",
        "[    0.5] audit: WARNING is not at the start here",
        "[    0.0] Kernel command line: panic=-1 oops=panic",
        "[    1.0] NMI watchdog: Perf NMI watchdog permanently disabled",
    ],
)
def test_a_kernel_that_only_talks_is_left_alone(line: str) -> None:
    assert find_splats(line) == []


def test_only_an_allowed_kernel_message_is_ignored() -> None:
    stall = 'sched_ext: BPF scheduler "fifo" disabled (runnable task stall)'
    log = f"[ 1.0] {stall}\n[ 2.0] BUG: kernel NULL pointer dereference\n[ 3.0] {stall}\n"

    assert find_splats(log) == [stall, "BUG: kernel NULL pointer dereference"]
    assert find_splats(log, [r'"fifo" disabled \(']) == ["BUG: kernel NULL pointer dereference"]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (replace(RESULT, status=3), "exited with 3"),
        (replace(RESULT, status=None), "without a result"),
        (replace(RESULT, status=None, timed_out=True), "past its deadline"),
        (replace(RESULT, splats=("BUG: x",)), "kernel: BUG: x"),
    ],
)
def test_a_failed_guest_says_why(result: GuestResult, reason: str) -> None:
    assert not result.ok
    with pytest.raises(GuestError, match=reason):
        result.check()


def test_a_good_guest_is_good() -> None:
    assert RESULT.check() is RESULT


SCENARIO = Scenario(samples=3, hogs=2, pipe_batches=2, pipe_trips=10)
FIGURES = {
    "wakeup-ping": b"1000\n3000\n2000\n",
    "wakeup-other": b"10\n20\n30\n",
    "round-trips": b"270000\n280000\n",
    "round-trips-two": b"250000\n260000\n",
    "hogs": b"5\n6\n2000000\n",
}


def test_figures_are_read_with_all_samples() -> None:
    run = ScenarioExperiment(EEVDF, SCENARIO).read(replace(RESULT, files=FIGURES))

    assert run.wakeup_ns == {"ping": [1000, 3000, 2000], "other": [10, 20, 30]}
    assert run.wakeup_us("ping", 100) == 3.0
    assert run.round_trip_ns == [27000.0, 28000.0]
    assert run.round_trip_two_ns == [25000.0, 26000.0]
    assert (run.hog_turns, run.hog_rate) == ([5, 6], 5.5)
    assert run.environment.kernel == "7.2.13+deb14-cloud-amd64"


def test_a_schedulers_size_is_the_growth_of_bpf() -> None:
    loaded = {
        **FIGURES,
        "enable-ns": b"700000000\n",
        "size-before": b"1\n100\n10\n2\n4096\n",
        "size-after": b"9\n1812\n184\n8\n64328\n",
    }
    run = ScenarioExperiment(Subject("scx", "scx"), SCENARIO).read(replace(RESULT, files=loaded))

    assert run.enable_ns == 700_000_000
    assert run.size == Size(
        programs=8, translated_bytes=1712, verified_instructions=174, maps=6, map_bytes=60232
    )
    with pytest.raises(GuestError, match="enable-ns"):
        ScenarioExperiment(Subject("scx", "scx"), SCENARIO).read(replace(RESULT, files=FIGURES))


def test_without_wake_ups_there_are_round_trips_alone() -> None:
    switches = SCENARIO.model_copy(update={"samples": 0})
    files = {name: text for name, text in FIGURES.items() if name.startswith("round-trips")}
    run = ScenarioExperiment(EEVDF, switches).read(replace(RESULT, files=files))

    assert run.wakeup_ns == {"ping": [], "other": []}
    assert run.round_trip_ns == [27000.0, 28000.0]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("wakeup-ping", b"1000\n2000\n"),
        ("wakeup-other", b"10\nx\n30\n"),
        ("hogs", None),
        ("hogs", b"5\n6\n"),
        ("round-trips-two", None),
    ],
)
def test_figures_that_are_not_whole_are_refused(name: str, content: bytes | None) -> None:
    files = {key: value for key, value in FIGURES.items() if key != name}
    if content is not None:
        files[name] = content
    with pytest.raises(GuestError, match=name):
        ScenarioExperiment(EEVDF, SCENARIO).read(replace(RESULT, files=files))


def test_the_self_test_refuses_a_late_clock() -> None:
    good = {f"cpu{cpu}": b"55000\n" * 100 for cpu in range(4)}
    late = {**good, "cpu2": b"55000\n" * 99 + b"132000000\n"}

    assert selftest.judge(replace(RESULT, files=good), 4) == dict.fromkeys(range(4), 55000)
    with pytest.raises(LabError, match="CPU 2 woke up 132000 µs late"):
        selftest.judge(replace(RESULT, files=late), 4)
    with pytest.raises(GuestError, match="cpu3: expected 100 samples, found 0"):
        selftest.judge(replace(RESULT, files={**good, "cpu3": b""}), 4)


# A child, a grandchild in a process group of its own, and a note of the latter's pid.
FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "600"], process_group=0)
print(child.pid, flush=True)
time.sleep(600)
"""


def test_no_process_is_left_after_a_deadline(tmp_path: Path) -> None:
    output = tmp_path / "out"
    alive: list[bool] = []
    with output.open("wb") as file:
        outcome = processes.run_with_deadline(
            [sys.executable, "-c", FAMILY], 5, file,
            past_deadline=lambda: alive.append(not is_gone(int(output.read_text()))),
        )  # fmt: skip

    assert outcome.timed_out
    assert outcome.wall_s < 20
    assert alive == [True]
    grandchild = int(output.read_text())
    assert is_gone(grandchild)


def test_facts_common_to_all_but_idle_kernel_threads() -> None:
    said = (
        "[    9.1] sysrq: Show State\n"
        "[    9.1] task:init            state:S stack:0     pid:1     ppid:0      flags:0x0\n"
        "[    9.1]  do_wait+0x5b/0x100\n"
        "[    9.1] task:ksoftirqd/0     state:S stack:0     pid:15    ppid:2      flags:0x0\n"
        "[    9.1]  smpboot_thread_fn+0xf3/0x220\n"
        "[    9.1] task:kworker/1:1     state:D stack:0     pid:16    ppid:2      flags:0x0\n"
        "[    9.1]  rcu_barrier_tasks_trace+0x8d/0xb00\n"
        "[    9.1] task:ask             state:S stack:0     pid:99    ppid:1      flags:0x0\n"
        "[    9.1]  unix_stream_read_generic+0x8d/0xb00\n"
    ).splitlines()
    assert silence.without_idle_threads(said) == [*said[:3], *said[5:]]


def test_background_processes_end_with_the_program(tmp_path: Path) -> None:
    script = "setsid true; sleep 600 & echo $!"
    output = tmp_path / "out"
    with output.open("wb") as file:
        outcome = processes.run_with_deadline(["sh", "-c", script], 30, file)

    assert outcome.status == 0
    assert is_gone(int(output.read_text()))


def is_gone(pid: int) -> bool:
    """Whether a process has ended; a zombie that nobody reaps here has."""
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        stat = Path(f"/proc/{pid}/stat")
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_the_kvm_verdict_is_remembered_for_one_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes: list[bool] = []

    def probe() -> bool:
        probes.append(True)
        return False

    boot_id = tmp_path / "boot_id"
    boot_id.write_text("first\n")
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    monkeypatch.setattr(kvm, "_BOOT_ID", boot_id)
    monkeypatch.setattr(kvm, "probe", probe)
    monkeypatch.setattr(qemu, "version", lambda: "10.0.2")
    monkeypatch.setattr("os.access", lambda *_arguments: True)

    assert [kvm.works(), kvm.works()] == [False, False]
    assert len(probes) == 1
    boot_id.write_text("second\n")
    assert kvm.works() is False
    assert len(probes) == 2


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)", "7.2.22 is too old"),
        ("QEMU emulator version 9.2.1", "9.2.1 is too old"),
        ("no such thing", "cannot read the version"),
    ],
)
def test_an_old_qemu_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, complaint: str
) -> None:
    fake = tmp_path / qemu.QEMU
    fake.write_text(f"#!/bin/sh\necho '{said}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    qemu.version.cache_clear()
    try:
        with pytest.raises(LabError, match=complaint):
            qemu.version()
    finally:
        qemu.version.cache_clear()


def test_the_log_of_a_step_is_plain_where_no_terminal_is() -> None:
    from gthulhu_lab.progress import Progress

    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.step("compiling")
        progress.step("measuring")

    assert stream.getvalue() == "compiling\nmeasuring\n"


def test_the_self_test_is_repeated_for_another_qemu_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    monkeypatch.setattr(selftest, "run", runs.append)
    monkeypatch.setattr(kernels, "ensure", lambda _series: SimpleNamespace(release="7.2.13"))
    monkeypatch.setattr(qemu, "version", lambda: "10.0.2")
    selftest.ensure()
    selftest.ensure()
    assert runs == ["7.2"]

    monkeypatch.setattr(qemu, "version", lambda: "11.1.0")
    selftest.ensure()
    assert runs == ["7.2", "7.2"]


def test_kernel_messages_at_power_off_are_ignored() -> None:
    console = (
        "[   12.900000] WARNING: kernel/fork.c:1\n"
        "[   13.313366] reboot: Power down\n"
        "[   13.313460] sched: Unexpected reschedule of offline CPU#2!\n"
        "[   13.313478] WARNING: arch/x86/kernel/apic/ipi.c:71 at native_smp_send_reschedule+0x28\n"
    )
    assert len(find_splats(console)) == 2
    assert find_splats(while_it_ran(console)) == ["WARNING: kernel/fork.c:1"]


def test_results_are_files_below_the_folder_alone(tmp_path: Path) -> None:
    job = tmp_path / "job"
    job.mkdir()
    with tarfile.open(job / "results.tar", "w") as archive:
        link = tarfile.TarInfo("figures")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        archive.addfile(link)
        for name in ("./figures/time", "../escaped", "/escaped", str(tmp_path / "escaped")):
            file = tarfile.TarInfo()
            file.name, file.size = name, 3
            archive.addfile(file, io.BytesIO(b"42\n"))

    qemu.unpack_results(job)

    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert set(written) == {job / "results.tar", job / "results" / "figures" / "time"}


def test_files_before_the_end_of_a_truncated_archive_are_kept(tmp_path: Path) -> None:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for name in ("first", "second"):
            file = tarfile.TarInfo(name)
            file.size = 5000
            archive.addfile(file, io.BytesIO(b"x" * 5000))
    (tmp_path / "results.tar").write_bytes(whole.getvalue()[:7000])

    qemu.unpack_results(tmp_path)

    assert (tmp_path / "results" / "first").read_bytes() == b"x" * 5000
