# SPDX-License-Identifier: Apache-2.0
"""A record of work of which all is known: under EEVDF, and under a policy."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import guest_python
from extent import on_kernels
from gthulhu.record import events as ev
from gthulhu.record.reader import Record
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = on_kernels("7.2", "6.16")  # a guest needs the module null_blk
SCHEDULERS = {"eevdf": "EEVDF", "policy": "gthulhu_chain"}
BEATS, BEAT_NS, SLEEP_NS, WAIT_NS = 200, 5_000_000, 7_000_000, 20_000_000
READ_NS = 2_000_000
RECORDER = Path(guest_loader.LOADER).with_name("gthulhu-record")

SCRIPT = f"""
recorders() {{
    grep -l '^gthulhu-record$' /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3
}}

# record NAME: one in the background, until it records
record() {{
    step $1 gthulhu record -o $RESULTS/$1.gtr --for 0 &
    STEP=$!
    until [ -s $RESULTS/$1.gtr ] || ! kill -0 $STEP; do
        usleep 50000
    done
    RECORDER=$(grep PPid /proc/$(recorders)/status | cut -f 2)
}}

mount -t configfs configfs /sys/kernel/config
SLOW=/sys/kernel/config/nullb/slow
mkdir $SLOW
echo 2 >$SLOW/irqmode
echo {READ_NS} >$SLOW/completion_nsec
echo 16 >$SLOW/size
echo 1 >$SLOW/power

record eevdf
mkdir /sys/fs/cgroup/made
sh -c 'echo $$ >/sys/fs/cgroup/made/cgroup.procs; exec chain eevdf /dev/slow' >$RESULTS/eevdf.work
kill -TERM $RECORDER
wait $STEP
step info gthulhu record --info $RESULTS/eevdf.gtr --json

start chain chain.bpf.o
await_line chain enabled
record policy
setsid chain policy /dev/slow >$RESULTS/policy.work
kill -TERM $RECORDER
wait $STEP
kill -TERM $LOADER
finish chain

record killed
chain killed /dev/slow >$RESULTS/killed.work
sleep 2
kill -9 $RECORDER
wait $STEP
sleep 2
recorders >$RESULTS/killed.left
step again gthulhu record -o $RESULTS/killed.gtr
exit 0
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("record")
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            clock=Clock.ICOUNT,
            modules=("null_blk",),
            files={
                **guest_loader.FILES,
                "bin/gthulhu-record": RECORDER,
                **guest_loader.objects(folder, HERE / "policies" / "chain.gpl"),
                **guest_programs.build(folder, "chain"),
                **guest_python.files(
                    "zstandard", "zstandard.backend_c", "heapq",
                    "gthulhu.record.recorder", "gthulhu.record.summary",
                ),
            },
            deadline_s=400,
        )
    ).check()  # fmt: skip


@dataclass(frozen=True)
class Said:
    """The words of a thread of the work about itself."""

    number: int
    rounds: int
    sleeps: int
    preemptions: int
    ran_ns: int


class Recorded:
    """A record, and what the work has said; `hog` is the last of the two."""

    def __init__(self, name: str, guest: vm.GuestResult) -> None:
        self.name = name
        self.record = Record(io.BytesIO(guest.files[f"{name}.gtr"]), name)
        self.events = list(self.record)
        self.said = {
            words[0]: Said(*map(int, words[1:]))
            for words in map(str.split, guest.files[f"{name}.work"].decode().splitlines())
        }

    def wakes(self, thread: str) -> list[ev.Waking]:
        number = self.said[thread].number
        return [each for each in self.events if isinstance(each, ev.Waking) and each.task == number]

    def switches_from(self, thread: str) -> list[ev.Switch]:
        number = self.said[thread].number
        return [each for each in self.events if isinstance(each, ev.Switch) and each.prev == number]

    def sleeps(self, thread: str) -> Counter[str]:
        return Counter(
            self.record.reason(each) for each in self.switches_from(thread) if each.sleeps
        )

    def timers(self, thread: str) -> list[ev.Timer]:
        number = self.said[thread].number
        return [each for each in self.events if isinstance(each, ev.Timer) and each.task == number]

    def ran_ns(self, thread: str) -> int:
        number = self.said[thread].number
        ran_ns = begin_ns = 0
        for event in self.events:
            if isinstance(event, ev.Switch):
                if event.next == number:
                    begin_ns = event.at_ns
                elif event.prev == number:
                    ran_ns += event.at_ns - begin_ns
        return ran_ns


@pytest.fixture(scope="module", params=SCHEDULERS)
def recorded(request: pytest.FixtureRequest, guest: vm.GuestResult) -> Recorded:
    return Recorded(request.param, guest)


def test_a_signal_ends_a_record_in_order(guest: vm.GuestResult, recorded: Recorded) -> None:
    name = recorded.name
    assert guest.files[f"{name}.err"] == b""
    assert guest.files[f"{name}.status"] == b"0\n"
    assert guest.files[f"{name}.out"].endswith(b"; a signal ended it\n")
    assert recorded.record.damage is None
    assert recorded.record.end["ending"] == "signal"
    assert recorded.record.info["scheduler"].startswith(SCHEDULERS[name])
    assert recorded.record.end["scheduler"] == recorded.record.info["scheduler"]


def test_nothing_is_lost(recorded: Recorded) -> None:
    assert recorded.record.lost == {}
    assert not any(isinstance(event, ev.Lost) for event in recorded.events)
    assert len(recorded.events) > 5 * BEATS


def test_it_costs_less_than_two_per_cent(recorded: Recorded) -> None:
    end = recorded.record.end
    used = end["programs_ns"] + end["recorder_ns"] + end["writer_ns"]
    assert end["programs_ns"] > 0
    length_ns = recorded.record.end_ns - recorded.record.begin_ns
    assert used < 0.02 * end["cpus"] * length_ns


def test_the_chain_is_who_woke_whom(recorded: Recorded) -> None:
    for waker, woken in (("beat", "worker"), ("worker", "sink")):
        wakes = recorded.wakes(woken)
        by = Counter(wake.waker for wake in wakes)
        number = recorded.said[waker].number
        # The last one is the end of the pipe; before, the first beat may come before its reader.
        assert BEATS - 1 <= by[number] <= BEATS + 1, by
        assert by.total() - by[number] <= 2  # its creation, and exit of another
    timers = recorded.timers("beat")
    assert {timer.kind for timer in timers} == {ev.TimerKind.TIMERFD}
    assert {timer.period_ns for timer in timers} == {BEAT_NS}
    by_timer = [wake for wake in recorded.wakes("beat") if wake.context is ev.Context.TIMER]
    assert {wake.source for wake in by_timer} == {timer.id for timer in timers}
    assert BEATS - 10 <= len(by_timer) <= BEATS


def test_sleeps_have_their_reasons_and_requests(recorded: Recorded) -> None:
    assert recorded.sleeps("worker")["read"] >= BEATS - 1
    assert recorded.sleeps("sleeper")["nanosleep"] + recorded.sleeps("sleeper")[
        "clock_nanosleep"
    ] == len(recorded.timers("sleeper"))
    for thread, length_ns, reason in (
        ("sleeper", SLEEP_NS, "clock_nanosleep"),
        ("waiter", WAIT_NS, "futex"),
    ):
        rounds = recorded.said[thread].rounds
        timers = recorded.timers(thread)
        assert len(timers) == rounds
        assert {timer.kind for timer in timers} == {ev.TimerKind.SLEEP}
        # From the call to the timer there are less than 0.5 ms, even after a preemption: none.
        assert all(length_ns - 500_000 < timer.duration_ns <= length_ns for timer in timers)
        assert recorded.sleeps(thread)[reason] >= rounds
        ids = {timer.id for timer in timers}
        woken = [wake for wake in recorded.wakes(thread) if wake.context is ev.Context.TIMER]
        assert len(woken) == rounds
        assert {wake.source for wake in woken} <= ids


def test_counts_and_run_times_are_those_of_the_kernel(recorded: Recorded) -> None:
    for thread in ("beat", "worker", "sink", "sleeper", "waiter", "reader", "hog"):
        said = recorded.said[thread]
        switches = recorded.switches_from(thread)
        # A line of output, and the end, come after what the thread says.
        assert 0 <= sum(each.sleeps for each in switches) - said.sleeps <= 3, thread
        preempted = sum(each.state == 0 for each in switches)
        assert 0 <= preempted - said.preemptions <= 3, thread
        # The kernel counts the time of a switch for nobody, the record for the task before it.
        # A thread goes on after it has said this: it prints, and ends.
        slack_ns = 500_000 + 10_000 * len(switches)
        assert abs(recorded.ran_ns(thread) - said.ran_ns) < slack_ns, thread


def test_switches_count_how_often_a_task_entered_the_kernel(recorded: Recorded) -> None:
    entries = {
        thread: sum(each.entries for each in recorded.switches_from(thread))
        for thread in ("worker", "hog")
    }
    # It reads and writes once a beat; some page faults come on top.
    assert 2 * (BEATS - 1) <= entries["worker"] < 2 * BEATS + 200, entries
    assert entries["hog"] < 200


def test_requests_to_devices_have_their_latency(recorded: Recorded) -> None:
    number = recorded.said["reader"].number
    mine = [each for each in recorded.record.requests() if each.task == number]
    assert len(mine) == recorded.said["reader"].rounds
    assert {(each.operation, each.size) for each in mine} == {(0, 4096)}
    assert all(READ_NS <= each.latency_ns < READ_NS + 2_000_000 for each in mine)
    outside = [wake for wake in recorded.wakes("reader") if wake.waker is None]
    assert len(outside) >= len(mine)


def test_tasks_have_sessions(guest: vm.GuestResult) -> None:
    sessions = {}
    for name in SCHEDULERS:
        recorded = Recorded(name, guest)
        numbers = {said.number for said in recorded.said.values()}
        tasks = [task for number in numbers for task in recorded.record.tasks[number]]
        sessions[name] = {task.facts[-1].session for task in tasks}
        assert recorded.record.info["autogroup"] == 1
    (own,) = sessions["policy"]  # setsid
    (of_the_script,) = sessions["eevdf"]
    assert own != of_the_script
    assert own > 1


def test_tasks_have_names_nice_affinity_and_programs(recorded: Recorded) -> None:
    record, name = recorded.record, recorded.name.encode()
    for thread in ("beat", "worker", "sink", "sleeper", "waiter", "reader", "hog"):
        (task,) = record.tasks[recorded.said[thread].number]
        assert task.name == name + b"-" + thread.encode()
        assert task.begin_ns is not None
        assert task.end_ns is not None
    (waiter,) = record.tasks[recorded.said["waiter"].number]
    assert [facts.nice for facts in waiter.facts] == [0, 5]
    (hog,) = record.tasks[recorded.said["hog"].number]
    assert hog.facts[0].affinity is None
    assert hog.facts[-1].affinity == frozenset({1})
    (child,) = record.tasks[recorded.said["child"].number]
    assert child.name == b"true"
    program = record.programs[child.number]
    assert program.path.endswith(b"/true")
    assert program.arguments == (b"true", b"an argument")


def test_control_groups_have_paths(guest: vm.GuestResult) -> None:
    recorded = Recorded("eevdf", guest)
    record = recorded.record
    (task,) = record.tasks[recorded.said["beat"].number]
    assert record.cgroups[task.facts[-1].cgroup] == b"/made"
    moves = [each for each in recorded.events if isinstance(each, ev.Attach)]
    assert {record.cgroups[each.cgroup] for each in moves} == {b"/made"}


def test_info_counts_what_is_in_the_record(guest: vm.GuestResult) -> None:
    recorded = Recorded("eevdf", guest)
    said = json.loads(guest.files["info.out"])
    assert guest.files["info.status"] == b"0\n"
    assert said["events"] == recorded.record.counts()
    assert sum(said["events"].values()) == len(recorded.events)
    assert (said["damage"], said["lost"]) == (None, {})
    assert said["cost"] < 0.02


def test_a_killed_recording_can_be_read_up_to_there(guest: vm.GuestResult) -> None:
    assert guest.files["killed.left"] == b""
    killed = Recorded("killed", guest)
    assert killed.record.damage is not None
    assert killed.record.damage.startswith("it was cut off")
    assert len(killed.wakes("worker")) >= BEATS - 1


def test_an_existing_file_is_not_replaced(guest: vm.GuestResult) -> None:
    assert guest.files["again.status"] == b"2\n"
    assert b"killed.gtr exists already" in guest.files["again.err"]
