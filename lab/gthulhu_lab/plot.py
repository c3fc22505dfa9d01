# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots cumulative distributions of latencies: both axes logarithmic, the tail drawn out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gthulhu_lab import stats, svg
from gthulhu_lab.svg import LEGEND_ROW, WIDTH

_HEIGHT = 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 30, 12, 64  # room for the large type of small screens
_END, _FLOOR = WIDTH - _RIGHT, _HEIGHT - _BOTTOM
_VISIBLE = 0.5
_WAKE_UP = "wake-up latency"
# The tail matters most: each step up is ten times rarer.
_SHARES = (0.0, 0.5, 0.9, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot: its samples in µs, its colour's number, dashed or not."""

    label: str
    samples_us: Sequence[float]
    series: int
    dashed: bool = False

    @property
    def style(self) -> str:
        """The curve's CSS classes."""
        return f"curve series-{self.series}" + (" other" if self.dashed else "")


def latency_distribution(curves: Sequence[Curve], title: str, axis: str = _WAKE_UP) -> Markup:
    """The plot inside a page."""
    return svg.drawing(_parts(curves, axis), _HEIGHT, title)


def standalone(curves: Sequence[Curve], title: str, axis: str = _WAKE_UP) -> Markup:
    """The plot as a file of its own, with a legend below."""
    rows = math.ceil(len(curves) / 2)
    parts = [*_parts(curves, axis)]
    for number, curve in enumerate(curves):
        x = _LEFT + number // rows * (WIDTH - _LEFT) // 2
        y = _HEIGHT + number % rows * LEGEND_ROW + 18
        parts += [svg.path(curve.style, f"M{x} {y}h36"), svg.text(x + 44, y + 4, curve.label)]
    return svg.file(parts, _HEIGHT + rows * LEGEND_ROW + 18, title)


def legend_line(curve: Curve) -> Markup:
    """A short piece of a curve, for the legend of a page."""
    return svg.swatch(svg.path(curve.style, "M0 6H40"))


def _parts(curves: Sequence[Curve], axis: str) -> Iterator[Markup]:
    low, high = decades([value for curve in curves for value in curve.samples_us])
    yield svg.path("frame", f"M{_LEFT} {_TOP}H{_END}V{_FLOOR}H{_LEFT}Z")
    for share in _SHARES:
        y = _y(share)
        yield svg.path("grid", f"M{_LEFT} {y:.1f}H{_END}")
        yield svg.text(_LEFT - 6, y + 4, f"{share * 100:g} %", "end")
    for decade in range(low, high + 1):
        x = _x(10.0**decade, low, high)
        yield svg.path("grid", f"M{x:.1f} {_TOP}V{_FLOOR}")
        place, anchor = (WIDTH, "end") if decade == high else (x, "middle")
        yield svg.text(place, _FLOOR + 24, time(10**decade), anchor)
    caption = f"{axis} (logarithmic), and the share that is no later"
    yield svg.text((_LEFT + _END) / 2, _HEIGHT - 6, caption, "middle")
    yield from (_path(curve, low, high) for curve in curves)


def _path(curve: Curve, low: int, high: int) -> Markup:
    points: list[tuple[float, float]] = []
    share_before = 0.0
    for value, share in stats.cumulative(curve.samples_us):
        x = _x(value, low, high)
        points += [(x, _y(share_before)), (x, _y(share))]
        share_before = share
    line = " L".join(f"{x:.1f} {y:.1f}" for x, y in _thinned(points))
    return svg.path(curve.style, f"M{line}", curve.label)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without those that no eye tells from the one before."""
    kept = [points[0]]
    for x, y in points[1:-1]:
        if abs(x - kept[-1][0]) >= _VISIBLE or abs(y - kept[-1][1]) >= _VISIBLE:
            kept.append((x, y))
    return [*kept, points[-1]]


def decades(values_us: Sequence[float], least_us: float = 1.0) -> tuple[int, int]:
    """Returns the powers of ten around the values; shorter ones count as `least_us`."""
    low = math.floor(math.log10(max(min(values_us), least_us)))
    high = math.ceil(math.log10(max(*values_us, least_us)))
    return low, max(high, low + 1)


def _x(value_us: float, low: int, high: int) -> float:
    position = (math.log10(max(value_us, 10.0**low)) - low) / (high - low)
    return _LEFT + position * (_END - _LEFT)


def _y(share: float) -> float:
    """Height by the logarithm of the share that is still above; the top is one in 2000."""
    span = math.log10(2000)
    position = min(-math.log10(max(1.0 - share, 1e-9)), span) / span
    return _FLOOR - position * (_FLOOR - _TOP)


def time(us: float) -> str:
    """Returns a time for an axis, in the unit that suits it."""
    if us >= 1_000_000:
        return f"{us / 1_000_000:g} s"
    return f"{us / 1000:g} ms" if us >= 1000 else f"{us:g} µs"
