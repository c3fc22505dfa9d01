# SPDX-License-Identifier: Apache-2.0
"""Traces of running schedulers, as Perfetto's own trace processor reads them."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import FtraceEvent, Trace

import guest_loader
import guest_programs
import guest_python
from gthulhu import counters
from gthulhu.record import events as ev
from gthulhu.record.events import Context
from gthulhu.record.reader import Record
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from trace_processor import TraceProcessor

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")
INSTANCES = "/sys/kernel/tracing/instances"

SCRIPT = f"""
# begin_trace NAME: one in the background, until it has begun to record
begin_trace() {{
    step $1 gthulhu trace -o $RESULTS/$1.pftrace --seconds 0 &
    STEP=$!
    TRACER=
    until [ "$TRACER" ]; do
        usleep 50000
        for instance in {INSTANCES}/gthulhu-*; do
            [ -d /proc/${{instance##*-}} ] || continue
            # A new one is on, too, until it is set up.
            grep -q 1 $instance/events/task/task_rename/enable || continue
            grep -q 1 $instance/tracing_on || continue
            TRACER=${{instance##*-}}
        done
    done
}}

first &
FIRST=$!
first &
FIRST="$FIRST $!"
probe wakes second 100000 >/dev/null &
SECOND=$!
start pair pair.bpf.o
await_line pair enabled

begin_trace stopped
ask stats >$RESULTS/before.json
sleep 2
ask stats >$RESULTS/after.json
kill -TERM $TRACER
wait $STEP
ls {INSTANCES} >$RESULTS/stopped.left
echo $FIRST $SECOND >$RESULTS/tasks

begin_trace killed
kill -9 $TRACER
wait $STEP
ls {INSTANCES} >$RESULTS/killed.left
step timed gthulhu trace -o $RESULTS/timed.pftrace --seconds 0.5
ls {INSTANCES} >$RESULTS/timed.left

begin_trace ended
kill -TERM $LOADER
finish pair
wait $STEP
ls {INSTANCES} >$RESULTS/ended.left
kill -9 $FIRST $SECOND

# Calls, beside an event of somebody else, which has to stay.
echo 'p:others/mine vfs_read' >>/sys/kernel/tracing/kprobe_events
start calls calls.bpf.o
await_line calls enabled
begin_trace killed-calls
kill -9 $TRACER
wait $STEP
begin_trace called
calls calls.bpf.o itself softirq >/dev/null &
CALLER=$!
wait $CALLER
echo $CALLER >$RESULTS/caller
kill -TERM $TRACER
wait $STEP
cat /sys/kernel/tracing/kprobe_events >$RESULTS/events.left
kill -TERM $LOADER
finish calls
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("trace")
    policies: dict[str, list[str]] = {"pair": ["--stats"], "calls": []}
    for name, options in policies.items():
        policy, target = HERE / "policies" / f"{name}.gpl", folder / f"{name}.bpf.o"
        subprocess.run(["gthulhuc", "-Wno-all", *options, policy, "-o", target], check=True)
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            clock=Clock.ICOUNT,
            files={
                **guest_loader.FILES,
                "bin/first": b"#!/bin/sh\nwhile :; do :; done\n",
                **{f"{name}.bpf.o": folder / f"{name}.bpf.o" for name in policies},
                **guest_programs.build(folder, "ask", "probe", "calls"),
                **guest_python.files(
                    "mmap",
                    "heapq",
                    *guest_python.TRACER,
                ),
            },
            deadline_s=400,
        )
    ).check()


# A run of a task, as it is on the track of its thread, and on that of its CPU.
RUNS = """
create view run as
select s.ts, s.dur, s.ts + s.dur as till, s.name as rule, utid, tid, thread.name as comm,
       extract_arg(s.arg_set_id, 'debug.cpu') as cpu,
       extract_arg(s.arg_set_id, 'debug.ended') as ended,
       extract_arg(s.arg_set_id, 'debug.source') as source,
       extract_arg(s.arg_set_id, 'debug.waited_ns') as waited_ns
from slice s join thread_track t on s.track_id = t.id join thread using (utid)
"""
CPU_RUNS = """
create view cpu_run as
select s.ts, s.dur, s.name as rule, cast(substr(t.name, 5) as int) as cpu
from slice s join track t on s.track_id = t.id where t.name like 'CPU %'
"""


@pytest.fixture(scope="module")
def imported(guest: vm.GuestResult, tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("imported")
    source, target = folder / "stopped.pftrace", folder / "node.gtr"
    source.write_bytes(guest.files["stopped.pftrace"])
    subprocess.run(["gthulhu", "record", "--from", source, "-o", target], check=True)
    return Record(io.BytesIO(target.read_bytes()), "node.gtr")


@pytest.fixture(scope="module")
def trace(guest: vm.GuestResult) -> TraceProcessor:
    trace = TraceProcessor(guest.files["stopped.pftrace"])
    trace.query(RUNS)
    trace.query(CPU_RUNS)
    return trace


def test_a_signal_ends_a_recording_in_order(guest: vm.GuestResult) -> None:
    assert guest.files["stopped.err"] == b""
    assert guest.files["stopped.status"] == b"0\n"
    said = guest.files["stopped.out"].decode()
    assert said.startswith("/results/stopped.pftrace: ")
    assert said.endswith("; pair, generation 1\n")
    assert guest.files["stopped.left"] == b""


def test_the_trace_processor_finds_nothing_wrong(trace: TraceProcessor) -> None:
    assert trace.query("select name, value from stats where severity != 'info' and value > 0") == []


def test_slices_are_named_by_the_rules_of_the_tasks(
    guest: vm.GuestResult, trace: TraceProcessor
) -> None:
    *first, second = map(int, guest.files["tasks"].split())
    rows = trace.query("select rule, tid, count(*) as runs, source from run group by 1, 2, 4")
    for rule, own, line in (("first", set(first), 4), ("second", {second}, 5)):
        assert {row["tid"] for row in rows if row["rule"] == rule} == own
        assert {row["rule"] for row in rows if row["tid"] in own} == {rule}
        assert {row["source"] for row in rows if row["rule"] == rule} == {f"pair.gpl:{line}"}
        assert sum(row["runs"] for row in rows if row["rule"] == rule) > 20
    assert {"default", "kernel threads"} <= {row["rule"] for row in rows}


def test_no_two_slices_of_a_track_overlap(trace: TraceProcessor) -> None:
    assert trace.value("select count(distinct track_id) from slice") > 5
    rows = trace.query(
        "select * from (select track_id, ts, dur, lead(ts) over (partition by track_id order by ts)"
        " as next from slice where dur > 0) where ts + dur > next"
    )
    assert rows == []
    assert trace.value("select max(depth) from slice") == 0


def test_slices_are_what_perfetto_itself_makes_of_the_switches(trace: TraceProcessor) -> None:
    # Runs at the start or end of the recording are cut there.
    trace.query(
        "create view mine as select utid, ts, dur, cpu from run where ended != 'end of the trace'"
    )
    trace.query(
        "create view its as select utid, ts, dur, cpu from sched join thread using (utid) "
        "where tid > 0"
    )
    assert (
        trace.value("select count(*) from (select * from mine intersect select * from its)") > 300
    )
    assert trace.value("select count(*) from (select * from mine except select * from its)") <= 2
    assert trace.value("select count(*) from (select * from its except select * from mine)") <= 2


def test_both_tracks_of_a_run_say_the_same(trace: TraceProcessor) -> None:
    mine, cpus = "select ts, dur, rule, cpu from run", "select ts, dur, rule, cpu from cpu_run"
    assert trace.query(f"{mine} except {cpus}") == trace.query(f"{cpus} except {mine}") == []


def test_the_time_of_a_rule_is_what_the_scheduler_has_counted(
    guest: vm.GuestResult, trace: TraceProcessor
) -> None:
    # Two have asked for the counters, and were answered before they ended.
    first, second = trace.query(
        "select min(ts) as begin, max(till) as end from run where comm = 'ask' "
        "group by tid order by 1"
    )
    counted = [json.loads(guest.files[name])["classes"] for name in ("before.json", "after.json")]
    runs = trace.query("select rule, ts, till from run")

    def traced(rule: str, begin: int, end: int) -> int:
        cut = (
            (max(run["ts"], begin), min(run["till"], end)) for run in runs if run["rule"] == rule
        )
        return sum(max(end - begin, 0) for begin, end in cut)

    for before, after in zip(*counted, strict=True):
        rule = counters.owner(before["owner"]).name
        ran_ns = after["ran_ns"] - before["ran_ns"]
        # A run is counted when it ends, and on each of two CPUs there may be one that has not.
        # The time of a switch may count for different tasks here and there.
        longest = max((run["till"] - run["ts"] for run in runs if run["rule"] == rule), default=0)
        slack = 2 * longest + 45e6
        assert traced(rule, first["end"], second["begin"]) - slack < ran_ns, rule
        assert ran_ns < traced(rule, first["begin"], second["end"]) + slack, rule
    assert trace.value("select sum(dur) from run where rule = 'first'") > 1e9


def test_trace_has_wake_ups_and_waits(trace: TraceProcessor) -> None:
    (waits,) = trace.query(
        "select count(*) as runs, count(waited_ns) as known, min(waited_ns) as least from run "
        "where rule = 'second'"
    )
    assert waits["known"] >= 0.9 * waits["runs"]
    assert waits["least"] > 0
    ends = trace.query("select distinct ended from run where rule = 'first'")
    assert {row["ended"] for row in ends} <= {"still runnable", "end of the trace"}
    trace.query(
        "create view state_of_second as select state, waker_utid from thread_state "
        "join thread using (utid) where name = 'second'"
    )
    states = trace.query("select distinct state from state_of_second")
    assert {"R", "S", "Running"} <= {row["state"] for row in states}
    woken = "select count(*) from state_of_second where state = 'R' and waker_utid is not null"
    assert trace.value(woken) > 20


def test_policy_and_generation_are_in_the_metadata(trace: TraceProcessor) -> None:
    rows = trace.query(
        "select name, str_value as value from metadata where name like 'cr-gthulhu%'"
    )
    assert {row["name"]: row["value"] for row in rows} == {
        "cr-gthulhu-policy": "pair", "cr-gthulhu-generation": "1"
    }  # fmt: skip


def test_the_next_recording_removes_leftovers_of_a_killed_one(guest: vm.GuestResult) -> None:
    assert len(guest.files["killed.left"].split()) == 1
    assert "killed.pftrace" not in guest.files
    assert guest.files["timed.status"] == b"0\n"
    assert guest.files["timed.left"] == b""


def test_the_end_of_the_policy_is_the_end_of_the_trace(guest: vm.GuestResult) -> None:
    assert guest.files["ended.status"] == b"0\n"
    assert guest.files["ended.err"] == (
        b"warning: the policy is no longer in force; the trace ends here\n"
    )
    assert guest.files["ended.left"] == b""
    assert TraceProcessor(guest.files["ended.pftrace"]).value("select count(*) from sched") > 0


# ---- calls of traced functions ------------------------------------------------------------------

ITSELF, NETWORK = "__x64_sys_getpriority", "udp_rcv"
CALLS = """
create view call as
select s.ts, s.name as function, t.name as track, thread.tid,
       extract_arg(s.arg_set_id, 'debug.tid') as caller_tid,
       extract_arg(s.arg_set_id, 'debug.cpu') as cpu,
       extract_arg(s.arg_set_id, 'debug.caller') as caller,
       extract_arg(s.arg_set_id, 'debug.rule') as rule
from slice s join track t on s.track_id = t.id
left join thread_track on thread_track.id = t.id left join thread using (utid)
where s.category = 'call'
"""


@pytest.fixture(scope="module")
def calls(guest: vm.GuestResult) -> TraceProcessor:
    trace = TraceProcessor(guest.files["called.pftrace"])
    trace.query(CALLS)
    return trace


def test_each_call_is_an_event_of_its_thread(guest: vm.GuestResult, calls: TraceProcessor) -> None:
    mine = int(guest.files["caller"])
    rows = [row for row in calls.query("select * from call order by ts") if row["tid"] == mine]
    by_itself = [row for row in rows if row["function"] == ITSELF]
    # One and ten, then two after it has slept; nothing else of the guest calls it.
    assert len(by_itself) == 13
    assert {row["caller"] for row in by_itself} == {"the task"}
    assert {row["caller_tid"] for row in by_itself} == {mine}
    # A datagram over lo is received in a soft interrupt of the task that sends it.
    received = [row for row in rows if row["function"] == NETWORK]
    assert [row["caller"] for row in received] == ["a soft interrupt"]


def test_each_call_is_on_the_cpu_that_the_thread_had(calls: TraceProcessor) -> None:
    on_threads = calls.query("select ts, function, cpu from call where tid is not null order by ts")
    on_cpus = calls.query(
        "select ts, function, cpu from call where track = 'CPU ' || cpu order by ts"
    )
    assert on_threads == on_cpus != []
    elsewhere = calls.query(
        "select call.* from call join thread using (tid) left join sched on "
        "sched.utid = thread.utid and call.ts between sched.ts and sched.ts + sched.dur "
        "where sched.cpu is null or sched.cpu != call.cpu"
    )
    assert elsewhere == []


def test_a_call_changes_the_rule_of_the_runs_after_it(
    guest: vm.GuestResult, calls: TraceProcessor
) -> None:
    mine = int(guest.files["caller"])
    rules = calls.query(
        "select distinct tid, s.name as rule from slice s join thread_track t on "
        "s.track_id = t.id join thread using (utid) where s.category = 'rule'"
    )
    assert "itself" in {row["rule"] for row in rules if row["tid"] == mine}


def test_the_command_counts_calls_and_names_what_it_cannot_trace(guest: vm.GuestResult) -> None:
    said = guest.files["called.out"].decode()
    assert f"13 of {ITSELF}" in said
    assert f"1 of {NETWORK}" in said
    warnings = guest.files["called.err"].decode()
    for function in ("dummy_xmit", "no_such_function"):
        assert f"warning: the trace has no calls of `{function}`: the kernel does not have it" in (
            warnings
        )


def test_only_the_events_of_others_are_left(guest: vm.GuestResult) -> None:
    (left,) = guest.files["events.left"].decode().splitlines()
    assert left.startswith("p:others/mine vfs_read")
    assert guest.files["killed-calls.status"] == b"137\n"


# ---- as a record --------------------------------------------------------------------------------


def test_an_import_has_the_switches_of_the_trace(guest: vm.GuestResult, imported: Record) -> None:
    assert imported.damage is None
    assert imported.lost == {}
    trace = Trace.FromString(guest.files["stopped.pftrace"])
    events = [event for packet in trace.packet for event in packet.ftrace_events.event]
    assert imported.counts()["switch"] == sum(map(_is_switch, events)) > 100


def _is_switch(event: FtraceEvent) -> bool:
    return bool(event.HasField("sched_switch"))


def test_an_import_knows_what_wakes_a_task(guest: vm.GuestResult, imported: Record) -> None:
    """The probe sleeps until its timer expires, and no task wakes it."""
    probe = int(guest.files["tasks"].split()[-1])
    contexts = [
        event.context for event in imported if isinstance(event, ev.Waking) and event.task == probe
    ]
    assert len(contexts) > 10
    assert set(contexts) <= {Context.HARDIRQ, Context.SOFTIRQ}
    assert any(event.context is Context.TASK for event in imported if isinstance(event, ev.Waking))
