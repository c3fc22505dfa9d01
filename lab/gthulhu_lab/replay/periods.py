# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the periods of timers: a source that skipped periods is replayed with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from gthulhu_lab.replay.actions import Mode, Timer

_FEWEST = 4
"""Expiries; a period of fewer is a guess."""
_FITS = 0.9
_SLACK = 0.02
_MANY = 10
_ODD = 0.05
"""The part of many steps that may be shorter than a period, such as the one after a late begin."""
_MOST_PARTS = 4
"""Periods in the shortest step; with more of them anything is a multiple."""


def of_timer(period_ns: int, expiry_ns: int, woken_ns: Sequence[int]) -> Timer:
    """Returns a timer whose request is known. Times count from the begin of the record.

    `expiry_ns`: one of its expiries; `woken_ns`: when it woke its task.
    """
    found = Timer(_first(expiry_ns, period_ns), period_ns, Mode.READ)
    found.skipped = _skipped(woken_ns, period_ns)
    return found


def guess(due_ns: Sequence[int], mode: Mode) -> Timer | None:
    """Returns the timer with these expiries, or None. Some expiries may be missing.

    `due_ns`: when it was due, or if that is not known, when its task was woken.
    """
    steps = [after - before for before, after in pairwise(due_ns)]
    if len(due_ns) < _FEWEST or min(steps) <= 0:
        return None
    period = _period(steps)
    if period is None:
        return None
    # From the middle, errors of the period add up to half as much.
    found = Timer(_first(due_ns[len(due_ns) // 2], period), period, mode)
    found.skipped = _skipped(due_ns, period)
    return found


def _period(steps: Sequence[int]) -> int | None:
    """The longest period of which the steps are multiples; all of them may be longer than it."""
    ordered = sorted(steps)
    if len(steps) >= _MANY:
        usual = _period_of(steps, ordered[max(1, int(_ODD * len(steps)))])
        if usual is not None:
            return usual
    return _period_of(steps, ordered[0])


def _period_of(steps: Sequence[int], shortest: int) -> int | None:
    near = round(median(step for step in steps if step < 1.2 * shortest))
    for parts in range(1, _MOST_PARTS + 1):
        period = near // parts
        fitting = sum(_is_multiple(step, period) for step in steps)
        if period and fitting >= _FITS * len(steps):
            return period
    return None


def lateness(timer: Timer, woken_ns: int) -> int:
    """Returns how long after its last expiry a timer woke its task."""
    late_ns = (woken_ns - timer.first_ns) % timer.period_ns
    # Errors of a guess: it seems to be a little early.
    return late_ns if late_ns < timer.period_ns // 2 else 0


def _is_multiple(step: int, period: int) -> bool:
    times = max(1, round(step / period))
    return abs(step - times * period) <= _SLACK * period


def _first(expiry_ns: int, period_ns: int) -> int:
    """The first expiry in the record."""
    return expiry_ns % period_ns or period_ns


def _skipped(at_ns: Sequence[int], period_ns: int) -> int:
    steps = (after - before for before, after in pairwise(at_ns))
    return sum(max(0, round(step / period_ns) - 1) for step in steps)
