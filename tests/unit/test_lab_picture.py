# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A recorded moment: from a trace to lanes by rule, how many waited, and a file for Perfetto."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gthulhu_lab import bench_report, picture, plot_timeline, timeline
from gthulhu_lab.benchmark import OURS, Benchmark
from gthulhu_lab.errors import GuestError
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioExperiment, Subject
from gthulhu_lab.picture import CpuSpan, Picture, PictureExperiment
from gthulhu_lab.request import Backend, Clock, GuestEnvironment, GuestResult
from gthulhu_lab.trace import Marker, Switch, Task, Wakeup
from gthulhuc.cli import gthulhu
from library import policy_of
from pages import needs_nothing_else

WHERE = GuestEnvironment(
    clock=Clock.ICOUNT, backend=Backend.INITRAMFS, kernel="7.2.13", cpus=2, memory_mib=1024,
    qemu="10.0.2", seed=7,
)  # fmt: skip
IDLE, PING, HOG = Task(0, "swapper", 120), Task(5, "ping", 120), Task(6, "hog", 120)
POLICY = policy_of('policy upf {}\nrule ran { match comm == "ping" priority high }')
RULE_OF = picture.rule_by_name(POLICY)


def seen() -> Picture:
    """A hog from the begin; a ping that waits for it from 20 to 50 us, and runs to 60."""
    line = timeline.build(
        [
            Marker(1_000, "begin"),
            Switch(1_000, 0, IDLE, runnable=True, after=HOG),
            Wakeup(1_020, PING),
            Switch(1_050, 0, HOG, runnable=True, after=PING),
            Switch(1_060, 0, PING, runnable=False, after=HOG),
            Marker(1_100, "end"),
        ]
    )
    return picture.of(line, "upf", WHERE, RULE_OF)


def test_picture_shows_running_rules_and_waiting_tasks() -> None:
    found = seen()

    assert found.length_us == 100
    assert [(span.task, span.rule, span.start_us, span.end_us) for span in found.spans] == [
        ("hog", "default", 0, 50),
        ("ping", "ran", 50, 60),
        ("hog", "default", 60, 100),
    ]
    # The ping from 20 to 50, the hog from 50 to 60.
    assert found.waiting_us == {0: 60, 1: 40}
    assert found.rules() == ["default", "ran"]


def test_tasks_have_the_rules_of_their_names() -> None:
    assert [RULE_OF(name) for name in ("ping", "pong", "kworker/0:1", "ksoftirqd/1")] == [
        "ran", "default", "kernel threads", "kernel threads",
    ]  # fmt: skip


def test_perfetto_gets_a_process_for_each_scheduler_and_a_thread_for_each_cpu() -> None:
    text = picture.perfetto([seen(), seen().model_copy(update={"subject": EEVDF.name})])
    events = json.loads(text)["traceEvents"]

    names = {
        (each["pid"], each.get("tid")): each["args"]["name"] for each in events if each["ph"] == "M"
    }
    assert names == {
        (1, None): "upf", (1, 1): "CPU 0", (1, 2): "CPU 1",
        (2, None): "EEVDF", (2, 1): "CPU 0", (2, 2): "CPU 1",
    }  # fmt: skip
    runs = [each for each in events if each["ph"] == "X" and each["pid"] == 1]
    assert [(run["name"], run["tid"], run["ts"], run["dur"]) for run in runs] == [
        ("default", 1, 0, 50), ("ran", 1, 50, 10), ("default", 1, 60, 40),
    ]  # fmt: skip
    assert runs[1]["args"] == {"task": "ping"}


def test_a_picture_guest_is_the_figures_guest_plus_a_recording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "gthulhu_lab.workloads.build",
        lambda: {
            f"bin/{name}": b"" for name in ("bpfsize", "hog", "launch", "messages", "pipe", "waker")
        },
    )
    figures = ScenarioExperiment(Subject("scx", "scx"), Scenario(cpus=2), kernel="6.18", seed=9)
    asked = PictureExperiment(figures, POLICY).request()

    assert (asked.kernel, asked.seed, asked.cpus, asked.clock) == ("6.18", 9, 2, Clock.ICOUNT)
    assert {"scheduler", "scheduler.sh", "trace.sh", "bin/hog"} <= asked.files.keys()
    parameters = asked.files["scenario.sh"]
    assert isinstance(parameters, bytes)
    assert b"PERIOD_US=2000\n" in parameters
    assert b"RECORD_S=0.2\n" in parameters


def test_a_guest_without_a_trace_has_failed() -> None:
    experiment = PictureExperiment(ScenarioExperiment(EEVDF, Scenario()), POLICY)
    result = GuestResult(
        status=0, files={}, stdout="", stderr="", console="", dmesg="", splats=(), timed_out=False,
        wall_s=20.0, environment=WHERE,
    )  # fmt: skip
    with pytest.raises(GuestError, match="left no picture"):
        experiment.read(result)
    with pytest.raises(GuestError, match="has no head"):
        experiment.read(replace(result, files={"picture.trace": b""}))


def test_lanes_end_where_the_picture_does() -> None:
    long = CpuSpan(cpu=1, start_us=39_000, end_us=90_000, task="hog", rule="default")
    text = plot_timeline.timeline(
        seen().model_copy(update={"length_us": 200_000, "spans": [long]}), {"default": 7}, "a & b"
    )

    path = re.search(r'class="run fill-7" d="M([\d.]+) \d+h([\d.]+)v', text)
    assert path
    assert float(path[1]) + float(path[2]) == pytest.approx(720 - 24, abs=0.1)
    assert text.count('<rect class="lane"') == 2
    assert "40 ms</text>" in text
    assert "a &amp; b" in text


def test_the_histogram_is_of_shares_of_the_time() -> None:
    text = plot_timeline.waiting(seen(), 3, "waiting")

    assert "<title>0 waiting: 60.0% of the time</title>" in text
    assert "<title>1 waiting: 40.0% of the time</title>" in text
    assert text.count('<rect class="bar"') == 8


def a_benchmark() -> Benchmark:
    return Benchmark(
        policy="upf", policy_source="", cpus=[2], seeds=[7],
        subjects={EEVDF.name: "the kernel's own", "upf": OURS}, programs={}, absent=[], runs=[],
        failures=[], pictures=[seen().model_copy(update={"subject": EEVDF.name}), seen()],
    )  # fmt: skip


def test_the_report_shows_pictures_with_a_link_to_all_of_them() -> None:
    benchmark = a_benchmark()
    page = bench_report.render(benchmark, "report-timelines.json")

    needs_nothing_else(page, beside=["report-timelines.json"])
    assert page.index("<h3>upf</h3>") < page.index("<h3>EEVDF</h3>")
    assert page.count('<path class="run fill-0"') == 2
    assert page.count('<path class="run fill-7"') == 2
    assert DEFAULT_KERNEL not in page  # nothing is said that was not measured
    needs_nothing_else(bench_report.render(benchmark))


@pytest.mark.parametrize(
    ("kernels", "stems"), [("7.2", ["out"]), ("6.18,7.2", ["out-6.18", "out-7.2"])]
)
def test_each_kernels_report_has_its_own_files_beside_it(
    kernels: str, stems: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gthulhu_lab.bench.run", lambda _options: a_benchmark())
    files = [f"--{kind}={tmp_path / f'out.{kind}'}" for kind in ("json", "html")]

    assert gthulhu.main(["bench", "--kernel", kernels, "--peers", "none", *files]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        f"{stem}{ending}" for stem in stems for ending in (".html", ".json", "-timelines.json")
    )
    for stem in stems:
        page = (tmp_path / f"{stem}.html").read_text()
        needs_nothing_else(page, beside=[f"{stem}-timelines.json"])


def test_output_folder_is_checked_before_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(_options: object) -> None:
        pytest.fail("something was measured")

    monkeypatch.setattr("gthulhu_lab.bench.run", measured)
    for options, complaint in (
        ([f"--json={tmp_path}/none/out.json"], "its folder does not exist"),
        ([f"--svg={tmp_path}"], "Is a directory"),
        (["--html=-"], "standard output takes JSON alone"),
        (["--json=-", "--kernel=6.18,7.2"], "several kernels give several results"),
    ):
        assert gthulhu.main(["bench", "--peers=none", *options]) == 2
        assert complaint in capsys.readouterr().err


def test_a_result_on_standard_output_is_alone_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gthulhu_lab.bench.run", lambda _options: a_benchmark())
    html = tmp_path / "out.html"

    assert gthulhu.main(["bench", "--peers=none", "--json=-", f"--html={html}"]) == 0
    out, err = capfd.readouterr()
    assert Benchmark.model_validate_json(out) == a_benchmark()
    assert str(html) in err
