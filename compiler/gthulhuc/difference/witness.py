# SPDX-License-Identifier: Apache-2.0
"""Finds a task in a box of `passes.reasoning.logic`, or proves that the box is empty.

In a box each subject has a set of values of its own, but some subjects depend on each other: a main
thread has the name of its process, a parent is an ancestor, a unit follows from the cgroup. So a
task is found in parts, each for the subjects that depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

from gthulhuc.checked import Calls, Subject
from gthulhuc.difference.places import cgroup_in
from gthulhuc.difference.values import (
    ABSENT,
    NoTaskError,
    common,
    field_of,
    first_of,
    has_none,
    says_all,
    sets_of,
    several,
    word_of,
)
from gthulhuc.fields import (
    ARGUMENT_MAX,
    ARGUMENTS_MAX,
    COMM_MAX,
    LATE,
    Field,
    Kind,
    of_kind,
)
from gthulhuc.passes.reasoning.languages import Strings
from gthulhuc.passes.reasoning.logic import NO, YES, Box, Ranges
from gthulhuc.passes.reasoning.patterns import regex_pattern
from gthulhuc.reference import Task

INHERITS = "inherits"
"""The first part of a subject: whether a rule with `inherit` took what started the task."""
_EITHER: Ranges = ((0, 1),)
_NEVER = 2**63  # the age of a call that has not happened
_ROOT = b"root"
_NAMES = Strings(longest=COMM_MAX)

Part: TypeAlias = dict[str, Any]
"""Some members of a task, by their names."""


def task_in(box: Box, asked: Iterable[Calls]) -> Task | None:
    """Returns a task in a box; None if there may be one that is hard to find.

    `asked` are the `calls` comparisons of the policies that the task is for. Raises NoTaskError.
    """
    parts = (
        _names(box), _family(box), _place(box), _program(box), _pod(box), _ids(box),
        _calls(box, asked),
    )  # fmt: skip
    whole: Part = {}
    for part in parts:
        if part is None:
            return None
        whole |= part
    kthread, interactive = (
        box.get(Subject(field), NO) == YES for field in (Field.KTHREAD, Field.INTERACTIVE)
    )
    heirs = (
        key[1] for key in box if isinstance(key, tuple) and key[0] == INHERITS and box[key] == YES
    )
    return Task(kthread=kthread, interactive=interactive, inherits=frozenset(heirs), **whole)


# ---- names --------------------------------------------------------------------------------------


def _names(box: Box) -> Part | None:
    comms = sets_of(box, Subject(Field.COMM), _NAMES)
    processes = sets_of(box, Subject(Field.PROCESS), _NAMES)
    leader = box.get(Subject(Field.LEADER), _EITHER)
    if not any(field_of(key) in (Field.COMM, Field.PROCESS) for key in box):
        return {"comm": b"", "process": b"", "leader": leader != NO}
    for pair in product(comms, processes):
        name = word_of(*pair)
        if name is not None:
            return {"comm": name, "process": name, "leader": leader != NO}
    if leader == YES:
        if says_all(box, Field.COMM, Field.PROCESS) and has_none(comms[0], processes[0]):
            raise NoTaskError
        return None
    comm, process = first_of(comms), first_of(processes)
    if comm is None or process is None:
        return None
    return {"comm": comm, "process": process, "leader": False}


# ---- ancestors ----------------------------------------------------------------------------------


def _family(box: Box) -> Part | None:
    wanted, allowed, is_exact = several(box, Field.ANCESTOR, _NAMES)
    is_exact = is_exact and says_all(box, Field.PARENT)
    ancestors: list[bytes] = []
    for sets in wanted:
        if any(each.has(name) for each in sets for name in ancestors):
            continue
        name = first_of(sets, allowed)
        if name is None:
            if is_exact and all(has_none(each, allowed) for each in sets):
                raise NoTaskError
            return None
        ancestors.append(name)
    return _with_parent(box, ancestors, allowed, is_exact=is_exact)


def _with_parent(
    box: Box, ancestors: list[bytes], allowed: Strings, *, is_exact: bool
) -> Part | None:
    """The task's ancestors, with a parent whose name is allowed, too."""
    sets = sets_of(box, Subject(Field.PARENT), replace(_NAMES, absent=True))
    known = next((name for name in ancestors for each in sets if each.has(name)), None)
    if known is None and (ancestors or not any(each.absent for each in sets)):
        known = first_of(sets, allowed)
    if known is None and not any(each.absent for each in sets):
        if is_exact and all(has_none(each, allowed) for each in sets):
            raise NoTaskError
        return None
    above = ancestors if known is None else [known, *ancestors]
    return {"parent": known, "ancestors": tuple(dict.fromkeys(above))}


# ---- cgroups ------------------------------------------------------------------------------------


def _place(box: Box) -> Part | None:
    place = cgroup_in(box)
    return None if place is None else {"cgroup": place}


# ---- programs -----------------------------------------------------------------------------------

_FILE = regex_pattern(rb"(/[^/]+)+")
assert _FILE is not None
_FILES = Strings(within=frozenset((_FILE,)))
_ARGUMENTS = Strings(longest=ARGUMENT_MAX)


def _program(box: Box) -> Part | None:
    exes = sets_of(box, Subject(Field.EXE), ABSENT)
    exe = None
    if not any(each.absent for each in exes):
        exe = first_of(exes, _FILES)
        if exe is None:
            if says_all(box, Field.EXE) and has_none(exes[0], _FILES):
                raise NoTaskError
            return None
    arguments = _command(box)
    return None if arguments is None else {"exe": exe, "cmdline": tuple(arguments)}


def _command(box: Box) -> list[bytes] | None:
    """The arguments: those that are asked for by their numbers, and those of which any will do."""
    wanted, allowed, is_exact = several(box, Field.CMDLINE, _ARGUMENTS)
    numbered = _numbered(box)
    is_exact = is_exact and says_all(box, Field.CMDLINE)
    needed = [place for place, sets in numbered.items() if not any(each.absent for each in sets)]
    arguments: list[bytes] = []
    free: list[int] = []
    for place in range(max(needed, default=-1) + 1):
        sets = numbered.get(place, [allowed])
        text = first_of(sets, allowed)
        if text is None:
            if is_exact and all(has_none(each, allowed) for each in sets):
                raise NoTaskError
            return None
        arguments.append(text)
        free += [place] * (place not in numbered)
    for sets in wanted:
        if any(each.has(text) for each in sets for text in arguments):
            continue
        if all(has_none(each, allowed) for each in sets) and is_exact:
            raise NoTaskError
        place = free.pop() if free else len(arguments)
        own = numbered.get(place, [allowed])
        both = [common(*pair) for pair in product(sets, own)]
        text = first_of(both, allowed)
        if text is None or place >= ARGUMENTS_MAX:
            return None
        arguments[place : place + 1] = [text]
    return arguments


def _numbered(box: Box) -> dict[int, list[Strings]]:
    """The sets of the arguments that are asked about by their numbers."""
    keys = {key[0] if isinstance(key, tuple) else key for key in box}
    subjects = [key for key in keys if isinstance(key, Subject) and key.field is Field.CMDLINE]
    otherwise = replace(_ARGUMENTS, absent=True)
    return {int(each.key or b""): sets_of(box, each, otherwise) for each in subjects}


# ---- pods ---------------------------------------------------------------------------------------


def _pod(box: Box) -> Part | None:
    """Facts about the task's pod. All are known, or those without a value are not."""
    named = (key[0] if isinstance(key, tuple) else key for key in box)
    subjects = [key for key in dict.fromkeys(named) if isinstance(key, Subject)]
    sets = {
        subject: sets_of(box, subject, Strings(absent=True, unknown=True))
        for subject in subjects
        if subject.field in LATE
    }
    # A task without such facts is the plainest, and one of which some are known the oddest.
    for is_known, may_have in ((False, False), (True, True), (False, True)):
        found = [_late(each, is_known=is_known) for each in sets.values()]
        texts = {key: text for key, text in zip(sets, found, strict=True) if text}
        if None not in found and (may_have or not texts):
            return {
                "labels_known": is_known,
                "labels": {key.key: text for key, text in texts.items() if key.key is not None},
                **{
                    field.value: texts.get(Subject(field))
                    for field in (Field.NAMESPACE, Field.POD, Field.CONTAINER)
                },
            }
    may_be = (
        all(not _is_barred(each[0], is_known=is_known) for each in sets.values())
        for is_known in (False, True)
    )
    if says_all(box, *LATE) and not any(may_be):
        raise NoTaskError
    return None


def _late(sets: Sequence[Strings], *, is_known: bool) -> bytes | None:
    """A value, or the empty string for none; None if neither is found."""
    if any(each.absent if is_known else each.unknown for each in sets):
        return b""
    return first_of(sets)


def _is_barred(values: Strings, *, is_known: bool) -> bool:
    return not (values.absent if is_known else values.unknown) and has_none(values)


# ---- numbers ------------------------------------------------------------------------------------


def _ids(box: Box) -> Part:
    numbers = {
        field: _nearest(box.get(Subject(field), ((0, 0),))) for field in of_kind(Kind.NUMBER)
    }
    known: dict[Field, dict[bytes, int]] = {}
    for field in of_kind(Kind.ID):
        numbers[field], known[field] = _id(box, field)
    return {"numbers": numbers, "users": known[Field.UID], "groups": known[Field.GID]}


def _nearest(ranges: Any) -> int:
    """The number of some ranges that is nearest to 0."""
    numbers: list[int] = [min(max(low, 0), high) for low, high in ranges]
    return min(numbers, key=abs)


def _id(box: Box, field: Field) -> tuple[int, dict[bytes, int]]:
    """A number, and the names of users or groups that have it."""
    named = [
        (key[1], values)
        for key, values in box.items()
        if isinstance(key, tuple) and key[0] == Subject(field)
    ]
    barred = frozenset[bytes]().union(*(names for names, values in named if values == NO))
    wanted = [names - barred for names, values in named if values == YES]
    if not all(wanted):
        raise NoTaskError
    ranges: Any = box.get(Subject(field), (field.row.bounds,))
    for number in _numbers(ranges, (1000, 0) if wanted else (0, 1000)):
        names = _common_names(wanted, number)
        if names is not None and (number != 0 or _ROOT not in barred):
            return number, {_ROOT: 0, **dict.fromkeys(names, number)}
    raise NoTaskError


def _common_names(wanted: Sequence[frozenset[bytes]], number: int) -> list[bytes] | None:
    """Names of which each set has one, as few as can be; None without one. Root has number 0."""
    sets = [names - {_ROOT} if number else names for names in wanted]
    if not all(sets):
        return None
    if number == 0:
        sets = [names for names in sets if _ROOT not in names]
    common = frozenset.intersection(*sets) if sets else frozenset[bytes]()
    return [min(names) for names in ([common] if common else sets)]


def _numbers(ranges: Ranges, usual: Iterable[int]) -> Iterator[int]:
    """Some numbers of ranges, the usual first."""
    for number in usual:
        if any(low <= number <= high for low, high in ranges):
            yield number
    for low, high in ranges:
        yield from (low, high)


# ---- calls --------------------------------------------------------------------------------------


def _calls(box: Box, asked: Iterable[Calls]) -> Part:
    """The calls that are recent enough. One that the task makes also counts `via softirq`."""
    ages: dict[tuple[str, bool], int] = {}
    for function in {key[1] for key in box if isinstance(key, tuple) and key[0] == "calls"}:
        own: Any = box.get(("calls", function, False), ((0, _NEVER),))
        either: Any = box.get(("calls", function, True), ((0, _NEVER),))
        ages[function, False] = max(high for _, high in own)
        earlier = [
            min(high, ages[function, False]) for low, high in either if low <= ages[function, False]
        ]
        if not earlier:
            raise NoTaskError
        ages[function, True] = max(earlier)
    recent = (
        call
        for call in asked
        if ages.get((call.function, call.via_softirq), _NEVER) <= call.within_ns
    )
    return {"calls": frozenset(recent)}
