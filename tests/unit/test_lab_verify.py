# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu verify` without its guests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gthulhu_lab import catalogue, vm
from gthulhu_lab.errors import LabError
from gthulhu_lab.request import Clock, GuestRequest, GuestResult
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.verify import check, suite, table
from gthulhu_lab.verify.experiments import VerifyOptions
from gthulhu_lab.verify.recording import MisplacedError
from gthulhu_lab.verify.verdict import Outcome
from recorded import guest_result, left
from verified import ENVIRONMENT, UPF, outcomes, policy, script_of


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
        return f"{request.seed}-{len(request.files)}-{zlib.crc32(script_of(request))}"

    monkeypatch.setattr("gthulhu_lab.vm.run", run)
    monkeypatch.setattr("gthulhu_lab.results.key", key)
    monkeypatch.setattr("gthulhu_lab.results.cache_dir", lambda: tmp_path)
    monkeypatch.setattr("gthulhuc.codegen.compile_object", lambda _: b"an object")
    monkeypatch.setattr("gthulhu_lab.qemu.version", lambda: "10.0.2")
    monkeypatch.setattr("gthulhu_lab.kernels.ensure", lambda *_, **__: None)
    monkeypatch.setattr("gthulhu_lab.selftest.ensure", lambda _: None)
    return asked


def leaving(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[GuestRequest, GuestResult], GuestResult]
) -> None:
    """Let each guest leave something else than it does."""
    usual = vm.run
    monkeypatch.setattr("gthulhu_lab.vm.run", lambda request: change(request, usual(request)))


def written(folder: Path, claims: str) -> str:
    file = folder / "t.gpl"
    file.write_text("policy t {}\n" + UPF[: UPF.index("{\n    p99")] + f"{{ {claims} }}\n")
    return str(file)


def test_each_scheduler_and_seed_has_a_guest_unless_its_result_is_kept(
    tmp_path: Path, booted: list[GuestRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "share(builders) > 10%  max(wakeup ran) < 300% of eevdf")
    options = VerifyOptions(seeds=2)

    first = suite.verify(path, options)

    claims = first.blocks[0].claims
    assert [claim.outcome for claim in claims] == [Outcome.OK, Outcome.NOT_MEASURED]
    # Each was too short for a maximum, and is looked at for longer, once.
    assert [request.seed for request in booted] == [7, 7, 7, 7, 8, 8, 8, 8]
    assert "guest 8 of 8: waker" in capsys.readouterr().err
    assert ["scheduler" in request.files for request in booted] == [True, True, False, False] * 2
    booted.clear()
    assert suite.verify(path, options) == first
    assert not booted
    suite.verify(path, VerifyOptions(seeds=1, use_cache=False))
    assert len(booted) == 4


def test_schedulers_that_are_asked_for_are_measured_beside(
    tmp_path: Path, booted: list[GuestRequest]
) -> None:
    path = written(tmp_path, "share(builders) > 10%  share(builders) < 99%")

    found = suite.verify(path, VerifyOptions(seeds=2, beside=("eevdf",)))

    assert found.holds
    assert ["scheduler" in request.files for request in booted] == [True, False] * 2
    claim = found.blocks[0].claims[0]
    assert claim.measured is not None
    assert claim.beside == {"eevdf": claim.measured}
    lines = table.render(found, colour=False).splitlines()
    there = lines.index("  beside it")
    assert lines[there + 1].startswith("    share(builders)  eevdf  ")
    assert not lines[there + 2]
    with pytest.raises(LabError, match="unknown scheduler 'nothing'"):
        suite.verify(path, VerifyOptions(beside=("nothing",)))


def test_wall_clock_results_are_timed_in_turns_and_not_cached(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(request: GuestRequest, result: GuestResult) -> GuestResult:
        seconds = 2 if request.clock is Clock.ICOUNT else 10
        files = {**result.files, "group-0/rate": b"%d\n" % (100 * seconds), "group-1/rate": b"7\n"}
        where = ENVIRONMENT.model_copy(update={"clock": request.clock})
        return replace(result, files=files, environment=where)

    leaving(monkeypatch, changed)
    monkeypatch.setattr("gthulhu_lab.wall.usual_clock", lambda: Clock.KVM)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    path = tmp_path / "t.gpl"
    head = UPF[: UPF.index("expect")]
    path.write_text(
        f"policy t {{}}\n{head}expect pipe as ran under pipeline 1x as builders {{\n"
        "rate(pipe) > 100  rate(pipeline) >= 98% of eevdf  share(builders) > 10%\n}\n"
    )
    options = VerifyOptions(seeds=2, turns=6, nodes=2)

    found = suite.verify(str(path), options)

    assert outcomes(found) == [Outcome.OK] * 3
    assert found.turns == 6
    exact = [request for request in booted if request.clock is Clock.ICOUNT]
    timed = [request for request in booted if request.clock is Clock.KVM]
    # Nothing that is exact is compared with EEVDF.
    assert [("trace.sh" in r.files, r.seed) for r in exact] == [
        (True, 7), (False, 7), (True, 8), (False, 8),
    ]  # fmt: skip
    assert {(request.cpus, request.nodes) for request in exact} == {(4, 2)}
    assert {(request.cpus, request.nodes) for request in timed} == {(2, 1)}
    assert booted == exact + timed
    pairs = [timed[start : start + 2] for start in range(0, 12, 2)]
    assert [{request.seed for request in pair} for pair in pairs] == [{7 + n} for n in range(6)]
    first = ["scheduler" in pair[0].files for pair in pairs]
    assert ["scheduler" in pair[1].files for pair in pairs] == [not ours for ours in first]
    assert len(set(first)) == 2
    booted.clear()
    assert suite.verify(str(path), options) == found
    assert [request.clock for request in booted] == [Clock.KVM] * 12


def test_slow_operations_get_longer_windows(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(request: GuestRequest, result: GuestResult) -> GuestResult:
        (seconds,) = re.findall(rb"-- database 4 50 \d+ (\d+) ", script_of(request))
        times = b"2000000\n" * (30 * int(seconds))
        return replace(result, files={**result.files, "group-0/time": times})

    leaving(monkeypatch, changed)
    monkeypatch.setattr("gthulhu_lab.catalogue.files", lambda _: {})
    path = tmp_path / "t.gpl"
    head = UPF[: UPF.index("expect")]
    path.write_text(
        f"policy t {{}}\n{head}expect pgbench as ran under hogs 1x as builders {{\n"
        "p90(time pgbench) < 3ms  p99(time pgbench) < 100% of eevdf\n}\n"
    )

    found = suite.verify(str(path), VerifyOptions(seeds=1))

    assert outcomes(found) == [Outcome.OK, Outcome.FAIL]
    assert [claim.metric for claim in found.blocks[0].claims] == ["time", "time"]
    # Six seconds give 180 of a thousand, and 42 are enough.
    assert len(booted) == 4
    monkeypatch.setattr("gthulhu_lab.verify.experiments.LONGEST_WINDOW_S", 5.0)

    found = suite.verify(str(path), VerifyOptions(seeds=1, use_cache=False))

    assert outcomes(found) == [Outcome.OK, Outcome.NOT_MEASURED]
    assert found.blocks[0].claims[1].reason == "a run had fewer than 1,000 operations"


def test_another_bound_boots_no_guest(tmp_path: Path, booted: list[GuestRequest]) -> None:
    options = VerifyOptions(seeds=1)

    assert suite.verify(written(tmp_path, "share(builders) > 10%"), options).holds
    booted.clear()
    assert not suite.verify(written(tmp_path, "share(builders) > 99%"), options).holds
    assert not booted


def test_figures_by_other_names_of_rules_are_not_known(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in the guest of a baseline has them: it is the same."""
    path = Path(written(tmp_path, "max(wakeup ran) < 300% of eevdf"))
    text = path.read_text()
    path.write_text(text.replace("ran", "user"))

    def run(request: GuestRequest) -> GuestResult:
        files = {name: data.replace(b"`ran`", b"`user`") for name, data in left().items()}
        if "scheduler" not in request.files:
            del files["scheduler"], files["rules-before"], files["rules-after"]
        return guest_result(files)

    with monkeypatch.context() as other:
        other.setattr("gthulhu_lab.vm.run", run)
        suite.verify(str(path), VerifyOptions(seeds=1))
    path.write_text(text)

    found = suite.verify(str(path), VerifyOptions(seeds=1))
    assert [set(run.classes) for run in found.blocks[0].runs] == [{"ran", "builders"}] * 2
    # Each for as long as it takes, too.
    assert len(booted) == 4


def test_a_guest_that_fails_fails_the_claims_and_leaves_the_others(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(request: GuestRequest, result: GuestResult) -> GuestResult:
        return replace(result, splats=("BUG: x",)) if request.seed == 8 else result

    leaving(monkeypatch, changed)

    found = suite.verify(written(tmp_path, "share(builders) > 10%"), VerifyOptions(seeds=3))

    (claim,) = found.blocks[0].claims
    assert claim.outcome is Outcome.FAIL
    assert "BUG: x" in table.render(found, colour=False)
    assert len(booted) == 3


def test_a_task_in_the_wrong_rule_ends_it_with_the_guest_named(
    tmp_path: Path, booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gthulhu_lab.vm.run", lambda _: guest_result(left(hogs=2)))

    with pytest.raises(MisplacedError, match=r"under .*, 7.2, seed 7: a task of `hogs`"):
        suite.verify(written(tmp_path, "share(builders) > 10%"), VerifyOptions())
    assert not booted


# ---- what cannot be done ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "message", "hint"),
    [
        ("expect wakr { max(wait default) < 1ms }", "no workload `wakr`", "`waker`"),
        ("expect waker under hoggs 2x { max(wait default) < 1ms }", "no workload `hoggs`", "hogs"),
        (
            "expect waker { max(wait ran) < 1ms }",
            "no workload of this block runs as `ran`",
            "as ran",
        ),
        ("expect pipe { time(pipe) < 1ms }", "`pipe` does not report `time`", "reports `rate`"),
        (
            "expect pipe under hogs 1x { rate(hogs) > 1 }",
            "`hogs` does not report `rate`",
            "waits or the share",
        ),
    ],
)
def test_names_that_only_the_lab_knows_are_judged_at_their_place(
    block: str, message: str, hint: str
) -> None:
    found = policy('rule ran { match comm == "x" priority high }\n' + block)

    (problem,) = check.mistakes(found.expectations, catalogue.load())

    assert message in problem.message
    assert hint in " ".join(problem.help)
    assert problem.span.source.position(problem.span.start)[0] == 3


@pytest.mark.parametrize(
    ("block", "message", "hint"),
    [
        (
            "expect pipe as calls { max(wait calls) < 1s }",
            "into `calls`",
            "no task of the workload calls that",
        ),
    ],
)
def test_unsupported_claims_are_errors_at_their_place(block: str, message: str, hint: str) -> None:
    found = policy('rule calls { match calls "tcp_sendmsg" within 1s }\n' + block)

    assert not check.mistakes(found.expectations, catalogue.load())
    with pytest.raises(PolicyError) as refused:
        check.scenes("t.gpl", found, found.expectations, catalogue.load())
    assert refused.value.status == 2
    (problem,) = refused.value.diagnostics

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
    with pytest.raises(LabError, match="has no `expect` block"):
        suite.select(policy('rule a { match comm == "x" }'), None)
