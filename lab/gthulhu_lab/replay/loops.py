# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Where a task begins again that comes to the end of what is recorded of it.

A task that gets more CPU time than in the record, or more wake-ups, does more than it did there.
"""

from __future__ import annotations

from gthulhu_lab.replay.actions import SLEEPS, Action, Recording

_ONCE = frozenset("nxgimof")
"""What a task does once, when it begins."""


def close(recording: Recording) -> None:
    """Leaves out actions that are none, and says from which action on the rest is repeated."""
    actions = [action for action in recording.actions if action.kind]
    recording.actions = _merged(actions)
    actions = recording.actions
    if any(action.kind == "q" for action in actions[-1:]):
        return
    if actions and actions[-1].kind == "t":
        # It sleeps when the record ends; the next lap begins with such a sleep.
        first = _first(actions, SLEEPS)
        if first is not None and first < len(actions) - 1:
            actions.pop()
    first = _first(actions, SLEEPS)
    if first is None:
        once = [number for number, action in enumerate(actions) if action.kind in _ONCE]
        first = once[-1] + 1 if once else 0
    if any(action.kind == "c" for action in actions[first:]):
        recording.again = first


def _first(actions: list[Action], kinds: frozenset[str]) -> int | None:
    """A sleep until a deadline begins where the deadline is set."""
    for number, action in enumerate(actions):
        if action.kind in kinds:
            if action.kind == "u" and number and actions[number - 1].kind in "ab":
                return number - 1
            return number
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
