# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu suggest` as a command: its policy, prediction, JSON and errors; hostile names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gtr
from gthulhu.record.reader import Record
from gthulhu_lab.replay.figures import TaskFigures
from gthulhu_lab.simulation import play
from gthulhu_lab.suggest import groups, policy
from gthulhuc import frontend
from gthulhuc.cli import gthulhu
from gthulhuc.formatter import format_source
from gthulhuc.source import Source
from library import policy_of
from modelled import Task, Work
from waits import AT, US, waiting

NOTHING, USAGE, NO_VERDICT = 1, 2, 3
SERVER = Work((
    Task("server", ("run:100000",), period_ns=2_000_000),
    *(Task(f"hog{number}") for number in range(3)),
), seconds=0.5)  # fmt: skip
EQUALS = Work(
    tuple(Task(f"peer{number}", ("run:300000",), period_ns=1_000_000) for number in range(2)),
    cpus=2,
    seconds=0.3,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suggest")
    SERVER.record(folder / "server.gtr")
    EQUALS.record(folder / "equals.gtr")
    return folder


def suggest(folder: Path, record: str, *words: str) -> int:
    return gthulhu.main(["suggest", str(folder / record), "--no-costs", *words])


def as_json(folder: Path, record: str, *words: str) -> dict[str, Any]:
    out = folder / f"{record}.json"
    suggest(folder, record, *words, f"--json={out}")
    found = json.loads(out.read_text())
    assert isinstance(found, dict)
    return found


def test_pseudonyms_are_not_merged(tmp_path: Path) -> None:
    waiting(tmp_path / "open.gtr", cgroups=(b"/a.slice/s.service", b"/b"))
    command = ["record", "--anonymise", "-o", str(tmp_path / "shared.gtr")]
    assert gthulhu.main([*command, str(tmp_path / "open.gtr")]) == 0
    with Record.open(tmp_path / "shared.gtr") as record:
        found = groups.of_record(record)
    assert {key.comm for key in found} == {b"task-1", b"task-2"}
    text = as_json(tmp_path, "shared.gtr", "--no-replay")["policy"]
    assert "pseudonyms" in text
    assert 'comm == "task-1"' in text
    assert 'comm == "task-2"' in text


def test_a_server_beside_hogs_is_named_and_predicted_better(folder: Path) -> None:
    found = as_json(folder, "server.gtr")
    assert found["outcome"] == "suggested"
    assert {rule["name"]: rule["kind"] for rule in found["rules"]} == {
        "server": "answers", "hog": "computes",
    }  # fmt: skip
    change = next(each for each in found["changes"] if each["rule"] == "server")
    assert change["gain"] >= 3
    assert change["policy_p99"] * 3 < change["eevdf_p99"]
    assert all(each["loss"] <= 1.1 for each in found["changes"])
    truth = SERVER.truth(_scheduler(found["policy"]))["server"]
    assert p99(truth) == pytest.approx(change["policy_p99"], abs=50 * US)


def _scheduler(text: str) -> Path:
    return play.Player(costed=False).policy(policy_of(text), SERVER.machine())


def p99(figures: TaskFigures) -> int:
    waits = sorted(figures.woken)
    return waits[len(waits) * 99 // 100 - 1]


def test_the_policy_has_no_warnings_and_is_formatted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "server.gpl"
    assert suggest(folder, "server.gtr", f"-o={out}", "--name=mine") == 0
    assert "rule server: comm ==" in capsys.readouterr().out
    source = Source("server.gpl", out.read_text())
    checked, problems = frontend.check(source)
    assert checked is not None
    assert (checked.name, problems) == ("mine", [])
    assert format_source(source)[0] == source.text
    server, hog = checked.rules
    assert server.actions.preempt is not None
    assert "budget 50ms per 100ms" in source.text
    assert "Meanwhile its CPU runs `hog#`" in source.text.replace("\n#", "")
    assert "promise server" in source.text
    assert hog.name == "hog"


def test_standard_output_has_the_policy_or_the_json_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert suggest(folder, "server.gtr", "--no-replay", "-o=-") == 0
    policy_of(capsys.readouterr().out)
    assert suggest(folder, "server.gtr", "--no-replay", "--json=-") == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "suggested, not replayed"


def test_a_record_without_contention_gives_no_rule(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "none.gpl"
    assert suggest(folder, "equals.gtr", f"-o={out}") == NOTHING
    assert not out.exists()
    said = capsys.readouterr().out
    assert "Nothing to gain: no task that is woken often waits long" in said
    assert "rule" not in said


def test_what_the_replay_cannot_predict_gets_no_verdict(tmp_path: Path) -> None:
    waiting(tmp_path / "w.gtr", is_outside=True)
    found = as_json(tmp_path, "w.gtr")
    assert found["outcome"] == "no verdict"
    assert "say --open-loop" in found["why"]
    assert found["policy"]
    out = tmp_path / "w.gpl"
    assert suggest(tmp_path, "w.gtr", f"-o={out}") == NO_VERDICT
    assert suggest(tmp_path, "w.gtr", f"-o={out}", "--open-loop") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--name=Not a name",), "expected a name such as not-a-name"),
        (("--most-unknown=101",), "expected 0 to 100"),
        (("-o=/no/such/folder/p.gpl",), "/no/such/folder"),
    ],
)
def test_wrong_options_are_said(
    folder: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert suggest(folder, "server.gtr", *words) == USAGE
    assert message in capsys.readouterr().err


def test_wrong_files_are_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert suggest(folder, "missing.gtr") == USAGE
    (folder / "text.gtr").write_text("policy")
    assert suggest(folder, "text.gtr") == USAGE
    gtr.write(folder / "empty.gtr", [gtr.round_at(AT), gtr.round_at(AT)])
    assert suggest(folder, "empty.gtr") == USAGE
    assert "record for longer" in capsys.readouterr().err


HOSTILE = (
    b'"} rule x {', b"a\nrule b {}", b"\x1b[2Jgone", b"# {", b"'; \\", b"*", b"[a-z]?", b"\xff\xfe",
    b"caf\xc3\xa9", b"p\xd0\xb0ypal", b" ", b"(a|b)+", b"default", b"policy", b"\xe2\x80\xae",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_hostile(tmp_path: Path, name: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    waiting(tmp_path / "w.gtr", name, cgroups=(b"/" + name, b"/b"))
    found = as_json(tmp_path, "w.gtr", "--no-replay")
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "Traceback" not in said.err
    if found["policy"] is None:
        assert found["notes"]
        return
    checked, problems = frontend.check(Source("p.gpl", found["policy"]))
    assert checked is not None
    assert problems == []
    assert len(checked.rules) == 2
    assert "\x1b" not in found["policy"]


def test_most_hostile_names_get_their_rule(tmp_path: Path) -> None:
    named = 0
    for number, name in enumerate(HOSTILE):
        waiting(tmp_path / f"{number}.gtr", name)
        named += as_json(tmp_path, f"{number}.gtr", "--no-replay")["policy"] is not None
    assert named >= len(HOSTILE) - 2


# ---- The ladder ----


def test_a_rung_that_costs_too_much_is_followed_by_a_milder_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = policy.Rung("last", (("priority", "idle"),))
    first = policy.LADDER[0]
    monkeypatch.setattr(policy, "LADDER", (costs, first))
    found = as_json(folder, "server.gtr")
    assert [each["actions"] for each in found["trials"]] == ["last", first.name]
    assert [each["is_good"] for each in found["trials"]] == [False, True]
    assert "`server`" in found["trials"][0]["losses"]
    monkeypatch.setattr(policy, "LADDER", (costs,))
    found = as_json(folder, "server.gtr")
    assert (found["outcome"], found["policy"]) == ("nothing to gain", None)
    assert "slows something by more than 10 %, such as `server`" in found["why"]
