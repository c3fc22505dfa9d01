# SPDX-License-Identifier: Apache-2.0
"""Promises on a running machine: judged, broken, and what follows."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
import mutations
from extent import Extent
from gthulhu_lab import vm
from mutations import Mutation
from promises import QUEUE

pytestmark = pytest.mark.vm

POLICY = Path(__file__).parent / "policies" / "promises.gpl"
KERNEL = "7.2"
# The rule also takes the overload, whose tasks wait for each other.
WIDE = ('"ran*"', '["ran*", "hog*"]')
VERSIONS = {
    "good": (),
    "better": (("low slice", "low weight 40 slice"),),
    "poor": (WIDE,),
    "frail": (WIDE, ("rollback", "log")),
    "poorer": (WIDE, ("low slice", "low weight 40 slice")),
    "last": (WIDE, ("rollback", "eevdf")),
    # Nobody has this name, so no window says anything.
    "mute": (('"ran*"', '"nobody"'),),
}
LOST = Mutation("lost", "place.j2", f"\t{QUEUE}", f"\tif (t->class != CLASS_OTHERS)\n\t\t{QUEUE}")
STALL = r"disabled \(runnable task stall\)"

FUNCTIONS = """
# pulses: four tasks that wake up every 3 ms
pulses() {
    for n in 1 2 3 4; do probe wakes ran$n 100000 >/dev/null & done
}

# lose: more busy tasks than CPUs, so that some wait in a queue
lose() { probe tally other 4 2000 >/dev/null & }

# swap NAME VERSION OPTION...
swap() {
    name=$1 version=$2
    shift 2
    ask swap $LAB/$version.bpf.o $version "$@" >$RESULTS/$name.json
}

status() { ask status >$RESULTS/$1.json; }

# await PATTERN FILE: until a line matches; the guest fails after 15 s
await() {
    i=0
    until grep -q "$1" $2; do
        i=$((i + 1))
        [ $i -lt 300 ] || { echo "$2: no line matches $1" >&2; exit 1; }
        usleep 50000
    done
}

# await_broken NUMBER: an overload until this generation breaks its promise
await_broken() {
    probe tally hog 8 600000 >/dev/null &
    await '"promise-broken".*"generation": '$1, /run/gthulhu/events
    kill $!
}

# await_generation NUMBER
await_generation() { await "generation $1\\$" /run/gthulhu/lock; }
"""

SCRIPT = """
attempt dry --dry-run good.bpf.o

start run good.bpf.o
await_line run enabled
pulses
probe tally other 6 2500 >/dev/null
status flood

swap poor poor
sleep 2
status quiet
await_broken 2
await_generation 3
status back
swap again poor
ask rollback >$RESULTS/refused-rollback.json

swap passed better force trial=3500
status passed-after
swap mute mute trial=3500
swap short better trial=2900
swap counting counting trial=60000
swap interrupted poor force trial=60000 &
client=$!
await_generation 7
kill -9 $(pidof ask)
await_generation 8
swap ejected lost trial=60000 &
client=$!
await_generation 9
lose
await_generation 10
wait $client
status end
ask stop >/dev/null
finish run
cat /run/gthulhu/events >$RESULTS/run.events

start restart --restart on-failure:1 good.bpf.o
await_line restart enabled
pulses
swap frail lost-frail
await_broken 12
lose
await_generation 13
status restarted
swap last last force
await_broken 14
finish restart
cat /run/gthulhu/events >$RESULTS/restart.events

# Both versions break their promise, so there is nothing to go back to in the end.
start twice --force poor.bpf.o
await_line twice enabled
pulses
swap poorer poorer
probe tally hog 8 600000 >/dev/null &
finish twice
cat /run/gthulhu/events >$RESULTS/twice.events
"""


def versions(folder: Path) -> dict[str, Path]:
    """The objects of the policy's versions, and two that lose the tasks of `others`."""
    found = {}
    text = POLICY.read_text()
    for name, changes in VERSIONS.items():
        changed = text
        for old, new in changes:
            assert old in changed
            changed = changed.replace(old, new)
        source = folder / f"{name}.gpl"
        source.write_text(changed)
        found[f"{name}.bpf.o"] = mutations.build(source, folder / f"{name}.bpf.o")
    counting = found["counting.bpf.o"] = folder / "counting.bpf.o"
    subprocess.run(
        ["gthulhuc", "-Wno-all", "--monitor", folder / "good.gpl", "-o", counting], check=True
    )
    for name, version in (("lost", "good"), ("lost-frail", "frail")):
        found[f"{name}.bpf.o"] = mutations.build(
            folder / f"{version}.gpl", folder / f"{name}.bpf.o", LOST
        )
    return found


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("promises")
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{FUNCTIONS}{SCRIPT}",
            kernel=KERNEL,
            files={
                **guest_loader.FILES,
                **guest_programs.build(folder, "ask", "probe"),
                **versions(folder),
            },
            deadline_s=1800,
            allow_splats=(STALL,),
        )
    ).check()


def answers(guest: vm.GuestResult, name: str) -> list[Any]:
    return [json.loads(line) for line in guest.files[f"{name}.json"].splitlines()]


def promise(guest: vm.GuestResult, name: str) -> Any:
    return answers(guest, name)[0]["promises"][0]


def events(guest: vm.GuestResult, name: str) -> list[Any]:
    return [json.loads(line) for line in guest.files[f"{name}.events"].splitlines()]


def windows(found: Any) -> int:
    """How many windows were judged."""
    return sum(found[f"windows_{verdict}"] for verdict in ("kept", "broken", "silent"))


def test_a_dry_run_loads_and_puts_nothing_in_force(guest: vm.GuestResult) -> None:
    assert guest.files["dry.status"] == b"0\n"
    assert guest.files["dry.state"] == b"disabled\n"
    said = "promises: the kernel accepts it; it was not put in force\n"
    assert guest.files["dry.out"].decode() == said


def test_a_flood_in_other_classes_changes_nothing(guest: vm.GuestResult) -> None:
    found = promise(guest, "flood")
    assert found["windows_broken"] == 0
    assert found["windows_kept"] >= 2
    (claim,) = found["claims"]
    assert claim["waits"] > 1000
    assert claim["value"] < claim["bound"] == 2_000_000


def test_an_overload_takes_the_policy_back_within_four_windows(guest: vm.GuestResult) -> None:
    before = promise(guest, "quiet")
    assert (before["windows_broken"], before["broken"]) == (0, False)
    assert answers(guest, "quiet")[0]["generation"] == 2
    (broke,) = (e for e in events(guest, "run") if e["event"] == "promise-broken")
    assert 3 <= windows(broke) - windows(before) <= 4
    (back,) = answers(guest, "back")
    assert (back["object"], back["source"]) == ("/lab/good.bpf.o", "good.gpl")
    assert back["in_force"]
    (why,) = back["fallback"]
    assert (why["from"], why["to"]) == (2, 1)
    assert re.fullmatch(
        r"promise `ran` \(poor\.gpl:17\) is broken: p90\(wait ran\) < limit: \d+(\.\d+)?ms",
        why["reason"],
    )
    said = guest.files["run.err"].decode()
    assert f"promises: generation 2 is taken out: {why['reason']}\n" in said
    happened = [(event["event"], event["generation"]) for event in events(guest, "run")]
    assert happened[:5] == [
        ("loaded", 1), ("swapped", 2), ("promise-broken", 2), ("went-back", 2), ("loaded", 3),
    ]  # fmt: skip
    assert why["reason"] == events(guest, "run")[3]["reason"]


def test_the_same_object_needs_force(guest: vm.GuestResult) -> None:
    (again,) = answers(guest, "again")
    assert not again["ok"]
    assert "it was taken out as generation 2: promise `ran`" in again["error"]
    assert "--force" in again["help"]
    assert again["then"] == "promises, generation 3, is still in force"
    (rollback,) = answers(guest, "refused-rollback")
    assert not rollback["ok"]


def test_a_trial_that_keeps_its_promises_stays(guest: vm.GuestResult) -> None:
    began, ended = answers(guest, "passed")
    assert (began["generation"], began["from"]) == (4, 3)
    assert (ended["stays"], ended["generation"]) == (True, 4)
    assert ended["reason"] == "every promise held"
    assert answers(guest, "passed-after")[0]["object"] == "better"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mute", r"promise `ran` .* was not kept in any window: .*: 0 waits, too few"),
        ("ejected", r".*ejected by the kernel: runnable task stall \(.*\), a task of rule .*"),
    ],
    ids=("mute", "ejected"),
)
def test_a_trial_that_fails_goes_back(guest: vm.GuestResult, name: str, reason: str) -> None:
    began, ended = answers(guest, name)
    assert not ended["stays"]
    assert ended["in_force"]
    assert ended["generation"] == began["generation"] + 1
    assert re.fullmatch(reason, ended["reason"])
    assert answers(guest, "end")[0]["object"] == "better"


def test_a_trial_ends_with_the_command_that_began_it(guest: vm.GuestResult) -> None:
    ended = [event for event in events(guest, "run") if event["event"] == "trial-failed"]
    assert [event["reason"] for event in ended if event["generation"] == 7] == [
        "the command that tried it was interrupted"
    ]


def test_a_trial_has_several_windows(guest: vm.GuestResult) -> None:
    (short,) = answers(guest, "short")
    assert not short["ok"]
    assert "the trial has to be longer than 3 s: the promise in line" in short["error"]


def test_a_policy_that_only_counts_is_not_tried(guest: vm.GuestResult) -> None:
    (refused,) = answers(guest, "counting")
    assert "it only counts, so no trial can show that it is good" in refused["error"]


def test_restart_goes_to_the_last_generation_that_kept_its_promises(
    guest: vm.GuestResult,
) -> None:
    (now,) = answers(guest, "restarted")
    assert (now["object"].split("/")[-1], now["generation"]) == ("good.bpf.o", 13)
    assert now["restarts"] == 1
    (why,) = now["fallback"]
    assert (why["from"], why["to"]) == (12, 11)
    assert "ejected by the kernel: runnable task stall" in why["reason"]


def test_a_promise_can_give_the_machine_back(guest: vm.GuestResult) -> None:
    assert guest.files["restart.status"] == b"5\n"
    assert guest.files["restart.state"] == b"disabled\n"
    assert [event["event"] for event in events(guest, "restart")][-3:] == [
        "promise-broken", "went-back", "ended",
    ]  # fmt: skip


def test_a_policy_is_not_put_back_that_broke_its_promise(guest: vm.GuestResult) -> None:
    assert guest.files["twice.status"] == b"5\n"
    *_, ended = (event for event in events(guest, "restart") if event["event"] == "ended")
    first = ended["generation"] + 1
    happened = [(event["event"], event.get("to")) for event in events(guest, "twice")]
    assert happened[-7:] == [
        ("swapped", None), ("promise-broken", None), ("went-back", first), ("loaded", None),
        ("promise-broken", None), ("went-back", None), ("ended", None),
    ]  # fmt: skip


def random_loads(number: int) -> str:
    """A script of random loads in other classes, of a window each."""
    choice = random.Random(number)
    lines = []
    for _ in range(number):
        busy, waking = choice.randint(0, 8), choice.randint(0, 6)
        ms = choice.randint(900, 1300)
        name = choice.choice(("other", "default"))
        lines += [f"probe tally {name} {busy + 1} {ms} >/dev/null &", "began"]
        lines += [f"probe wakes {choice.choice(('other', 'w'))}{n} {ms // 4} >/dev/null &\nbegan"
                  for n in range(waking)]  # fmt: skip
        lines.append("wait $load; load=")
    return "\n".join(lines)


def test_random_loads_that_keep_a_promise_cause_no_alarm(tmp_path: Path, extent: Extent) -> None:
    number = 100 if extent.is_soak else 4
    script = f"""
    start run good.bpf.o
    await_line run enabled
    pulses
    load=
    began() {{ load="$load $!"; }}
    {random_loads(number)}
    status run
    ask stop >/dev/null
    finish run
    """
    guest = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{FUNCTIONS}{script}",
            kernel=KERNEL,
            files={
                **guest_loader.FILES,
                **guest_programs.build(tmp_path, "ask", "probe"),
                **{name: path for name, path in versions(tmp_path).items() if name == "good.bpf.o"},
            },
            deadline_s=100 * number + 900,
        )
    ).check()
    found = promise(guest, "run")
    assert not found["broken"]
    assert found["windows_kept"] >= number
    assert found["windows_broken"] == 0
