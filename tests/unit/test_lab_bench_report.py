# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's tables, report and plots."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree as ET

from rich.console import Console

from gthulhu_lab import (
    bars,
    bench_report,
    bench_table,
)
from gthulhu_lab.benchmark import (
    Benchmark,
)
from gthulhu_lab.experiment import FailedExperiment
from gthulhu_lab.measure import (
    EEVDF,
)
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.verdict import Block, Judged, Outcome, Verification
from pages import needs_nothing_else
from scenario_runs import GOOD, a_benchmark, a_run


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
    for condition in ("deterministic", "7.2.13+deb14-cloud-amd64", "QEMU 10.0.2", "24 ok, 0 miss"):
        assert condition in text


def test_the_table_names_what_is_missing_in_it() -> None:
    benchmark = a_benchmark(
        GOOD,
        absent=["scx_rustland"],
        failures=[FailedExperiment(subject="upf", cpus=4, seed=9, reason="it exited with 3\nmore")],
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
