# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Records of other tools' traces: `perf script` of a real machine, and Perfetto's format.

tests/data/perf-sched.txt is what perf printed of one CPU for a shell that sleeps four times. Names
of tasks that have nothing to do with it were replaced.
"""

from __future__ import annotations

import io
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

from gthulhu.commands import record as command
from gthulhu.record import events as ev
from gthulhu.record.events import Context
from gthulhu.record.reader import Record
from gthulhu.tracing import perfetto
from gthulhu.tracing.ring import Event
from gthulhu_lab.replay import extract
from gthulhu_lab.replay.actions import Cause, Overhead
from gthulhuc.cli import frame
from gthulhuc.cli.commands import Parser

PERF = Path(__file__).parents[1] / "data" / "perf-sched.txt"
MS = 1_000_000
Run = Callable[..., int]


@pytest.fixture
def run() -> Run:
    def run(*arguments: str | Path) -> int:
        parser = Parser()
        command.add(parser.add_subparsers())
        options = parser.parse_args(["record", *map(str, arguments)])
        return frame.guarded(lambda: command.run(options))

    return run


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> Callable[[bytes], Record]:
    def imported(content: bytes) -> Record:
        source, target = tmp_path / "trace", tmp_path / "node.gtr"
        source.write_bytes(content)
        assert run("--from", source, "-o", target, "--force") == frame.OK
        return Record(io.BytesIO(target.read_bytes()), "node.gtr")

    return imported


Imported = Callable[[bytes], Record]


# ---- perf ----


def without(*parts: str) -> bytes:
    """Returns what perf printed, but for the lines with one of some texts."""
    lines = PERF.read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not any(part in line for part in parts)).encode()


def test_perf_has_switches_wake_ups_tasks_and_system_calls(imported: Imported) -> None:
    record = imported(PERF.read_bytes())
    assert (record.damage, record.lost, record.end["ending"]) == (None, {}, "import")
    assert record.info["kernel"]["release"] == "6.18.44"
    assert record.counts() == {
        "switch": 65, "waking": 28, "fork": 6, "task": 18, "program": 8, "exit": 7, "rename": 8
    }  # fmt: skip
    sleeps = [task for same in record.tasks.values() for task in same if task.name == b"sleep"]
    assert len(sleeps) == 4
    for task in sleeps:
        assert task.begin_ns is not None
        assert task.end_ns is not None
        assert task.end_ns - task.begin_ns > 5 * MS
    numbers = {task.number for task in sleeps}
    slept = [
        record.reason(event) for event in record
        if isinstance(event, ev.Switch) and event.prev in numbers and event.sleeps
    ]  # fmt: skip
    assert slept.count("clock_nanosleep") == 4


def test_perf_knows_interrupts_if_they_are_recorded(imported: Imported) -> None:
    record = imported(PERF.read_bytes())
    by_name = Counter(
        (record.tasks[event.task][-1].name, event.context)
        for event in record
        if isinstance(event, ev.Waking)
    )
    assert by_name[b"sleep", Context.HARDIRQ] == 4  # by their timers
    assert by_name[b"sleep", Context.TASK] == 0
    assert not any(context is Context.UNKNOWN for _, context in by_name)
    kernel = [task.name for same in record.tasks.values() for task in same if task.facts[0].kthread]
    assert kernel == [b"rcu_preempt", b"ksoftirqd/1"]


def test_what_perf_did_not_record_is_told_and_counted_as_unknown(
    imported: Imported, capfd: pytest.CaptureFixture[str]
) -> None:
    record = imported(without("irq", "local_timer", "sys_", "task_", "process_ex"))
    said = capfd.readouterr().err
    assert "note: not known: the system calls in which tasks sleep\n" in said
    assert "note: not known: whether a task or an interrupt wakes another task\n" in said
    causes = Counter[Cause]()
    for course in extract.extract(record, Overhead()).courses:
        causes.update(course.causes)
    assert causes[Cause.UNTOLD] > 0
    assert not causes[Cause.TASK]
    assert {"not known", "kernel thread"} == {
        record.reason(each) for each in record if isinstance(each, ev.Switch) and each.sleeps
    }
    # Names come from switches alone.
    names = {task.name for same in record.tasks.values() for task in same}
    assert {b"sleep", b"cat", b"sh"} <= names


def test_events_that_are_missing_are_noticed(
    imported: Imported, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = PERF.read_bytes().splitlines(keepends=True)
    switches = [number for number, line in enumerate(lines) if b"sched_switch" in line]
    for number in switches[40:20:-5]:
        del lines[number]
    assert imported(b"".join(lines)).lost == {1: 4}
    assert "warning: CPU 1: events are missing in 4 places\n" in capfd.readouterr().err


# ---- Perfetto ----


def event(at_ns: int, cpu: int, name: str, task: int, **fields: int | str) -> Event:
    return Event(at_ns, cpu, name, task, fields, lost=False)


def switch(at_ns: int, prev: int, state: int, to: int, prio: int = 120) -> Event:
    return event(
        at_ns, 0, "sched_switch", prev, prev_pid=prev, prev_comm=f"t{prev}", prev_prio=120,
        prev_state=state, next_pid=to, next_comm=f"t{to}", next_prio=prio,
    )  # fmt: skip


def waking(at_ns: int, current: int, task: int, flags: int) -> Event:
    return event(
        at_ns, 0, "sched_waking", current, pid=task, comm=f"t{task}", prio=120, common_flags=flags
    )


EVENTS = [
    switch(10 * MS, 0, 0, 7),
    waking(11 * MS, 7, 8, 0),
    switch(12 * MS, 7, 0x100, 8),
    waking(13 * MS, 8, 9, 0x08),
    waking(13 * MS, 8, 10, 0x10),
    switch(14 * MS, 8, 1, 9, prio=98),
    event(15 * MS, 0, "task_newtask", 9, pid=11, comm="t9", clone_flags=0x10000),
    event(15 * MS, 0, "task_rename", 9, pid=11, oldcomm="t9", newcomm="t11"),
    switch(16 * MS, 9, 0x20, 11),
    switch(17 * MS, 11, 0x80, 7),
    switch(6000 * MS, 7, 2, 0),
]


def plain(events: list[Event] = EVENTS) -> bytes:
    file = io.BytesIO()
    writer = perfetto.Writer(file)
    writer.begin({"BOOTTIME": 1}, [])
    writer.processes({7: (7, 1, "t7"), 8: (7, 0, "t8"), 9: (9, 2, "t9")})
    for each in events:
        writer.event(each)
    writer.close()
    return file.getvalue()


def compact() -> bytes:
    """Returns the first six events as Perfetto's own recorder writes them."""
    trace = Trace()
    bundle = trace.packet.add().ftrace_events
    bundle.cpu = 0
    part = bundle.compact_sched
    part.intern_table.extend(["t7", "t8", "t9", "t10"])
    part.switch_timestamp.extend([10 * MS, 2 * MS, 2 * MS])
    part.switch_prev_state.extend([0, 0x100, 1])
    part.switch_next_pid.extend([7, 8, 9])
    part.switch_next_prio.extend([120, 120, 98])
    part.switch_next_comm_index.extend([0, 1, 2])
    part.waking_timestamp.extend([11 * MS, 2 * MS, 0])
    part.waking_pid.extend([8, 9, 10])
    part.waking_prio.extend([120, 120, 120])
    part.waking_comm_index.extend([1, 2, 3])
    part.waking_common_flags.extend([0, 0x08, 0x10])
    return bytes(trace.SerializeToString())


def told(record: Record) -> list[Any]:
    return [each for each in record if isinstance(each, ev.Switch | ev.Waking)]


def test_perfetto_has_switches_wake_ups_and_tasks(imported: Imported) -> None:
    record = imported(plain())
    switches = [each for each in told(record) if isinstance(each, ev.Switch)]
    assert [(each.prev, each.next, each.state, each.preempted) for each in switches] == [
        (0, 7, 0, False), (7, 8, 0, True), (8, 9, 1, False), (9, 11, 0x20, False),
        (11, 7, 0x402, False), (7, 0, 2, False),
    ]  # fmt: skip
    wakings = [each for each in told(record) if isinstance(each, ev.Waking)]
    assert [(each.task, each.current, each.context) for each in wakings] == [
        (8, 7, Context.TASK), (9, 8, Context.HARDIRQ), (10, 8, Context.SOFTIRQ)
    ]  # fmt: skip
    tasks = {number: same[-1] for number, same in record.tasks.items()}
    assert {number: task.name for number, task in tasks.items()} == {
        7: b"t7", 8: b"t8", 9: b"t9", 10: b"t10", 11: b"t11"
    }  # fmt: skip
    assert (tasks[8].process, tasks[11].process, tasks[11].parent) == (7, 9, 9)
    assert tasks[9].facts[0].kthread
    # A priority below 100 is that of a real-time task.
    assert [facts.policy for facts in tasks[9].facts] == [0, 1, 0]
    assert record.end_ns - record.begin_ns == 5990 * MS + 1


def test_columns_of_perfetto_say_the_same(imported: Imported) -> None:
    assert told(imported(compact())) == told(imported(plain(EVENTS[:6])))


def test_compressed_packets_are_unpacked(imported: Imported) -> None:
    trace = Trace()
    trace.packet.add().compressed_packets = zlib.compress(plain())
    assert told(imported(trace.SerializeToString())) == told(imported(plain()))


def test_a_task_may_have_the_number_of_one_that_has_ended(imported: Imported) -> None:
    events = [switch(MS, 0, 0, 7), switch(2 * MS, 7, 0x10, 0), switch(3 * MS, 0, 0, 7)]
    assert len(imported(plain(events)).tasks[7]) == 2


def test_names_can_be_left_out(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "shared.gtr"
    assert run("--from", PERF, "-o", target, "--anonymise") == frame.OK
    with Record.open(target) as record:
        assert record.info["imported"]["tool"] == "perf"
        assert {task.name[:5] for same in record.tasks.values() for task in same} == {b"task-"}


# ---- bad input ----


BAD = {
    "nothing": (b"", "is empty"),
    "a record": (b"\x89GTR\r\n\x1a\n", "is a record already"),
    "perf's own format": (b"PERFILE2" + bytes(100), "perf script -i "),
    "another text": (b"one\ntwo\n", "has no switches between tasks"),
    "another file": (b"\x7fELF\0\0\0\0", "neither a trace of Perfetto nor the text"),
    "a line that is cut off": (PERF.read_bytes()[:-30], "is cut off in line "),
    "other fields": (
        b"a 1 [000] 1.000000: sched:sched_switch: a:1 [120] S ==> b:2 [120]\n",
        "line 1: a sched_switch without its fields",
    ),
    "a number of 5,000 digits": (
        PERF.read_bytes().replace(b" pid=", b" pid=" + 5000 * b"9", 1),
        "without its fields",
    ),
    "a packet that is cut off": (plain()[:-30], "it is cut off in a packet"),
    "a trace without events": (plain([]), "has no events of the kernel's scheduler"),
    "a length without an end": (b"\x0a\xff\xff\xff\xff\xff\xff", "a packet has no length"),
    "packets that unpack to too much": (
        Trace(packet=[{"compressed_packets": zlib.compress(bytes(1 << 25))}]).SerializeToString(),
        "too large when it is unpacked",
    ),
    "a CPU that cannot be": (
        Trace(
            packet=[
                {
                    "ftrace_events": {
                        "cpu": 1 << 31,
                        "event": [{"timestamp": 1, "pid": 1, "sched_switch": {"next_pid": 1}}],
                    }
                }
            ]
        ).SerializeToString(),
        "has a time or a CPU that cannot be",
    ),
    "a task that cannot be": (plain([switch(MS, 0, 0, 1 << 30)]), "has the task 1073741824"),
    "a time that cannot be": (plain([switch(1 << 63, 0, 0, 7)]), "has a time or a CPU that cannot"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_traces_are_refused_and_leave_no_file(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    content, message = BAD[name]
    source, target = tmp_path / "trace", tmp_path / "node.gtr"
    source.write_bytes(content)
    assert run("--from", source, "-o", target) == frame.FAILED
    said = capfd.readouterr().err
    assert message in said
    assert "help: " in said
    assert not target.exists()


@pytest.mark.parametrize(
    "content",
    [
        re.sub(rb"FORK\(\d+:", b"FORK(99999999999:", PERF.read_bytes()),
        plain()
        + Trace(
            packet=[{"process_tree": {"threads": [{"tid": 7, "tgid": -1}]}}]
        ).SerializeToString(),
    ],
    ids=["perf", "Perfetto"],
)
def test_processes_that_cannot_be_are_not_known(run: Run, tmp_path: Path, content: bytes) -> None:
    source, target = tmp_path / "trace", tmp_path / "node.gtr"
    source.write_bytes(content)
    assert run("--from", source, "-o", target) == frame.OK


@pytest.mark.parametrize(
    "whole", [PERF.read_bytes(), plain(), compact()], ids=["perf", "plain", "compact"]
)
def test_damaged_traces_give_a_record_or_a_message(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str], whole: bytes
) -> None:
    draw = random.Random(7)
    source, target = tmp_path / "trace", tmp_path / "node.gtr"
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(draw.randint(1, 8)):
            content[draw.randrange(len(content))] = draw.randrange(256)
        source.write_bytes(content[: draw.choice([len(content), draw.randrange(len(content))])])
        status = run("--from", source, "-o", target, "--force")
        said = capfd.readouterr().err
        assert status in {frame.OK, frame.FAILED}, said
        assert "internal error" not in said
        if status == frame.OK:
            with Record.open(target) as record:
                assert record.damage is None
                assert len(list(record)) == sum(record.counts().values())


def test_a_file_that_is_missing_and_options_that_do_not_fit(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("--from", tmp_path / "none", "-o", tmp_path / "a.gtr") == frame.FAILED
    assert "cannot read" in capfd.readouterr().err
    assert run("--from", PERF, "--info", "a.gtr") == frame.FAILED
    assert "--from: expected no record or --info beside it" in capfd.readouterr().err
