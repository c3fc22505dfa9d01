# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark: its arithmetic, verdicts, table, report and cache keys."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from gthulhu_lab import (
    bars,
    bench,
    bench_report,
    bench_table,
    experiment,
    measure,
    peers,
    results,
    workloads,
)
from gthulhu_lab.bars import BarVerdict
from gthulhu_lab.benchmark import (
    DEFAULT_ONLY,
    INTERACTIVE,
    Benchmark,
    one_cpu_ns,
    rules_name,
)
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.experiment import FailedTrial
from gthulhu_lab.kernels import Flavour, Kernel
from gthulhu_lab.measure import (
    EEVDF,
    SCHED_FIFO,
    Scenario,
    ScenarioRun,
    ScenarioTrial,
    Size,
    Subject,
)
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Backend, Clock, GuestEnvironment
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.verdict import Block, Judged, Outcome, Verification
from gthulhuc import peers as baselines
from gthulhuc.cli import gthulhu
from pages import needs_nothing_else

SIZE = Size(
    programs=9, translated_bytes=9_000, verified_instructions=1_000, maps=6, map_bytes=64_000
)


def a_run(
    subject: str,
    one: float,
    two: float = 30_000.0,
    *,
    ping_us: int = 100,
    other_us: int = 1_000,
    message_ns: int = 10_000,
    hogs: int = 1_000,
    seed: int = 7,
    cpus: int = 4,
    samples: int = 2_000,
    enable_s: float = 0.65,
) -> ScenarioRun:
    """A run whose p99s are as given: all wake-ups of a task are equally late."""
    own = subject in (EEVDF.name, SCHED_FIFO.name)
    return ScenarioRun(
        subject=subject,
        scheduler="",
        scenario=Scenario(cpus=cpus, samples=samples),
        environment=GuestEnvironment(
            clock=Clock.ICOUNT,
            backend=Backend.INITRAMFS,
            kernel="7.2.13+deb14-cloud-amd64",
            cpus=cpus,
            memory_mib=1024,
            qemu="10.0.2",
            seed=seed,
        ),
        enable_ns=None if own else int(enable_s * 1e9),
        size=None if own else SIZE,
        wakeup_ns={
            "ping": [ping_us * 1000 + n % 10 for n in range(samples)],
            "other": [other_us * 1000 + n % 10 for n in range(samples)],
        },
        round_trip_ns=[one] * 3,
        round_trip_two_ns=[two] * 3,
        hog_turns=[hogs] if samples else [],
        hog_ns=1_000_000 if samples else 0,
        messages_per_s=1e9 / message_ns,
        splats=[],
        wall_s=60.0,
    )


GOOD = [
    a_run(EEVDF.name, 27_800, other_us=1_000, ping_us=2_000),
    a_run(SCHED_FIFO.name, 27_800, ping_us=100),
    a_run("scx_simple", 28_000, 35_000, ping_us=14_000),
    a_run("scx_bpfland", 35_600),
    a_run("scx_flash", 34_500),
    a_run("scx_layered", 44_700, ping_us=170),
    a_run(DEFAULT_ONLY, 29_400, 35_000, message_ns=10_490),
    a_run("upf", 30_240, ping_us=140),
    a_run(INTERACTIVE, 30_800, samples=0, message_ns=10_490),
    a_run(rules_name(5), 29_000, samples=0),
    a_run(rules_name(1000), 29_145, samples=0),
    a_run(rules_name(5, counting=True), 29_870, samples=0),
    a_run("scx_bpfland", 36_000, cpus=8, samples=0),
    a_run("upf", 30_400, cpus=8, samples=0),
]


def a_benchmark(runs: list[ScenarioRun], **changes: object) -> Benchmark:
    return Benchmark(
        policy="upf",
        policy_source='rule a { match comm == "<b>&" }\n',
        cpus=[4, 8],
        seeds=[7],
        subjects=dict.fromkeys(dict.fromkeys(run.subject for run in runs), "what it is"),
        programs={},
        absent=[],
        runs=runs,
        failures=[],
    ).model_copy(update=changes)


def verdicts(runs: list[ScenarioRun]) -> dict[tuple[str, str], BarVerdict]:
    return {(bar.group, bar.bar): bar.verdict for bar in bars.judge(a_benchmark(runs))}


def without(subject: str, *more: ScenarioRun) -> list[ScenarioRun]:
    return [run for run in GOOD if run.subject != subject or run.environment.cpus != 4] + [*more]


def test_figures_at_their_bars_keep_them() -> None:
    judged = verdicts(GOOD)

    assert len(judged) == 23
    assert set(judged.values()) == {BarVerdict.OK}


@pytest.mark.parametrize(
    ("run", "missed"),
    [
        (a_run(DEFAULT_ONLY, 29_401, 35_000), "default only: round trip on one CPU"),
        (a_run(DEFAULT_ONLY, 29_400, 35_001), "default only: round trip on two CPUs"),
        (a_run("upf", 30_241), "upf: round trip on one CPU"),
        (a_run("upf", 30_240, ping_us=141), "upf: wake-up p99 of the matched task"),
        (a_run("upf", 30_240, other_us=1_001), "upf: wake-up p99 of another task"),
        (a_run(DEFAULT_ONLY, 1, other_us=1_001), "default only: wake-up p99 of another task"),
        (a_run(DEFAULT_ONLY, 1, message_ns=10_501), "default only: a message"),
        (a_run(INTERACTIVE, 1, samples=0, message_ns=10_501), "interactive: a message"),
        (a_run("upf", 30_240, hogs=979), "upf: instructions of the hogs"),
        (a_run(rules_name(1000), 29_146, samples=0), "1,000 comm rules instead of 5"),
        (a_run(rules_name(1000), 28_854, samples=0), "1,000 comm rules instead of 5"),
        (
            a_run(rules_name(5, counting=True), 29_871, samples=0),
            "counting what tasks do (--stats)",
        ),
        (a_run("upf", 30_240, enable_s=0.701), "upf: loader, exec to enabled"),
        (a_run("scx_bpfland", 36_200), "upf: round trip, 8 CPUs by 4"),
    ],
)
def test_a_figure_past_its_bar_misses_that_one(run: ScenarioRun, missed: str) -> None:
    judged = verdicts(without(run.subject, run))

    assert {group for (group, _), verdict in judged.items() if verdict is BarVerdict.MISS} == {
        missed
    }


def test_a_slow_median_of_another_task_misses_its_bar() -> None:
    slow = a_run("upf", 30_240)
    slow.wakeup_ns["other"][:1500] = [1_251_000] * 1500
    judged = verdicts(without("upf", slow))

    assert judged["upf: wake-up p50 of another task", "≤ 1.25 × EEVDF"] is BarVerdict.MISS


def test_a_size_past_its_bar_misses_it() -> None:
    large = SIZE.model_copy(update={"translated_bytes": 40_001, "map_bytes": 200_001})
    run = a_run("upf", 30_240).model_copy(update={"size": large})
    judged = verdicts(without("upf", run))

    assert [key for key, verdict in judged.items() if verdict is BarVerdict.MISS] == [
        ("upf: memory of all maps", "≤ 200 KB"),
        ("upf: BPF after translation", "≤ 40,000 bytes"),
    ]


@pytest.mark.parametrize("peer", ["scx_flash", "scx_bpfland", "scx_layered"])
def test_below_a_peer_means_below(peer: str) -> None:
    run = a_run(peer, 30_240, ping_us=200)
    judged = verdicts(without(peer, run))

    assert judged["upf: round trip on one CPU", f"< {peer}"] is BarVerdict.MISS


def test_claims_against_an_absent_peer_are_not_judged() -> None:
    judged = bars.judge(a_benchmark(without("scx_simple")))
    unknown = [bar for bar in judged if bar.verdict is BarVerdict.UNKNOWN]

    assert [bar.bar for bar in unknown] == [
        "≤ 1.05 × scx_simple",
        "≤ 1.00 × scx_simple",
        "≤ 1.08 × scx_simple",
    ]
    assert {bar.value for bar in unknown} == {"no figures of scx_simple"}


def test_unmeasured_claims_are_not_judged() -> None:
    judged = bars.judge(a_benchmark([]))

    assert {bar.verdict for bar in judged} == {BarVerdict.UNKNOWN}


def test_a_figure_of_several_runs_is_their_median_with_its_range() -> None:
    spread = Spread.of([5.0, 1.0, 3.0])
    assert spread is not None
    assert (spread.median, spread.low, spread.high) == (3.0, 1.0, 5.0)
    assert Spread.of([]) is None

    runs = [a_run("upf", one, seed=seed) for seed, one in ((7, 3.0), (8, 9.0), (9, 4.0))]
    assert a_benchmark(runs).spread("upf", one_cpu_ns) == Spread(runs=(3.0, 9.0, 4.0))


def test_the_median_run_decides_not_the_worst() -> None:
    late = [a_run("upf", 30_240, ping_us=us, seed=us) for us in (130, 140, 5_000)]
    bar = ("upf: wake-up p99 of the matched task", "≤ 1.40 × SCHED_FIFO")

    assert verdicts(without("upf", *late))[bar] is BarVerdict.OK


def test_runs_that_differ_by_more_than_noise_show_their_range() -> None:
    runs = [
        a_run(DEFAULT_ONLY, one, two, seed=seed)
        for seed, one, two in ((7, 28_000, 34_000), (8, 28_100, 30_000), (9, 28_050, 41_000))
    ]
    values = {bar.group: bar.value for bar in bars.judge(a_benchmark(without(DEFAULT_ONLY, *runs)))}

    assert values["default only: round trip on one CPU"] == "1.002 ×  (28,050 of 28,000 ns)"
    assert values["default only: round trip on two CPUs"] == (
        "0.971 ×  (30,000 to 41,000 of 35,000 ns)"
    )


def test_a_rare_latency_wants_samples_enough() -> None:
    four = [a_run("upf", 1.0, ping_us=seed, seed=seed) for seed in (1, 2, 3, 4)]
    five = [*four, a_run("upf", 1.0, ping_us=5, seed=5)]

    assert a_benchmark(four).rare_us("upf", "ping") is None
    assert a_benchmark(five).rare_us("upf", "ping") == 5.009


def printed(benchmark: Benchmark) -> str:
    stream = io.StringIO()
    bench_table.show(benchmark, Console(file=stream, width=100))
    return stream.getvalue()


def test_the_tables_are_whole_in_100_columns() -> None:
    wide = [
        a_run("scx_rustland", 69_993, 131_659, ping_us=us, other_us=118_124, seed=us)
        for us in (12_123, 133_513)
    ]
    text = printed(a_benchmark([*GOOD, *wide]))

    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 100
    assert "the project's bars" in text
    assert re.search(r"scx_rustland +69,993 +131,659 +12,123 +12,123 +12,123 to 133,513", text)
    assert re.search(r"upf: round trip on one CPU +≤ 1\.08 × scx_simple +1\.080 × .* ok", text)
    for condition in ("deterministic", "7.2.13+deb14-cloud-amd64", "QEMU 10.0.2", "23 ok, 0 miss"):
        assert condition in text


def test_the_table_names_what_is_missing_in_it() -> None:
    benchmark = a_benchmark(
        GOOD,
        absent=["scx_rustland"],
        failures=[FailedTrial(subject="upf", cpus=4, seed=9, reason="it exited with 3\nmore")],
    )
    text = printed(benchmark)

    assert "scx_rustland; `gthulhu lab peers` builds them" in text
    assert "upf, 4 CPUs, seed 9: it exited with 3\n" in text
    assert "latencies need 5 runs" in text


def test_a_subject_without_any_latency_has_no_line_and_breaks_nothing() -> None:
    text = printed(a_benchmark([a_run("upf", 1.0, samples=0)]))

    assert "no figures of upf and EEVDF" in text


def test_the_report_has_both_plots_and_all_bars() -> None:
    benchmark = a_benchmark(GOOD)
    page = bench_report.render(benchmark)

    needs_nothing_else(page)
    assert page.count('<path class="curve series-0"') == 4  # two plots, two legends
    assert page.count('<rect class="bar') == 2 * len(benchmark.subjects) + 2
    assert "prefers-color-scheme: dark" in page
    assert "The project's bars" in page
    assert "&lt;b&gt;&amp;" in page
    for bar in bars.judge(benchmark):
        assert bar.group in page
    assert bench_report.render(Benchmark.model_validate_json(benchmark.model_dump_json())) == page


def test_the_library_shows_each_figure_once_with_its_range_under_all() -> None:
    claim = Judged(
        text="p99(wakeup ran) < 300us", line=3, target="ran", metric="wakeup",
        outcome=Outcome.OK, measured=Spread(runs=(85_000, 55_000, 101_000)), bound=300_000,
        baseline=None, baseline_measured=None, reason="",
        beside={"eevdf": Spread(runs=(2_000_000,))},
    )  # fmt: skip
    other = claim.model_copy(update={"text": "p99(wakeup ran) < 20% of eevdf"})
    block = Block(
        text="expect waker as ran", workload="waker", line=2, kernel="7.2", claims=(claim, other),
        runs=(), failures=(),
    )  # fmt: skip
    found = Verification(
        policy="policies/upf.gpl", sha256="", seeds=(7, 8, 9), blocks=(block,),
        beside=("eevdf", "scx_bpfland"),
    )  # fmt: skip
    benchmark = a_benchmark(GOOD, library=[found])

    (table,) = [each for each in bench_table.tables(benchmark) if "with it" in each.head]

    assert table.head[2:] == ["with it", "eevdf", "scx_bpfland"]
    assert table.rows == [
        [
            "upf: waker as ran",
            "p99(wakeup ran) < 300us, < 20% of eevdf",
            "85 µs\n(55 µs .. 101 µs)",
            "2.00 ms",
            "-",
        ]
    ]
    assert "<td>85 µs\n(55 µs .. 101 µs)</td>" in bench_report.render(benchmark)


def test_the_plot_is_a_file_of_its_own() -> None:
    text = bench_report.standalone_plot(a_benchmark(GOOD))
    root = ET.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"

    assert root.tag == f"{space}svg"
    labels = [element.text for element in root.iter(f"{space}text")]
    assert {"upf", EEVDF.name, "scx_layered"} <= set(labels)
    assert "prefers-color-scheme: dark" in text


def test_the_plan_measures_each_subject_with_each_seed() -> None:
    subjects = [EEVDF, Subject("scx_flash", "scx_flash"), measure.policy_subject("upf", *FILES)]
    rules = [Subject("5 rules", "x"), Subject("1000 rules", "x")]
    options = bench.BenchOptions(peers=[], policies=[], seeds=5, cpus=(4, 8, 16))
    plan = bench.list_trials(subjects, rules, options)
    latencies = [guest for guest in plan if guest.scenario.samples]

    assert len({(guest.subject.name, guest.seed) for guest in latencies}) == len(latencies) == 15
    assert {guest.scenario.hogs for guest in latencies} == {16}
    assert len({guest.scenario.phase_us for guest in latencies}) == 5
    grown = [(guest.subject.name, guest.scenario.cpus) for guest in plan if guest.scenario.cpus > 4]
    assert grown == [(name, cpus) for cpus in (8, 16) for name in (EEVDF.name, "upf")]
    assert sum(guest.subject.name in ("5 rules", "1000 rules") for guest in plan) == 10


FILES = (Path("policy.bpf.o"), Path("gthulhu-loader"))


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScenarioTrial:
    kernel = Kernel(
        series="7.2",
        flavour=Flavour.CLOUD,
        release="7.2.13",
        suite="sid",
        packages={},
        image="vmlinuz",
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
    return ScenarioTrial(Subject("scx", "scx", {"bin/scx": b"a scheduler"}), Scenario(), 7)


def test_the_cache_goes_by_all_that_determines_a_run(
    guest: ScenarioTrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def key(of: ScenarioTrial) -> str:
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
    guest: ScenarioTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(trial: ScenarioTrial, _result: object) -> ScenarioRun:
        if trial.subject.name == "bad":
            raise GuestError("it exited with 3")
        return a_run(trial.subject.name, 1.0)

    def outcomes(*trials: ScenarioTrial, use_cache: bool = True) -> list[ScenarioRun | GuestError]:
        quiet = Progress(io.StringIO())
        return experiment.run(trials, quiet, jobs=2, use_cache=use_cache)

    monkeypatch.setattr("gthulhu_lab.vm.run", lambda _request: SimpleNamespace(check=lambda: None))
    monkeypatch.setattr("gthulhu_lab.selftest.ensure", lambda _kernel: None)
    monkeypatch.setattr(ScenarioTrial, "read", read)
    bad = replace(guest, subject=Subject("bad", "bad", {"bin/bad": b"other bytes"}))

    first, failed, last = outcomes(guest, bad, replace(guest, seed=8))

    assert [first, last] == [a_run("scx", 1.0)] * 2
    assert isinstance(failed, GuestError)
    failure = FailedTrial.of(bad, failed)
    assert (failure.subject, failure.seed, failure.reason) == ("bad", 7, "it exited with 3")

    monkeypatch.setattr(ScenarioTrial, "read", lambda *_arguments: a_run("scx", 2.0))
    assert outcomes(guest) == [a_run("scx", 1.0)]
    assert outcomes(guest, use_cache=False) == [a_run("scx", 2.0)]
