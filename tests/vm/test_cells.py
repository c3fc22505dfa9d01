# SPDX-License-Identifier: Apache-2.0
"""A machine with two caches in two nodes: each cell has its queue, and shares are the machine's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import guest_loader
import library
from extent import on_kernels
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

CPUS, HOGS = 8, 13
SECONDS = 4
# Numbers of queues, see templates/lib/queues.bpf.h.
FIRST, FIRST_RESCUE = 1 << 16, 1 << 17
MOST_APART = 0.07  # as far as ticks of 10 ms and a guest's own work go
POLICY = "policy cells { cgroups off }\ndefault { slice 2ms }\n"
# Searches for CPUs to interrupt, in the own cell and in others, are code for such machines alone.
PREEMPTS = """
policy preempts {}
rule first  { match comm == "first" priority urgent preempt after 200us budget 5ms per 50ms }
rule second { match comm == "second" priority high preempt cpus 0-5 }
rule third  { match comm == "third" priority low migrate eager }
rule last   { match comm == "last" priority idle }
"""

# Seven hogs begin in the first cell and six in the second one.
BUSY = f"""
start cells -v cells.bpf.o
await_line cells enabled
for hog in $(seq {HOGS}); do
    taskset -c $((hog % {CPUS})) sh -c 'taskset -p ff $$ >/dev/null; exec yes' >/dev/null &
    echo $! >>$RESULTS/hogs
done
cpu_times() {{
    for pid in $(cat $RESULTS/hogs); do
        awk '{{ print $14 + $15 }}' /proc/$pid/stat
    done
}}
# measure WHEN: the hogs' CPU times before and after some seconds
measure() {{
    sleep 1
    cpu_times >$RESULTS/$1-before
    sleep {SECONDS}
    cpu_times >$RESULTS/$1-after
}}
"""
# Which queues the kernel creates, and for which node each.
SCRIPT = f"""
tracing=/sys/kernel/tracing
echo 'p:queue scx_bpf_create_dsq queue=%di:x64 node=%si:s32' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/queue/enable
{BUSY}
echo 0 >$tracing/events/kprobes/queue/enable
grep -o 'queue=.*' $tracing/trace >$RESULTS/queues
measure both
killall yes
kill -TERM $LOADER
finish cells
start preempts -v preempts.bpf.o
await_line preempts enabled
kill -TERM $LOADER
finish preempts
"""
# All CPUs of the second node go, and come back.
HOTPLUG = f"""
{BUSY}
plug() {{
    for cpu in $(seq {CPUS // 2} {CPUS - 1}); do
        before=$(cat /sys/kernel/sched_ext/enable_seq)
        echo $1 >/sys/devices/system/cpu/cpu$cpu/online
        until [ $(cat /sys/kernel/sched_ext/enable_seq) -gt $before ]; do usleep 50000; done
        await_state enabled
    done
}}
plug 0
measure half
plug 1
measure whole
killall yes
kill -TERM $LOADER
finish cells
"""


@pytest.fixture(scope="module", params=on_kernels("7.2", "6.16"))
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("cells")
    sources = [folder / "cells.gpl", folder / "preempts.gpl"]
    for source, text in zip(sources, (POLICY, PREEMPTS), strict=True):
        source.write_text(text)
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            cpus=CPUS,
            nodes=2,
            files=guest_loader.objects(folder, *sources),
            deadline_s=300,
        )
    )


def test_the_loader_finds_both_cells(guest: vm.GuestResult) -> None:
    assert "2 cells of CPUs, each with queues of its own" in guest.files["cells.err"].decode()
    for name in ("cells", "preempts"):
        assert "enabled on 8 CPUs" in guest.files[f"{name}.out"].decode()


def test_each_queue_is_in_the_memory_of_its_cell(guest: vm.GuestResult) -> None:
    nodes = {
        int(queue, 16): int(node)
        for queue, node in re.findall(r"queue=(0x\w+) node=(-?\d+)", guest.text("queues"))
    }
    of_cpus = [nodes[cpu] for cpu in range(CPUS)]
    assert of_cpus == [0] * (CPUS // 2) + [1] * (CPUS // 2)
    # Each cell has a wide and a narrow queue; with one domain there are no others.
    of_cells = [nodes[queue] for queue in sorted(nodes) if FIRST <= queue < FIRST_RESCUE]
    assert of_cells == [0, 0, 1, 1]


def used(guest: vm.GuestResult, when: str) -> list[int]:
    """The CPU time of each hog, in ticks of 10 ms."""
    before, after = (
        [int(line) for line in guest.text(f"{when}-{name}").split()] for name in ("before", "after")
    )
    return [late - early for early, late in zip(before, after, strict=True)]


def assert_equal_and_busy(hogs: list[int], cpus: int) -> None:
    """All hogs have the same, and no CPU is idle beside them."""
    assert len(hogs) == HOGS
    # With queues that exchange nothing, seven of four CPUs have a seventh less than six of four.
    assert hogs == pytest.approx([sum(hogs) / HOGS] * HOGS, rel=MOST_APART)
    assert sum(hogs) / 100 > 0.97 * cpus * SECONDS


def test_hogs_that_cells_cannot_share_equally_have_equal_shares(guest: vm.GuestResult) -> None:
    assert_equal_and_busy(used(guest, "both"), CPUS)


@pytest.mark.soak
@pytest.mark.parametrize("kernel", ["6.16", "7.2"])
def test_every_policy_is_in_force_on_both_cells(kernel: str, tmp_path: Path) -> None:
    """The verifier keeps the code for cells there, and removes it on one."""
    script = "".join(
        f"""
        start {name} {name}.bpf.o
        await_line {name} enabled
        kill -TERM $LOADER
        finish {name}
        """
        for name in library.POLICIES
    )
    guest = guest_loader.run(
        vm.GuestRequest(
            script=script,
            kernel=kernel,
            cpus=CPUS,
            nodes=2,
            memory_mib=2048,
            files=guest_loader.objects(tmp_path, *library.POLICIES.values()),
            deadline_s=1800,
        )
    )
    for name in library.POLICIES:
        assert "enabled on 8 CPUs" in guest.text(f"{name}.out"), guest.text(f"{name}.err")


@pytest.mark.soak
def test_a_node_goes_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "cells.gpl").write_text(POLICY)
    guest = guest_loader.run(
        vm.GuestRequest(
            script=HOTPLUG,
            cpus=CPUS,
            nodes=2,
            files=guest_loader.objects(tmp_path, tmp_path / "cells.gpl"),
            allow_splats=(r'"gthulhu_cells" disabled \(unregistered from the main kernel\)',),
            deadline_s=1800,
        )
    )
    said = guest.text("cells.out")
    assert said.count("cells: reloading after CPU hotplug\n") == CPUS
    assert_equal_and_busy(used(guest, "half"), CPUS // 2)
    assert_equal_and_busy(used(guest, "whole"), CPUS)
    # The cell of a node whose CPUs are offline is gone.
    cells = [line for line in guest.text("cells.err").splitlines() if "cells of CPUs" in line]
    assert len(cells) == CPUS, cells
