# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The lab on real virtual machines."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gthulhu_lab import clock, kernels, selftest, vm
from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioExperiment
from gthulhu_lab.vm import Backend, Clock, GuestRequest

pytestmark = pytest.mark.vm

SHORT = Scenario(cpus=2, hogs=4, samples=200, warmup=20, pipe_warmup=200, pipe_batches=4)


def test_this_qemu_is_good_for_latencies() -> None:
    latest_ns = selftest.run()

    assert len(latest_ns) == 4
    assert max(latest_ns.values()) < selftest.LIMIT_NS


@pytest.mark.parametrize("backend", [Backend.INITRAMFS, Backend.VIRTME_IMAGE])
def test_every_figure_is_the_same_twice_and_another_with_another_seed(backend: Backend) -> None:
    def run(*seeds: int) -> list[tuple[object, str]]:
        experiments = [
            ScenarioExperiment(EEVDF, SHORT, seed=seed, backend=backend) for seed in seeds
        ]
        results = vm.side_by_side(vm.run, [experiment.request() for experiment in experiments], 2)
        pairs = zip(experiments, results, strict=True)
        runs = [experiment.read(result.check()) for experiment, result in pairs]
        return [
            ((run.wakeup_ns, run.round_trip_ns, run.hog_turns), result.dmesg)
            for run, result in zip(runs, results, strict=True)
        ]

    first, second, other = run(7, 7, 8)
    parted = next(differences(first[1], second[1]), "after the kernel's last message")
    assert first[0] == second[0], f"the guests part: {parted}"
    assert first[0] != other[0]


def differences(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Lines of two texts that are not the same."""
    lines = zip(one.splitlines(), other.splitlines(), strict=False)
    return ((a, b) for a, b in lines if a != b)


def test_eight_busy_cpus_are_as_fast_as_four() -> None:
    def seconds(cpus: int) -> float:
        script = """
        read before _ </proc/uptime
        for each in $(seq $(nproc)); do
            awk 'BEGIN { for (i = 0; i < 60000; i++) sum += i }' &
        done
        wait
        read after _ </proc/uptime
        echo $before $after >$RESULTS/times
        """
        instruction_ns = clock.instruction_ns(cpus)
        guest = vm.run(GuestRequest(script=script, cpus=cpus, instruction_ns=instruction_ns))
        before, after = map(float, guest.check().text("times").split())
        return after - before

    four = seconds(4)
    assert four > 0.1  # uptimes are rounded to 10 ms
    assert seconds(8) == pytest.approx(four, rel=0.2)


@pytest.mark.parametrize("series", kernels.SERIES)
def test_a_kernel_boots_with_all_that_tests_need(series: str) -> None:
    script = """
        set -e
        uname -r
        cat /sys/kernel/sched_ext/state
        for type in proc sysfs devtmpfs tmpfs cgroup2 bpf debugfs tracefs; do
            grep -q " $type " /proc/mounts || { echo "no $type"; exit 1; }
        done
        ping -c 1 -W 1 127.0.0.1 >/dev/null || { echo "lo is down"; exit 1; }
        hello >"$RESULTS/folder-made-by-script" 2>&1
        [ "$(cat /opt/absolute)" = there ]
    """
    hello = b"#!/bin/sh\necho hello from $LAB\n"
    result = vm.run(
        GuestRequest(
            script=script,
            kernel=series,
            clock=Clock.TCG_TURNS,
            files={"bin/hello": hello, "/opt/absolute": b"there"},
        )
    ).check()

    assert result.stdout.split() == [result.environment.kernel, "disabled"]
    assert result.environment.kernel.startswith(f"{series}.")
    assert result.files == {"folder-made-by-script": b"hello from /lab\n"}


def test_a_guest_reads_its_kernels_configuration() -> None:
    script = 'grep -x CONFIG_SCHED_CLASS_EXT=y "/boot/config-$(uname -r)"'

    vm.run(GuestRequest(script=script, clock=Clock.TCG_TURNS)).check()


def test_modules_are_loaded_with_their_dependencies() -> None:
    script = 'cut -d" " -f1 /proc/modules'
    request = GuestRequest(script=script, modules=("veth", "vxlan"), clock=Clock.TCG_TURNS)
    result = vm.run(request).check()

    assert {"veth", "vxlan", "udp_tunnel"} <= set(result.stdout.split())


def test_a_virtme_ng_guest_sees_the_host_and_its_own_files() -> None:
    marker = f"seen by {os.getpid()}".encode()
    script = """
        cat "$LAB/marker" && echo
        uname -r
        echo x >"$RESULTS/x"
        exit 5
    """
    result = vm.run(
        GuestRequest(
            script=script,
            backend=Backend.VIRTME,
            clock=Clock.TCG_TURNS,
            files={"marker": marker},
        )
    )

    assert result.status == 5, result.explain()
    assert result.stdout.splitlines() == [marker.decode(), result.environment.kernel]
    assert result.files == {"x": b"x\n"}
    assert not result.splats


def test_a_kernel_that_crashes_is_a_failed_run() -> None:
    request = GuestRequest(
        script="echo c >/proc/sysrq-trigger; exit 0", clock=Clock.TCG_TURNS, deadline_s=60
    )
    result = vm.run(request)

    assert result.status is None
    assert any("sysrq triggered crash" in splat for splat in result.splats)
    assert not result.ok


def test_a_kernel_that_complains_fails_a_script_that_does_not() -> None:
    request = GuestRequest(
        script='echo "<4>BUG: made by a test" >/dev/kmsg; exit 0', clock=Clock.TCG_TURNS
    )
    result = vm.run(request)

    assert (result.status, result.splats, result.ok) == (0, ("BUG: made by a test",), False)
    # The same from an image, as a user's own kernel is named.
    kernel = kernels.ensure(request.kernel)
    own = replace(request, allow_splats=("made by a test",), kernel=str(kernel.image_path))
    result = vm.run(own)
    assert result.ok
    assert result.environment.kernel == kernel.release


def test_a_script_that_begins_too_early_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gthulhu_lab.vm.BOOT_US", 20_000_000)
    with pytest.raises(LabError, match=r"booted in 12\.\d+ s, but .* in the first 20 s"):
        vm.run(GuestRequest(script="exit 0"))


@pytest.mark.parametrize("backend", Backend)
def test_a_deadline_leaves_no_process_and_no_file(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    result = vm.run(
        GuestRequest(
            script="sleep 1000",
            backend=backend,
            clock=Clock.TCG_TURNS,
            # Before its init runs a kernel takes no SysRq.
            deadline_s=30 if backend is Backend.INITRAMFS else 6,
        )
    )

    assert result.timed_out
    assert result.status is None
    if backend is Backend.INITRAMFS:
        said = result.explain()
        assert "RIP=" in said
        assert "task:sleep" in said
        assert "task:kthreadd" in said
        assert "task:kswapd0" not in said
    assert not list(tmp_path.glob("gthulhu-lab-*"))
    assert list(mentioning(str(tmp_path))) == []


def mentioning(text: str) -> Iterator[int]:
    """Returns processes with a text on their command line, a second after their end."""
    time.sleep(1)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if text.encode() in command:
                yield int(entry.name)
