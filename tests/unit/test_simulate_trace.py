# SPDX-License-Identifier: Apache-2.0
"""The trace of `gthulhu simulate --perfetto`, as Perfetto's own trace processor reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gthulhu_lab.simulation import timeline
from gthulhuc.cli import gthulhu
from trace_processor import TraceProcessor

POLICY = """\
policy p {}
rule quick { match comm == "quick" priority urgent preempt }

expect waker as quick under hogs 2x {
    p90(wakeup quick) < 300us
}
"""
WORDS = ("--machine=2", "--seconds=0.2", "--seeds=1", "--control=none", "--no-costs", "--json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traced")
    (folder / "p.gpl").write_text(POLICY)
    for name, more in (("with", [f"--perfetto={folder / 'trace'}"]), ("without", [])):
        words = ["simulate", str(folder / "p.gpl"), *WORDS, str(folder / name), *more]
        assert gthulhu.main(words) == 0
    return folder


@pytest.fixture(scope="module")
def trace(folder: Path) -> TraceProcessor:
    return TraceProcessor((folder / "trace").read_bytes())


def groups(file: Path) -> dict[str, Any]:
    (load,) = json.loads(file.read_text())["loads"]
    return {group["name"]: group for group in load["schedulers"][0]["groups"]}


def test_the_trace_processor_finds_nothing_wrong(trace: TraceProcessor) -> None:
    assert trace.query("select name, value from stats where severity != 'info' and value > 0") == []


def test_a_trace_changes_no_figure(folder: Path) -> None:
    assert (folder / "with").read_bytes() == (folder / "without").read_bytes()


def test_each_cpu_has_the_tasks_that_ran_there(folder: Path, trace: TraceProcessor) -> None:
    cpus = trace.query("select cpu, sum(dur) as ns from sched where utid > 0 group by cpu")
    assert [row["cpu"] for row in cpus] == [0, 1]
    rows = trace.query(
        "select thread.name, sum(dur) as ns from sched join thread using (utid) group by 1"
    )
    ran_ns = {row["name"]: row["ns"] for row in rows}
    found = groups(folder / "with")
    for name, group in (("quick", "waker"), ("hogs", "hogs")):
        share = found[group]["share"]["median"]
        assert ran_ns[name] == pytest.approx(share * 2 * 200e6, rel=0.02), name


def test_slices_are_named_by_rule_and_say_how_long_the_task_waited(trace: TraceProcessor) -> None:
    rows = trace.query(
        "select s.name, extract_arg(s.arg_set_id, 'debug.comm') as comm, "
        "extract_arg(s.arg_set_id, 'debug.source') as source, "
        "max(extract_arg(s.arg_set_id, 'debug.waited_ns')) as waited from slice s join track t "
        "on s.track_id = t.id where t.name like 'CPU %' and s.dur > 0 group by s.name, comm"
    )
    found = {(row["name"], row["comm"]): row for row in rows}
    assert set(found) == {("quick", "quick"), ("default", "hogs")}
    assert found["quick", "quick"]["source"].endswith("p.gpl:2")
    assert found["quick", "quick"]["waited"] < 300_000 < found["default", "hogs"]["waited"]


def test_wake_ups_begin_waits(folder: Path, trace: TraceProcessor) -> None:
    states = trace.query(
        "select dur from thread_state join thread using (utid) "
        "where thread.name = 'quick' and state = 'R' and dur > 0 order by dur"
    )
    bound = groups(folder / "with")["waker"]["wakeup"]["max"]["median"]
    assert len(states) > 50
    assert states[-1]["dur"] == pytest.approx(bound, rel=0.04)


def test_a_long_trace_is_cut(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(timeline, "MOST_EVENTS", 500)
    words = ["simulate", str(folder / "p.gpl"), "--machine=2", "--workload=pairs", "--seeds=1"]
    assert gthulhu.main([*words, "--control=none", f"--perfetto={folder / 'cut'}"]) == 0
    said = capsys.readouterr().err
    assert "of 1 s: a trace ends after 500 switches and wake-ups" in said
    cut = TraceProcessor((folder / "cut").read_bytes())
    assert cut.value("select count(*) from sched") > 200
    events = "select count(*) from ftrace_event where name glob 'sched_*'"
    assert 450 < cut.value(events) < 500


def test_a_trace_needs_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place, why in (("-", "standard output takes no trace"), (f"{folder}/a/b", "cannot write")):
        assert gthulhu.main(["simulate", str(folder / "p.gpl"), f"--perfetto={place}"]) == 2
        assert why in capsys.readouterr().err


def test_a_trace_has_the_tasks_that_are_forked_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "p.gpl").write_text("policy p {}\nexpect forks { share(default) >= 1% }\n")
    out = tmp_path / "trace"
    assert (
        gthulhu.main(["simulate", str(tmp_path / "p.gpl"), *WORDS, "-", f"--perfetto={out}"]) == 0
    )
    rows = TraceProcessor(out.read_bytes()).query(
        "select count(distinct utid) as tasks from sched where utid > 0"
    )
    assert rows[0]["tasks"] > 20
