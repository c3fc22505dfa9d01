# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark as its users run it, short and without peers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gthulhu.loader import find_loader
from gthulhu_lab import bench, peers, subjects, vm, wall
from gthulhu_lab.benchmark import (
    CGROUPS_OFF,
    DEFAULT_ONLY,
    INTERACTIVE,
    Benchmark,
    one_cpu_ns,
    rules_name,
)
from gthulhu_lab.catalogue import Report
from gthulhu_lab.measure import EEVDF, SCHED_FIFO, Scenario, ScenarioExperiment
from gthulhu_lab.request import Clock
from gthulhu_lab.wall import WallExperiment, WorkloadOptions
from gthulhuc.cli import gthulhu, new

pytestmark = pytest.mark.vm


def measured(folder: Path) -> Benchmark:
    """Two CPUs, one seed, few samples: what it takes to see that all of it works."""
    files = [f"--{kind}={folder / f'result.{kind}'}" for kind in ("json", "html", "svg")]
    short = ["--peers=none", "--seeds=1", "--cpus=2", "--samples=200"]
    assert gthulhu.main(["bench", *short, *files]) == 0
    return Benchmark.model_validate_json((folder / "result.json").read_text())


@pytest.mark.soak
def test_the_benchmark_has_every_figure_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gthulhu_lab.results.cache_dir", lambda: tmp_path)
    monkeypatch.setattr(bench, "_MESSAGE_SECONDS", 1)
    first = measured(tmp_path)
    table = capsys.readouterr().out

    assert first.failures == []
    rules = [rules_name(5), rules_name(5, counting=True), rules_name(1000)]
    names = [SCHED_FIFO.name, EEVDF.name, DEFAULT_ONLY, "upf", *rules, CGROUPS_OFF, INTERACTIVE]
    assert [run.subject for run in first.runs] == names
    assert all(run.messages_per_s for run in first.runs)
    by_name = {run.subject: run for run in first.runs}
    for name, scheduler in ((EEVDF.name, ""), (DEFAULT_ONLY, "gthulhu_plain")):
        assert by_name[name].scheduler == scheduler
    for run in first.runs[2:]:
        assert run.size is not None
        assert run.size.programs >= 3
        # More than a number of bytes for every one that a program cannot do without.
        assert run.size.translated_bytes >= 8 * run.size.programs
        assert run.size.map_bytes > 0
        # Neither before its first instruction nor after the kernel's boot and rest.
        assert run.enable_ns is not None
        assert 1e6 < run.enable_ns < 5e9
    for name in (EEVDF.name, DEFAULT_ONLY, "upf"):
        share = first.hog_share(name)
        assert share is not None
        assert 0.9 < share.median < 1.1
        round_trip = first.spread(name, one_cpu_ns)
        assert round_trip is not None
        assert 10_000 < round_trip.median < 100_000
    real_time, usual = (first.latency_us(name, "ping", 99) for name in (SCHED_FIFO.name, "EEVDF"))
    assert real_time
    assert usual
    assert real_time.median < usual.median / 3
    assert "no figures of scx_simple" in table
    assert "<svg" in (tmp_path / "result.html").read_text()
    by_rule = {
        each.subject: {(span.task, span.rule) for span in each.spans} for each in first.pictures
    }
    assert by_rule.keys() == {EEVDF.name, "upf"}
    for pairs in by_rule.values():
        assert {("ping", "ran"), ("other", "default"), ("hog", "default")} <= pairs
    for each in first.pictures:
        assert each.length_us >= 200_000
        # Eight hogs on two CPUs: most of them wait at any time.
        assert sum(each.waiting_us.values()) == each.length_us
        assert max(each.waiting_us, key=lambda number: each.waiting_us[number]) in (6, 7)
    assert "traceEvents" in (tmp_path / "result-timelines.json").read_text()

    # Nothing is booted for what is known.
    written = {file: file.stat().st_mtime_ns for file in (tmp_path / "results").iterdir()}
    assert len(written) == len(first.runs) + len(first.pictures)
    assert measured(tmp_path) == first
    assert {file: file.stat().st_mtime_ns for file in written} == written


def test_a_brought_scheduler_is_in_force(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.copy(find_loader({}), folder / "loader")
    policy = subjects.compiled("upf", new.shipped()["upf"]).files["policy.bpf.o"]
    assert isinstance(policy, bytes)
    (folder / "upf.bpf.o").write_bytes(policy)
    start = folder / "start"
    start.write_text('#!/bin/sh\ncd "$LAB/brought"\nexec ./loader upf.bpf.o\n')
    start.chmod(0o755)

    (mine,) = peers.named(str(folder))
    experiment = ScenarioExperiment(mine.subject(), Scenario(cpus=2, samples=0))
    run = experiment.read(vm.run(experiment.request()).check())
    assert (run.subject, run.scheduler) == ("mine", "gthulhu_upf")


def test_a_workload_runs_beside_its_load_under_a_policy() -> None:
    """On a clock that shows that it works: with a thread for each CPU QEMU is less reliable."""
    setup = wall.Setup.parse("pipe under hogs 1x")
    subject = subjects.compiled("upf", new.shipped()["upf"])
    options = WorkloadOptions([setup], Clock.TCG_TURNS, cpus=2, seconds=2, name="ping")
    experiment = WallExperiment(subject, setup, 0, options)
    run = experiment.read(vm.run(experiment.request()).check())

    rate = run.figure(Report.RATE)
    assert rate is not None
    assert 10 < rate < 1e6
