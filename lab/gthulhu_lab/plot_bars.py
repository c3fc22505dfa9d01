# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots figures side by side, as horizontal bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gthulhu_lab import svg

# Room for names, and for the figure at a bar's end, in the large type of small screens.
_LEFT, _RIGHT, _TOP = 150, 120, 6
_THICK, _GAP = 26, 14
_WHOLE = 1000  # from here on tenths say nothing


@dataclass(frozen=True, slots=True)
class Cost:
    """One name with its figures, in the order of the legend."""

    name: str
    values: Sequence[float]


def costs(rows: Sequence[Cost], unit: str, title: str) -> Markup:
    """One group of bars for each row, inside a page."""
    parts, height = _bars(rows, unit)
    return svg.drawing(parts, height, title)


def standalone(rows: Sequence[Cost], unit: str, title: str, legend: Sequence[str]) -> Markup:
    """The same as a file of its own, with the names of a row's bars below."""
    parts, y = _bars(rows, unit)
    for number, name in enumerate(legend):
        parts.append(svg.rect(_shade(number), _LEFT, y, 36, 12))
        parts.append(svg.text(_LEFT + 44, y + 11, name))
        y += svg.LEGEND_ROW
    return svg.file(parts, y + _TOP, title)


def legend_box(number: int) -> Markup:
    """A piece of a bar, for the legend of a page."""
    return svg.box(_shade(number))


def _bars(rows: Sequence[Cost], unit: str) -> tuple[list[Markup], int]:
    """All bars, and where they end."""
    longest = max((value for row in rows for value in row.values), default=1.0)
    parts, y = [], _TOP
    for row in rows:
        middle = y + len(row.values) * _THICK / 2 + 4
        parts.append(svg.text(_LEFT - 8, middle, row.name, "end"))
        for number, value in enumerate(row.values):
            width = value / longest * (svg.WIDTH - _LEFT - _RIGHT)
            figure = f"{value:,.{0 if value >= _WHOLE else 1}f} {unit}"
            title = f"{row.name}: {figure}"
            parts.append(svg.rect(_shade(number), _LEFT, y + 1, width, _THICK - 2, title))
            parts.append(svg.text(_LEFT + width + 6, y + _THICK / 2 + 4, figure))
            y += _THICK
        y += _GAP
    return parts, y


def _shade(number: int) -> str:
    return "bar second" if number else "bar"
