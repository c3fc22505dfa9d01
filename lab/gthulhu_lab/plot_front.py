# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots candidates by two objectives, both axes logarithmic: those on the front, and the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gthulhu_lab import svg

_HEIGHT = 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 30, 12, 64  # room for the large type of small screens
_END, _FLOOR = svg.WIDTH - _RIGHT, _HEIGHT - _BOTTOM
_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10)
_APART = 40  # of the ticks' texts
_MARGIN = 1.05
OTHER, FRONT, NOW, BEST = 7, 0, 1, 2
"""The colours of a candidate that is beaten, of the front, of the present policy, of the best."""
_NAMES = {FRONT: "beaten by none", OTHER: "beaten, or a claim fails", NOW: "now", BEST: "the best"}
_RADIUS = {OTHER: 2.5, FRONT: 4, NOW: 6, BEST: 6}

_Scale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Point:
    """A candidate: its two objectives, and its kind, a colour."""

    x: float
    y: float
    kind: int


def standalone(points: Sequence[Point], title: str, x_name: str, y_name: str) -> Markup:
    """The plot as a file of its own, with a legend below. There is a point or more."""
    parts = [*_parts(points, x_name, y_name)]
    kinds = [kind for kind in _NAMES if any(point.kind == kind for point in points)]
    for number, kind in enumerate(kinds):
        x = _LEFT + number % 2 * (svg.WIDTH - _LEFT) // 2
        y = _HEIGHT + number // 2 * svg.LEGEND_ROW + 18
        parts += [
            svg.circle(f"fill-{kind}", x, y, _RADIUS[kind]),
            svg.text(x + 14, y + 4, _NAMES[kind]),
        ]
    return svg.file(parts, _HEIGHT + math.ceil(len(kinds) / 2) * svg.LEGEND_ROW + 18, title)


def _parts(points: Sequence[Point], x_name: str, y_name: str) -> Iterator[Markup]:
    x = _scale([point.x for point in points], _LEFT, _END)
    y = _scale([point.y for point in points], _FLOOR, _TOP)
    yield svg.path("frame", f"M{_LEFT} {_TOP}H{_END}V{_FLOOR}H{_LEFT}Z")
    for tick in _ticks(y, _FLOOR, _TOP):
        yield svg.path("grid", f"M{_LEFT} {y(tick):.1f}H{_END}")
        yield svg.text(_LEFT - 6, y(tick) + 4, f"{100 * tick:g} %", "end")
    for tick in _ticks(x, _LEFT, _END):
        yield svg.path("grid", f"M{x(tick):.1f} {_TOP}V{_FLOOR}")
        yield svg.text(x(tick), _FLOOR + 22, f"{100 * tick:g} %", "middle")
    caption = f"across: {x_name}; up: {y_name}; 100 % is now, both logarithmic"
    yield svg.text((_LEFT + _END) / 2, _HEIGHT - 12, caption, "middle")
    for point in sorted(points, key=lambda point: _RADIUS[point.kind]):
        yield svg.circle(f"fill-{point.kind}", x(point.x), y(point.y), _RADIUS[point.kind])


def _scale(values: Sequence[float], start: float, end: float) -> _Scale:
    """Where a value is between two places; the values have a margin around them."""
    low, high = math.log(min(values) / _MARGIN), math.log(max(values) * _MARGIN)
    return lambda value: start + (math.log(value) - low) / (high - low) * (end - start)


def _ticks(scale: _Scale, start: float, end: float) -> Iterator[float]:
    """Round values within a scale, those apart enough for their texts; 1 is always there."""
    taken: list[float] = []
    for tick in sorted(_TICKS, key=lambda tick: abs(math.log(tick))):
        place = scale(tick)
        is_within = min(start, end) <= place <= max(start, end)
        if is_within and all(abs(place - other) >= _APART for other in taken):
            taken.append(place)
            yield tick
