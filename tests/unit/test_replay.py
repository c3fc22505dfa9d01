# SPDX-License-Identifier: Apache-2.0
"""Replays against the truth: the tasks of a record run under policies on the host model, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import gtr
from gthulhu.record import events as ev
from gthulhu.record.columns import Row
from gthulhu.record.reader import Record
from gthulhu_lab.replay import extract, figures, machines, merged, periods, scenario
from gthulhu_lab.replay.actions import Action, Cause, Course, Mode, Overhead, Replayable
from gthulhu_lab.replay.figures import TaskFigures, quantile
from gthulhu_lab.replay.places import Place
from gthulhu_lab.simulation import machine, play
from library import policy_of
from modelled import Task, Work

POLICY = (
    'policy p {}\nrule chain { match comm ~ ["source", "middle", "end"] priority high preempt }\n'
)
CHAIN = Work((
    Task("source", ("run:100000", "post:1"), period_ns=2_000_000),
    Task("middle", ("down:1", "run:200000", "post:2")),
    Task("end", ("down:2", "run:300000")),
    *(Task(f"hog{number}") for number in range(4)),
))  # fmt: skip
TASKS = ("source", "middle", "end")
Check = Callable[[], None]


@pytest.fixture(scope="module")
def player() -> play.Player:
    return play.Player(costed=False)


@pytest.fixture(scope="module")
def policy(player: play.Player) -> Path:
    return player.policy(policy_of(POLICY), CHAIN.machine())


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Record]:
    path = CHAIN.record(tmp_path_factory.mktemp("record") / "chain.gtr")
    with Record.open(path) as found:
        yield found


def extracted(record: Record) -> Replayable:
    return extract.extract(record, Overhead())


def replayed(
    record: Record, player: play.Player, scheduler: Path, place: machine.Machine
) -> Mapping[str, TaskFigures]:
    found = extracted(record)
    text = "\n".join([*scenario.write(record, found, place), ""])
    lines = player.output(scheduler, text).splitlines()
    tasks = figures.of_lines(lines, found.length_ns).tasks
    return {each.task.name.decode(): tasks[each.number] for each in found.courses}


def p(figures_: TaskFigures, thousandths: int) -> int:
    found = quantile(sorted(figures_.woken), thousandths)
    assert found is not None
    return found


def is_right(predicted: Mapping[str, TaskFigures], truth: Mapping[str, TaskFigures]) -> bool:
    """Whether a replay of the chain has its waits, its wake-ups and its CPU time."""
    return all(
        0.85 * len(truth[name].woken) <= len(predicted[name].woken) <= 1.1 * len(truth[name].woken)
        and abs(p(predicted[name], 500) - p(truth[name], 500)) < 2_000
        and abs(p(predicted[name], 900) - p(truth[name], 900)) < 10_000
        and 0.95 < predicted[name].ran_ns / truth[name].ran_ns < 1.05
        for name in TASKS
    )


def test_the_record_is_far_from_the_truth(record: Record, policy: Path) -> None:
    recorded = figures.of_record(record, extracted(record))
    by_name = {each.task.name.decode(): recorded[each.number] for each in extracted(record).courses}
    assert not is_right(by_name, CHAIN.truth(policy))


def test_a_chain_is_predicted_under_another_scheduler(
    record: Record, player: play.Player, policy: Path
) -> None:
    predicted = replayed(record, player, policy, CHAIN.machine())
    assert is_right(predicted, CHAIN.truth(policy))


def wakes_at_old_times(patch: pytest.MonkeyPatch) -> None:
    """A wake-up by a task stays when it was."""

    def by_task(self: extract._Extraction, event: ev.Waking, woken: Place, _: object) -> Cause:
        self._gift(event, woken)
        return Cause.TASK

    patch.setattr(extract._Extraction, "_by_task", by_task)


def timers_at_old_times(patch: pytest.MonkeyPatch) -> None:
    """A timer expires when its task was woken, so periods that it skipped stay so."""
    patch.setattr(periods, "guess", lambda *_: None)

    def by_request(self: extract._Extraction, event: ev.Waking, woken: Place, _: object) -> Cause:
        self._gift(event, woken)
        return Cause.TIMER

    patch.setattr(extract._Extraction, "_by_request", by_request)


def wakes_of_the_awake_are_lost(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(merged.Merges, "insert", lambda _: 0)


@pytest.mark.parametrize("mutant", [wakes_at_old_times, wakes_of_the_awake_are_lost])
def test_mutants_predict_something_else(
    mutant: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
    record: Record,
    player: play.Player,
    policy: Path,
) -> None:
    mutant(monkeypatch)
    predicted = replayed(record, player, policy, CHAIN.machine())
    assert not is_right(predicted, CHAIN.truth(policy))


LATE = Work((
    Task("source", ("run:600000",), period_ns=1_000_000),
    *(Task(f"hog{number}") for number in range(3)),
))  # fmt: skip
LATE_POLICY = 'policy p {}\nrule source { match comm == "source" priority high preempt }\n'


def periods_of(record: Record, player: play.Player) -> tuple[int, int, int]:
    """Of a source that skips periods: its rounds in the record, as predicted, and in truth."""
    scheduler = player.policy(policy_of(LATE_POLICY), LATE.machine())
    found = extracted(record)
    recorded = figures.of_record(record, found)[found.courses[0].number]
    predicted = replayed(record, player, scheduler, LATE.machine())["source"]
    return len(recorded.woken), len(predicted.woken), len(LATE.truth(scheduler)["source"].woken)


def test_a_source_that_skipped_periods_has_all_of_them_again(
    tmp_path: Path, player: play.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Record.open(LATE.record(tmp_path / "late.gtr")) as record:
        recorded, predicted, true = periods_of(record, player)
        assert recorded < 0.8 * true
        assert abs(predicted - true) < 0.05 * true
        timers_at_old_times(monkeypatch)
        _, predicted, true = periods_of(record, player)
        assert abs(predicted - true) > 0.1 * true


def test_a_replay_under_the_recorded_scheduler_is_the_record(
    record: Record, player: play.Player
) -> None:
    found = extracted(record)
    recorded = figures.of_record(record, found)
    predicted = replayed(record, player, player.control("eevdf"), CHAIN.machine())
    for each in found.courses:
        mine = predicted[each.task.name.decode()]
        assert mine.ran_ns == pytest.approx(recorded[each.number].ran_ns, rel=0.02)
    waits = [sum(predicted[name].waits) for name in ("hog0", "hog1", "hog2", "hog3")]
    assert max(waits) < 1.05 * min(waits)


# ---- Small records, made by hand ----


def small(tmp_path: Path, *rows: Row, end_ns: int = 50_000_000) -> Replayable:
    path = gtr.write(tmp_path / "small.gtr", [
        gtr.round_at(gtr.BEGIN_NS), gtr.events(0, rows), gtr.round_at(gtr.BEGIN_NS + end_ns),
    ])  # fmt: skip
    with Record.open(path) as found:
        return extracted(found)


def words(course: Course) -> list[str]:
    return [action.word for action in course.actions]


READ, FUTEX, NET_RX = 0, 202, 3
AT = gtr.BEGIN_NS


def test_a_wake_up_comes_after_as_much_cpu_time(tmp_path: Path) -> None:
    found = small(
        tmp_path,
        gtr.task(AT - 2, 7, b"a"),
        gtr.task(AT - 1, 8, b"b"),
        gtr.switch(AT + 1_000, 0, 7),
        gtr.switch(AT + 4_000, 7, 9),  # an interruption of 7 is not part of its work
        gtr.switch(AT + 9_000, 9, 7),
        gtr.waking(AT + 11_000, 8, 7),
        gtr.switch(AT + 12_000, 7, 8, gtr.SLEEPS, FUTEX),
        gtr.switch(AT + 15_000, 8, 0, gtr.SLEEPS, FUTEX),
    )
    first, second = found.courses[:2]
    assert words(first) == ["c:5000", f"w:{second.number}", "c:1000", "t"]
    assert words(second) == ["t", "c:3000", "t"]
    assert first.runs_first
    assert not second.runs_first
    assert second.causes == {Cause.TASK: 1}


def test_an_interrupt_wakes_at_its_own_time(tmp_path: Path) -> None:
    found = small(
        tmp_path,
        gtr.task(AT - 1, 7, b"a"),
        gtr.waking(AT + 5_000, 7, 0, ev.Context.HARDIRQ, 11),
        gtr.switch(AT + 6_000, 0, 7),
        gtr.switch(AT + 9_000, 7, 0, gtr.SLEEPS, READ),
    )
    (gift,) = found.gifts
    assert (gift.at_ns, gift.number) == (5_000, found.courses[0].number)
    assert found.courses[0].causes == {Cause.INTERRUPT: 1}


def test_a_request_to_a_device_has_its_latency(tmp_path: Path) -> None:
    begin = Row(AT + 3_000, ev.Code.IO_BEGIN, 7, 0, 5, bytes(16))
    found = small(
        tmp_path,
        gtr.task(AT - 1, 7, b"a"),
        gtr.switch(AT + 1_000, 0, 7),
        begin,
        gtr.switch(AT + 4_000, 7, 0, gtr.SLEEPS | 1 << 17, READ),
        gtr.waking(AT + 90_000, 7, 0, ev.Context.HARDIRQ, 11),
        gtr.switch(AT + 91_000, 0, 7),
    )
    assert words(found.courses[0])[:4] == ["c:2000", "b:87000", "c:1000", "u"]
    assert found.gifts == []


@pytest.mark.parametrize(
    ("hog_ran_ns", "cause"), [(1_000, Cause.LOOPBACK), (40_000_000, Cause.NETWORK)]
)
def test_a_sender_through_the_loopback_device_is_the_waker(
    tmp_path: Path, hog_ran_ns: int, cause: Cause
) -> None:
    rows = [gtr.task(AT - 2, 7, b"sends"), gtr.task(AT - 1, 8, b"reads")]
    at_ns = AT + 1_000
    for _ in range(5):
        rows += [
            gtr.switch(at_ns, 0, 7),
            gtr.waking(at_ns + 100, 8, 7, ev.Context.SOFTIRQ, NET_RX),
            gtr.switch(at_ns + 100 + hog_ran_ns // 5, 7, 8),
            gtr.switch(at_ns + 200 + hog_ran_ns // 5, 8, 0, gtr.SLEEPS, READ),
        ]
        at_ns += 300 + hog_ran_ns // 5
    found = small(tmp_path, *rows)
    assert {each: number for each, number in found.courses[1].causes.items() if number} == {
        cause: 5
    }
    assert len(found.gifts) == (5 if cause is Cause.NETWORK else 0)


def test_a_wake_up_that_comes_before_the_sleep_ends_it(tmp_path: Path) -> None:
    found = small(
        tmp_path,
        gtr.task(AT - 2, 7, b"a"),
        gtr.task(AT - 1, 8, b"b"),
        gtr.switch(AT + 1_000, 0, 8),
        gtr.waking(AT + 2_000, 8, 0, ev.Context.HARDIRQ, 11),
        gtr.switch(AT + 3_000, 8, 7, gtr.SLEEPS, FUTEX),
        gtr.switch(AT + 4_000, 7, 8),
        gtr.switch(AT + 5_000, 8, 0, gtr.SLEEPS, FUTEX),
    )
    assert [word[0] for word in words(found.courses[1])] == ["c", "t", "c", "t"]


# ---- Periods ----

US = 1_000


def test_periods_are_found_though_some_are_skipped() -> None:
    due = [number * 2_000 * US for number in range(1, 40) if number % 7]
    timer = periods.guess(due, Mode.SKIP)
    assert timer is not None
    assert (timer.period_ns, timer.first_ns) == (2_000 * US, 2_000 * US)
    assert timer.skipped == 5


def test_a_step_that_is_too_short_does_not_change_the_period() -> None:
    # A fifth of 1.6 ms, and 2 ms, are multiples of 0.4 ms, nearly.
    due = [1_605 * US, *(number * 2_000 * US + 1_210 * US for number in range(1, 60))]
    for number in (12, 60):
        timer = periods.guess(due[:number], Mode.SKIP)
        assert timer is not None
        assert timer.period_ns == 2_000 * US


def test_a_period_is_found_though_most_are_skipped() -> None:
    due = [0]
    for number in range(100):
        due.append(due[-1] + (2_000 if number in (20, 60) else (10_000, 12_000)[number % 2]) * US)
    timer = periods.guess(due[1:], Mode.SKIP)
    assert timer is not None
    assert timer.period_ns == 2_000 * US


def test_a_period_may_be_shorter_than_each_step() -> None:
    due = [0]
    for number in range(30):
        due.append(due[-1] + (3_000 if number % 3 else 2_000) * US)
    timer = periods.guess(due[1:], Mode.SKIP)
    assert timer is not None
    assert timer.period_ns == 1_000 * US


@pytest.mark.parametrize(
    "due",
    [
        pytest.param([1_000 * US, 2_000 * US], id="too few"),
        pytest.param([round(US * number**2.5) for number in range(1, 30)], id="no period"),
        pytest.param([1_000 * US] * 6, id="at once"),
    ],
)
def test_no_period_is_made_up(due: list[int]) -> None:
    assert periods.guess(due, Mode.SKIP) is None


def test_a_wait_is_not_told_from_too_few_samples() -> None:
    assert quantile(list(range(99)), 990) is None
    assert quantile(list(range(1, 101)), 990) == 99
    assert quantile(list(range(1, 1001)), 999) == 999
    assert quantile([], 500) is None


# ---- The machine ----


def test_tasks_of_a_cpu_that_is_missing_go_to_another_one() -> None:
    place = machine.read("4")
    assert machines.usable(None, place) == {0, 1, 2, 3}
    assert machines.usable({1, 9}, place) == {1}
    assert machines.usable({8, 9}, place) == {0, 1, 2, 3}
    assert machines.usable({9}, place) == {1}
    assert machines.usable({1}, replace(place, offline=frozenset({1}))) == {2}


def test_an_action_is_a_word_of_the_model() -> None:
    assert [Action(*each).word for each in (("t",), ("c", 5), ("f", 3, 65536), ("p", 0, 7))] == [
        "t", "c:5", "f:3:65536", "p:0:7",
    ]  # fmt: skip


def test_entries_are_those_of_the_task_that_leaves(tmp_path: Path) -> None:
    path = gtr.write(tmp_path / "entries.gtr", [
        gtr.round_at(AT),
        gtr.events(0, [
            gtr.task(AT - 2, 7, b"reads"),
            gtr.task(AT - 1, 8, b"other"),
            gtr.switch(AT + 1, 0, 7),
            gtr.switch(AT + 100_001, 7, 8, entries=30),
            gtr.switch(AT + 200_001, 8, 7),
            gtr.switch(AT + 300_001, 7, 0, gtr.SLEEPS, FUTEX, entries=10),
        ]),
        gtr.round_at(AT + 50_000_000),
    ])  # fmt: skip
    with Record.open(path) as record:
        found = extracted(record)
        lines = list(scenario.write(record, found, replace(machine.read("1"), costs={})))
    (reads,) = (each for each in found.courses if each.entries)
    assert (reads.task.name, reads.entries) == (b"reads", 40)
    assert [line for line in lines if " enters " in line] == [f"0 enters {reads.number} 5000"]


def test_a_wake_up_before_the_fork_is_kept(tmp_path: Path, player: play.Player) -> None:
    """Where the waker has a CPU of its own, it comes to its wake-up first."""
    path = gtr.write(tmp_path / "early.gtr", [
        gtr.round_at(AT),
        gtr.events(0, [
            gtr.task(AT - 2, 7, b"forks"),
            gtr.task(AT - 1, 9, b"wakes"),
            gtr.switch(AT + 1_000, 0, 7),
            Row(AT + 5_000_000, ev.Code.FORK, 8, 7, 0, b""),
            gtr.switch(AT + 5_100_000, 7, 8, gtr.SLEEPS, FUTEX),
            gtr.switch(AT + 5_200_000, 8, 9, gtr.SLEEPS, FUTEX),
            gtr.waking(AT + 5_300_000, 8, 9),
            gtr.switch(AT + 5_400_000, 9, 8, gtr.SLEEPS, FUTEX),
            gtr.switch(AT + 5_500_000, 8, 0, gtr.SLEEPS, FUTEX),
        ]),
        gtr.round_at(AT + 50_000_000),
    ])  # fmt: skip
    with Record.open(path) as record:
        place = replace(machine.read("2"), costs={})
        predicted = replayed(record, player, player.control("eevdf"), place)
    assert predicted["?"].ran_ns == pytest.approx(200_000, rel=0.01)


def test_a_task_may_begin_to_run_before_its_fork_is_told(tmp_path: Path) -> None:
    """Clocks of CPUs differ, so a record has the child's first switch before the fork."""
    path = gtr.write(tmp_path / "late.gtr", [
        gtr.round_at(AT),
        gtr.events(0, [
            gtr.task(AT - 2, 7, b"forks"),
            gtr.switch(AT + 1_000, 0, 7),
            Row(AT + 1_060_000, ev.Code.FORK, 8, 7, 0, b""),
            gtr.switch(AT + 2_000_000, 7, 0, gtr.SLEEPS, FUTEX),
        ]),
        gtr.events(1, [
            gtr.switch(AT + 1_000_000, 0, 8),
            gtr.switch(AT + 1_400_000, 8, 0, gtr.SLEEPS, FUTEX),
        ]),
        gtr.round_at(AT + 50_000_000),
    ])  # fmt: skip
    with Record.open(path) as record:
        replayable = extracted(record)
        tally = figures.tally_of_record(record, replayable)
    (child,) = (each for each in replayable.courses if each.is_forked)
    assert tally.tasks[child.number].ran_ns == 400_000
    assert [action.value for action in child.actions if action.kind == "c"] == [400_000]
    assert sum(each.ran_ns for each in tally.tasks.values()) == 400_000 + 1_999_000


@pytest.mark.parametrize(
    ("autogroup", "begin", "share"), [(1, 70, 0.5), (0, 70, 0.33), (1, 90, 0.5)]
)
def test_sessions_are_groups_of_the_control_as_on_the_node(
    tmp_path: Path, player: play.Player, autogroup: int, begin: int, share: float
) -> None:
    """Two tasks of a session have together what the only one of another has.

    `begin`: the session in which that one begins; it changes to 90 as it runs.
    """
    slice_ns, tasks = 5_000_000, {7: 70, 8: 70, 9: begin}
    rows = [
        gtr.in_session(gtr.task(AT - 9, number, f"hog{number}".encode()), session)
        for number, session in tasks.items()
    ]
    before = 0
    for turn in range(90):
        number = 7 + turn % 3
        rows.append(gtr.switch(AT + turn * slice_ns + 1, before, number))
        if turn == 2:
            rows.append(gtr.in_session(gtr.task(rows[-1].at_ns + 1, 9, b"hog9"), 90))
        before = number
    path = gtr.write(
        tmp_path / "sessions.gtr",
        [gtr.round_at(AT), gtr.events(0, rows), gtr.round_at(AT + 90 * slice_ns)],
        autogroup=autogroup,
    )
    place = replace(machine.read("1"), costs={})
    with Record.open(path) as record:
        found = replayed(record, player, player.control("eevdf"), place)
    ran = {name: each.ran_ns for name, each in found.items()}
    assert ran["hog9"] / sum(ran.values()) == pytest.approx(share, abs=0.03)
