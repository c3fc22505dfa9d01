# SPDX-License-Identifier: Apache-2.0
"""Timelines from a kernel's trace, and checks of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import timeline_checks as checks
from gthulhu_lab import timeline, trace
from gthulhu_lab.errors import GuestError
from gthulhu_lab.timeline import Period
from gthulhu_lab.trace import Event, Marker, Switch, Task, Wakeup
from timeline_checks import named

HEAD = "# tracer: nop\n#\n# entries-in-buffer/entries-written: {kept}/{written}   #P:2\n#\n"
TEXT = (Path(__file__).parents[1] / "data" / "trace" / "sample.trace").read_text()

IDLE = Task(0, "swapper", 120)
A, B, C = Task(1, "a", 120), Task(2, "b", 120), Task(3, "c", 120)


def test_events_are_read() -> None:
    task = Task(31, "a b: 7", 120)
    assert trace.parse(HEAD.format(kept=6, written=6) + TEXT) == [
        Marker(10_000_001, "begin"),
        Wakeup(10_000_010, task),
        Switch(10_000_012, 1, Task(0, "swapper/1", 120), runnable=True, after=task),
        Switch(10_000_030, 1, task, runnable=True, after=Task(0, "swapper/1", 120)),
        Wakeup(10_000_035, Task(44, "kid", 139)),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no head"),
        (HEAD.format(kept=5, written=9) + TEXT, "5 of 9 events: its buffers are too small"),
        (
            HEAD.format(kept=1, written=1) + "what is this\n",
            "invalid line in the trace: what is this",
        ),
        (
            HEAD.format(kept=1, written=1) + TEXT.splitlines()[1].replace("prio", "rank"),
            "invalid event in the trace: comm=a b",
        ),
    ],
)
def test_a_trace_that_is_not_whole_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(GuestError, match=complaint):
        trace.parse(text)


def switch(at_us: int, cpu: int, before: Task, after: Task, *, runnable: bool = False) -> Switch:
    return Switch(at_us, cpu, before, runnable, after)


def recorded(*events: Event, end_us: int = 100) -> timeline.Timeline:
    return timeline.build([Marker(0, "begin"), *events, Marker(end_us, "end")])


def test_a_wait_is_from_the_wake_up_to_the_switch() -> None:
    line = recorded(Wakeup(10, A), switch(25, 0, IDLE, A), switch(40, 0, A, IDLE))

    assert line.waits == [timeline.Wait(10, 25, A, woken=True, cpu=0)]
    assert checks.runs_of(line, named("a")) == [timeline.CpuRun(25, 40, A, 0)]
    assert checks.idle(line, 0) == [
        timeline.CpuRun(0, 25, IDLE, 0),
        timeline.CpuRun(40, 100, IDLE, 0),
    ]


def test_a_task_that_is_put_aside_waits_at_once() -> None:
    line = recorded(switch(30, 0, A, B, runnable=True), switch(50, 0, B, A))

    assert line.waits == [timeline.Wait(30, 50, A, woken=False, cpu=0)]


def test_a_task_that_never_runs_again_waits_to_the_end() -> None:
    line = recorded(Wakeup(10, A))

    assert line.waits == [timeline.Wait(10, 100, A, woken=True, cpu=None)]
    assert checks.longest_wait_us(line, named("a")) == 90
    assert checks.used_us(line, named("a")) == {1: 0}


def test_waking_a_running_or_waiting_task_begins_no_wait() -> None:
    line = recorded(
        Wakeup(5, A), Wakeup(8, A), switch(10, 0, IDLE, A), Wakeup(20, A), switch(30, 0, A, IDLE)
    )

    assert line.waits == [timeline.Wait(5, 10, A, woken=True, cpu=0)]


def test_a_name_holds_from_the_switch_after_it() -> None:
    line = recorded(switch(10, 0, IDLE, A), switch(20, 0, Task(1, "z", 120), IDLE))

    assert [run.length_us for run in checks.runs_of(line, named("z"))] == [10]


def test_a_lost_switch_is_noticed() -> None:
    with pytest.raises(GuestError, match="on CPU 0 ran b, and at 20 us a leaves it"):
        recorded(switch(10, 0, A, B), switch(20, 0, A, IDLE))


def test_cpus_and_strangers() -> None:
    kthread, bound = Task(9, "kworker/u8:1", 120), Task(10, "kworker/1:0", 120)
    realtime = Task(11, "fifo", 49)
    line = recorded(
        switch(10, 0, IDLE, A),
        switch(10, 1, IDLE, B),
        switch(20, 1, B, kthread),
        switch(22, 1, kthread, bound),
        switch(24, 1, bound, realtime),
        switch(26, 1, realtime, A),
        switch(30, 1, A, IDLE),
    )

    assert checks.cpus_used(line, named("a")) == {0, 1}
    found = checks.strangers(line, {1}, named("b"))
    assert [run.task.name for run in found] == ["kworker/u8:1", "a"]
    assert checks.strangers(line, {0}, named("a")) == []


def test_idle_while_waiting() -> None:
    line = recorded(
        switch(10, 0, IDLE, A),
        switch(10, 1, IDLE, B),
        Wakeup(20, C),
        switch(50, 1, B, IDLE),
        switch(80, 0, A, C),
    )

    found = checks.idle_while_waiting(line, named("c"), {0, 1})
    assert [(item.us, item.cpu) for item in found] == [(30, 1)]
    assert checks.idle_while_waiting(line, named("c"), {0}) == []


def test_tasks_that_run_first_excuse_a_wait() -> None:
    one, two = Task(10, "kworker/0:1", 120), Task(11, "ksoftirqd/0", 120)

    def bound(task: Task) -> bool:
        return timeline.percpu_kthread(task) is not None

    line = recorded(
        Wakeup(10, one),
        Wakeup(12, two),
        switch(15, 0, A, one, runnable=True),
        switch(40, 0, one, two),
        switch(45, 0, two, A),
    )

    found = checks.kept_waiting(line, bound, bound)
    assert [(item.us, item.what.task.name) for item in found] == [
        (5, "kworker/0:1"),
        (3, "ksoftirqd/0"),
    ]


def test_a_slice_counts_from_the_rivals_arrival() -> None:
    line = recorded(
        switch(10, 0, IDLE, A),
        Wakeup(30, B),
        switch(70, 0, A, B, runnable=True),
        switch(95, 0, B, A, runnable=True),
    )

    found = checks.contested(line, named("a", "b"), named("a", "b"))
    assert [(item.us, item.what.task.name) for item in found] == [(40, "a"), (25, "b"), (5, "a")]
    assert checks.contested(line, named("a"), named("c")) == []

    after_sleep = checks.contested(line, named("a", "b"), named("a", "b"), woken_only=True)
    assert [item.us for item in after_sleep] == [40]  # B had slept, and is put aside at 95


def test_shares() -> None:
    line = recorded(switch(10, 0, IDLE, A), switch(40, 0, A, B, runnable=True), switch(90, 0, B, A))

    assert checks.used_us(line, named("a", "b")) == {1: 40, 2: 50}


def test_intervals() -> None:
    assert Period(10, 20).common_us(Period(15, 30)) == 5
    assert Period(10, 20).common_us(Period(20, 30)) == 0


@pytest.mark.parametrize(
    ("name", "cpu"),
    [("kworker/12:1H", 12), ("ksoftirqd/0", 0), ("kworker/u9:0", None), ("migration", None)],
)
def test_bound_kernel_threads_are_known_by_name(name: str, cpu: int | None) -> None:
    assert timeline.percpu_kthread(Task(5, name, 120)) == cpu
