# SPDX-License-Identifier: Apache-2.0
"""`gthulhu replay` as a command: its table, its JSON, its verdicts and its errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import gtr
from gthulhu.record import events as ev
from gthulhuc.cli import gthulhu
from modelled import Task, Work
from trace_processor import TraceProcessor

POLICY = """\
policy p {}
rule quick { match comm == "quick" priority high preempt budget 50ms per 100ms }
"""
WORK = Work((
    Task("quick", ("run:100000",), period_ns=2_000_000),
    *(Task(f"hog{number}") for number in range(3)),
), seconds=0.5)  # fmt: skip
OUTSIDE, REFUSED, USAGE = 40, 3, 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replay")
    WORK.record(folder / "node.gtr")
    (folder / "p.gpl").write_text(POLICY)
    (folder / "plain.gpl").write_text("policy plain {}\n")
    _from_outside(folder / "outside.gtr")
    return folder


def _from_outside(path: Path) -> None:
    """A record of a task that only an interrupt wakes."""
    rows = [gtr.task(gtr.BEGIN_NS - 1, 7, b"quick")]
    for number in range(1, OUTSIDE + 1):
        at_ns = gtr.BEGIN_NS + number * 1_000_000
        rows += [
            gtr.waking(at_ns, 7, 0, ev.Context.SOFTIRQ, ev.SOFTIRQS.index("net rx")),
            gtr.switch(at_ns + 5_000, 0, 7),
            gtr.switch(at_ns + 90_000, 7, 0, gtr.SLEEPS, 0),
        ]
    end_ns = gtr.BEGIN_NS + (OUTSIDE + 2) * 1_000_000
    gtr.write(path, [gtr.round_at(gtr.BEGIN_NS), gtr.events(0, rows), gtr.round_at(end_ns)])


def replay(folder: Path, *words: str, record: str = "node.gtr") -> int:
    return gthulhu.main(["replay", str(folder / record), *words])


def as_json(folder: Path, *words: str, record: str = "node.gtr") -> dict[str, Any]:
    out = folder / "out.json"
    replay(folder, *words, f"--json={out}", record=record)
    found = json.loads(out.read_text())
    assert isinstance(found, dict)
    return found


def test_each_rule_has_figures_of_all_runs_and_a_verdict(folder: Path) -> None:
    found = as_json(folder, str(folder / "p.gpl"), str(folder / "plain.gpl"), "--no-costs")
    assert [each["policy"].rpartition("/")[2] for each in found["policies"]] == [
        "p.gpl", "plain.gpl",
    ]  # fmt: skip
    quick, default = found["policies"][0]["rules"]
    assert (quick["name"], quick["tasks"], default["tasks"]) == ("quick", 1, 3)
    assert quick["verdict"] == "better"
    assert quick["policy"]["wakeup"]["p99"] < 0.2 * quick["recorded"]["wakeup"]["p99"]
    for run in ("recorded", "eevdf", "policy"):
        assert quick[run]["share"] + default[run]["share"] == pytest.approx(1, abs=0.02)
        assert min(quick[run]["switches"], quick[run]["wakeups"]) >= 250
    assert found["policies"][0]["repeated"] < 0.01
    assert found["parts"]["unknown"] < 0.05
    assert found["seconds"] == pytest.approx(0.5)


def test_the_table_has_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(folder, str(folder / "p.gpl"), "--diff") == 0
    said = capsys.readouterr().out
    (row,) = (line for line in said.splitlines() if line.startswith("  quick "))
    assert row.split()[1:3] == ["recorded", "1"]
    assert "better" in said
    assert "by a timer that the task asked for" in said
    assert "tasks whose waiting changes most" in said
    gains = [line.split() for line in said.splitlines() if line.startswith("  gains ")]
    assert gains[0][1:4] == ["quick", "2", "quick"]
    assert "is after tasks of `default`" in said


def test_on_more_cpus_nobody_waits(folder: Path) -> None:
    found = as_json(folder, str(folder / "p.gpl"), "--machine=8", "--no-costs")
    quick, _ = found["policies"][0]["rules"]
    assert found["machine_summary"].startswith("8 CPUs")
    assert quick["eevdf"]["wakeup"]["p99"] < 0.05 * quick["recorded"]["wakeup"]["p99"]


def test_the_same_command_has_the_same_result(folder: Path) -> None:
    words = (str(folder / "p.gpl"), "--diff")
    assert as_json(folder, *words) == as_json(folder, *words)


def test_no_verdict_on_what_cannot_be_predicted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = str(folder / "p.gpl")
    assert replay(folder, policy, record="outside.gtr") == REFUSED
    said = capsys.readouterr().out
    assert f"{OUTSIDE:,}  100.0 %  by the network" in said
    assert "No verdict: more than 25 % cannot be predicted" in said
    assert "better" not in said
    assert replay(folder, policy, "--most-unknown=100", record="outside.gtr") == 0
    assert replay(folder, policy, "--open-loop", record="outside.gtr") == 0
    assert "No verdict" not in capsys.readouterr().out


def test_input_from_outside_comes_as_recorded(folder: Path) -> None:
    found = as_json(folder, str(folder / "p.gpl"), "--open-loop", record="outside.gtr")
    (quick,) = found["policies"][0]["rules"]
    assert quick["policy"]["wakeups"] == quick["recorded"]["wakeups"] == OUTSIDE


def test_a_window_is_a_timeline_under_both(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "w.pftrace"
    words = (str(folder / "p.gpl"), "--no-costs", f"--perfetto={out}", "--window=0.1:0.3")
    assert replay(folder, *words) == 0
    assert "w.eevdf.pftrace: 0.1 s to 0.3 s under eevdf" in capsys.readouterr().err
    for path in (out, folder / "w.eevdf.pftrace"):
        (row,) = TraceProcessor(path.read_bytes()).query(
            "select sum(dur) as ns from sched where utid > 0"
        )
        assert row["ns"] == pytest.approx(200_000_000, rel=0.01)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--window=5:1",), "expected a window as BEGIN:END"),
        (("--window=9:10", "--perfetto=x"), "the record ends at 0.5 s"),
        (("--machine=nowhere",), "there is no machine `nowhere`"),
    ],
)
def test_wrong_options_are_said(
    folder: Path,
    words: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    assert replay(folder, str(folder / "p.gpl"), *words) == USAGE
    assert message in capsys.readouterr().err


def test_wrong_files_are_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = str(folder / "p.gpl")
    assert replay(folder, policy, record="missing.gtr") == USAGE
    assert "cannot read" in capsys.readouterr().err
    assert replay(folder, policy, record="p.gpl") == USAGE
    assert "p.gpl" in capsys.readouterr().err
    (folder / "wrong.gpl").write_text("policy {")
    assert replay(folder, str(folder / "wrong.gpl")) == 1
    assert "wrong.gpl:1:8" in capsys.readouterr().err


def test_a_record_that_was_cut_off_is_replayed_up_to_there(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(folder / "node.gtr", tmp_path / "cut.gtr")
    with (tmp_path / "cut.gtr").open("r+b") as file:
        file.truncate(file.seek(0, 2) - 5)
    assert replay(tmp_path, str(folder / "p.gpl"), record="cut.gtr") == 0
    assert "it was cut off" in capsys.readouterr().err


def test_facts_that_the_model_lacks_are_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "exe.gpl").write_text('policy e {}\nrule r { match exe == "/bin/x" slice 3ms }\n')
    assert replay(folder, str(folder / "exe.gpl"), "--no-costs") == 0
    assert "rule `r`: the model does not know programs (`exe`)" in capsys.readouterr().out
