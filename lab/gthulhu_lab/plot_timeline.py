# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plots which task had which CPU when, and how many waited."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from gthulhu_lab import svg
from gthulhu_lab.picture import Picture

_LEFT, _RIGHT, _TOP, _AXIS = 70, 24, 4, 34
_SPAN = svg.WIDTH - _LEFT - _RIGHT
_LANE, _GAP = 26, 8
_MS = 1000
_HISTOGRAM, _LEAST_BARS = 90, 8
_VISIBLE = 1.5  # how wide a run is at least
SHOWN_US = 40 * _MS


def timeline(picture: Picture, colours: Mapping[str, int], title: str) -> Markup:
    """The first 40 ms, a lane for each CPU; `colours`: the number of each rule's."""
    shown = min(SHOWN_US, picture.length_us)
    bottom = _TOP + picture.cpus * (_LANE + _GAP)
    parts = []
    for cpu in range(picture.cpus):
        parts.append(svg.rect("lane", _LEFT, _lane(cpu), _SPAN, _LANE))
        parts.append(svg.text(_LEFT - 8, _lane(cpu) + 19, f"CPU {cpu}", "end"))
    # Rules that run most are drawn first, so that short runs stay visible.
    for rule in picture.rules():
        # One path for all runs of a rule: a rectangle each would be a page of its own.
        line = "".join(
            f"M{x:.1f} {_lane(span.cpu)}h{width:.1f}v{_LANE}h-{width:.1f}z"
            for span in picture.spans
            if span.rule == rule and span.start_us < shown
            for x in [_x(span.start_us, shown)]
            for width in [max(_x(min(span.end_us, shown), shown) - x, _VISIBLE)]
        )
        if line:
            parts.append(svg.path(f"run fill-{colours[rule]}", line, rule))
    for ms in range(0, shown // _MS + 1, 10):
        x = _x(ms * _MS, shown)
        parts.append(svg.path("grid", f"M{x:.1f} {_TOP}V{bottom}"))
        # The last would be cut off in the large type of small screens.
        place, anchor = (svg.WIDTH, "end") if x > svg.WIDTH - _LEFT else (x, "middle")
        parts.append(svg.text(place, bottom + 22, f"{ms} ms", anchor))
    return svg.drawing(parts, bottom + _AXIS, title)


def waiting(picture: Picture, most: int, title: str) -> Markup:
    """A histogram of the number of waiting tasks, from none to `most`, by share of the time."""
    bars = max(most + 1, _LEAST_BARS)
    width = _SPAN / bars
    whole = sum(picture.waiting_us.values()) or 1
    highest = max(picture.waiting_us.values(), default=1) / whole
    bottom = _TOP + _HISTOGRAM
    parts = [
        svg.path("frame", f"M{_LEFT} {bottom}H{svg.WIDTH - _RIGHT}"),
        svg.text(_LEFT - 8, _TOP + 16, f"{highest:.0%}", "end"),
    ]
    for number in range(bars):
        x = _LEFT + number * width
        share = picture.waiting_us.get(number, 0) / whole
        height = share / highest * (_HISTOGRAM - 4) if highest else 0
        told = f"{number} waiting: {share:.1%} of the time"
        parts.append(svg.rect("bar", x + 1, bottom - height, width - 2, height, told))
        if number % (2 if bars > 12 else 1) == 0:
            parts.append(svg.text(x + width / 2, bottom + 22, f"{number}", "middle"))
    return svg.drawing(parts, bottom + _AXIS, title)


def legend_box(colour: int) -> Markup:
    """A piece of a rule's colour, for the legend of a page."""
    return svg.box(f"run fill-{colour}")


def _lane(cpu: int) -> int:
    return _TOP + cpu * (_LANE + _GAP)


def _x(us: float, shown: int) -> float:
    return _LEFT + us / shown * _SPAN
