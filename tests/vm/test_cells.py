# SPDX-License-Identifier: Apache-2.0
"""A machine with two caches in two nodes: each cell has its queue, and shares are the machine's."""

from __future__ import annotations

import pytest

import guest_loader
from extent import on_kernels
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

CPUS, HOGS = 8, 13
SECONDS = 4
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
SCRIPT = f"""
start cells -v cells.bpf.o
await_line cells enabled
for hog in $(seq {HOGS}); do
    taskset -c $((hog % {CPUS})) sh -c 'taskset -p ff $$ >/dev/null; exec yes' >/dev/null &
    echo $! >>$RESULTS/hogs
done
sleep 1
cpu_times() {{
    for pid in $(cat $RESULTS/hogs); do
        awk '{{ print $14 + $15 }}' /proc/$pid/stat
    done
}}
cpu_times >$RESULTS/before
sleep {SECONDS}
cpu_times >$RESULTS/after
killall yes
kill -TERM $LOADER
finish cells
start preempts -v preempts.bpf.o
await_line preempts enabled
kill -TERM $LOADER
finish preempts
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


def test_hogs_that_cells_cannot_share_equally_have_equal_shares(guest: vm.GuestResult) -> None:
    before, after = (
        [int(line) for line in guest.files[name].decode().split()] for name in ("before", "after")
    )
    used = [late - early for early, late in zip(before, after, strict=True)]
    assert len(used) == HOGS
    mean = sum(used) / HOGS
    # With queues that exchange nothing, seven of four CPUs have a seventh less than six of four.
    assert used == pytest.approx([mean] * HOGS, rel=MOST_APART)


def test_no_cpu_is_idle_beside_them(guest: vm.GuestResult) -> None:
    before, after = (
        sum(map(int, guest.files[name].decode().split())) for name in ("before", "after")
    )
    assert (after - before) / 100 > 0.97 * CPUS * SECONDS
