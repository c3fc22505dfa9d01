# SPDX-License-Identifier: Apache-2.0
"""Rules whose CPUs are those of an interrupt, and that follow it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import guest_loader
import guest_programs
from gthulhu_lab import vm
from guest_programs import ran_on, woke_on

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")

SCRIPT = """
# serve CPU: the serial line's interrupt moves there, when it comes next
serve() {
    irq=$(grep -l ttyS0 /sys/kernel/irq/*/actions | cut -d / -f 5)
    echo $1 >/proc/irq/$irq/smp_affinity_list
    until [ "$(cat /proc/irq/$irq/effective_affinity_list)" = $1 ]; do
        echo >/dev/ttyS0
        usleep 10000
    done
}

serve 1
start own -v interrupts.bpf.o
await_line own enabled
probe tally own 2 200 >$RESULTS/own.before
probe tally other 5 400 >$RESULTS/other.before
# They run, or wait, while the interrupt moves; some may run where it was, and not where it will be.
# One that is lost never ends, and neither does the script.
probe tally own 3 3000 >$RESULTS/own.meanwhile &
meanwhile=$!
taskset -c 1 probe tally own 1 3000 >$RESULTS/own.bound &
meanwhile="$meanwhile $!"
taskset -c 0,1 probe tally own 2 3000 >$RESULTS/own.narrow &
meanwhile="$meanwhile $!"
usleep 300000
serve 2
await_line own "is CPU 2 now"
wait $meanwhile
probe tally own 2 200 >$RESULTS/own.after
probe tally other 5 400 >$RESULTS/other.after
probe tally off 4 400 >$RESULTS/off
kill -TERM $LOADER
finish own
step doctor gthulhu-loader --doctor interrupts.bpf.o

serve 3
start near -v near_interrupts.bpf.o
await_line near enabled
probe tally near 2 200 >$RESULTS/near.before
taskset -c 1,3 probe tally near 2 5000 >$RESULTS/near.narrow &
for cpu in 0 1; do
    serve $cpu
    await_line near "rule .near.*is CPU $cpu now"
    probe tally near 2 200 >$RESULTS/near.$cpu
done
wait $!
probe wakes like 100 >$RESULTS/like
# The disks' interrupt goes.
for path in /sys/bus/pci/drivers/ahci/*:*; do
    echo "${path##*/}" >/sys/bus/pci/drivers/ahci/unbind
done
await_line near "CPUs of rules stay"
sleep 5
serve 2
probe tally near 2 200 >$RESULTS/near.kept
step status ask status
kill -TERM $LOADER
finish near

attempt none none.bpf.o
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path | bytes]:
    folder = tmp_path_factory.mktemp("interrupts")
    none = folder / "none.gpl"
    none.write_text('policy none {}\nrule lost { match comm == "x"\ncpus irq "ttyS" }\n')
    sources = [HERE / "policies" / f"{name}.gpl" for name in ("interrupts", "near_interrupts")]
    return {
        **guest_programs.build(folder, "ask", "probe"),
        **guest_loader.objects(folder, *sources, none),
    }


@pytest.fixture(scope="module", params=KERNELS)
def guest(request: pytest.FixtureRequest, files: dict[str, Path | bytes]) -> vm.GuestResult:
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            modules=("ahci",),
            cpus=4,
            clock=vm.Clock.TCG_TURNS,
            files=files,
            deadline_s=900,
        )
    )


def test_an_exclusive_cpu_moves_with_its_interrupt(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "own.before").keys() == {1}
    assert 1 not in ran_on(guest, "other.before")
    assert ran_on(guest, "own.after").keys() == {2}
    assert 1 in ran_on(guest, "other.after")
    assert 2 not in ran_on(guest, "other.after")


def test_tasks_that_run_or_wait_follow(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "own.meanwhile").keys() == {1, 2}
    assert guest.files["own.status"] == b"0\n"
    assert guest.files["near.status"] == b"0\n"


def test_an_affinity_without_the_new_cpu_wins(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "own.bound").keys() == {1}
    assert ran_on(guest, "own.narrow").keys() <= {0, 1}
    assert ran_on(guest, "near.narrow").keys() <= {1, 3}


def test_cpus_that_do_not_serve_it(guest: vm.GuestResult) -> None:
    said = guest.files["own.err"].decode()
    assert 'rule `own`: `irq "ttyS*"` is CPU 1\n' in said
    assert 'rule `off`: `not irq "tty*", not irq "rtc?"` is CPU 0' in said
    assert ran_on(guest, "off")
    assert 2 not in ran_on(guest, "off")


def test_shared_and_preferred_cpus_follow(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "near.before").keys() == {3}
    assert ran_on(guest, "near.0").keys() == {0}
    assert ran_on(guest, "near.1").keys() == {1}
    # In one of 1,000 wake-ups a kernel thread is about to run there, at times still in the next.
    # A task that does not return stays away.
    woke = woke_on(guest, "like")
    assert woke.count(1) >= 0.9 * len(woke), woke


def test_the_last_cpus_are_kept_without_the_interrupt(guest: vm.GuestResult) -> None:
    said = guest.files["near.out"].decode()
    assert said.count("all CPUs of rules stay as they are: rule `disk`") == 1
    assert "again" not in said
    assert ran_on(guest, "near.kept").keys() == {1}


def test_status_and_doctor_show_the_cpus(guest: vm.GuestResult) -> None:
    answer = json.loads(guest.files["status.out"])
    placed = {row["rule"]: (row["asked"], row["cpus"]) for row in answer["cpus"]}
    assert placed["near"] == placed["like"] == ('irq "ttyS0"', "1")
    found = guest.files["doctor.out"].decode()
    assert 'ok\tplaced\trule `own`: `irq "ttyS*"` is CPU 2\n' in found


def test_a_name_that_no_interrupt_has_is_refused(guest: vm.GuestResult) -> None:
    said = guest.files["none.err"].decode()
    assert 'rule `lost` (none.gpl:3) names `irq "ttyS"`; this machine has the interrupts' in said
    assert " ttyS0\n" in said
    assert "help: " in said
    assert guest.files["none.status"] == b"1\n"
    assert guest.files["none.state"] == b"disabled\n"
