# SPDX-License-Identifier: Apache-2.0
"""The workloads of the catalogue in a guest: what they report is what their parameters ask for."""

from __future__ import annotations

import functools
import statistics

import pytest

from gthulhu_lab import catalogue, vm
from gthulhu_lab.request import Clock, GuestRequest

pytestmark = pytest.mark.vm

CATALOGUE = catalogue.load()
BOOTS = {"boot", "boots"}
# One of each, so that no two have to share a CPU.
COMMANDS = {
    name: workload.command(cpus=2, amount=1, seconds=1, results=f"$RESULTS/{name}")
    for name, workload in CATALOGUE.items()
    if workload.reports and name not in BOOTS and not workload.modules and not workload.prepares
}
SCRIPT = """\
sleep 4
run() {
	name=$1
	shift
	mkdir "$RESULTS/$name"
	TASK_COMM=the-task "$@" &
	# A tenth of a second is for getting warm.
	sleep 0.5
	kill $!
	wait $! || echo "$name failed with $?" >>"$RESULTS/failed"
	if grep -qx the-task /proc/[0-9]*/comm; then
		echo "$name leaves something" >>"$RESULTS/failed"
	fi
}
"""

UNTIL_THE_FIRST_HAS_BOOTED = (
    "until [ -s $RESULTS/time ]; do kill -0 $! || exit; sleep 1; done; kill $!; wait $!"
)


def figures(result: vm.GuestResult, name: str, report: str) -> list[float]:
    return [float(line) for line in result.files[f"{name}/{report}"].split()]


@functools.cache
def guest() -> vm.GuestResult:
    return vm.run(
        GuestRequest(
            script=SCRIPT + "".join(f"run {n} {' '.join(c)}\n" for n, c in COMMANDS.items()),
            files=catalogue.files(CATALOGUE[name] for name in COMMANDS),
            cpus=2,
            clock=Clock.ICOUNT,
            deadline_s=300,
        )
    ).check()


def rate(name: str) -> float:
    (value,) = figures(guest(), name, "rate")
    return value


def median_us(name: str) -> float:
    return statistics.median(figures(guest(), name, "time")) / 1000


def test_workloads_exit_cleanly() -> None:
    assert "failed" not in guest().files


@pytest.mark.parametrize("name", ["rpc", "rpc-udp"])
def test_a_request_is_what_its_parts_take(name: str) -> None:
    # The server works for 100 µs; two switches and the system calls are the rest.
    assert 100 <= median_us(name) <= 300
    # And the client sleeps for 2 ms before.
    assert 0.85 <= rate(name) * (2000 + median_us(name)) / 1e6 <= 1.05


def test_a_round_trip_is_tens_of_microseconds() -> None:
    assert 3000 <= rate("pipe") <= 100_000
    assert 3000 <= rate("futex") <= 200_000


def test_a_worker_of_the_tree_sleeps_computes_and_is_woken() -> None:
    # The timer's slack is 50 µs.
    assert 1e6 / (100 + 100 + 400) <= rate("wakeup-tree") <= 1e6 / (100 + 100)


def test_a_process_is_started_in_a_millisecond() -> None:
    assert 300 <= rate("forks") <= 5000


def test_a_chain_forks_once_a_millisecond() -> None:
    assert 300 <= rate("fork-chain") <= 1100


def test_a_message_is_thousands_of_instructions() -> None:
    # 2 ns each; three system calls and a part of two switches.
    assert 20_000 <= rate("messages") <= 500_000


def test_the_pipeline_is_as_fast_as_its_slowest_stage() -> None:
    # An encoder takes 2 ms for a frame.
    assert 0.4 <= rate("pipeline") * 0.002 <= 1.05


@pytest.mark.parametrize("name", ["web-events", "web-threads"])
def test_a_connection_takes_less_than_a_millisecond(name: str) -> None:
    assert 50 <= median_us(name) <= 1000
    assert 0.7 <= rate(name) * median_us(name) / 1e6 <= 1.3


def test_hackbench_runs_again_and_again() -> None:
    # 5 senders send 100 messages to 5 receivers.
    assert 1000 <= median_us("hackbench") <= 500_000


@pytest.mark.soak
def test_a_micro_vm_boots_in_a_guest() -> None:
    boot = CATALOGUE["boot"].command(cpus=2, seconds=300, results="$RESULTS")
    result = vm.run(
        GuestRequest(
            script=f"{' '.join(boot)} & {UNTIL_THE_FIRST_HAS_BOOTED}",
            files=catalogue.files([CATALOGUE["boot"]]),
            clock=Clock.TCG,
            deadline_s=300,
        )
    ).check()

    assert 1 <= int(result.files["time"].split()[0]) / 1e9 <= 200


@pytest.mark.soak
def test_postgresql_answers_as_often_as_asked_and_leaves_nothing() -> None:
    clients = CATALOGUE["pgbench"].command(cpus=2, seconds=5, results="$RESULTS")
    result = vm.run(
        GuestRequest(
            script=f"set -e\nTASK_PROCESS=the-task {' '.join(clients)}\n"
            "! grep -qx the-task /proc/[0-9]*/comm\n"
            '[ -z "$(ls /tmp)" ]',
            files=catalogue.files([CATALOGUE["pgbench"]]),
            cpus=2,
            clock=Clock.ICOUNT,
            deadline_s=300,
        )
    ).check()

    (done,) = map(float, result.files["rate"].split())
    # Two clients, 50 times a second each, at random times.
    assert 75 <= done <= 125
    # A transaction is some hundred thousand instructions.
    assert 0.1 <= statistics.median(map(int, result.files["time"].split())) / 1e6 <= 20
