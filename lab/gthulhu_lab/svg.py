# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Elements of drawings as SVG, coloured by the page's own style sheet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup

WIDTH = 720
LEGEND_ROW = 20
_STYLE = Path(__file__).with_name("theme.css")


def text(x: float, y: float, content: str, anchor: str = "start", shade: str = "") -> Markup:
    """A line of text; `anchor`: the part of it that is at `x`."""
    place = "" if anchor == "start" else Markup(' text-anchor="{}"').format(anchor)
    css = Markup('class="{}" ').format(shade) if shade else ""
    return Markup('<text {}x="{:.1f}" y="{:.1f}"{}>{}</text>').format(css, x, y, place, content)


def rect(shade: str, x: float, y: float, width: float, height: float, title: str = "") -> Markup:
    """A rectangle; `title` is shown where the pointer is over it."""
    form = Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"{}')
    return form.format(shade, x, y, width, height, _closed("rect", title))


def path(shade: str, line: str, title: str = "") -> Markup:
    """A path; `line` is its `d`."""
    return Markup('<path class="{}" d="{}"{}').format(shade, line, _closed("path", title))


def circle(shade: str, x: float, y: float, radius: float) -> Markup:
    """A circle."""
    form = Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{:g}"/>')
    return form.format(shade, x, y, radius)


def drawing(parts: Iterable[Markup], height: float, title: str) -> Markup:
    """A drawing inside a page."""
    form = Markup('<svg viewBox="0 0 {} {:.0f}" role="img" aria-label="{}">\n{}\n</svg>')
    return form.format(WIDTH, height, title, Markup("\n").join(parts))


def file(parts: Iterable[Markup], height: float, title: str) -> Markup:
    """A drawing as a file of its own, with its style sheet and a ground."""
    style = Markup("<style>{}</style>").format(_STYLE.read_text())
    whole = drawing([style, rect("ground", 0, 0, WIDTH, height), *parts], height, title)
    return whole.replace("<svg ", Markup('<svg xmlns="http://www.w3.org/2000/svg" '), 1) + "\n"


def swatch(shape: Markup) -> Markup:
    """A shape of 40 by 12 for the legend of a page."""
    return Markup('<svg viewBox="0 0 40 12" aria-hidden="true">{}</svg>').format(shape)


def box(shade: str) -> Markup:
    """A swatch of something filled."""
    return swatch(rect(shade, 0, 0, 40, 12))


def _closed(name: str, title: str) -> Markup:
    return Markup("><title>{}</title></{}>").format(title, name) if title else Markup("/>")
