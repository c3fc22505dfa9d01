# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark: which guests it boots, and which results it keeps."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gthulhu_lab import (
    bench,
    experiment,
    measure,
    peers,
    results,
    subjects,
    workloads,
)
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.experiment import FailedExperiment
from gthulhu_lab.kernels import Flavour, Kernel
from gthulhu_lab.measure import (
    EEVDF,
    Scenario,
    ScenarioExperiment,
    ScenarioRun,
    Subject,
)
from gthulhu_lab.progress import Progress
from gthulhuc import peers as baselines
from gthulhuc.cli import gthulhu
from scenario_runs import a_run


def test_the_plan_measures_each_subject_with_each_seed() -> None:
    subjects = [EEVDF, Subject("scx_flash", "scx_flash"), measure.policy_subject("upf", *FILES)]
    rules = [Subject("5 rules", "x"), Subject("1000 rules", "x")]
    options = bench.BenchOptions(peers=[], policies=[], seeds=5, cpus=(4, 8, 16))
    plan = bench.list_experiments(subjects, rules, options)
    latencies = [guest for guest in plan if guest.scenario.samples]

    assert len({(guest.subject.name, guest.seed) for guest in latencies}) == len(latencies) == 15
    assert {guest.scenario.hogs for guest in latencies} == {16}
    assert len({guest.scenario.phase_us for guest in latencies}) == 5
    grown = [(guest.subject.name, guest.scenario.cpus) for guest in plan if guest.scenario.cpus > 4]
    assert grown == [(name, cpus) for cpus in (8, 16) for name in (EEVDF.name, "upf")]
    assert sum(guest.subject.name in ("5 rules", "1000 rules") for guest in plan) == 10


FILES = (Path("policy.bpf.o"), Path("gthulhu-loader"))


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScenarioExperiment:
    kernel = Kernel(
        series="7.2",
        flavour=Flavour.CLOUD,
        release="7.2.13",
        suite="sid",
        packages={},
        image="vmlinuz",
        vmlinux=None,
        config=None,
        modules=None,
    )
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    kernel.root.mkdir(parents=True)
    kernel.image_path.write_bytes(b"a kernel")
    programs = {f"bin/{name}": tmp_path / name for name in workloads.NAMES}
    for program in programs.values():
        program.write_bytes(b"a program")
    monkeypatch.setattr("gthulhu_lab.kernels.ensure", lambda *_arguments, **_options: kernel)
    monkeypatch.setattr("gthulhu_lab.qemu.version", lambda: "10.0.2")
    monkeypatch.setattr(workloads, "build", lambda: programs)
    results._digest.cache_clear()
    return ScenarioExperiment(Subject("scx", "scx", {"bin/scx": b"a scheduler"}), Scenario(), 7)


def test_the_cache_goes_by_all_that_determines_a_run(
    guest: ScenarioExperiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def key(of: ScenarioExperiment) -> str:
        return results.key(of.request())

    first = key(guest)
    assert key(guest) == first
    renamed = replace(guest, subject=replace(guest.subject, name="another name"))
    assert key(renamed) == first

    others = [
        key(replace(guest, seed=8)),
        key(replace(guest, scenario=Scenario(cpus=8))),
        key(replace(guest, scenario=Scenario(phase_us=1))),
        key(replace(guest, subject=replace(guest.subject, command="scx -v"))),
        key(replace(guest, subject=replace(guest.subject, files={"bin/scx": b"another"}))),
    ]
    (tmp_path / "waker").write_bytes(b"another program")
    others.append(key(guest))
    # The measurement does not need it, so it is not in the image.
    (tmp_path / "storm").write_bytes(b"another program")
    assert key(guest) == others[-1]
    monkeypatch.setattr("gthulhu_lab.qemu.version", lambda: "11.1.0")
    others.append(key(guest))
    (tmp_path / "kernels" / "7.2.13" / "vmlinuz").write_bytes(b"another kernel")
    results._digest.cache_clear()
    others.append(key(guest))

    assert len({first, *others}) == len(others) + 1


def test_cached_results_are_reused_if_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    run = a_run("upf", 30_800)
    assert results.load("00", ScenarioRun) is None

    results.store("00", run)
    assert results.load("00", ScenarioRun) == run
    assert [file.name for file in (tmp_path / "results").iterdir()] == ["00.json"]

    (tmp_path / "results" / "00.json").write_text('{"of": "an older lab"}')
    assert results.load("00", ScenarioRun) is None


def test_peers_go_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))

    assert peers.named("none") == []
    assert [peer.name for peer in peers.named("scx_flash,scx_simple,scx_flash")] == [
        "scx_flash",
        "scx_simple",
    ]
    with pytest.raises(LabError, match="'scx_flahs'"):
        peers.named("scx_flahs")

    assert list(peers.PEERS) == list(baselines.PEERS)  # what `of` can name, the lab can build
    layered = peers.PEERS["scx_layered"]
    assert not layered.is_there
    layered.program.parent.mkdir(parents=True)
    layered.program.write_bytes(b"")
    assert layered.is_there
    assert layered.subject().command == "scx_layered f:/lab/layers.json"


def test_a_folder_brings_a_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, start = tmp_path / "mine", tmp_path / "mine" / "start"
    (folder / "etc").mkdir(parents=True)
    (folder / "etc" / "slices").write_text("20ms")
    start.write_text("#!/bin/sh\n")
    for complaint in (start, tmp_path / "none" / "start"):  # not executable, not there
        with pytest.raises(LabError, match=f"{complaint} is no executable file"):
            peers.named(str(complaint.parent))

    start.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    flash, mine = peers.named("scx_flash, ./mine")
    assert flash is peers.PEERS["scx_flash"]
    assert mine.is_there
    assert mine.description == "Brought to the lab in mine."
    subject = mine.subject()
    assert (subject.name, subject.command) == ("mine", "/lab/brought/start")
    assert [*subject.files] == ["brought/etc/slices", "brought/start"]
    assert subject.digests().keys() == subject.files.keys()
    with pytest.raises(LabError, match="two schedulers have the name mine"):
        subjects.assemble({"mine": folder / "mine.gpl"}, [mine], Progress(io.StringIO()))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["bench", "--cpus", "1"], "invalid number of CPUs '1'"),
        (["bench", "--cpus", "4,x"], "invalid number of CPUs 'x'"),
        (["bench", "--seeds", "0"], "expected a whole number from 1, found `0`"),
        (["verify", "x.gpl", "--jobs", "0.5"], "expected a whole number from 1, found `0.5`"),
        (["verify", "x.gpl", "--cpus", "100000"], "a guest has at most 255 CPUs, found 100000"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_a_guest_that_fails_leaves_the_others_their_figures_and_these_are_kept(
    guest: ScenarioExperiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(experiment: ScenarioExperiment, _result: object) -> ScenarioRun:
        if experiment.subject.name == "bad":
            raise GuestError("it exited with 3")
        return a_run(experiment.subject.name, 1.0)

    def outcomes(
        *experiments: ScenarioExperiment, use_cache: bool = True
    ) -> list[ScenarioRun | GuestError]:
        quiet = Progress(io.StringIO())
        return experiment.run(experiments, quiet, jobs=2, use_cache=use_cache)

    monkeypatch.setattr("gthulhu_lab.vm.run", lambda _request: SimpleNamespace(check=lambda: None))
    monkeypatch.setattr("gthulhu_lab.selftest.ensure", lambda _kernel: None)
    monkeypatch.setattr(ScenarioExperiment, "read", read)
    bad = replace(guest, subject=Subject("bad", "bad", {"bin/bad": b"other bytes"}))

    first, failed, last = outcomes(guest, bad, replace(guest, seed=8))

    assert [first, last] == [a_run("scx", 1.0)] * 2
    assert isinstance(failed, GuestError)
    failure = FailedExperiment.of(bad, failed)
    assert (failure.subject, failure.seed, failure.reason) == ("bad", 7, "it exited with 3")

    monkeypatch.setattr(ScenarioExperiment, "read", lambda *_arguments: a_run("scx", 2.0))
    assert outcomes(guest) == [a_run("scx", 1.0)]
    assert outcomes(guest, use_cache=False) == [a_run("scx", 2.0)]
