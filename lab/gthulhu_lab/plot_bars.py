# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Costs side by side, as horizontal bars in inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gthulhu_lab import plot

# Room for names, and for the figure at a bar's end, in the large type of small screens.
_LEFT, _RIGHT, _TOP = 150, 120, 6
_THICK, _GAP = 26, 14
_WHOLE = 1000  # from here on tenths say nothing


@dataclass(frozen=True, slots=True)
class Cost:
    """One name with its figures, in the order of the legend."""

    name: str
    values: Sequence[float]


def costs(rows: Sequence[Cost], unit: str, title: str) -> str:
    """One group of bars for each row."""
    parts, height = _bars(rows, unit)
    head = f'<svg viewBox="0 0 {plot.WIDTH} {height}" role="img" aria-label="{escape(title)}">'
    return "\n".join([head, *parts, "</svg>"])


def standalone(
    rows: Sequence[Cost], unit: str, title: str, legend: Sequence[str], style: str
) -> str:
    """The same as a file of its own, with what the bars of a row are below."""
    parts, y = _bars(rows, unit)
    for number, name in enumerate(legend):
        shade = _shade(number)
        parts.append(f'<rect class="{shade}" x="{_LEFT}" y="{y}" width="36" height="12"/>')
        parts.append(f'<text x="{_LEFT + 44}" y="{y + 11}">{escape(name)}</text>')
        y += plot.LEGEND_ROW
    return plot.as_file(parts, y + _TOP, title, style)


def _bars(rows: Sequence[Cost], unit: str) -> tuple[list[str], int]:
    """All bars, and where they end."""
    longest = max((value for row in rows for value in row.values), default=1.0)
    parts, y = [], _TOP
    for row in rows:
        middle = y + len(row.values) * _THICK / 2 + 4
        parts.append(
            f'<text x="{_LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(row.name)}</text>'
        )
        for number, value in enumerate(row.values):
            width = value / longest * (plot.WIDTH - _LEFT - _RIGHT)
            figure = f"{value:,.{0 if value >= _WHOLE else 1}f} {unit}"
            parts.append(
                f'<rect class="{_shade(number)}" x="{_LEFT}" y="{y + 1}" width="{width:.1f}" '
                f'height="{_THICK - 2}"><title>{escape(row.name)}: {figure}</title></rect>'
            )
            parts.append(
                f'<text x="{_LEFT + width + 6:.1f}" y="{y + _THICK / 2 + 4:.1f}">{figure}</text>'
            )
            y += _THICK
        y += _GAP
    return parts, y


def _shade(number: int) -> str:
    return "bar second" if number else "bar"


def legend_box(number: int) -> str:
    """A piece of a bar, for the legend."""
    return (
        '<svg viewBox="0 0 40 12" aria-hidden="true">'
        f'<rect class="{_shade(number)}" width="40" height="12"/></svg>'
    )
