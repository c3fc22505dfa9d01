# SPDX-License-Identifier: Apache-2.0
"""Traces of `gthulhu trace`, as Perfetto's trace processor reads them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gthulhu import control
from gthulhu.tracing import perfetto, ring, steady
from gthulhu.tracing.probes import Probes
from gthulhu.tracing.ring import Event
from gthulhu.tracing.rules import Rules
from gthulhu.tracing.runs import PUT_ASIDE, STILL_RUNNING, CpuRun, Runs
from trace_processor import TraceProcessor

ROOT = Path(__file__).parents[2]


# ---- rules --------------------------------------------------------------------------------------

OWNERS = ("rule `web` (shop.gpl:12)", "rule `batch` (shop.gpl:13)", "kernel threads")


def answer(tasks: dict[int, int], **more: Any) -> control.Answer:
    return {
        "ok": True,
        "policy": "shop",
        "generation": 3,
        "classes": [{"owner": owner} for owner in OWNERS],
        "tasks": [{"tid": task, "class": number} for task, number in tasks.items()],
    } | more


def learned(*answers: dict[int, int]) -> Rules:
    """One at 100 to 110, one at 200 to 210 and so on."""
    rules = Rules()
    for number, tasks in enumerate(answers, 1):
        rules.learn(100 * number, 100 * number + 10, answer(tasks))
    return rules


def newtask(at_ns: int, task: int, by: int = 1, flags: int = 0) -> Event:
    fields: dict[str, int | str] = {
        "pid": task,
        "comm": "new",
        "clone_flags": flags,
        "oom_score_adj": 0,
    }
    return Event(at_ns, 0, "task_newtask", by, fields, lost=False)


def name_at(rules: Rules, task: int, at_ns: int) -> str | None:
    owner = rules.owner_at(task, at_ns)
    return None if owner is None else owner.name


def test_a_rule_holds_from_the_first_answer_that_has_it() -> None:
    rules = learned({7: 0}, {7: 0}, {7: 1}, {7: 1})
    assert [name_at(rules, 7, at) for at in (50, 150, 305, 310, 900)] == [
        "web", "web", "web", "batch", "batch"
    ]  # fmt: skip
    assert name_at(rules, 8, 150) is None


def test_a_task_that_is_new_has_the_rule_of_the_first_answer_after_its_birth() -> None:
    rules = learned({7: 0}, {7: 0}, {7: 1})
    rules.turn([newtask(205, 7)])
    # The second answer may be about who had the number before.
    assert [name_at(rules, 7, at) for at in (150, 204, 205, 400)] == [
        "web",
        "web",
        "batch",
        "batch",
    ]


def test_short_lived_task_has_no_figure() -> None:
    rules = learned({}, {})
    rules.turn([newtask(120, 7)])
    assert name_at(rules, 7, 130) is None
    renamed = learned({7: 0}, {7: 1})
    fields: dict[str, int | str] = {"oldcomm": "a", "newcomm": "b", "oom_score_adj": 0}
    renamed.turn([Event(at, 0, "task_rename", 7, fields, lost=False) for at in (180, 120)])
    assert [name_at(renamed, 7, at) for at in (115, 130, 190)] == ["web", None, "batch"]


def test_another_policy_comes_into_force() -> None:
    rules = learned({7: 0})
    rules.learn(200, 210, answer({7: 2}, policy="other", generation=4))
    assert [(each.name, each.generation) for each in rules.policies] == [("shop", 3), ("other", 4)]
    assert name_at(rules, 7, 250) == "kernel threads"


# ---- runs ---------------------------------------------------------------------------------------

SLEEPS, RUNNABLE = 1, 0


def switch(
    at_ns: int, before: int, after: int, state: int = RUNNABLE, *, cpu: int = 0, lost: bool = False
) -> Event:
    fields: dict[str, int | str] = {
        "prev_comm": f"t{before}", "prev_pid": before, "prev_prio": 120, "prev_state": state,
        "next_comm": f"t{after}", "next_pid": after, "next_prio": 49 if after == 5 else 120,
    }  # fmt: skip
    return Event(at_ns, cpu, "sched_switch", before, fields, lost)


def waking(at_ns: int, task: int, by: int = 0, cpu: int = 0) -> Event:
    fields: dict[str, int | str] = {"comm": f"t{task}", "pid": task, "prio": 120, "target_cpu": 0}
    return Event(at_ns, cpu, "sched_waking", by, fields, lost=False)


EVENTS = (
    newtask(1_050, 9, by=8, flags=0x10000),
    switch(1_100, 7, 8),
    waking(1_150, 0),
    switch(1_200, 8, 7, SLEEPS),
    waking(1_250, 8, by=7),
    switch(1_300, 7, 0, SLEEPS),
    switch(1_310, 0, 8),
    waking(1_340, 9, by=8, cpu=1),
    switch(1_350, 0, 5, cpu=1),
    switch(1_400, 8, 9),
    switch(1_450, 5, 0, SLEEPS, cpu=1),
    switch(1_500, 9, 7, 0x10),
)


def runs_of(events: Iterable[Event], end_ns: int = 2_000) -> tuple[list[CpuRun], int]:
    runs = Runs(1_000)
    found = [run for run in map(runs.take, events) if run]
    return [*found, *runs.end(end_ns)], runs.gaps


def test_runs_begin_and_end_with_switches() -> None:
    found, gaps = runs_of(EVENTS)
    assert gaps == 0
    assert [(run.cpu, run.task, run.begin_ns, run.end_ns) for run in found] == [
        (0, 7, 1_000, 1_100),
        (0, 8, 1_100, 1_200),
        (0, 7, 1_200, 1_300),
        (0, 8, 1_310, 1_400),
        (1, 5, 1_350, 1_450),
        (0, 9, 1_400, 1_500),
        (0, 7, 1_500, 2_000),
    ]
    assert [run.waited_ns for run in found] == [None, None, 100, 60, None, 60, None]
    assert [run.end for run in found] == [
        PUT_ASIDE, "sleeps", "sleeps", PUT_ASIDE, "sleeps", "exited", STILL_RUNNING
    ]  # fmt: skip
    assert [run.next for run in found] == ["t8 8", "", "", "t9 9", "", "", ""]


def test_runs_with_lost_events_are_left_out() -> None:
    found, gaps = runs_of([switch(1_100, 7, 8), switch(1_300, 9, 7, lost=True), *EVENTS[-1:]])
    assert gaps == 1
    assert [(run.task, run.end_ns) for run in found] == [(7, 1_100), (7, 2_000)]


def test_a_task_that_is_never_switched_is_found_in_proc(tmp_path: Path) -> None:
    def proc(task: int, state: str, ran_ns: int, cpu: int = 3) -> None:
        folder = tmp_path / str(task)
        folder.mkdir(exist_ok=True)
        fields = [state, *["0"] * 14, "20", *["0"] * 20, str(cpu), "0"]
        (folder / "stat").write_text(f"{task} (a) b) {' '.join(fields)}\n")
        (folder / "schedstat").write_text(f"{ran_ns} 5 6\n")

    proc(7, "R", 100)
    proc(8, "R", 100)
    proc(9, "S", 100)
    before = steady.look([7, 8, 9, 10], tmp_path)
    proc(7, "R", 900)
    proc(8, "R", 200)
    proc(9, "R", 900)
    after = steady.look([7, 8, 9, 10], tmp_path)
    assert list(steady.runs(before, after, 1_000, 2_000)) == [
        CpuRun(3, 7, "a) b", 120, 1_000, 2_000, None, STILL_RUNNING, "")
    ]
    runs = Runs(1_000)
    runs.take(switch(1_100, 7, 8, cpu=2))
    assert runs.switched == {2}


# ---- the file -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trace() -> TraceProcessor:
    file = io.BytesIO()
    rules = learned({7: 0, 8: 1, 5: 0})
    rules.turn(EVENTS)
    writer = perfetto.Writer(file)
    clocks = {"BOOTTIME": 1_000, "MONOTONIC": 900, "REALTIME": 1_700_000_000_000_000_000}
    writer.begin(clocks, rules.policies)
    writer.processes({7: (7, 1, "t7"), 8: (8, 1, "t8")})
    runs = Runs(1_000)
    for event in EVENTS:
        writer.event(event)
        if run := runs.take(event):
            writer.run(run, rules.owner_at(run.task, run.begin_ns))
    for run in runs.end(2_000):
        writer.run(run, rules.owner_at(run.task, run.begin_ns))
    writer.close()
    assert writer.runs_by_rule == {
        "web": 3, "batch": 2, perfetto.NOT_KNOWN: 1, perfetto.REAL_TIME: 1
    }  # fmt: skip
    return TraceProcessor(file.getvalue())


def test_the_trace_processor_finds_nothing_wrong(trace: TraceProcessor) -> None:
    assert trace.query("select name, value from stats where severity != 'info' and value > 0") == []


def test_slices_are_named_by_rule_on_cpus_and_threads(trace: TraceProcessor) -> None:
    on_cpus = trace.query(
        "select t.name as cpu, s.ts, s.dur, s.name from slice s join track t on s.track_id = t.id "
        "where t.name like 'CPU %' and s.dur > 0 order by s.ts"
    )
    assert [tuple(row.values()) for row in on_cpus] == [
        ("CPU 0", 1_000, 100, "web"),
        ("CPU 0", 1_100, 100, "batch"),
        ("CPU 0", 1_200, 100, "web"),
        ("CPU 0", 1_310, 90, "batch"),
        ("CPU 1", 1_350, 100, "(real-time)"),
        ("CPU 0", 1_400, 100, "(rule not known)"),
        ("CPU 0", 1_500, 500, "web"),
    ]
    on_threads = trace.query(
        "select tid, pid, s.name, sum(s.dur) as ran from slice s join thread_track t "
        "on s.track_id = t.id join thread using (utid) join process using (upid) group by tid"
    )
    assert [tuple(row.values()) for row in on_threads] == [
        (5, 5, "(real-time)", 100), (7, 7, "web", 700), (8, 8, "batch", 190),
        (9, 8, "(rule not known)", 100),
    ]  # fmt: skip


def test_a_slice_says_whose_it_is_and_how_it_ended(trace: TraceProcessor) -> None:
    rows = trace.query(
        "select key, display_value as value from args where arg_set_id = (select s.arg_set_id "
        "from slice s join thread_track t on s.track_id = t.id where s.ts = 1310)"
    )
    found = {row["key"].removeprefix("debug."): row["value"] for row in rows}
    assert {key: found[key] for key in found if key in found and "." not in key} == {
        "comm": "t8", "tid": "8", "pid": "8", "rule": "batch", "source": "shop.gpl:13",
        "cpu": "0", "ended": PUT_ASIDE, "next": "t9 9", "waited_ns": "60",
    }  # fmt: skip


def test_trace_has_the_data_of_any_linux_trace(trace: TraceProcessor) -> None:
    ran = trace.query("select cpu, ts, dur from sched join thread using (utid) where tid = 8")
    assert [tuple(row.values()) for row in ran] == [(0, 1_100, 100), (0, 1_310, 90)]
    states = trace.query(
        "select state, ts, dur from thread_state join thread using (utid) where tid = 8 order by ts"
    )
    assert ("R", 1_250, 60) in [tuple(row.values()) for row in states]
    waker = trace.value(
        "select w.tid from thread_state s join thread t using (utid) "
        "join thread w on s.waker_utid = w.utid where t.tid = 8"
    )
    assert waker == 7


def test_policy_and_generation_are_in_the_metadata(trace: TraceProcessor) -> None:
    rows = trace.query("select name, str_value as value from metadata where name like '%gthulhu%'")
    assert {row["name"].rpartition("-")[2]: row["value"] for row in rows} == {
        "policy": "shop", "generation": "3"
    }  # fmt: skip
    assert trace.value("select name from slice where dur = 0") == "policy shop, generation 3"


def test_the_query_of_the_manual_says_how_long_each_rule_ran(trace: TraceProcessor) -> None:
    manual = (ROOT / "docs" / "operations.md").read_text()
    (query,) = re.findall(r"```sql\n(.*?)```", manual, re.DOTALL)
    ran = {row["name"]: row["ran_ms"] for row in trace.query(query)}
    assert (next(iter(ran)), ran["web"]) == ("web", 700 / 1e6)


# ---- calls of traced functions ------------------------------------------------------------------

FORMAT = """name: call_0
ID: 1729
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;
"""
SOFT_INTERRUPT, IN_SYSCALL = 0x10, 0x00


def test_an_event_of_a_call_tells_its_thread_and_where_it_is() -> None:
    form = ring.parse_format("call", FORMAT, ("common_flags",))
    content = b"\xc1\x06" + bytes([SOFT_INTERRUPT, 1]) + (77).to_bytes(4, "little") + bytes(8)
    task, fields = form.read(content, 0)
    assert (form.number, task, fields["common_flags"]) == (1729, 77, SOFT_INTERRUPT)


def test_calls_are_instants_on_the_tracks_of_thread_and_cpu() -> None:
    file = io.BytesIO()
    writer = perfetto.Writer(file)
    writer.begin({"BOOTTIME": 1_000}, ())
    rules = learned({7: 0})
    for at_ns, task, flags in ((150, 7, IN_SYSCALL), (160, 7, SOFT_INTERRUPT), (170, 0, 0x08)):
        event = Event(at_ns, 1, "g/call_0", task, {"common_flags": flags}, lost=at_ns == 160)
        writer.call(event, "udp_rcv", rules.owner_at(task, at_ns))
    writer.close()
    assert writer.calls == {"udp_rcv": 3}
    trace = TraceProcessor(file.getvalue())
    rows = trace.query(
        "select s.ts, s.dur, s.name, s.category, t.name as track, tid, "
        "extract_arg(s.arg_set_id, 'debug.caller') as caller, "
        "extract_arg(s.arg_set_id, 'debug.rule') as rule, "
        "extract_arg(s.arg_set_id, 'debug.cpu') as cpu from slice s join track t on "
        "s.track_id = t.id left join thread_track h on h.id = t.id left join thread using (utid) "
        "order by s.ts, tid"
    )
    assert {(row["name"], row["category"], row["dur"], row["cpu"]) for row in rows} == {
        ("udp_rcv", "call", 0, 1)
    }
    assert [(row["ts"], row["tid"], row["caller"], row["rule"]) for row in rows] == [
        (150, None, "the task", "web"), (150, 7, "the task", "web"),
        (160, None, "a soft interrupt", "web"), (160, 7, "a soft interrupt", "web"),
        (170, None, "an interrupt", None),
    ]  # fmt: skip
    assert {row["track"] for row in rows if row["tid"] is None} == {"CPU 1"}


def test_probes_leave_the_events_of_others(tmp_path: Path) -> None:
    file = tmp_path / "kprobe_events"
    file.write_text("p:others/mine vfs_read\n")
    left = tmp_path / "events" / "gthulhu_99999999" / "call_0"
    left.mkdir(parents=True)
    probes = Probes(tmp_path)
    probes.remove_leftovers()
    probes.add("udp_rcv")
    (tmp_path / "events" / probes.group / "call_0").mkdir(parents=True)
    probes.remove()
    assert file.read_text().splitlines() == [
        "p:others/mine vfs_read", "-:gthulhu_99999999/call_0",
        f"p:{probes.group}/call_0 udp_rcv", f"-:{probes.group}/call_0",
    ]  # fmt: skip
    assert probes.functions == {}


def test_a_function_that_cannot_be_traced_has_a_reason(tmp_path: Path) -> None:
    probes = Probes(tmp_path)  # a kernel without kprobe events
    probes.add("udp_rcv")
    assert probes.functions == {}
    assert list(probes.missing) == ["udp_rcv"]
