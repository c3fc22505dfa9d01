# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Workloads on wall clocks: options, guests, table, plot and comparison."""

from __future__ import annotations

import io
import random
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from gthulhu_lab import bench_report, bench_table, experiment, plot_intervals, regression, vm, wall
from gthulhu_lab.benchmark import OURS, Benchmark
from gthulhu_lab.catalogue import Report
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestRequest, GuestResult
from gthulhu_lab.significance import Difference, Interval
from gthulhu_lab.wall import Setup, WallExperiment, WallRun, WorkloadOptions
from gthulhuc.cli import gthulhu
from pages import needs_nothing_else

WHERE = GuestEnvironment(
    clock=Clock.TCG, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=2, memory_mib=1024,
    qemu="10.0.2", seed=7,
)  # fmt: skip
RESULT = GuestResult(
    status=0, files={}, stdout="", stderr="", console="", dmesg="", splats=(), timed_out=False,
    wall_s=20.0, environment=WHERE,
)  # fmt: skip
PIPE = Setup.parse("pipe under hogs 1.5x")


def test_workloads_are_named_as_in_expect() -> None:
    assert PIPE.text == "pipe under hogs 1.5x"
    assert PIPE.workload.name == "pipe"
    assert [(load.name, amount) for load, amount in PIPE.loads] == [("hogs", 1500)]
    two = Setup.parse(" futex  under hogs 2x, waker 0.5x")
    assert two.text == "futex under hogs 2x, waker 0.5x"
    assert [(load.name, amount) for load, amount in two.loads] == [("hogs", 2000), ("waker", 500)]
    assert Setup.parse("pipe").loads == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "invalid workload ''"),
        ("pipe under", "invalid workload 'pipe under'"),
        ("pipe under hogs", "invalid workload"),
        ("pipe under hogs 2", "invalid workload"),
        ("pipes", "unknown workload pipes\nDid you mean pipe"),
        ("pipe under hog 2x", "unknown workload hog\nDid you mean hogs"),
        ("waker", "waker does not report a figure"),
    ],
)
def test_meaningless_patterns_are_refused(
    text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LabError, match=re.escape(complaint)):
        Setup.parse(text)
    assert gthulhu.main(["bench", "--workload", text]) == 2
    assert complaint.partition("\n")[0] in capsys.readouterr().err


def test_a_guest_gets_the_workload_its_loads_and_the_scheduler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gthulhu_lab.workloads.build", lambda: {"bin/roundtrip": Path("x")})
    options = WorkloadOptions([PIPE], Clock.TCG, cpus=2, kernel="6.18", seconds=5, name="nr gnb")
    subject = Subject("scx", "scx -v", {"bin/scx": b"a scheduler"})
    request = WallExperiment(subject, PIPE, 3, options).request()

    assert (request.kernel, request.clock, request.cpus, request.seed) == ("6.18", Clock.TCG, 2, 10)
    assert request.files["scheduler"] == b"scx -v"
    script = request.files["wall.conf"]
    assert isinstance(script, bytes)
    assert b"\tbeside hog 3\n" in script
    named = b"\tTASK_PROCESS='nr gnb' TASK_COMM='nr gnb' roundtrip pipe 2 5 /results/figures\n"
    assert named in script


def test_loads_outlast_the_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ends by itself would be a failure."""
    monkeypatch.setattr("gthulhu_lab.workloads.build", dict)
    setup = Setup.parse("pipe under waker 1x")
    for seconds in (10, 1000):
        options = WorkloadOptions([setup], Clock.TCG, cpus=2, seconds=seconds)
        request = WallExperiment(EEVDF, setup, 0, options).request()
        script = request.files["wall.conf"]
        assert isinstance(script, bytes)
        (load,) = re.findall(rb"beside periodic .* (\d+)\n", script)
        assert int(load) >= request.deadline_s > seconds


def test_workload_reports_are_read() -> None:
    files = {"figures/rate": b"1000.5\n"}
    one = WallExperiment(EEVDF, PIPE, 0, WorkloadOptions([PIPE], Clock.TCG, cpus=2))
    run = one.read(replace(RESULT, files=files))
    assert run.figure(Report.RATE) == 1000.5
    assert run.figure(Report.TIME) is None
    times = run.model_copy(update={"values": {Report.TIME: [3e6, 1e6, 2e6]}})
    assert times.figure(Report.TIME) == 2.0
    # A workload may well note some ten thousands of them.
    many = run.model_copy(update={"values": {Report.TIME: [*range(100_001)]}})
    assert many.figure(Report.TIME) == 0.05

    for files, complaint in (
        ({}, "left no figures/rate"),
        ({"figures/rate": b"many"}, "left an invalid figures/rate"),
        ({"figures/rate": b""}, "did not complete a single operation"),
    ):
        with pytest.raises(GuestError, match=complaint):
            one.read(replace(RESULT, files=files))


def test_schedulers_run_in_turns_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def boot(request: GuestRequest) -> GuestResult:
        name = request.files.get("scheduler", b"EEVDF")
        assert isinstance(name, bytes)
        order.append(name.decode())
        return replace(RESULT, files={"figures/rate": b"5"}, status=int(name == b"bad"))

    monkeypatch.setattr(vm, "run", boot)
    monkeypatch.setattr("gthulhu_lab.workloads.build", dict)
    monkeypatch.setattr("gthulhu_lab.qemu.version", lambda: "10.0.2")
    monkeypatch.setattr("gthulhu_lab.kernels.ensure", lambda *_, **__: None)
    progress = io.StringIO()
    subjects = [EEVDF, Subject("good", "good"), Subject("bad", "bad")]
    experiments = wall.list_experiments(
        subjects, WorkloadOptions([PIPE], Clock.TCG, cpus=2, turns=4, seconds=5)
    )
    with Progress(progress) as shown:
        found = experiment.run(experiments, shown, jobs=8, use_cache=True)

    assert [sorted(order[start : start + 3]) for start in range(0, 12, 3)] == [
        ["EEVDF", "bad", "good"]
    ] * 4
    assert "guest 1 of 12: pipe under hogs 1.5x, " in progress.getvalue()
    assert sum(isinstance(each, WallRun) for each in found) == 8
    failed = [t for t, each in zip(experiments, found, strict=True) if isinstance(each, GuestError)]
    assert {one.names["subject"] for one in failed} == {"bad"}


def a_run(subject: str, turn: int, rate: float) -> WallRun:
    return WallRun(
        subject=subject, setup=PIPE.text, turn=turn, values={Report.RATE: [rate]},
        environment=WHERE, wall_s=20,
    )  # fmt: skip


def runs(factors: dict[str, float], noise: float, turns: int = 12) -> list[WallRun]:
    """The machine gets slower all the while, and each run has noise of its own."""
    lots = random.Random(7)
    return [
        a_run(name, turn, factor * 1000 / (1 + turn / 10) * (1 + lots.uniform(-noise, noise)))
        for turn in range(turns)
        for name, factor in {EEVDF.name: 1.0, **factors}.items()
    ]


def a_benchmark(walls: list[WallRun]) -> Benchmark:
    names = dict.fromkeys(run.subject for run in walls)
    return Benchmark(
        policy="upf", policy_source="", cpus=[2], seeds=[],
        subjects={name: OURS if name in ("upf", "same") else "another" for name in names},
        programs={}, absent=[], runs=[], failures=[], walls=walls,
    )  # fmt: skip


THREE = a_benchmark(runs({"upf": 1.2, "same": 1.0, "scx_flash": 0.8}, 0.01))
WILD = a_benchmark(runs({"upf": 1.05}, 0.5))


def test_each_scheduler_is_judged_beside_eevdf() -> None:
    rows = {row.subject: row for row in wall.rows(THREE.walls)}
    assert {name: row.judgement.verdict for name, row in rows.items()} == {
        "upf": Difference.FASTER, "same": Difference.SAME, "scx_flash": Difference.SLOWER,
    }  # fmt: skip
    assert rows["upf"].judgement.ratio.middle == pytest.approx(1.2, rel=0.01)
    assert len(rows["upf"].pairs) == 12
    # A turn with a failed run does not count.
    fewer = [run for run in THREE.walls if (run.subject, run.turn) != (EEVDF.name, 0)]
    assert {len(row.pairs) for row in wall.rows(fewer)} == {11}
    assert wall.rows([run for run in THREE.walls if run.subject != EEVDF.name]) == []


def shown(benchmark: Benchmark) -> str:
    stream = io.StringIO()
    bench_table.show(benchmark, Console(file=stream, width=100))
    return stream.getvalue()


def test_the_table_has_numbers_only_where_they_mean_something() -> None:
    text = shown(THREE)
    assert re.search(r"upf +\d+/s +\d+/s +1\.2\d \(1\.\d\d to 1\.\d\d\) +faster", text)
    assert re.search(r"scx_flash .*\) +slower", text)
    assert re.search(r"same .*\) +no difference", text)
    assert "wall clock of an emulated guest" in text
    assert "12 turns" in text
    assert "…" not in text
    assert "the project's bars" not in text
    assert re.search(r"upf +- +- +- +too noisy", shown(WILD))


def test_the_report_draws_the_verdicts() -> None:
    page = bench_report.render(THREE)
    needs_nothing_else(page)
    for shade in ("better", "worse", "quiet"):
        assert page.count(f'<circle class="dot {shade}"') == 1
    assert "on a wall clock, in turns" in page
    assert "The project's bars" not in page
    # Noise is no figure.
    assert "<circle" not in bench_report.render(WILD)


def test_the_command_leaves_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gthulhu_lab.bench.run_workloads", lambda *_options: THREE)
    files = [f"--{kind}={tmp_path / f'out.{kind}'}" for kind in ("json", "html")]
    options = ["--workload", "pipe", "--clock", "tcg", "--peers", "none", *files]

    assert gthulhu.main(["bench", *options]) == 0
    assert "faster" in capsys.readouterr().out
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.html", "out.json"]
    assert Benchmark.model_validate_json((tmp_path / "out.json").read_text()) == THREE


def test_the_plot_of_intervals_stays_within_itself() -> None:
    rows = [
        plot_intervals.RatioRow("a < b", Interval(1.0, 0.99, 1.01), "no difference", "quiet"),
        plot_intervals.RatioRow("much", Interval(40.0, 30, 50), "slower", "worse"),
        plot_intervals.RatioRow("none", None, "too noisy", "quiet"),
    ]
    text = plot_intervals.intervals(rows, 0.03, "a & b")
    root = ET.fromstring(text)
    dots = [float(dot.attrib["cx"]) for dot in root.iter("circle")]
    assert len(dots) == 2
    assert 360 <= dots[0] < dots[1] <= 680


def test_ratios_to_eevdf_tell_a_change_of_code_between_two_machines() -> None:
    old = a_benchmark(runs({"upf": 1.2}, 0.01))

    def moved(factor: float, noise: float = 0.01) -> list[regression.Trend]:
        new = [
            run.model_copy(update={"values": {Report.RATE: [7 * run.values[Report.RATE][0]]}})
            for run in runs({"upf": factor}, noise)
        ]
        return [each.verdict for each in regression.changes(old, a_benchmark(new))]

    assert moved(1.2) == [regression.Trend.SAME]
    assert moved(1.0) == [regression.Trend.WORSE]
    assert moved(1.5) == [regression.Trend.BETTER]
    assert moved(1.2, noise=0.5) == [regression.Trend.NOISY]
    gone = a_benchmark(runs({}, 0.01))
    assert regression.missing(old, gone) == ["upf: the figures are gone"]
    kvm = WHERE.model_copy(update={"clock": Clock.KVM})
    other = [run.model_copy(update={"environment": kvm}) for run in old.walls]
    with pytest.raises(LabError, match="measured differently: clock tcg and kvm"):
        regression.changes(old, a_benchmark(other))
