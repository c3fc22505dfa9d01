# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Decides what only a whole record tells: the periods of timers, and who sends to whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from gthulhu_lab.replay import periods
from gthulhu_lab.replay.actions import Action, Cause, Gift, Mode, Request, Timer
from gthulhu_lab.replay.places import Maybe, Place

_LIFT = 1.5
"""A task causes the network's wake-ups of another if it runs so much more often than by chance."""


class Endings:
    """The timers of a record, and its wake-ups from outside. `periodic`: by the id of a timer."""

    def __init__(self, begin_ns: int) -> None:
        self._begin_ns = begin_ns
        self.timers: list[Timer] = []
        self.gifts: list[Gift] = []
        self.periodic: dict[int, Request] = {}

    def find_period(
        self, place: Place, id_: int, sleeps: Sequence[tuple[Action, int, int | None]]
    ) -> None:
        """Timers with a period are that in the model, too; others are sleeps until that time."""
        begin_ns = self._begin_ns
        woken = [at_ns - begin_ns for _, at_ns, _ in sleeps]
        if request := self.periodic.get(id_):
            event = request.event
            expiry_ns = event.at_ns + event.duration_ns - begin_ns
            timer: Timer | None = periods.of_timer(event.period_ns, expiry_ns, woken)
        elif id_ == -1:
            due = [due_ns - begin_ns for _, _, due_ns in sleeps if due_ns is not None]
            timer = periods.guess(due, Mode.SKIP)
        else:
            timer = periods.guess(woken, Mode.READ)
        if timer is None:
            self._until(place, sleeps)
            return
        number = len(self.timers)
        self.timers.append(timer)
        place.course.timers.append(timer)
        for sleep, at_ns, _ in sleeps:
            sleep.kind, sleep.value = "p", number
            sleep.other = periods.lateness(timer, at_ns - begin_ns)

    def _until(self, place: Place, sleeps: Sequence[tuple[Action, int, int | None]]) -> None:
        """Timers without a period: a time of the record, which may be before the sleep."""
        for sleep, at_ns, due_ns in sleeps:
            if due_ns is None:
                sleep.kind = "t"
                number = place.course.number
                self.gifts.append(Gift(at_ns - self._begin_ns, number, 0, is_sync=False))

    def decide_network(
        self, maybes: Sequence[Maybe], ran_ns: Mapping[bytes, int], whole_ns: int
    ) -> None:
        """A task has sent what comes while it runs, if that is far more often than by chance.

        `ran_ns`: by the names of tasks; `whole_ns`: the time of all CPUs.
        """
        by_woken: dict[int, Counter[bytes]] = defaultdict(Counter)
        for maybe in maybes:
            name = maybe.waker.course.task.name
            by_woken[maybe.woken.course.number][name] += 1
        for maybe in maybes:
            counts = by_woken[maybe.woken.course.number]
            name = maybe.waker.course.task.name
            all_ = maybe.woken.course.causes[Cause.NETWORK] + counts.total()
            by_chance = ran_ns.get(name, 0) / max(whole_ns, 1)
            if counts[name] / all_ < _LIFT * by_chance:
                maybe.action.kind = ""
                self.gifts.append(maybe.gift)
                maybe.woken.course.causes[Cause.LOOPBACK] -= 1
                maybe.woken.course.causes[Cause.NETWORK] += 1
