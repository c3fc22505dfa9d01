# SPDX-License-Identifier: Apache-2.0
"""Numbers of classes that change with the machine while the policy stays in force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
from extent import on_kernels
from gthulhu_lab import vm
from guest_programs import ratio

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = on_kernels("7.2", "6.16")

SCRIPT = """
# answers PATTERN NAME: until the loader's status has such a line, which is kept; at most 15 s
answers() {
    i=0
    until ask status >$RESULTS/$2.json && grep -q "$1" $RESULTS/$2.json; do
        i=$((i + 1))
        [ $i -lt 300 ] || { echo "$2: no status matches $1" >&2; exit 1; }
        usleep 50000
    done
}

# share NAME: what two tasks on one CPU get in two seconds
share() {
    probe tally heavy 1 2000 1 >"$RESULTS/$1.heavy" &
    heavy=$!
    probe tally plain 1 2000 1 >"$RESULTS/$1.plain"
    wait $heavy
}

clock() { date -s "2026-11-25 $1" >/dev/null; }

clock 07:00:00
start loader $LAB/when.bpf.o
await_line loader enabled
answers '"holds": "no"' night
share night

clock 12:00:00
answers '"holds": "yes"' day
share day
ask set heft=500 >$RESULTS/set
share tuned
clock 21:00:00
answers '"holds": "no"' back

# Two tasks on one CPU: one always waits.
probe tally hog 2 600000 1 >/dev/null &
hogs=$!
answers '> 50.*"holds": "yes"' pressed
share pressed
kill $hogs
answers '> 50.*"holds": "no"' released

cp /run/gthulhu/events $RESULTS/events
kill -TERM $LOADER
finish loader

clock 09:30:00
start again $LAB/when.bpf.o
await_line again enabled
ask status >$RESULTS/again.json
kill -TERM $LOADER
finish again
"""


# Busy threads and sleepers of both classes while the numbers of these change once a millisecond.
STORM = """
start loader $LAB/when_storm.bpf.o
await_line loader enabled
start_workers
for name in one other; do
    probe tally $name 3 MS >$RESULTS/$name.ran &
    tallies="$tallies $!"
    for _ in 1 2; do
        probe wakes $name 100000 >/dev/null &
        WORKERS="$WORKERS $!"
    done
done
flip MS >$RESULTS/flips
wait $tallies
ask status >$RESULTS/status
alive after
cat /sys/kernel/sched_ext/root/ops >$RESULTS/ops
kill -TERM $LOADER
finish loader
"""
STORM_MS = 4000


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("when")
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            files={
                **guest_programs.build(folder, "ask", "probe"),
                **guest_loader.objects(folder, HERE / "policies" / "when.gpl"),
            },
            deadline_s=600,
        )
    )


def conditions(guest: vm.GuestResult, name: str) -> list[dict[str, Any]]:
    status = json.loads(guest.files[f"{name}.json"])
    found: list[dict[str, Any]] = status["conditions"]
    return found


def test_shares_follow_the_time_of_day(guest: vm.GuestResult) -> None:
    assert ratio(guest, "night") == pytest.approx(1, rel=0.05)
    # Neither task begins exactly with the other.
    assert ratio(guest, "day") == pytest.approx(3, rel=0.2)
    assert conditions(guest, "day")[0]["holds"] == "yes"
    assert conditions(guest, "back")[0]["switches"] == 2


def test_a_tunable_of_a_condition_can_be_set(guest: vm.GuestResult) -> None:
    assert ratio(guest, "tuned") == pytest.approx(5, rel=0.2)


def test_shares_follow_the_pressure(guest: vm.GuestResult) -> None:
    # The level has its lead beside the weight.
    assert ratio(guest, "pressed") == pytest.approx(1 / 4, rel=0.2)
    # It is unknown for a second.
    assert conditions(guest, "night")[1]["holds"] in ("unknown", "no")
    assert [each["holds"] for each in conditions(guest, "pressed")] == ["no", "yes"]
    assert [each["holds"] for each in conditions(guest, "released")] == ["no", "no"]


def test_events_say_when_a_condition_switched(guest: vm.GuestResult) -> None:
    events = [json.loads(line) for line in guest.files["events"].splitlines()]
    said = [(each["event"], each["reason"]) for each in events if "condition" in each["event"]]
    day = "`when time in 08:00..20:00` (when.gpl:17)"
    pressed = "`when pressure cpu > 50% for 1s and time in 20:00..23:00` (when.gpl:24)"
    assert said == [
        ("condition-began", day),
        ("condition-ended", day),
        ("condition-began", pressed),
        ("condition-ended", pressed),
    ]


def test_a_condition_holds_from_the_start(guest: vm.GuestResult) -> None:
    assert conditions(guest, "again")[0]["holds"] == "yes"


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_storm_of_switches_loses_no_task(kernel: str, tmp_path: Path) -> None:
    guest = guest_loader.run(
        vm.GuestRequest(
            script=f"{STORM.replace('MS', str(STORM_MS))}",
            kernel=kernel,
            files={
                **guest_programs.build(tmp_path, "ask", "flip", "probe", "worker"),
                **guest_loader.objects(tmp_path, HERE / "policies" / "when_storm.gpl"),
            },
            deadline_s=300,
        )
    )

    flips = int(guest.files["flips"])
    assert flips > STORM_MS / 4
    (condition,) = json.loads(guest.files["status"])["conditions"]
    # The loader looks by itself, too, and may see an even number at once.
    assert condition["switches"] > flips / 2
    assert guest.files["after.alive"] == b"lost:\n"
    assert all(int(guest.files[f"{name}.ran"].split()[1]) > 0 for name in ("one", "other"))
    assert guest.files["ops"] == b"gthulhu_storm\n"
    assert guest.files["loader.status"] == b"0\n"
