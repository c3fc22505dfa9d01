# SPDX-License-Identifier: Apache-2.0
"""Small plots as SVG: the path of a line, for a template that draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

from gthulhu.serve.page.history import STEP_S
from gthulhu.serve.page.shown import duration, percent

WIDTH, HEIGHT = 120, 24
_POINTS = 60
_LEAST_NS, _MOST_NS = 2**10, 2**32
_PAD = 2
_LEAST_TOP = 0.1


@dataclass(frozen=True, slots=True)
class Plot:
    """A path, and what it shows, in words."""

    path: str
    title: str


def of_times(values: Sequence[float | None], what: str) -> Plot:
    """Times in ns, on a scale from 1 us to 4 s by powers of two."""
    scale = log2(_MOST_NS / _LEAST_NS)
    heights = [
        None if each is None else log2(min(max(each, _LEAST_NS), _MOST_NS) / _LEAST_NS) / scale
        for each in values
    ]
    return Plot(_path(heights), _title(what, values, duration))


def of_shares(values: Sequence[float | None], what: str) -> Plot:
    """Shares in 0..1, on a scale from 0 to the largest one, or to 10 %."""
    top = max([_LEAST_TOP, *(each for each in values if each is not None)])
    heights = [None if each is None else each / top for each in values]
    return Plot(_path(heights), _title(what, values, percent))


def _title(what: str, values: Sequence[float | None], show: Callable[[float | None], str]) -> str:
    known = [each for each in values if each is not None]
    span = f"{what} of the last {round(_POINTS * STEP_S / 60)} minutes"
    return f"{span}: {show(min(known))} to {show(max(known))}" if known else f"{span}: no values"


def _path(heights: Sequence[float | None]) -> str:
    """Steps from the right, where now is; nothing where a value is missing."""
    heights = heights[-_POINTS:]
    step = WIDTH / _POINTS
    parts: list[str] = []
    is_drawing = False
    for index, height in enumerate(heights, _POINTS - len(heights)):
        if height is None:
            is_drawing = False
            continue
        y = round(HEIGHT - _PAD - height * (HEIGHT - 2 * _PAD), 1)
        x = round(index * step, 1)
        parts.append(f"{'L' if is_drawing else 'M'}{x:g} {y:g}H{round(x + step, 1):g}")
        is_drawing = True
    return "".join(parts)
