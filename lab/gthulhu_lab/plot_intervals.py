# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots ratios with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gthulhu_lab import svg
from gthulhu_lab.significance import Interval

_MARGIN, _TOP = 40, 4
_ROW, _AXIS = 64, 34  # room for a line in the large type of small screens above each interval
_TICKS = (1.0, 0.5, 2.0, 0.8, 1.25, 0.1, 10.0, 0.2, 5.0, 0.7, 1.4, 0.9, 1.1, 0.95, 1.05)
_APART = 80  # of the ticks' texts


@dataclass(frozen=True, slots=True)
class RatioRow:
    """A name, its ratio, and the verdict; `shade`: its CSS class."""

    name: str
    ratio: Interval | None  # None: it is too noisy to be drawn
    verdict: str
    shade: str


def intervals(rows: Sequence[RatioRow], margin: float, title: str) -> Markup:
    """The ratios of all rows on one logarithmic axis around 1; the margin is a band."""
    bounds = [bound for row in rows if row.ratio for bound in (row.ratio.low, row.ratio.high)]
    reach = 1.1 * max([abs(math.log(bound)) for bound in bounds] + [math.log1p(2 * margin)])
    bottom = _TOP + _ROW * len(rows)
    left, right = (_x(math.exp(sign * math.log1p(margin)), reach) for sign in (-1, 1))
    parts = [
        svg.rect("band", left, _TOP, right - left, bottom - _TOP),
        *_axis(reach, bottom),
        *(part for number, row in enumerate(rows) for part in _row(row, reach, _ROW * number)),
    ]
    return svg.drawing(parts, bottom + _AXIS, title)


def _row(row: RatioRow, reach: float, top: float) -> Iterator[Markup]:
    line, y = _TOP + top + 24, _TOP + top + 42
    yield svg.text(0, line, row.name)
    yield svg.text(svg.WIDTH, line, row.verdict, "end", row.shade)
    if ratio := row.ratio:
        low, middle, high = (_x(each, reach) for each in (ratio.low, ratio.middle, ratio.high))
        whiskers = f"M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 7}v14M{high:.1f} {y - 7}v14"
        yield svg.path(f"interval {row.shade}", whiskers)
        yield svg.circle(f"dot {row.shade}", middle, y, 5)


def _axis(reach: float, bottom: float) -> Iterator[Markup]:
    shown: list[float] = []
    for tick in _TICKS:
        near = any(abs(_x(tick, reach) - _x(other, reach)) < _APART for other in shown)
        if abs(math.log(tick)) <= reach and not near:
            shown.append(tick)
    for tick in sorted(shown):
        x = _x(tick, reach)
        yield svg.path("frame" if tick == 1.0 else "grid", f"M{x:.1f} {_TOP}V{bottom}")
        yield svg.text(x, bottom + 24, f"{tick:g} ×", "middle")


def _x(ratio: float, reach: float) -> float:
    return svg.WIDTH / 2 + math.log(ratio) / reach * (svg.WIDTH / 2 - _MARGIN)
