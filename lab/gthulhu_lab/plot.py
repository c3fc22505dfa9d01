# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots as inline SVG, coloured by the page's own style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gthulhu_lab import stats

WIDTH = 720
_HEIGHT = 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 30, 12, 64  # room for the large type of small screens
LEGEND_ROW = 20
_VISIBLE = 0.5
_WAKE_UP = "wake-up latency"
# The tail is what is asked for: each step up is ten times rarer.
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


def latency_distribution(curves: Sequence[Curve], title: str, axis: str = _WAKE_UP) -> str:
    """Cumulative distributions of latencies: both axes logarithmic, the tail drawn out."""
    low, high = _decades([value for curve in curves for value in curve.samples_us])
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<path class="frame" d="M{_LEFT} {_TOP}H{WIDTH - _RIGHT}V{_HEIGHT - _BOTTOM}H{_LEFT}Z"/>',
        *_share_axis(),
        *_time_axis(low, high, axis),
    ]
    parts += [_path(curve, low, high) for curve in curves]
    parts.append("</svg>")
    return "\n".join(parts)


def standalone(curves: Sequence[Curve], title: str, style: str, axis: str = _WAKE_UP) -> str:
    """The same as a file of its own, with a legend below."""
    rows = math.ceil(len(curves) / 2)
    parts = [latency_distribution(curves, title, axis).split("\n", 1)[1].removesuffix("</svg>")]
    for number, curve in enumerate(curves):
        x = _LEFT + number // rows * (WIDTH - _LEFT) // 2
        y = _HEIGHT + number % rows * LEGEND_ROW + 18
        parts.append(f'<path class="{curve.style}" d="M{x} {y}h36"/>')
        parts.append(f'<text x="{x + 44}" y="{y + 4}">{escape(curve.label)}</text>')
    return as_file(parts, _HEIGHT + rows * LEGEND_ROW + 18, title, style)


def as_file(parts: Sequence[str], height: int, title: str, style: str) -> str:
    """A drawing with its style sheet, on a ground of its own."""
    size = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    head = [
        f'<svg {size} role="img" aria-label="{escape(title)}">',
        f"<style>{style}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
    ]
    return "\n".join([*head, *parts, "</svg>", ""])


def legend_line(curve: Curve) -> str:
    """A short piece of a curve, for the legend."""
    return (
        '<svg viewBox="0 0 40 12" aria-hidden="true">'
        f'<path class="{curve.style}" d="M0 6H40"/></svg>'
    )


def _path(curve: Curve, low: int, high: int) -> str:
    points: list[tuple[float, float]] = []
    share_before = 0.0
    for value, share in stats.cumulative(curve.samples_us):
        x = _x(value, low, high)
        points += [(x, _y(share_before)), (x, _y(share))]
        share_before = share
    line = " L".join(f"{x:.1f} {y:.1f}" for x, y in _thinned(points))
    return f'<path class="{curve.style}" d="M{line}"><title>{escape(curve.label)}</title></path>'


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without those that no eye tells from the one before."""
    kept = [points[0]]
    for x, y in points[1:-1]:
        if abs(x - kept[-1][0]) >= _VISIBLE or abs(y - kept[-1][1]) >= _VISIBLE:
            kept.append((x, y))
    return [*kept, points[-1]]


def _share_axis() -> list[str]:
    parts = []
    for share in _SHARES:
        y = _y(share)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share * 100:g} %</text>'
        )
    return parts


def _time_axis(low: int, high: int, axis: str) -> list[str]:
    parts = []
    bottom = _HEIGHT - _BOTTOM
    for decade in range(low, high + 1):
        x = _x(10.0**decade, low, high)
        parts.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{bottom}"/>')
        anchor, place = ("end", float(WIDTH)) if decade == high else ("middle", x)
        parts.append(
            f'<text x="{place:.1f}" y="{bottom + 24}" text-anchor="{anchor}">'
            f"{_time(10**decade)}</text>"
        )
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">'
        f"{escape(axis)} (logarithmic), and the share that is no later</text>"
    )
    return parts


def _decades(values_us: Sequence[float]) -> tuple[int, int]:
    low = math.floor(math.log10(max(min(values_us), 1.0)))  # they are whole µs, so 0 is less than 1
    high = math.ceil(math.log10(max(*values_us, 1.0)))
    return low, max(high, low + 1)


def _x(value_us: float, low: int, high: int) -> float:
    position = (math.log10(max(value_us, 10.0**low)) - low) / (high - low)
    return _LEFT + position * (WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    """Height by the logarithm of the share that is still above; the top is one in 2000."""
    span = math.log10(2000)
    position = min(-math.log10(max(1.0 - share, 1e-9)), span) / span
    return _HEIGHT - _BOTTOM - position * (_HEIGHT - _TOP - _BOTTOM)


def _time(us: float) -> str:
    if us >= 1_000_000:
        return f"{us / 1_000_000:g} s"
    if us >= 1000:
        return f"{us / 1000:g} ms"
    return f"{us:g} µs"
