# SPDX-License-Identifier: Apache-2.0
"""Calls of kernel functions give tasks their classes, for a while; modules come and go."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from extent import on_kernels
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
POLICY = HERE / "policies" / "calls.gpl"
CLASSES = ["module", "network", "itself", "never", "default", "kernel threads"]
ROUNDS = (1, 2)
KINDS = ("stats", "monitor")

SCRIPT = f"""
cd $LAB
rmmod dummy
calls - cost-before >>$RESULTS/steps
# No function: a signal to what is in the background is for the loader itself.
rights="with-rights --bounding-set=-all,+bpf,+perfmon --inh-caps=-all"
# At 3, Debian's kernels want CAP_SYS_ADMIN for it.
echo 3 >/proc/sys/kernel/perf_event_paranoid
$rights gthulhu-loader --detach calls.bpf.o >$RESULTS/strict 2>&1
ask stop
while pidof gthulhu-loader; do usleep 20000; done
echo 2 >/proc/sys/kernel/perf_event_paranoid
$rights gthulhu-loader calls.bpf.o >$RESULTS/loader 2>&1 &
loader=$!
until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
	kill -0 $loader || exit 1
	sleep 0.1
done
note() {{
	ask status >>$RESULTS/status
}}
note
calls calls.bpf.o itself softirq cost-after >>$RESULTS/steps
for round in {" ".join(map(str, ROUNDS))}; do
	insmod /lab/ko/00-dummy.ko && ifconfig dummy0 10.9.9.1 up || exit 1
	sleep 0.1
	note
	calls calls.bpf.o module-$round >>$RESULTS/steps
	rmmod dummy || exit 1
	sleep 0.1
	note
done
kill $loader
wait $loader
for kind in {" ".join(KINDS)}; do
	gthulhu-loader $kind.bpf.o >$RESULTS/$kind.loader 2>&1 &
	loader=$!
	until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
		kill -0 $loader || exit 1
		sleep 0.1
	done
	calls $kind.bpf.o softirq >>$RESULTS/$kind
	kill $loader
	wait $loader
done
"""


@dataclass(frozen=True)
class Seen:
    """Returns the script's records."""

    classes: dict[str, str]
    counts: dict[str, int]
    traced: list[dict[str, str]]
    """How each function is traced, at each `note`."""
    loader: list[str]
    strict: str
    """Returns the loader's output when perf needs CAP_SYS_ADMIN."""
    kinds: dict[str, dict[str, str]]
    """Classes under objects that count, too, and that only count."""


@pytest.fixture(scope="module", params=on_kernels("6.16", "7.2"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("calls")
    objects: dict[str, list[str]] = {"calls.bpf.o": []}
    objects |= {f"{kind}.bpf.o": [f"--{kind}"] for kind in KINDS}
    for name, options in objects.items():
        subprocess.run(["gthulhuc", "-Wno-all", *options, POLICY, "-o", folder / name], check=True)
    for name in ("calls", "ask"):
        source = HERE / "programs" / f"{name}.c"
        subprocess.run(["gcc", "-O2", source, "-o", folder / name, "-lbpf"], check=True)
    guest = vm.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            files={
                "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
                "bin/with-rights": Path("/usr/bin/setpriv"),
                **{f"bin/{name}": folder / name for name in ("calls", "ask")},
                **{name: folder / name for name in objects},
            },
            modules=("dummy",),
            deadline_s=600,
        )
    ).check()
    rows = _rows(guest, "steps")
    answers = [json.loads(line) for line in guest.files["status"].splitlines()]
    return Seen(
        _classes(rows),
        {name: int(number) for kind, name, number in rows if kind == "count"},
        [{each["function"]: each["by"] for each in answer["calls"]} for answer in answers],
        guest.files["loader"].decode().splitlines(),
        guest.files["strict"].decode(),
        {kind: _classes(_rows(guest, kind)) for kind in KINDS},
    )


def _rows(guest: vm.GuestResult, name: str) -> list[list[str]]:
    return [line.split() for line in guest.files[name].decode().splitlines()]


def _classes(rows: list[list[str]]) -> dict[str, str]:
    return {name: CLASSES[int(number)] for kind, name, number in rows if kind == "class"}


def test_a_call_gives_the_class_with_the_next_dispatch(seen: Seen) -> None:
    assert seen.classes["itself-before"] == "default"
    assert seen.counts["itself-switches"] == 1
    assert seen.classes["itself"] == "itself"


def test_call_window_is_renewed_and_expires(seen: Seen) -> None:
    assert seen.classes["itself-renewed"] == "itself"
    assert seen.classes["itself-slept"] == "default"


def test_task_that_never_sleeps_changes_class_at_the_end_of_a_slice(seen: Seen) -> None:
    # A slice of 5 ms that nobody waits for ends with a tick, of 4 ms; so does the time.
    assert seen.counts["itself-in-us"] <= 9_000
    assert 185 <= seen.counts["itself-for-ms"] <= 220
    assert seen.classes["itself-ran"] == "default"


def test_soft_interrupt_calls_count_only_with_via(seen: Seen) -> None:
    assert seen.classes["softirq"] == "network"
    assert seen.classes["softirq-slept"] == "default"  # and not `never`


@pytest.mark.parametrize("kind", KINDS)
def test_objects_that_count_find_the_same(seen: Seen, kind: str) -> None:
    assert seen.kinds[kind] == {"softirq": "network", "softirq-slept": "default"}


def test_a_module_comes_and_goes_and_comes_again(seen: Seen) -> None:
    kernel = {"udp_rcv": "fentry", "__x64_sys_getpriority": "fentry", "no_such_function": "nothing"}
    there = [False] + [True, False] * len(ROUNDS)
    assert seen.traced == [
        kernel | {"dummy_xmit": "kprobe" if is_there else "nothing"} for is_there in there
    ]
    assert {seen.classes[f"module-{number}"] for number in ROUNDS} == {"module"}


def test_missing_parts_are_reported(seen: Seen) -> None:
    said = [line.removeprefix("calls: ") for line in seen.loader]
    missing = "the kernel does not have it until a module defines it"
    assert f'warning: `calls "dummy_xmit"` matches no task: {missing}' in said
    assert f'warning: `calls "no_such_function"` matches no task: {missing}' in said
    news = [line for line in said if line.startswith("`dummy_xmit`")]
    come, gone = "`dummy_xmit` appeared with its module", "`dummy_xmit` disappeared with its module"
    assert news == [come, gone] * len(ROUNDS)


def test_missing_perf_permission_is_reported(seen: Seen) -> None:
    assert seen.strict.count("`sysctl kernel.perf_event_paranoid=2` makes CAP_PERFMON") == 2


def test_a_call_costs_little(seen: Seen) -> None:
    counts = seen.counts
    assert abs(counts["cost-after-untraced"] - counts["cost-before-untraced"]) <= 30
    assert counts["cost-after"] - counts["cost-before"] <= 450
