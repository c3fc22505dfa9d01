# SPDX-License-Identifier: Apache-2.0
"""A task that is alone on an exclusive CPU has a slice without an end, and so no tick."""

from __future__ import annotations

import pytest

import guest_loader
import guest_programs
from extent import on_kernels
from gthulhu_lab import vm, workloads

pytestmark = pytest.mark.vm

KERNELS = on_kernels("7.2", "6.16")
POLICY = 'policy p {}\nrule own { match comm == "hog" cpus 2-3 exclusive }\n'

# A third task comes and goes, beside two that always run.
SCRIPT = """
ticks() { # NAME: of CPUs 2 and 3 in three seconds
    awk '/LOC:/ { print $4, $5 }' /proc/interrupts >$RESULTS/$1.before
    usleep 3000000
    awk '/LOC:/ { print $4, $5 }' /proc/interrupts >$RESULTS/$1.after
}
cat /sys/devices/system/cpu/nohz_full >$RESULTS/nohz
start policy -v policy.bpf.o
await_line policy enabled
probe tally other 4 11000 >$RESULTS/other &
hog 2 >$RESULTS/two &
TWO=$!
usleep 1000000
ticks alone
hog 1 >$RESULTS/third &
THIRD=$!
usleep 2000000
kill -TERM $THIRD
wait $THIRD
usleep 1000000
ticks again
kill -TERM $TWO
wait $TWO
kill -TERM $LOADER
finish policy
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("tick")
    source = folder / "policy.gpl"
    source.write_text(POLICY)
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            cpus=4,
            cmdline="nohz_full=2-3",
            files={
                **guest_programs.build(folder, "probe"),
                **guest_loader.objects(folder, source),
                "bin/hog": workloads.program("hog"),
            },
            deadline_s=600,
        )
    )


@pytest.mark.parametrize("when", ["alone", "again"])
def test_lone_task_has_a_tick_a_second_at_most(guest: vm.GuestResult, when: str) -> None:
    assert guest.files["nohz"] == b"2-3\n"
    before, after = (guest.files[f"{when}.{name}"].split() for name in ("before", "after"))
    ticks = [int(b) - int(a) for a, b in zip(before, after, strict=True)]
    assert max(ticks) <= 4, ticks


def test_third_task_gets_its_share_of_both_cpus(guest: vm.GuestResult) -> None:
    *two, took_ns = (int(line) for line in guest.files["two"].split())
    third, third_ns = (int(line) for line in guest.files["third"].split())
    # While it is there, each of the three has two thirds of a CPU.
    assert third / third_ns == pytest.approx(sum(two) / (took_ns - third_ns / 3) / 3, rel=0.1)
