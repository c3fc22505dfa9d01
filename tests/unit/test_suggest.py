# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu suggest`: groups and blame, rules and their prediction, hostile and odd records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gtr
from gthulhu.record import events as ev
from gthulhu.record.reader import Record
from gthulhu_lab.replay.figures import TaskFigures
from gthulhu_lab.replay.report import RuleFigures
from gthulhu_lab.suggest import decide, groups, policy, trials
from gthulhu_lab.suggest.groups import Key
from gthulhu_lab.suggest.watch import Watch
from gthulhuc import frontend
from gthulhuc.cli import gthulhu
from gthulhuc.formatter import format_source
from gthulhuc.source import Source
from library import policy_of
from modelled import Task, Work

NOTHING, USAGE, NO_VERDICT = 1, 2, 3
MS, US = 1_000_000, 1_000
AT = gtr.BEGIN_NS
ROUNDS = 200
HOGS = (8, 9, 10)
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


def found_in(path: Path) -> dict[Key, groups.Group]:
    with Record.open(path) as record:
        return groups.of_record(record)


def waiting(
    path: Path,
    server: bytes = b"server",
    batch: bytes = b"batch",
    *,
    cgroups: tuple[bytes, bytes] = (b"/", b"/"),
    is_outside: bool = False,
) -> Path:
    """A record in which a task waits 1 ms for another one, each time that it is woken."""
    source = (ev.Context.HARDIRQ, 11) if is_outside else (0, 0)
    rows = [
        gtr.cgroup(AT - 4, 1, cgroups[0]),
        gtr.cgroup(AT - 3, 2, cgroups[1]),
        gtr.task(AT - 2, 7, server, cgroup=1),
        *(gtr.task(AT - 1, number, batch, cgroup=2) for number in HOGS),
        gtr.switch(AT + 1, 0, HOGS[-1]),
    ]
    for number in range(ROUNDS):
        at_ns = AT + 10 + number * 3 * MS
        hog, last = HOGS[number % len(HOGS)], HOGS[number % len(HOGS) - 1]
        rows += [
            gtr.switch(at_ns, last, hog),
            gtr.waking(at_ns + MS, 7, hog, *source),
            gtr.switch(at_ns + 2 * MS, hog, 7),
            gtr.switch(at_ns + 2 * MS + 50 * US, 7, hog, gtr.SLEEPS, 232),
        ]
    blocks = [gtr.round_at(AT), gtr.events(0, rows), gtr.round_at(AT + ROUNDS * 3 * MS + MS)]
    return gtr.write(path, blocks)


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


def test_pseudonyms_are_not_merged(tmp_path: Path) -> None:
    waiting(tmp_path / "open.gtr", cgroups=(b"/a.slice/s.service", b"/b"))
    command = ["record", "--anonymise", "-o", str(tmp_path / "shared.gtr")]
    assert gthulhu.main([*command, str(tmp_path / "open.gtr")]) == 0
    found = found_in(tmp_path / "shared.gtr")
    assert {key.comm for key in found} == {b"task-1", b"task-2"}
    text = as_json(tmp_path, "shared.gtr", "--no-replay")["policy"]
    assert "pseudonyms" in text
    assert 'comm == "task-1"' in text
    assert 'comm == "task-2"' in text


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


# ---- The command ----


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
    from gthulhu_lab.simulation import play

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
