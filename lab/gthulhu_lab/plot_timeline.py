# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Draws which task had which CPU when, and how many waited: inline SVG."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from gthulhu_lab.picture import Picture

_WIDTH = 720
_LEFT, _RIGHT, _TOP, _AXIS = 70, 24, 4, 34
_LANE, _GAP = 26, 8
_MS = 1000
_HISTOGRAM, _LEAST_BARS = 90, 8
_VISIBLE = 1.5  # how wide a run is at least
SHOWN_US = 40 * _MS


def timeline(picture: Picture, colours: Mapping[str, int], title: str) -> str:
    """The first 40 ms, a lane for each CPU; `colours`: the number of each rule's."""
    shown = min(SHOWN_US, picture.length_us)
    bottom = _TOP + picture.cpus * (_LANE + _GAP)
    parts = [_head(bottom + _AXIS, title)]
    for cpu in range(picture.cpus):
        y = _TOP + cpu * (_LANE + _GAP)
        parts.append(f'<rect class="lane" x="{_LEFT}" y="{y}" width="{_span()}" height="{_LANE}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 19}" text-anchor="end">CPU {cpu}</text>')
    # Those that run most are below: what runs briefly shall be seen.
    for rule in picture.rules():
        # One path for all runs of a rule: a rectangle each would be a page of its own.
        path = "".join(
            f"M{x:.1f} {_TOP + span.cpu * (_LANE + _GAP)}h{width:.1f}v{_LANE}h-{width:.1f}z"
            for span in picture.spans
            if span.rule == rule and span.start_us < shown
            for x in [_x(span.start_us, shown)]
            for width in [max(_x(min(span.end_us, shown), shown) - x, _VISIBLE)]
        )
        if path:
            name = escape(rule)
            parts.append(
                f'<path class="run fill-{colours[rule]}" d="{path}"><title>{name}</title></path>'
            )
    for ms in range(0, shown // _MS + 1, 10):
        x = _x(ms * _MS, shown)
        parts.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{bottom}"/>')
        # The last would be cut off in the large type of small screens.
        anchor, place = ("end", float(_WIDTH)) if x > _WIDTH - _LEFT else ("middle", x)
        parts.append(
            f'<text x="{place:.1f}" y="{bottom + 22}" text-anchor="{anchor}">{ms} ms</text>'
        )
    return "\n".join([*parts, "</svg>"])


def waiting(picture: Picture, most: int, title: str) -> str:
    """For which share of the time so many tasks waited, from none to `most`."""
    bars = max(most + 1, _LEAST_BARS)
    width = _span() / bars
    whole = sum(picture.waiting_us.values()) or 1
    highest = max(picture.waiting_us.values(), default=1) / whole
    bottom = _TOP + _HISTOGRAM
    parts = [
        _head(bottom + _AXIS, title),
        f'<path class="frame" d="M{_LEFT} {bottom}H{_WIDTH - _RIGHT}"/>',
        f'<text x="{_LEFT - 8}" y="{_TOP + 16}" text-anchor="end">{highest:.0%}</text>',
    ]
    for number in range(bars):
        x = _LEFT + number * width
        share = picture.waiting_us.get(number, 0) / whole
        height = share / highest * (_HISTOGRAM - 4) if highest else 0
        parts.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{bottom - height:.1f}" '
            f'width="{width - 2:.1f}" height="{height:.1f}">'
            f"<title>{number} waiting: {share:.1%} of the time</title></rect>"
        )
        if number % (2 if bars > 12 else 1) == 0:
            middle = x + width / 2
            parts.append(
                f'<text x="{middle:.1f}" y="{bottom + 22}" text-anchor="middle">{number}</text>'
            )
    return "\n".join([*parts, "</svg>"])


def legend_box(colour: int) -> str:
    """A piece of a rule's colour, for the legend."""
    return (
        '<svg viewBox="0 0 40 12" aria-hidden="true">'
        f'<rect class="run fill-{colour}" width="40" height="12"/></svg>'
    )


def _head(height: float, title: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">'


def _span() -> int:
    return _WIDTH - _LEFT - _RIGHT


def _x(us: float, shown: int) -> float:
    return _LEFT + us / shown * _span()
