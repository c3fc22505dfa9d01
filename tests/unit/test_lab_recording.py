# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of `gthulhu verify`, from the trace or the reports of a guest."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gthulhu_lab import catalogue
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.verify import recording, scene
from gthulhu_lab.verify.recording import MisplacedError
from gthulhu_lab.verify.runs import RecordedRun
from recorded import guest_result, left, stat
from verified import UPF, policy, upf_scene


def read(files: dict[str, bytes]) -> RecordedRun:
    built = upf_scene()
    return recording.read(built, "t.gpl", Variation(7, 0), guest_result(files))


def test_waits_and_shares_are_those_of_the_tasks_of_each_rule() -> None:
    run = read(left())

    ran, builders = run.classes["ran"], run.classes["builders"]
    assert ran.wakeup.samples.all_us() == [50]
    assert ran.wait.samples.all_us() == [50]
    assert ran.cpu_us == 50
    assert ran.tasks == 2
    # Task 21 was put aside twice, and waits still when the window ends; 23 is 22's child.
    assert builders.wait.samples.all_us() == [50, 400]
    assert builders.wakeup.samples.count == 0
    assert builders.tasks == 4
    assert run.cpu_us == {"builders": 550 + 1000, "others": 400, "ran": 50}
    assert sum(run.cpu_us.values()) == 2 * run.window_us


def test_tasks_that_ran_while_others_waited_are_known() -> None:
    run = read(left())

    assert run.classes["builders"].wait.meanwhile_us == {"builders": 400, "others": 400}
    assert run.classes["ran"].wakeup.meanwhile_us == {"builders": 100}


def test_a_task_that_waits_all_the_time_has_a_wait_as_long() -> None:
    run = read(left(state="R"))

    # Both threads of `nr-gnb` were runnable before and after; one of them never ran.
    assert max(run.classes["ran"].wait.samples.all_us()) == run.window_us == 1000


@pytest.mark.parametrize(("ticks", "owner"), [(1, "builders"), (0, "idle")])
def test_a_cpu_without_an_event_had_one_task_or_none(ticks: int, owner: str) -> None:
    """A task that has an exclusive CPU for itself is never switched, and has no tick."""
    files = left()
    files["stat-before"] += stat(24, 24, 20, "R", 20, cpu=2).encode()
    files["stat-after"] += stat(24, 24, 20, "R", 20, ticks=ticks, cpu=2).encode()
    answer = json.loads(files["rules-before"])
    answer["tasks"].append({"tid": 24, "class": 1})
    files["rules-before"] = files["rules-after"] = json.dumps(answer).encode()
    result = guest_result(files)
    result = replace(result, environment=result.environment.model_copy(update={"cpus": 3}))

    run = recording.read(upf_scene(), "t.gpl", Variation(7, 0), result)
    assert run.cpu_us[owner] - read(left()).cpu_us.get(owner, 0) == run.window_us
    assert sum(run.cpu_us.values()) == 3 * run.window_us
    # One that did not run has waited all the time.
    assert (1000 in run.classes["builders"].wait.samples.all_us()) == (owner == "idle")


def test_a_task_in_another_rule_than_it_was_made_for_is_an_error() -> None:
    with pytest.raises(
        MisplacedError, match=r"`hogs` .* expected class `builders`, found `default`"
    ):
        read(left(hogs=2))


def test_a_task_that_is_just_being_started_may_not_have_its_name_yet() -> None:
    files = left()
    files["stat-after"] += stat(24, 24, 20, "S", 20).encode()
    answer = json.loads(files["rules-after"])
    answer["tasks"].append({"tid": 24, "class": 2})
    files["rules-after"] = json.dumps(answer).encode()

    assert read(files).classes["builders"].tasks == 5


def test_a_process_with_a_session_of_its_own_is_of_its_parents_group() -> None:
    """As a database server's are; they may be listed in any order."""
    files = left()
    for name in ("stat-before", "stat-after"):
        files[name] = (
            b"".join(
                stat(pid, pid, pid, "S", parent).encode() for pid, parent in ((111, 24), (24, 21))
            )
            + files[name]
        )
    for name in ("rules-before", "rules-after"):
        answer = json.loads(files[name])
        answer["tasks"] += [{"tid": 111, "class": 1}, {"tid": 24, "class": 1}]
        files[name] = json.dumps(answer).encode()

    assert read(files).classes["builders"].tasks == 6


def test_a_scheduler_that_is_gone_at_the_end_is_a_failure() -> None:
    with pytest.raises(GuestError, match="no longer in force at the end: disabled"):
        read({**left(), "state": b"disabled\n"})


def test_a_workload_that_ended_early_is_named_with_its_words() -> None:
    with pytest.raises(GuestError, match="`hogs` ended too early: hog: no memory"):
        read({**left(), "ended": b"20\n", "group-1.out": b"hog: no memory\n"})


def test_reports_are_read_and_tasks_must_be_in_their_rules() -> None:
    built = upf_scene()
    pipes = policy(UPF.replace("hogs 1.5x", "rpc 1x"))
    with_rpc = scene.build(pipes, pipes.expectations[0], catalogue.load())
    figures = {"group-1/rate": b"500.5\n", "group-1/time": b"3\n1\n2\n"}

    found = recording.read_reported(
        with_rpc, "t.gpl", Variation(7, 0), guest_result({**left(), **figures})
    )
    assert found.figures == {"rate(rpc)": 500.5, "time(rpc)": 2}
    assert found.in_force == "gthulhu_t"

    assert found.operations == {"rpc": 3}
    figures["group-1/time"] = b"".join(b"%d\n" % ns for ns in range(1, 101))
    found = recording.read_reported(
        with_rpc, "t.gpl", Variation(7, 0), guest_result({**left(), **figures})
    )
    # Of 99 in a hundred a hundred say nothing.
    assert found.figures == {
        "rate(rpc)": 500.5, "time(rpc)": 50.5, "p50(time rpc)": 50, "p90(time rpc)": 90,
        "mean(time rpc)": 50.5, "max(time rpc)": 100,
    }  # fmt: skip

    nothing = {**left(), "group-1/rate": b"0.000\n"}
    found = recording.read_reported(with_rpc, "t.gpl", Variation(7, 0), guest_result(nothing))
    assert found.figures == {}
    with pytest.raises(MisplacedError):
        recording.read_reported(built, "t.gpl", Variation(7, 0), guest_result(left(hogs=2)))
