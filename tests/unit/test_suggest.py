# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Suggestions in parts: groups, blame, decisions, and when a replay counts as a loss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gthulhu.record.reader import Record
from gthulhu_lab.replay.report import RuleFigures
from gthulhu_lab.suggest import decide, groups, policy, trials
from gthulhu_lab.suggest.groups import Key
from gthulhu_lab.suggest.watch import Watch
from waits import MS, US, waiting


def found_in(path: Path) -> dict[Key, groups.Group]:
    with Record.open(path) as record:
        return groups.of_record(record)


# ---- Groups ----


def test_a_group_has_its_habits_and_whom_it_waits_for(tmp_path: Path) -> None:
    found = found_in(waiting(tmp_path / "w.gtr"))
    server, batch = found[Key(b"server")], found[Key(b"batch")]
    assert server.wait_ns("p50") == server.wait_ns("p99") == MS
    assert server.burst_ns == pytest.approx(50 * US)
    assert server.period_ns == 3 * MS
    assert server.blamed == [(Key(b"batch"), 1.0)]
    assert batch.share == pytest.approx(1 - 50 / 3000, abs=0.01)
    assert batch.blamed == []


def test_the_task_that_ran_longest_is_blamed_and_not_the_last_one() -> None:
    watch = Watch()
    watch.enter(0, 5, 0, 0)
    watch.waking(100, 7)
    watch.leave(900, 5, is_runnable=True)
    watch.enter(900, 6, 0, 5)
    watch.leave(950, 6, is_runnable=False)
    watch.enter(1000, 7, 0, 0)
    assert watch.habits[7].blocked_ns == {5: 800, 6: 50, 0: 50}
    assert watch.tasks[7].after_ns == {0: 900}


def test_numbered_threads_are_one_group() -> None:
    assert groups.family(b"hog12") == groups.family(b"hog3") == b"hog#"
    assert groups.family(b"kworker/3:1") == b"kworker/#:#"


@pytest.mark.parametrize("server", [b"x", b"batch"])
def test_a_cgroup_tells_tasks_of_one_name_apart(tmp_path: Path, server: bytes) -> None:
    path = waiting(tmp_path / "w.gtr", server, cgroups=(b"/front/pod1", b"/job"))
    found = found_in(path)
    matches = {each.rule: each.match for each in policy.named(decide.decide(found), found)}
    if server == b"x":
        assert matches == {"x-pod1": ('comm == "x"',), "batch-job": ('comm == "batch"',)}
    else:
        assert matches == {
            "batch-pod1": ('cgroup under "/front/pod1"',),
            "batch-job": ('cgroup under "/job"',),
        }


# ---- Decisions ----


def test_who_waits_for_longer_work_gets_a_rule(tmp_path: Path) -> None:
    found = found_in(waiting(tmp_path / "w.gtr"))
    decision = decide.decide(found)
    assert [each.group.key.comm for each in decision.waiters] == [b"server"]
    assert [each.key.comm for each in decision.batch] == [b"batch"]


def group(**figures: Any) -> groups.Group:
    usual: dict[str, Any] = {"share": 0.1, "waits": [MS] * 200, "burst_ns": 50 * US}
    return groups.Group(Key(b"a"), **usual | figures)


@pytest.mark.parametrize(
    ("figures", "is_late"),
    [
        pytest.param({}, True, id="late"),
        pytest.param({"waits": [MS] * 99}, False, id="too few"),
        pytest.param({"waits": [150 * US] * 200}, False, id="soon"),
        pytest.param({"burst_ns": 1.5 * MS}, False, id="soon for its work"),
        pytest.param({"burst_ns": 3 * MS, "waits": [9 * MS] * 200}, False, id="it computes"),
    ],
)
def test_a_wait_is_late_by_thresholds(figures: dict[str, Any], is_late: bool) -> None:
    assert decide.is_late(group(**figures)) == is_late


def test_nobody_is_blamed_for_short_work() -> None:
    mine = group()
    other = groups.Group(Key(b"b"), burst_ns=150 * US, share=0.9)
    mine.blocked_ns[other.key] = 100
    both = {mine.key: mine, other.key: other}
    assert not decide.decide(both).waiters
    other.burst_ns = 200 * US
    assert decide.decide(both).waiters


def test_the_eight_groups_that_wait_longest_for_their_work_go_first() -> None:
    batch = groups.Group(Key(b"batch"), burst_ns=9 * MS, share=0.9)
    found = {batch.key: batch}
    for number in range(12):
        key = Key(b"server" + bytes([ord("a") + number]))
        found[key] = groups.Group(key, waits=[(number + 1) * MS] * 200, burst_ns=50 * US)
        found[key].blocked_ns[batch.key] = 100
    names = [each.group.key.comm for each in decide.decide(found).waiters]
    assert names == [b"server" + bytes([letter]) for letter in b"lkjihgfe"]


# ---- Replays ----


def ran(wakeup_ns: int, wakeups: int = 200) -> RuleFigures:
    waits = dict.fromkeys(("p50", "p90", "p99"), wakeup_ns)
    return RuleFigures(wakeups, {**waits}, wakeups, {**waits}, 0.5, 0, 0)


@pytest.mark.parametrize(
    ("figures", "before", "after", "stretches", "is_loss"),
    [
        pytest.param({}, ran(MS), ran(2 * MS), (2, 2), True, id="it waits longer"),
        pytest.param({}, ran(MS), ran(MS), (2, 3), False, id="it waits as long"),
        pytest.param({}, ran(5 * US), ran(15 * US), (2, 2), False, id="nobody notices"),
        pytest.param(
            {"burst_ns": 2 * MS, "share": 0.5}, ran(MS), ran(2 * MS), (2, 2.1), False,
            id="batch that waits in other places",
        ),
        pytest.param(
            {"burst_ns": 2 * MS, "share": 0.5}, ran(MS), ran(MS), (2, 2.3), True,
            id="batch that takes longer",
        ),
        pytest.param({"share": 0.5}, ran(MS, 5), ran(MS, 5), (2, 2.3), True, id="rarely woken"),
        pytest.param({"share": 0.001}, ran(MS, 5), ran(MS, 5), (2, 9), False, id="a shell"),
    ],
)  # fmt: skip
def test_a_loss_counts_by_waits_or_by_work(
    figures: dict[str, Any],
    before: RuleFigures,
    after: RuleFigures,
    stretches: tuple[float, float],
    is_loss: bool,
) -> None:
    assert trials.Change(group(**figures), before, after, *stretches, 0.0).is_loss == is_loss


def blames_the_last(patch: pytest.MonkeyPatch) -> None:
    """The task that ran last gets all of the blame."""

    def blame(self: Watch, task: int, cpu: int, since_ns: int, at_ns: int) -> None:
        run = self._runs[cpu][-1]
        self.habits[task].blocked_ns[run.task] += at_ns - since_ns

    patch.setattr(Watch, "_blame", blame)


def blames_what_ran_before(patch: pytest.MonkeyPatch) -> None:
    """A run counts from its begin, also if that was before the wait."""

    def blame(self: Watch, task: int, cpu: int, since_ns: int, _: int) -> None:
        for run in self._runs[cpu]:
            if run.end_ns > since_ns:
                self.habits[task].blocked_ns[run.task] += run.end_ns - run.begin_ns

    patch.setattr(Watch, "_blame", blame)


@pytest.mark.parametrize("mutate", [blames_the_last, blames_what_ran_before])
def test_mutants_of_the_blame_are_caught(mutate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate(monkeypatch)
    with pytest.raises(AssertionError):
        test_the_task_that_ran_longest_is_blamed_and_not_the_last_one()
