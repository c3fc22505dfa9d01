# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify` without its guests: facts for rules, scenes, figures of a trace, verdicts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gthulhu_lab import catalogue, vm
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.measure import EEVDF
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest, GuestResult
from gthulhu_lab.verify import check, junit, recording, scene, suite, table, verdict, witness
from gthulhu_lab.verify.recording import ClassFigures, MisplacedError, Run, Samples, Waits
from gthulhu_lab.verify.scene import Variation
from gthulhu_lab.verify.verdict import Failure, Outcome, Verification
from gthulhuc import checked, frontend
from gthulhuc.source import Source

SCHEMA = Path(__file__).parents[2] / "docs" / "verify.schema.json"
ENVIRONMENT = GuestEnvironment(
    clock=Clock.ICOUNT, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=2, memory_mib=1024,
    qemu="10.0.2", seed=7,
)  # fmt: skip


def policy(text: str) -> checked.Policy:
    found, problems = frontend.check(Source("test.gpl", f"policy t {{}}\n{text}\n"))
    assert found is not None, problems
    return found


# ---- facts for rules ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        'rule a { match process == "nr-gnb" }',
        'rule a { match comm ~ "lcore-*" and comm ~ "*-7" }',
        "rule a { match comm =~ 'nr-(gnb|ue)[0-9]{2,3}' }",
        'rule a { match cgroup under "/ci.slice" and comm != "sshd" }',
        'rule b { match comm == "x" } rule a { match comm in ["x", "y"] and cgroup under "/c" }',
        'rule b { match not cgroup under "/c" } rule a { match cgroup under "/c" }',
        'rule a { match parent == "make" }',
        'rule a { match ancestor == "sshd" and parent == "bash" }',
        'rule a { match uid == "postgres" and gid in ["staff", 100] }',
        "rule a { match uid in 1000..2000 and not gid == 0 and nice < 0 }",
        'rule a { match unit == "cron.service" }',
        'rule a { match qos == "burstable" }',
        'rule a { match label "app" == "web" and not label "tier" == "batch" }',
        'rule a { match parent == "make" inherit }',
        'rule a { match namespace == "prod" and pod ~ "api-*" and label "app" != "db" }',
        'rule a { match container == "proxy" and cgroup under "/kubepods" }',
    ],
)
def test_facts_put_all_threads_of_a_program_into_a_rule(rules: str) -> None:
    checked_policy = policy(rules)
    ids = witness.ids_of(checked_policy)

    facts = witness.find(checked_policy, "a", b"waker")

    for leader in (True, False):
        for child in (True, False):
            found = witness.class_of(checked_policy, facts, ids, leader=leader, child=child)
            assert found == "a"


def test_facts_for_default_are_those_of_nobody() -> None:
    facts = witness.find(policy('rule a { match comm == "x" }'), None, b"waker")

    assert facts == witness.Facts(process=b"waker", comm=b"waker")


def test_default_has_facts_where_rules_take_what_is_usual() -> None:
    facts = witness.find(policy('rule a { match not cgroup under "/quiet" }'), None, b"waker")

    assert facts.cgroup == b"/quiet"


def test_a_rule_for_further_threads_gives_these_another_name() -> None:
    facts = witness.find(policy('rule a { match comm == "w" and process != "w" }'), "a", b"waker")

    assert (facts.process, facts.comm) == (b"waker", b"w")


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ('rule a { match calls "tcp_sendmsg" within 1s }', "cannot make a task call"),
        ('rule a { match kthread and comm == "x" }', "has no threads of the kernel"),
        ('rule a { match comm == "x" monitor }', "takes no task"),
        ('rule a { match comm ~ "a?c" and comm =~ "[ab]d.*" }', "tries the names"),
    ],
)
def test_a_rule_that_the_lab_has_no_task_for_is_named_with_the_reason(rules: str, why: str) -> None:
    with pytest.raises(witness.NoWitnessError, match="into `a`") as error:
        witness.find(policy(rules), "a", b"waker")

    assert why in error.value.remedy


# ---- scenes -------------------------------------------------------------------------------------

UPF = """
rule ran { match process == "nr-gnb" priority urgent }
rule builders { match cgroup under "/ci.slice" and uid == "ci" priority low }
expect waker as ran
    under hogs 1.5x as builders {
    p99(wakeup ran) < 300us
    p99(wakeup ran) < 20% of eevdf
    share(builders) >= 50%
}
"""


def upf_scene() -> tuple[checked.Policy, scene.Scene]:
    checked_policy = policy(UPF)
    block = checked_policy.expectations[0]
    return checked_policy, scene.build(checked_policy, block, catalogue.load())


def test_the_guest_gets_programs_with_the_facts_of_their_rules() -> None:
    checked_policy, built = upf_scene()

    request = scene.request(
        built, checked_policy, EEVDF, Variation.number(1), is_policy=False, kernel="7.2", cpus=4,
        window_s=3,
    )  # fmt: skip

    script = request.files["scene.sh"]
    assert isinstance(script, bytes)
    load, measured = script.decode().splitlines()[5:7]
    assert load == "\tstart 1 hogs hogs --cgroup /ci.slice --uid 1000 -- hog 6"
    assert measured.startswith("\tstart 0 nr-gnb nr-gnb -- periodic 4 2000 370 ")
    assert b"ci:x:1000:" in request.files["/etc/passwd"]  # type: ignore[operator]
    assert "scheduler" not in request.files
    assert request.seed != Variation.number(0).seed


def test_a_claim_about_rare_things_is_looked_at_for_longer() -> None:
    _, built = upf_scene()
    rare = policy(UPF.replace("p99(wakeup ran) < 300us", "p999(wakeup ran) < 300us"))

    assert scene.window_s(built.block) == scene.SHORTEST_WINDOW_S
    assert scene.window_s(rare.expectations[0]) > 3 * scene.SHORTEST_WINDOW_S


# ---- figures of a trace -------------------------------------------------------------------------

STAT = "/proc/{pid}/task/{tid}/stat:{tid} ({name}) {state} 1 1 {session} 0 -1\n"
HEAD = "# entries-in-buffer/entries-written: 1/1   #P:2\n"


def event(us: int, cpu: int, text: str) -> str:
    return f"  task-1  [{cpu:03}] d..2.  1.{us:06}: {text}\n"


def switch(us: int, cpu: int, before: int, after: int, state: str = "S") -> str:
    return event(
        us, cpu,
        f"sched_switch: prev_comm=a prev_pid={before} prev_prio=120 prev_state={state} ==> "
        f"next_comm=b next_pid={after} next_prio=120",
    )  # fmt: skip


def wakeup(us: int, pid: int) -> str:
    return event(us, 0, f"sched_wakeup: comm=b pid={pid} prio=120 target_cpu=000")


# Task 10 is what is measured, of two threads; 20 to 22 are hogs, 20 only waits for them; 30 is the
# guest's shell.
TRACE = HEAD + "".join(
    [
        event(0, 0, "tracing_mark_write: begin"),
        switch(0, 0, 0, 21),
        switch(0, 1, 0, 22),
        wakeup(100, 11),
        switch(150, 0, 21, 11, "R"),
        switch(200, 0, 11, 21),
        event(300, 1, "sched_process_fork: comm=b pid=22 child_comm=b child_pid=23"),
        switch(400, 1, 22, 23),
        switch(600, 0, 21, 30, "R"),
        switch(1000, 0, 30, 0),
        event(1000, 0, "tracing_mark_write: end"),
    ]
)


def left(trace: str = TRACE, *, state: str = "S", hogs: int = 1) -> dict[str, bytes]:
    threads = [(10, 10, 10), (10, 11, 10), (20, 20, 20), (21, 21, 20), (22, 22, 20), (30, 30, 1)]
    stat = "".join(
        STAT.format(pid=pid, tid=tid, session=session, name="x", state=state)
        for pid, tid, session in threads
    ).encode()
    owners = ["rule `ran` (test.gpl:3)", "rule `builders` (test.gpl:4)", "`default`"]
    classes = {10: 0, 11: 0, 20: 1, 21: hogs, 22: 1, 30: 2}
    rules = json.dumps(
        {
            "ok": True,
            "classes": [{"owner": owner} for owner in owners],
            "tasks": [{"tid": tid, "class": number} for tid, number in classes.items()],
        }
    ).encode()
    return {
        "scheduler": b"gthulhu_t\n", "state": b"enabled\n", "pid-0": b"10\n", "pid-1": b"20\n",
        "stat-before": stat, "stat-after": stat, "rules-before": rules, "rules-after": rules,
        "scene.trace": trace.encode(),
    }  # fmt: skip


def guest_result(files: dict[str, bytes]) -> GuestResult:
    return GuestResult(
        status=0, files=files, stdout="", stderr="", console="", dmesg="", splats=(),
        timed_out=False, wall_s=1.0, environment=ENVIRONMENT,
    )  # fmt: skip


def read(files: dict[str, bytes]) -> Run:
    checked_policy, built = upf_scene()
    return recording.read(built, checked_policy, "t.gpl", Variation(7, 0), guest_result(files))


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


def test_who_ran_while_others_waited_is_known() -> None:
    run = read(left())

    assert run.classes["builders"].wait.meanwhile_us == {"builders": 400, "others": 400}
    assert run.classes["ran"].wakeup.meanwhile_us == {"builders": 100}


def test_a_task_that_waits_all_the_time_has_a_wait_as_long() -> None:
    run = read(left(state="R"))

    # Both threads of `nr-gnb` were runnable before and after; one of them never ran.
    assert max(run.classes["ran"].wait.samples.all_us()) == run.window_us == 1000


def test_a_task_in_another_rule_than_it_was_made_for_is_an_error() -> None:
    with pytest.raises(MisplacedError, match=r"`hogs` .* is in `default`, where .* `builders`"):
        read(left(hogs=2))


def test_a_task_that_is_just_being_started_may_not_have_its_name_yet() -> None:
    files = left()
    files["stat-after"] += STAT.format(pid=24, tid=24, session=20, name="x", state="S").encode()
    answer = json.loads(files["rules-after"])
    answer["tasks"].append({"tid": 24, "class": 2})
    files["rules-after"] = json.dumps(answer).encode()

    assert read(files).classes["builders"].tasks == 5


def test_a_scheduler_that_is_gone_at_the_end_is_a_failure() -> None:
    with pytest.raises(GuestError, match="no longer in force at the end: disabled"):
        read({**left(), "state": b"disabled\n"})


def test_a_workload_that_ended_early_is_named_with_its_words() -> None:
    with pytest.raises(GuestError, match="`hogs` ended too early: hog: no memory"):
        read({**left(), "ended": b"20\n", "group-1.out": b"hog: no memory\n"})


# ---- verdicts -----------------------------------------------------------------------------------


def a_run(scheduler: str, wakeup_us: Sequence[int], *, share: float = 0.6, seed: int = 7) -> Run:
    samples = Waits(samples=Samples.of(wakeup_us), meanwhile_us={"builders": 900, "idle": 100})
    nothing = Waits(samples=Samples(), meanwhile_us={})
    hogs = int(share * 10_000)
    return Run(
        workload="waker", line=4, scheduler=scheduler, in_force="", seed=seed, phase_us=0,
        environment=ENVIRONMENT, window_us=5000, wall_s=1.0,
        classes={
            "ran": ClassFigures(tasks=2, wakeup=samples, wait=samples, cpu_us=100),
            "builders": ClassFigures(tasks=8, wakeup=nothing, wait=nothing, cpu_us=hogs),
        },
        cpu_us={"builders": hogs, "ran": 100, "idle": 9900 - hogs},
    )  # fmt: skip


def judged(
    ours: Sequence[Sequence[int]],
    theirs: Sequence[Sequence[int]] = (),
    failures: Sequence[Failure] = (),
    share: float = 0.6,
) -> Verification:
    block = policy(UPF).expectations[0]
    runs = [a_run("t.gpl", samples, share=share, seed=7 + i) for i, samples in enumerate(ours)]
    runs += [a_run("eevdf", samples) for samples in theirs]
    seeds = tuple(range(7, 7 + len(ours)))
    found = verdict.judge(block, "t.gpl", "7.2", runs, failures)
    return Verification(policy="t.gpl", sha256="", seeds=seeds, blocks=(found,))


def outcomes(found: Verification) -> list[Outcome]:
    return [claim.outcome for claim in found.blocks[0].claims]


GOOD, BAD = [100] * 1000, [100] * 980 + [400] * 20
SLOW = [2500] * 1000


def test_a_claim_is_judged_by_the_median_of_its_runs() -> None:
    assert outcomes(judged([GOOD, BAD, GOOD, GOOD, BAD], [SLOW] * 5)) == [Outcome.OK] * 3
    found = judged([BAD, BAD, GOOD, GOOD, BAD], [SLOW] * 5)
    assert outcomes(found) == [Outcome.FAIL, Outcome.OK, Outcome.OK]
    assert not found.holds
    spread = found.blocks[0].claims[0].measured
    assert spread is not None
    assert (spread.low, spread.median, spread.high) == (100_000, 400_000, 400_000)


def test_a_baseline_makes_the_bound() -> None:
    found = judged([GOOD] * 5, [[400] * 1000] * 5)

    claim = found.blocks[0].claims[1]
    assert claim.bound == 0.2 * 400_000
    assert claim.outcome is Outcome.FAIL


def test_too_few_samples_are_no_figure_and_fail() -> None:
    found = judged([GOOD[:999]] * 5, [SLOW] * 5)

    assert outcomes(found) == [Outcome.NOT_MEASURED, Outcome.NOT_MEASURED, Outcome.OK]
    assert found.blocks[0].claims[0].reason == "999 samples, and it takes 1,000"
    assert not found.holds


def test_a_baseline_without_figures_leaves_the_claim_open() -> None:
    broken = Failure(workload="waker", line=4, scheduler="eevdf", seed=7, reason="it panicked")
    found = judged([GOOD] * 5, failures=[broken])

    assert outcomes(found) == [Outcome.OK, Outcome.NOT_MEASURED, Outcome.OK]
    assert found.blocks[0].claims[1].reason == "eevdf: it panicked"


def test_a_policy_that_was_ejected_fails_all_its_claims() -> None:
    broken = Failure(workload="waker", line=4, scheduler="t.gpl", seed=8, reason="ejected")

    assert outcomes(judged([GOOD] * 4, [SLOW] * 5, [broken])) == [Outcome.FAIL] * 3


def test_a_share_is_of_all_cpu_time() -> None:
    claim = judged([GOOD] * 5, [SLOW] * 5, share=0.45).blocks[0].claims[2]

    assert claim.outcome is Outcome.FAIL
    assert claim.measured is not None
    assert claim.measured.median == pytest.approx(450)


# ---- what is said -------------------------------------------------------------------------------


def test_the_table_has_figures_ranges_and_bounds() -> None:
    text = table.render(judged([GOOD] * 5, [SLOW] * 5), colour=False)

    assert "t.gpl:5: expect waker as ran under hogs 1.5x as builders" in text
    assert "p99(wakeup ran) < 300us         100 µs  (100 µs .. 100 µs)" in text
    assert "bound 500 µs; eevdf 2.50 ms (2.50 ms .. 2.50 ms)" in text
    assert "all 3 claims hold" in text
    assert "\x1b" not in text


def test_a_violated_bound_shows_the_distribution_and_who_ran() -> None:
    text = table.render(judged([BAD] * 5, [SLOW] * 5), colour=False)

    assert "of 3 claims: 2 hold, 1 fail" in text
    assert "wakeup times of `ran`, all runs:" in text
    assert "below   512 µs      100    2.0 %" in text
    assert "<- the bound is here" in text
    assert "who had the CPUs while tasks of `ran` waited longest:" in text
    assert "builders   90.0 %" in text


def test_too_few_runs_are_said_to_be() -> None:
    assert "too few for a verdict" in table.render(judged([GOOD], [SLOW]), colour=False)
    assert "too few" not in table.render(judged([GOOD] * 5, [SLOW] * 5), colour=False)


def test_junit_has_a_case_for_each_claim() -> None:
    root = ET.fromstring(junit.render(judged([BAD] * 5, [SLOW] * 5)))  # noqa: S314 -- our own

    cases = root.findall(".//testcase")
    assert [case.get("name") for case in cases] == [
        "waker: p99(wakeup ran) < 300us",
        "waker: p99(wakeup ran) < 20% of eevdf",
        "waker: share(builders) >= 50%",
    ]
    assert [case.find("failure") is not None for case in cases] == [True, False, False]


def test_json_keeps_every_figure() -> None:
    found = judged([BAD] * 5, [SLOW] * 5)

    assert Verification.model_validate_json(found.model_dump_json()) == found


def test_the_form_of_json_is_published(request: pytest.FixtureRequest) -> None:
    text = json.dumps(Verification.model_json_schema(mode="serialization"), indent=1) + "\n"
    if request.config.getoption("--renew"):
        SCHEMA.write_text(text)
    assert text == SCHEMA.read_text()


# ---- all of it ----------------------------------------------------------------------------------


@pytest.fixture
def booted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[GuestRequest]:
    """The guests that were asked for; each leaves the same."""
    asked: list[GuestRequest] = []

    def run(request: GuestRequest) -> GuestResult:
        asked.append(request)
        files = left()
        if "scheduler" not in request.files:
            del files["scheduler"], files["rules-before"], files["rules-after"]
        return guest_result(files)

    def key(request: GuestRequest) -> str:
        script = request.files["scene.sh"]
        assert isinstance(script, bytes)
        return f"{request.seed}-{len(request.files)}-{zlib.crc32(script)}"

    monkeypatch.setattr("gthulhu_lab.verify.suite.vm.run", run)
    monkeypatch.setattr("gthulhu_lab.verify.suite.results.key", key)
    monkeypatch.setattr("gthulhu_lab.results.cache_dir", lambda: tmp_path)
    monkeypatch.setattr("gthulhu_lab.verify.suite.codegen.compile_object", lambda _: b"an object")
    monkeypatch.setattr("gthulhu_lab.verify.suite.qemu.version", lambda: "10.0.2")
    monkeypatch.setattr("gthulhu_lab.verify.suite.kernels.ensure", lambda *_, **__: None)
    monkeypatch.setattr("gthulhu_lab.verify.suite.selftest.ensure", lambda: None)
    return asked


def written(folder: Path, claims: str) -> str:
    file = folder / "t.gpl"
    file.write_text("policy t {}\n" + UPF[: UPF.index("{\n    p99")] + f"{{ {claims} }}\n")
    return str(file)


def test_each_scheduler_has_a_guest_for_each_seed_and_what_is_known_has_none(
    tmp_path: Path, booted: list[GuestRequest]
) -> None:
    path = written(tmp_path, "share(builders) > 10%  max(wakeup ran) < 300% of eevdf")
    options = suite.Options(seeds=2)

    first = suite.verify(path, options)

    claims = first.blocks[0].claims
    assert [claim.outcome for claim in claims] == [Outcome.OK, Outcome.NOT_MEASURED]
    # Each was too short for a maximum, and is looked at for longer, once.
    assert [request.seed for request in booted] == [7, 7, 7, 7, 8, 8, 8, 8]
    assert ["scheduler" in request.files for request in booted] == [True, True, False, False] * 2
    booted.clear()
    assert suite.verify(path, options) == first
    assert not booted
    suite.verify(path, suite.Options(seeds=1, use_cache=False))
    assert len(booted) == 4


def test_another_bound_boots_no_guest(tmp_path: Path, booted: list[GuestRequest]) -> None:
    options = suite.Options(seeds=1)

    assert suite.verify(written(tmp_path, "share(builders) > 10%"), options).holds
    booted.clear()
    assert not suite.verify(written(tmp_path, "share(builders) > 99%"), options).holds
    assert not booted


def test_a_guest_that_fails_fails_the_claims_and_leaves_the_others(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = vm.run

    def run(request: GuestRequest) -> GuestResult:
        result = usual(request)
        return replace(result, splats=("BUG: x",)) if request.seed == 8 else result

    monkeypatch.setattr("gthulhu_lab.verify.suite.vm.run", run)

    found = suite.verify(written(tmp_path, "share(builders) > 10%"), suite.Options(seeds=3))

    assert outcomes(found) == [Outcome.FAIL]
    assert "BUG: x" in table.render(found, colour=False)
    assert len(booted) == 3


def test_a_task_in_the_wrong_rule_ends_it_with_the_guest_named(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gthulhu_lab.verify.suite.vm.run", lambda _: guest_result(left(hogs=2)))

    with pytest.raises(MisplacedError, match=r"under .*, 7.2, seed 7: a task of `hogs`"):
        suite.verify(written(tmp_path, "share(builders) > 10%"), suite.Options())
    assert not booted


# ---- what cannot be done ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "message", "hint"),
    [
        ("expect wakr { max(wait default) < 1ms }", "no workload `wakr`", "`waker`"),
        ("expect waker under hoggs 2x { max(wait default) < 1ms }", "no workload `hoggs`", "hogs"),
        ("expect waker { max(wait ran) < 1ms }", "no workload of this block is `ran`'s", "as ran"),
    ],
)
def test_names_that_only_the_lab_knows_are_judged_at_their_place(
    block: str, message: str, hint: str
) -> None:
    found = policy('rule ran { match comm == "x" priority high }\n' + block)

    (problem,) = check.mistakes(found.expectations)

    assert message in problem.message
    assert hint in " ".join(problem.help)
    assert problem.span.source.position(problem.span.start)[0] == 3


@pytest.mark.parametrize(
    ("block", "message", "hint"),
    [
        ("expect pipe { rate(pipe) > 10 }", "`rate` takes a wall clock", "bench --workload pipe"),
        (
            "expect pipe as calls { max(wait calls) < 1s }",
            "into `calls`",
            "cannot make a task call",
        ),
    ],
)
def test_what_the_lab_cannot_do_is_an_error_at_its_place(
    block: str, message: str, hint: str
) -> None:
    found = policy('rule calls { match calls "tcp_sendmsg" within 1s }\n' + block)

    assert not check.mistakes(found.expectations)
    (problem,) = check.limits(found, found.expectations)

    assert message in problem.message
    assert hint in " ".join(problem.help)
    assert problem.span.source.position(problem.span.start)[0] == 3


def test_a_block_is_chosen_by_its_line_or_its_workload() -> None:
    found = policy(UPF)

    for only in (None, "5", "7", "waker"):
        assert suite.select(found, only) == list(found.expectations)
    for only in ("3", "hogs"):
        with pytest.raises(LabError, match="no `expect`"):
            suite.select(found, only)
    with pytest.raises(LabError, match="promises nothing"):
        suite.select(policy('rule a { match comm == "x" }'), None)
