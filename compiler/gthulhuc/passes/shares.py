# SPDX-License-Identifier: Apache-2.0
"""Checks that the CPUs of classes have room for the shares that are guaranteed to them.

Afterwards all lower bounds can hold at the same time, as far as the CPUs are known: without a
target, all CPUs count as one, and so do those of `node 1` or `any 4`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import pairwise

from gthulhuc.checked import Actions, Cpus, Share
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.placement import Unit, units
from gthulhuc.passes.reading.values import SHARE, show
from gthulhuc.records import dataclass
from gthulhuc.target import Target

_WHOLE = 1000


@dataclass(frozen=True, slots=True)
class _Guarantee:
    """A class with its CPUs, of which `low` thousandths are guaranteed to it."""

    name: str
    share: Share
    low: int
    cpus: frozenset[Unit]

    @property
    def need(self) -> int:
        """Its guarantee in thousandths of one CPU."""
        return self.low * len(self.cpus)


def check(draft: Draft, report: Collector) -> Draft:
    """Checks `share` of all classes; returns the draft as it was."""
    classes = [(rule.block.name.text, rule.actions) for rule in draft.rules]
    classes.append(("default", draft.default))
    taken = _exclusive(draft)
    given: list[_Guarantee] = []
    room = _Room()
    for name, actions in classes:
        if actions is None or actions.share is None:
            continue
        if actions.monitor:
            message = "`share` has no effect with `monitor`"
            note = "the tasks are in the classes of later rules"
            report.error(codes.MEANINGLESS, message, actions.share.span, note=note)
        elif actions.share.low is not None:
            cpus = _cpus(actions, taken, draft.target)
            given.append(_Guarantee(name, actions.share, actions.share.low, cpus))
            if (rivals := room.take(given)) is not None:
                _report(given.pop(), rivals, report)
    return draft


def _report(last: _Guarantee, rivals: list[_Guarantee], report: Collector) -> None:
    all_ = [*rivals, last]
    cpus = frozenset[Unit]().union(*(each.cpus for each in all_))
    *names, own = (f"`{each.name}`" for each in all_)
    whole = show(-(-sum(each.need for each in all_) // len(cpus)), SHARE)
    report.error(
        codes.EXCESS_SHARE,
        f"{', '.join(names)} and {own} are guaranteed {whole} of their CPUs",
        last.share.span,
        f"at least {show(last.low, SHARE)} for {own}",
        secondary=[
            Label(each.share.span, f"at least {show(each.low, SHARE)} for `{each.name}`")
            for each in rivals
        ],
        note="`share A%` and the first number of `share A%..B%` are guaranteed",
    )


def _exclusive(draft: Draft) -> dict[Unit, Cpus]:
    """The CPUs that are exclusive to a class, with its `cpus`."""
    pins = [rule.actions.cpus for rule in draft.rules if rule.actions is not None]
    return {
        unit: pin
        for pin in pins
        if pin is not None and pin.exclusive
        for unit in units(pin, draft.target)
    }


def _cpus(actions: Actions, taken: dict[Unit, Cpus], target: Target | None) -> frozenset[Unit]:
    """The CPUs of a class; those that are not known by number count as one."""
    pin = actions.cpus
    found: Iterable[Unit] = ("all",)
    if pin is not None and not pin.prefer:
        found = units(pin, target)
    elif target is not None:
        found = target.cpus
    own = frozenset(unit for unit in found if taken.get(unit, pin) == pin)
    one: Hashable = own
    return own if all(isinstance(unit, int) for unit in own) else frozenset([one])


class _Room:
    """The CPUs, and what each class has of them: a flow, which grows along paths."""

    def __init__(self) -> None:
        self._free: dict[Unit, int] = {}
        self._parts: dict[tuple[int, Unit], int] = {}

    def take(self, given: list[_Guarantee]) -> list[_Guarantee] | None:
        """Gives the last class its part; None: it has it.

        If there is no room, returns the classes with which it competes, and the class has nothing.
        """
        last, before = len(given) - 1, dict(self._parts)
        free = dict(self._free)
        missing = given[last].need
        while missing:
            path, seen = self._path(given, last)
            if not path:
                self._parts, self._free = before, free
                return [given[number] for number in sorted(seen - {last})]
            missing -= self._move(path, missing)
        return None

    def _path(self, given: list[_Guarantee], last: int) -> tuple[list[tuple[int, Unit]], set[int]]:
        """Steps from a class to a CPU with room, and the classes on all ways that were tried.

        A class that another one has a CPU of goes on with what that one could use instead.
        """
        came: dict[int, list[tuple[int, Unit]]] = {last: []}
        queue, seen = [last], set[Unit]()
        for number in queue:
            for unit in given[number].cpus - seen:
                seen.add(unit)
                steps = [*came[number], (number, unit)]
                if self._free.setdefault(unit, _WHOLE):
                    return steps, set(came)
                for (other, on), part in self._parts.items():
                    if on == unit and part and other not in came:
                        came[other] = steps
                        queue.append(other)
        return [], set(came)

    def _move(self, path: list[tuple[int, Unit]], most: int) -> int:
        """Each class of a path takes from the next one; returns how much."""
        given_up = [(after[0], before[1]) for before, after in pairwise(path)]
        moved = min(most, self._free[path[-1][1]], *(self._parts[each] for each in given_up))
        for step in path:
            self._parts[step] = self._parts.get(step, 0) + moved
        for step in given_up:
            self._parts[step] -= moved
        self._free[path[-1][1]] -= moved
        return moved
