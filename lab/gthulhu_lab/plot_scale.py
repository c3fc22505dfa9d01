# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots a cost against the number of CPUs: both axes logarithmic, a line for each scheduler."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gthulhu_lab import plot, svg

_HEIGHT = 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 30, 12, 56  # room for the large type of small screens
_END, _FLOOR = svg.WIDTH - _RIGHT, _HEIGHT - _BOTTOM
_LEAST_US = 0.01


@dataclass(frozen=True, slots=True)
class Point:
    """A cost in µs on a machine: the median of the seeds, the lowest and the highest."""

    cpus: int
    us: float
    low_us: float
    high_us: float


@dataclass(frozen=True, slots=True)
class Line:
    """The costs of one scheduler, by number of CPUs; `series`: the number of its colour."""

    label: str
    points: Sequence[Point]
    series: int


def costs(lines: Sequence[Line], title: str) -> Markup:
    """The plot inside a page. `lines` have a point or more."""
    return svg.drawing(_parts(lines), _HEIGHT, title)


def legend_line(line: Line) -> Markup:
    """A short piece of a line, for the legend of a page."""
    return svg.swatch(svg.path(_style(line), "M0 6H40"))


def _style(line: Line) -> str:
    return f"curve series-{line.series}"


def _parts(lines: Sequence[Line]) -> Iterator[Markup]:
    points = [point for line in lines for point in line.points]
    sizes = sorted({point.cpus for point in points})
    ends = [us for point in points for us in (point.low_us, point.high_us)]
    low, high = plot.decades(ends, _LEAST_US)

    def x(cpus: int) -> float:
        span = math.log(sizes[-1] / sizes[0])
        return _LEFT + (math.log(cpus / sizes[0]) / span if span else 0.5) * (_END - _LEFT)

    def y(us: float) -> float:
        position = (math.log10(max(us, _LEAST_US)) - low) / (high - low)
        return _FLOOR - position * (_FLOOR - _TOP)

    yield svg.path("frame", f"M{_LEFT} {_TOP}H{_END}V{_FLOOR}H{_LEFT}Z")
    for decade in range(low, high + 1):
        yield svg.path("grid", f"M{_LEFT} {y(10.0**decade):.1f}H{_END}")
        yield svg.text(_LEFT - 6, y(10.0**decade) + 4, plot.time(10.0**decade), "end")
    for cpus in sizes:
        yield svg.path("grid", f"M{x(cpus):.1f} {_TOP}V{_FLOOR}")
        yield svg.text(x(cpus), _FLOOR + 22, f"{cpus:,}", "middle")
    yield svg.text((_LEFT + _END) / 2, _HEIGHT - 6, "CPUs (logarithmic, as is the time)", "middle")
    for line in lines:
        places = [f"{x(point.cpus):.1f} {y(point.us):.1f}" for point in line.points]
        yield svg.path(_style(line), f"M{' L'.join(places)}", line.label)
        for point in line.points:
            ends_of_range = f"M{x(point.cpus):.1f} {y(point.low_us):.1f}V{y(point.high_us):.1f}"
            title = f"{line.label}, {point.cpus:,} CPUs: {point.us:,.1f} µs"
            yield svg.path(_style(line), ends_of_range, title)
            yield svg.circle(f"fill-{line.series}", x(point.cpus), y(point.us), 3)
