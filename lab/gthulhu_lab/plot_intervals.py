# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Ratios with their intervals, one below the other, in inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gthulhu_lab.significance import Interval

_WIDTH = 720
_MARGIN, _TOP = 40, 4
_ROW, _AXIS = 64, 34  # room for a line in the large type of small screens above each interval
_TICKS = (1.0, 0.5, 2.0, 0.8, 1.25, 0.1, 10.0, 0.2, 5.0, 0.7, 1.4, 0.9, 1.1, 0.95, 1.05)
_APART = 80  # of the ticks' texts


@dataclass(frozen=True, slots=True)
class Row:
    """A name, where its ratio is, and what is said of that; `shade`: its CSS class."""

    name: str
    ratio: Interval | None  # None: it is too noisy to be drawn
    verdict: str
    shade: str


def intervals(rows: Sequence[Row], margin: float, title: str) -> str:
    """The ratios of all rows on one logarithmic axis around 1; the margin is a band."""
    known = [row.ratio for row in rows if row.ratio]
    reach = max(
        [abs(math.log(bound)) for ratio in known for bound in (ratio.low, ratio.high)]
        + [math.log1p(2 * margin)]
    )
    reach *= 1.1
    bottom = _TOP + _ROW * len(rows)
    left, right = (_x(math.exp(sign * math.log1p(margin)), reach) for sign in (-1, 1))
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {bottom + _AXIS}" role="img" aria-label="{escape(title)}">',
        (
            f'<rect class="band" x="{left:.1f}" y="{_TOP}" width="{right - left:.1f}" '
            f'height="{bottom - _TOP}"/>'
        ),
        *_axis(reach, bottom),
    ]
    for number, row in enumerate(rows):
        parts += _row(row, reach, _TOP + _ROW * number)
    return "\n".join([*parts, "</svg>"])


def _row(row: Row, reach: float, top: float) -> list[str]:
    line, y = top + 24, top + 42
    verdict = (
        f'<text class="{row.shade}" x="{_WIDTH}" y="{line}" text-anchor="end">'
        f"{escape(row.verdict)}</text>"
    )
    parts = [f'<text x="0" y="{line}">{escape(row.name)}</text>', verdict]
    if ratio := row.ratio:
        low, middle, high = (_x(each, reach) for each in (ratio.low, ratio.middle, ratio.high))
        parts.append(
            f'<path class="interval {row.shade}" d="M{low:.1f} {y}H{high:.1f}'
            f'M{low:.1f} {y - 7}v14M{high:.1f} {y - 7}v14"/>'
        )
        parts.append(f'<circle class="dot {row.shade}" cx="{middle:.1f}" cy="{y}" r="5"/>')
    return parts


def _axis(reach: float, bottom: float) -> list[str]:
    shown: list[float] = []
    for tick in _TICKS:
        near = any(abs(_x(tick, reach) - _x(other, reach)) < _APART for other in shown)
        if abs(math.log(tick)) <= reach and not near:
            shown.append(tick)
    parts = []
    for tick in sorted(shown):
        x = _x(tick, reach)
        shade = "frame" if tick == 1.0 else "grid"
        parts.append(f'<path class="{shade}" d="M{x:.1f} {_TOP}V{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 24}" text-anchor="middle">{tick:g} ×</text>')
    return parts


def _x(ratio: float, reach: float) -> float:
    return _WIDTH / 2 + math.log(ratio) / reach * (_WIDTH / 2 - _MARGIN)
