# SPDX-License-Identifier: Apache-2.0
"""What `gthulhu trace` makes of the kernel's events, as Perfetto's trace processor reads it."""

from __future__ import annotations

import io
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fake_loader import FakeLoader
from gthulhuc.cli import control, gthulhu
from gthulhuc.tracing import perfetto, ring, steady
from gthulhuc.tracing.ring import Event
from gthulhuc.tracing.rules import Rules
from gthulhuc.tracing.runs import PUT_ASIDE, STILL_RUNNING, Run, Runs
from trace_processor import TraceProcessor

DATA = Path(__file__).parents[1] / "data"
KERNELS = ("6.16", "7.2")


def formats(kernel: str) -> dict[str, ring.Format]:
    """The events of a kernel, as it describes them."""
    text = (DATA / f"trace-formats-{kernel}.txt").read_text()
    parts = text.split("name: ")[1:]
    found = [ring.parse_format(part.partition("\n")[0], part) for part in parts]
    return {form.name: form for form in found}


# ---- the ring buffer ----------------------------------------------------------------------------


def written(form: ring.Format, size: int, **fields: Any) -> bytes:
    """An event as the kernel has it."""
    values = [fields[name] for name in form.fields]
    content = bytearray(size)
    form.layout.pack_into(content, 0, *values)
    struct.pack_into("<H", content, 0, form.number)
    return bytes(content)


def short(delta: int, content: bytes) -> bytes:
    assert len(content) % 4 == 0
    return struct.pack("<I", len(content) // 4 | delta << 5) + content


def page(begin_ns: int, *entries: bytes, flags: int = 0) -> bytes:
    content = b"".join(entries)
    return struct.pack("<QQ", begin_ns, len(content) | flags) + content + bytes(64)


@pytest.mark.parametrize("kernel", KERNELS)
def test_events_are_read_as_the_kernel_describes_them(kernel: str) -> None:
    forms = formats(kernel)
    waking = forms["sched_waking"]
    event = written(
        waking, 36, common_pid=7, comm=b"a b=c\0xxxxxxxxxx", pid=8, prio=120, target_cpu=1
    )
    switch = written(
        forms["sched_switch"], 64, common_pid=7, prev_comm=b"one", prev_pid=7, prev_prio=120,
        prev_state=0x100, next_comm=b"two", next_pid=8, next_prio=-1,
    )  # fmt: skip
    free = forms["sched_process_free"]
    gone = written(free, 20, common_pid=7, comm=20 | 5 << 16, pid=9, prio=120) + b"gone\0\0\0\0"
    extend = struct.pack("<II", 30 | 5 << 5, 3)
    stamp = struct.pack("<II", 31 | 9 << 5, 1 << 10)
    discarded = struct.pack("<II", 29 | 1 << 5, 12) + bytes(8)
    long = struct.pack("<II", 0 | 2 << 5, 4 + len(event)) + event
    pages = [
        page(1000, short(0, event), short(10, switch), extend, short(1, event)),
        page(1 << 30, discarded, long, stamp, short(0, gone), struct.pack("<I", 29), flags=1 << 31),
    ]
    numbers = {form.number: form for form in forms.values()}
    events = list(ring.events(pages, 3, numbers))
    assert [each.name for each in events] == [
        "sched_waking", "sched_switch", "sched_waking", "sched_waking", "sched_process_free",
    ]  # fmt: skip
    assert [each.at_ns for each in events] == [
        1000, 1010, 1010 + 5 + (3 << 27) + 1, (1 << 30) + 3, 9 + (1 << 37)
    ]  # fmt: skip
    assert [each.lost for each in events] == [False, False, False, True, False]
    assert {each.cpu for each in events} == {3}
    assert events[0].fields == {"comm": "a b=c", "pid": 8, "prio": 120, "target_cpu": 1}
    assert (events[1].task, events[1].fields["next_prio"]) == (7, -1)
    assert events[1].fields["prev_state"] == 0x100
    assert events[4].fields == {"comm": "gone", "pid": 9, "prio": 120}


def test_an_event_of_another_kind_is_skipped() -> None:
    content = struct.pack("<Hxxi", 9999, 1)
    assert list(ring.events([page(1, short(1, content))], 0, {})) == []
    assert ring.used(page(1)) == 0


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


def test_a_task_that_was_there_too_short_has_none() -> None:
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


def runs_of(events: Iterable[Event], end_ns: int = 2_000) -> tuple[list[Run], int]:
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


def test_what_ran_where_events_were_lost_is_left_out() -> None:
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
        Run(3, 7, "a) b", 120, 1_000, 2_000, None, STILL_RUNNING, "")
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


def test_it_has_what_perfetto_has_of_any_linux(trace: TraceProcessor) -> None:
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
    manual = (DATA.parents[1] / "docs" / "operations.md").read_text()
    (query,) = re.findall(r"```sql\n(.*?)```", manual, re.DOTALL)
    ran = {row["name"]: row["ran_ms"] for row in trace.query(query)}
    assert (next(iter(ran)), ran["web"]) == ("web", 700 / 1e6)


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def loader(tmp_path: Path) -> Iterator[FakeLoader]:
    loader = FakeLoader(tmp_path, {"tasks": answer({})})
    yield loader
    loader.close()


def refusal(capfd: pytest.CaptureFixture[str], folder: Path, *options: str) -> tuple[int, str]:
    output = ("-o", str(folder / "t.pftrace"))
    code = gthulhu.main(["trace", *output, "--state", str(folder), *options])
    assert not (folder / "t.pftrace").exists()
    return code, capfd.readouterr().err


def test_no_policy_is_in_force(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = refusal(capfd, tmp_path)
    assert (code, said.startswith("error: no policy is in force")) == (3, True)


def test_there_is_no_tracing(
    loader: FakeLoader, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, said = refusal(capfd, tmp_path, "--tracefs", str(tmp_path / "tracing"))
    assert code == 2
    assert said == (
        f"error: the kernel's tracing is not there: {tmp_path}/tracing/instances is no folder\n"
        f"  = help: mount -t tracefs tracefs {tmp_path}/tracing\n"
    )


def test_a_kernel_that_refuses_leaves_nothing(
    loader: FakeLoader, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    instances = tmp_path / "tracing" / "instances"
    (instances / "gthulhu-99999999").mkdir(parents=True)  # of one that was killed
    (instances / "another").mkdir()
    code, said = refusal(capfd, tmp_path, "--tracefs", str(tmp_path / "tracing"))
    assert code == 2
    assert said.startswith("error: the kernel's tracing cannot be used: ")
    assert not (instances / "gthulhu-99999999").exists()
    assert (instances / "another").exists()


def test_the_place_of_the_file_is_looked_at_first(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for output, why in (("/nowhere/t.pftrace", "No such file"), (str(tmp_path), "Is a directory")):
        assert gthulhu.main(["trace", "-o", output, "--state", str(tmp_path)]) == 2
        assert capfd.readouterr().err.startswith(f"error: cannot write {output}: {why}")


def test_perfetto_may_be_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gthulhuc.tracing.perfetto", None)
    monkeypatch.delattr("gthulhuc.tracing.perfetto", raising=False)
    code, said = refusal(capfd, tmp_path)
    assert (code, "pip install 'gthulhuc[trace]'" in said) == (2, True)


STOPPED = """
import os, signal, subprocess
from gthulhuc.cli import frame, trace

class Nothing:
    fetched_bytes = 0
    def start(self): subprocess.Popen(["sh", "-c", f"sleep 0.2; kill -{number} {os.getpid()}"])
    def fetch(self): pass
    def stop(self): print("stopped", flush=True)
    def ask(self): return 1000

# Who runs the tests may ignore them, as nohup does.
signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

def command():
    trace._record(Nothing(), Nothing(), 0, trace._Progress())
    print("written", flush=True)
    signal.raise_signal(signal.SIGINT)  # a second one ends the writing, too
    return 0

raise SystemExit(frame.guarded(command))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_recording_and_a_second_one_the_writing(number: signal.Signals) -> None:
    script = f"number = {int(number)}\n{STOPPED}"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (130, "stopped\nwritten\n"), ended.stderr


@pytest.mark.parametrize("text", ["-1", "x", "nan", "1e9"])
def test_seconds_are_a_number(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["trace", "-o", "x", "--seconds", text]) == 2
    assert "is no number of seconds" in capfd.readouterr().err
