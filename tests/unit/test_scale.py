# SPDX-License-Identifier: Apache-2.0
"""`gthulhu bench --scale`: loads on simulated machines of several sizes, as tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import environment
from gthulhu_lab import plot_scale
from gthulhu_lab.plot_scale import Line, Point
from pages import needs_nothing_else


def scale(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "bench", *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_tables_go_into_a_document(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("before\n\n<!-- scale:begin (x) -->\nold\n<!-- scale:end -->\n\nafter\n")
    said = scale(tmp_path, "--scale", "4,16", "--seeds", "1", "--into", "page.md", "--json", "s")
    assert said.returncode == 0, said.stderr
    text = document.read_text()
    assert text.startswith("before\n\n<!-- scale:begin (x) -->\n\n```\npairs: a pair of tasks")
    assert text.endswith("```\n\n<!-- scale:end -->\n\nafter\n")
    assert "old" not in text
    rows = [line for line in text.splitlines() if line in said.stdout and "scx_simple" in line]
    assert len(rows) == 6
    found = json.loads((tmp_path / "s").read_text())
    assert [size["cpus"] for size in found["sizes"]] == [4, 16]
    for size in found["sizes"]:
        assert [load["name"] for load in size["loads"]] == ["pairs", "wakers", "hogs"]
    small, large = (
        size["loads"][0]["schedulers"][0]["costs"]["wakeup"]["time"]["median"]
        for size in found["sizes"]
    )
    assert small < large


def test_other_schedulers_can_be_compared_with(tmp_path: Path) -> None:
    said = scale(tmp_path, "--scale", "4", "--seeds", "1", "--control", "fifo, eevdf", "--json=-")
    assert said.returncode == 0, said.stderr
    (size,) = json.loads(said.stdout)["sizes"]
    for each in size["loads"]:
        names = [scheduler["name"] for scheduler in each["schedulers"]]
        assert names == ["gthulhu-default", "fifo", "eevdf"]


def test_costs_are_drawn_against_cpus_on_logarithmic_axes() -> None:
    points = [Point(cpus, us, us / 2, us * 2) for cpus, us in ((4, 1.0), (32, 10.0), (256, 100.0))]
    drawn = plot_scale.costs([Line("a & b", points, 3), Line("c", points[:1], 4)], "costs")
    line = re.search(r'class="curve series-3" d="(M[^"]+L[^"]+)"><title>a &amp; b</title>', drawn)
    assert line
    places = [tuple(map(float, each.split())) for each in line[1][1:].split(" L")]
    first, middle, last = places
    # 4 to 32 to 256 CPUs, and 1 to 10 to 100 µs, are as far from each other.
    assert middle == pytest.approx([(a + b) / 2 for a, b in zip(first, last, strict=True)], abs=0.1)
    assert last[1] < first[1]
    assert "<title>a &amp; b, 32 CPUs: 10.0 µs</title>" in drawn
    for label in ("4</text>", "256</text>", "1 µs</text>", "100 µs</text>"):
        assert label in drawn


def test_the_report_has_plots_of_all_loads_and_schedulers(tmp_path: Path) -> None:
    said = scale(tmp_path, "--scale", "4,16", "--seeds", "1", "--html", "s.html")
    assert said.returncode == 0, said.stderr
    page = (tmp_path / "s.html").read_text()
    needs_nothing_else(page)
    assert "<h1>gthulhu-default on machines of 4 to 16 CPUs</h1>" in page
    assert page.count("<figure>") == 6
    for name in ("gthulhu-default", "scx_simple", "eevdf"):
        curves = re.findall(rf'd="M[^"]+ L[^"]+"><title>{name}</title>', page)
        assert len(curves) == 6, name
    assert "<h2>Wakers: two tasks for each CPU" in page


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--scale", "5"), "--scale has no machine with 5 CPUs"),
        (("--scale", "four"), "expected a whole number from 1, found `four`"),
        (("--scale", "4", "--library"), "--library has no effect with --scale"),
        (("--scale", "4", "--kernel", "7.2"), "--kernel has no effect with --scale"),
        (("--scale", "4", "--html", "-"), "standard output takes JSON alone"),
        (("--scale", "4", "--svg", "s"), "--svg has no effect with --scale"),
        (("--scale", "4", "--into", "none.md"), "none.md has no place for the table"),
        (("--into", "none.md"), "--into has no effect without --scale"),
        (("--control", "fifo"), "--control has no effect without --scale"),
        (("--scale", "4", "--control", "fifo,fofi"), "there is no control `fofi`"),
        (("--scale", "4", "--control", "mine=fifo"), "there is no control `mine=fifo`"),
        (("--scale", "4", "--control", "eevdf=x.c"), "there is no control `eevdf=x.c`"),
    ],
)
def test_invalid_options_are_refused(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    said = scale(tmp_path, *words)
    assert said.returncode == 2
    assert why in said.stderr
    assert "Traceback" not in said.stderr
