# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Costs side by side, as horizontal bars in inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 720
# Room for names, and for the figure at a bar's end, in the large type of small screens.
_LEFT, _RIGHT, _TOP = 150, 120, 6
_THICK, _GAP = 26, 14


@dataclass(frozen=True, slots=True)
class Cost:
    """One name with its figures, in the order of the legend."""

    name: str
    values: Sequence[float]


def costs(rows: Sequence[Cost], unit: str, title: str) -> str:
    """One group of bars for each row; less is better."""
    longest = max((value for row in rows for value in row.values), default=1.0)
    parts, y = [], _TOP
    for row in rows:
        middle = y + len(row.values) * _THICK / 2 + 4
        parts.append(
            f'<text x="{_LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(row.name)}</text>'
        )
        for number, value in enumerate(row.values):
            width = value / longest * (_WIDTH - _LEFT - _RIGHT)
            shade = "bar second" if number else "bar"
            figure = f"{value:,.0f} {unit}"
            parts.append(
                f'<rect class="{shade}" x="{_LEFT}" y="{y + 1}" width="{width:.1f}" '
                f'height="{_THICK - 2}"><title>{escape(row.name)}: {figure}</title></rect>'
            )
            parts.append(
                f'<text x="{_LEFT + width + 6:.1f}" y="{y + _THICK / 2 + 4:.1f}">{figure}</text>'
            )
            y += _THICK
        y += _GAP
    head = f'<svg viewBox="0 0 {_WIDTH} {y}" role="img" aria-label="{escape(title)}">'
    return "\n".join([head, *parts, "</svg>"])


def legend_box(number: int) -> str:
    """A piece of a bar, for the legend."""
    shade = "bar second" if number else "bar"
    return (
        '<svg viewBox="0 0 40 12" aria-hidden="true">'
        f'<rect class="{shade}" width="40" height="12"/></svg>'
    )
