# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Figures, the demo's table, and the report."""

from __future__ import annotations

import io
import re
from itertools import pairwise

import pytest
from rich.console import Console

from gthulhu_lab import demo, report, stats
from gthulhu_lab.comparison import Comparison, describe_ratio, rows
from gthulhu_lab.measure import Scenario, ScenarioRun
from gthulhu_lab.plot import Curve, latency_distribution
from gthulhu_lab.request import Backend, Clock, GuestEnvironment
from pages import needs_nothing_else


def a_run(subject: str, ping_us: int, round_trip_ns: float) -> ScenarioRun:
    return ScenarioRun(
        subject=subject,
        scheduler="",
        scenario=Scenario(),
        environment=GuestEnvironment(
            clock=Clock.ICOUNT,
            backend=Backend.VIRTME_IMAGE,
            kernel="7.2.13+deb14-cloud-amd64",
            cpus=4,
            memory_mib=1024,
            qemu="10.0.2",
            seed=7,
        ),
        wakeup_ns={
            "ping": [ping_us * 10 * n for n in range(1, 101)],
            "other": [1000 * n for n in range(1, 101)],
        },
        enable_ns=None,
        size=None,
        round_trip_ns=[round_trip_ns] * 3,
        round_trip_two_ns=[round_trip_ns] * 3,
        hog_turns=[1, 2],
        hog_ns=1_000_000,
        splats=[],
        wall_s=60.0,
    )


@pytest.fixture
def comparison() -> Comparison:
    return Comparison(
        policy_file="policies/upf.gpl",
        policy_source='rule a { match comm == "<b>&" }\n',
        object_sha256="00",
        policy=a_run("upf", 200, 33000.0),
        baseline=a_run("EEVDF", 2000, 27500.0),
    )


@pytest.mark.parametrize(
    ("percent", "expected"),
    [(0, 1), (1, 1), (50, 50), (98.5, 99), (99, 99), (99.1, 100), (100, 100)],
)
def test_a_percentile_is_the_smallest_sample_that_reaches_it(percent: float, expected: int) -> None:
    assert stats.percentile(list(range(100, 0, -1)), percent) == expected


def test_a_percentile_of_one_sample_is_that_sample() -> None:
    assert stats.percentile([7], 99) == 7


@pytest.mark.parametrize(("samples", "percent"), [([], 50), ([1], 101), ([1], -1)])
def test_a_percentile_that_makes_no_sense_is_refused(samples: list[int], percent: float) -> None:
    with pytest.raises(ValueError, match=r"no samples|not a percentage"):
        stats.percentile(samples, percent)


def test_a_distribution_has_one_point_per_value_and_ends_at_one() -> None:
    assert stats.cumulative([3, 1, 3, 2]) == [(1, 0.25), (2, 0.5), (3, 1.0)]


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.1, "10.0 times less"),
        (0.8, "20 % less"),
        (1.0, "the same"),
        (1.004, "the same"),
        (1.2, "20 % more"),
        (2.5, "2.5 times as much"),
    ],
)
def test_a_ratio_in_words(ratio: float, words: str) -> None:
    assert describe_ratio(ratio) == words


def test_the_table_has_gain_and_cost(comparison: Comparison) -> None:
    table = {(row.group.split(" (")[0], row.figure): row for row in rows(comparison)}

    gain = table["wake-up of ping", "p99"]
    assert (gain.policy, gain.baseline, gain.unit) == (198.0, 1980.0, "µs")
    assert table["pipe round trip, one CPU", "two switches"].ratio == pytest.approx(1.2)
    assert len(table) == 7


def printed(comparison: Comparison, *, terminal: bool) -> str:
    stream = io.StringIO()
    demo.show(comparison, Console(file=stream, force_terminal=terminal, width=80))
    return stream.getvalue()


def test_the_table_is_whole_in_80_columns_and_names_its_conditions(
    comparison: Comparison,
) -> None:
    text = printed(comparison, terminal=False)

    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert re.search(r"p99 +198 µs +1,980 µs +10\.0 times less", text)
    for condition in ("deterministic", "7.2.13+deb14-cloud-amd64", "4 virtual", "QEMU 10.0.2"):
        assert condition in text


def test_colours_are_for_terminals_only(comparison: Comparison) -> None:
    assert "\x1b[" not in printed(comparison, terminal=False)
    assert "\x1b[" in printed(comparison, terminal=True)


def test_the_report_is_one_page_that_needs_nothing_else(comparison: Comparison) -> None:
    page = report.render(comparison)
    needs_nothing_else(page)
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_the_headline_names_the_cost_beside_the_gain(comparison: Comparison) -> None:
    assert report.headline(comparison) == (
        "p99 of the policy's task: 198 µs instead of 1,980 µs, 10.0 times less. Another task's "
        "median is the same, its p99 the same; a pipe round trip costs 20 % more."
    )


def test_the_report_quotes_the_policy_and_does_not_obey_it(comparison: Comparison) -> None:
    page = report.render(comparison)

    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page


def test_the_report_is_the_same_bytes_for_the_same_figures(comparison: Comparison) -> None:
    again = Comparison.model_validate_json(comparison.model_dump_json())

    assert report.render(comparison) == report.render(again)


def test_a_curve_goes_up_and_to_the_right_only() -> None:
    svg = latency_distribution([Curve("a & b", [50.0, 60.0, 60.0, 2000.0], 0)], "title")
    path = re.search(r'<path class="curve series-0" d="M([^"]+)"', svg)

    assert path is not None
    points = [tuple(map(float, point.split())) for point in path[1].split(" L")]
    assert all(a[0] <= b[0] and a[1] >= b[1] for a, b in pairwise(points))
    assert "<title>a &amp; b</title>" in svg
    for label in ("10 µs", "1 ms", "99 %"):
        assert label in svg


def test_the_time_axis_begins_at_a_microsecond() -> None:
    svg = latency_distribution([Curve("a", [0.0, 50.0, 60.0], 0)], "title")

    assert ">1 µs<" in svg
    assert ">0.1 µs<" not in svg
