# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Where a task begins again that comes to the end of what is recorded of it.

A task that gets more CPU time than in the record, or more wake-ups, does more than it did there.
"""

from __future__ import annotations

from gthulhu_lab.replay.actions import SLEEPS, Action, Course

_ONCE = frozenset("nxgimof")
"""Actions that a task takes once, when it begins."""
_LONGER = 4
_SHORT_NS = 10_000_000
"""A task that computes for much longer after its only sleep computes for ever."""


def close(course: Course, *, sleeps: bool, waits_for_timer: bool) -> None:
    """Leaves out empty actions, and says from which one on the rest is repeated.

    `sleeps`: when the record ends; `waits_for_timer`: in that sleep.
    """
    course.actions = _merged([action for action in course.actions if action.kind])
    actions = course.actions
    if actions and actions[-1].kind == "q":
        return
    if sleeps and waits_for_timer:
        # The next lap begins with such a sleep.
        actions.pop()
        again = _first(actions, SLEEPS - {"t"})
    elif sleeps:
        again = _after_first(actions, frozenset("t"))
    else:
        again = _cut_off(actions)
    if again is not None and any(action.kind == "c" for action in actions[again:]):
        course.again = again


def _cut_off(actions: list[Action]) -> int | None:
    """The record ends in the middle of a round; the first whole one takes its place.

    So whoever waits for the end of that round is woken. If the last round is
    much longer than the ones before, the task only computes on.
    """
    last = _last(actions)
    if last is None:
        once = [number for number, action in enumerate(actions) if action.kind in _ONCE]
        return once[-1] + 1 if once else 0
    first = _after_first(actions, SLEEPS)
    assert first is not None
    rounds = _rounds(actions[first:last])
    whole = _computed(actions[last + 1 :])
    if whole > _LONGER * max(rounds, default=_SHORT_NS):
        return last + 1
    if not rounds:
        return None
    del actions[last + 1 :]
    return first


def _rounds(actions: list[Action]) -> list[int]:
    """How long each round computes, all of which end with a sleep."""
    found = [0]
    for action in actions:
        if action.kind in SLEEPS:
            found.append(0)
        elif action.kind == "c":
            found[-1] += int(action.value)
    return [each for each in found if each]


def _computed(actions: list[Action]) -> int:
    return sum(int(action.value) for action in actions if action.kind == "c")


def _last(actions: list[Action]) -> int | None:
    """The last sleep."""
    for number in range(len(actions) - 1, -1, -1):
        if actions[number].kind in SLEEPS:
            return number
    return None


def _after_first(actions: list[Action], kinds: frozenset[str]) -> int | None:
    """The number of the action after the first such sleep."""
    for number, action in enumerate(actions):
        if action.kind in kinds:
            return number + 1
    return None


def _first(actions: list[Action], kinds: frozenset[str]) -> int | None:
    """A sleep until a deadline begins where the deadline is set."""
    for number, action in enumerate(actions):
        if action.kind in kinds:
            begun = number
            while action.kind == "u" and begun and actions[begun].kind not in "ab":
                begun -= 1
            return begun
    return None


def _merged(actions: list[Action]) -> list[Action]:
    """Computing without anything in between is one action."""
    found: list[Action] = []
    for action in actions:
        if action.kind == "c" and found and found[-1].kind == "c":
            found[-1] = Action("c", int(found[-1].value) + int(action.value))
        else:
            found.append(action)
    return found
