# SPDX-License-Identifier: Apache-2.0
"""Finds a task in a box of `passes.reasoning.logic`, or proves that the box is empty.

In a box each subject has a set of values of its own, but some subjects depend on each other: a main
thread has the name of its process, a parent is an ancestor, a unit follows from the cgroup. So a
task is found in parts, each for the subjects that depend on each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

from gthulhuc.checked import Calls, Subject
from gthulhuc.fields import (
    ARGUMENT_MAX,
    ARGUMENTS_MAX,
    COMM_MAX,
    LATE,
    QOS_CLASSES,
    Field,
    Kind,
    of_kind,
)
from gthulhuc.passes.reading.paths import path_problem
from gthulhuc.passes.reading.strings import literal_glob
from gthulhuc.passes.reasoning.languages import Strings, all_of, glob_pattern, regex_pattern
from gthulhuc.passes.reasoning.logic import NO, YES, Box, Ranges
from gthulhuc.reference import Task, qos_of, unit_of
from gthulhuc.testing import PODS

INHERITS = "inherits"
"""The first part of a subject: whether a rule with `inherit` took what started the task."""
_EITHER: Ranges = ((0, 1),)
_NEVER = 2**63  # the age of a call that has not happened
_FEW = 20  # of many patterns, to look for a word in
_ROOT = b"root"
_NAMES = Strings(longest=COMM_MAX)
_NOT_EMPTY = Strings(excluded=frozenset((b"",)))

Part: TypeAlias = dict[str, Any]
"""Some members of a task, by their names."""


class NoTaskError(Exception):
    """There is certainly no task in a box."""


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


# ---- sets ---------------------------------------------------------------------------------------


def _sets(box: Box, subject: Subject, otherwise: Strings) -> list[Strings]:
    """Sets of values of a subject; each is enough, but trials must confirm what is in it."""
    found = box.get(subject, otherwise)
    assert isinstance(found, Strings)
    sets = [found]
    for key, values in box.items():
        match key:
            # Too many globs for one automaton: any of the first will do.
            case (Subject() as other, frozenset() as globs) if other == subject and values == YES:
                patterns = [glob_pattern((each,)) for each in sorted(globs)[:_FEW]]
                some = [Strings(within=frozenset((each,))) for each in patterns if each]
                sets = [_common(*pair) for pair in product(sets, some)]
    return sets


def _is_exact(box: Box, *fields: Field) -> bool:
    """Whether the sets of some fields say all that the box says about them."""
    return not any(isinstance(key, tuple) and _field(key) in fields for key in box)


def _field(key: Hashable) -> Field | None:
    """The field of a subject, or of a set that a subject is in or not."""
    subject = key[0] if isinstance(key, tuple) else key
    return subject.field if isinstance(subject, Subject) else None


def _common(one: Strings, *others: Strings) -> Strings:
    """The strings that are in all sets; those of the first have the greatest length."""
    return replace(all_of([one, *others]), longest=one.longest, _known={})


def _word(*sets: Strings) -> bytes | None:
    """A string that is in all sets, not the empty one if there is another."""
    return _common(*sets, _NOT_EMPTY).word() or _common(*sets).word()


def _has_none(*sets: Strings) -> bool:
    """Whether there is certainly no string in all sets."""
    return replace(_common(*sets), absent=False, unknown=False, _known={}).is_empty()


# ---- names --------------------------------------------------------------------------------------


def _names(box: Box) -> Part | None:
    comms = _sets(box, Subject(Field.COMM), _NAMES)
    processes = _sets(box, Subject(Field.PROCESS), _NAMES)
    leader = box.get(Subject(Field.LEADER), _EITHER)
    if not any(_field(key) in (Field.COMM, Field.PROCESS) for key in box):
        return {"comm": b"", "process": b"", "leader": leader != NO}
    for pair in product(comms, processes):
        name = _word(*pair)
        if name is not None:
            return {"comm": name, "process": name, "leader": leader != NO}
    if leader == YES:
        if _is_exact(box, Field.COMM, Field.PROCESS) and _has_none(comms[0], processes[0]):
            raise NoTaskError
        return None
    comm, process = _first(comms), _first(processes)
    if comm is None or process is None:
        return None
    return {"comm": comm, "process": process, "leader": False}


def _first(sets: Sequence[Strings], *others: Strings) -> bytes | None:
    words = (_word(each, *others) for each in sets)
    return next((word for word in words if word is not None), None)


# ---- ancestors ----------------------------------------------------------------------------------


def _family(box: Box) -> Part | None:
    wanted, allowed, is_exact = _many(box, Field.ANCESTOR, _NAMES)
    is_exact = is_exact and _is_exact(box, Field.PARENT)
    ancestors: list[bytes] = []
    for sets in wanted:
        if any(each.has(name) for each in sets for name in ancestors):
            continue
        name = _first(sets, allowed)
        if name is None:
            if is_exact and all(_has_none(each, allowed) for each in sets):
                raise NoTaskError
            return None
        ancestors.append(name)
    return _with_parent(box, ancestors, allowed, is_exact=is_exact)


def _many(box: Box, field: Field, allowed: Strings) -> tuple[list[list[Strings]], Strings, bool]:
    """Of a field with several values: sets of which each needs a value, and the allowed values.

    The last says whether these are all that the box says.
    """
    wanted: list[list[Strings]] = []
    is_exact = True
    for key, values in box.items():
        if not isinstance(key, tuple) or not str(key[0]).startswith(field.value):
            continue
        keys = key[1] if key[0] == f"{field.value}s" else [key]
        sets = [found for each in keys if (found := _of_one(each, allowed.longest)) is not None]
        is_exact = is_exact and len(sets) == len(keys)
        if values == YES:
            wanted.append(sets)
        else:
            for each in sets:
                allowed = _common(allowed, *each.complement(has_absent=False, is_late=False))
    return wanted, allowed, is_exact


def _of_one(key: tuple[str, Any], longest: int | None) -> Strings | None:
    """The values for which a subject of a field with several values holds."""
    kind, written = key
    if " " not in kind:
        return Strings(frozenset((written,)), longest=longest)
    pattern = regex_pattern(written) if kind.endswith("=~") else glob_pattern((written,))
    return None if pattern is None else Strings(within=frozenset((pattern,)), longest=longest)


def _with_parent(
    box: Box, ancestors: list[bytes], allowed: Strings, *, is_exact: bool
) -> Part | None:
    """The task's ancestors, with a parent whose name is allowed, too."""
    sets = _sets(box, Subject(Field.PARENT), replace(_NAMES, absent=True))
    known = next((name for name in ancestors for each in sets if each.has(name)), None)
    if known is None and (ancestors or not any(each.absent for each in sets)):
        known = _first(sets, allowed)
    if known is None and not any(each.absent for each in sets):
        if is_exact and all(_has_none(each, allowed) for each in sets):
            raise NoTaskError
        return None
    above = ancestors if known is None else [known, *ancestors]
    return {"parent": known, "ancestors": tuple(dict.fromkeys(above))}


# ---- cgroups ------------------------------------------------------------------------------------

_VALID = regex_pattern(rb"/|(/[^/]+)+")
assert _VALID is not None
_PATHS = Strings(within=frozenset((_VALID,)))
_UNIT = regex_pattern(rb"[^/]+\.(service|scope)")
assert _UNIT is not None
_UNIT_NAMES = Strings(within=frozenset((_UNIT,)))
_SERVICE = regex_pattern(rb"[^/]+\.service")
assert _SERVICE is not None
_SERVICES = Strings(within=frozenset((_SERVICE,)))
_ABSENT = Strings(absent=True)
_FOLDERS = {
    b"guaranteed": b"/kubepods/pod0",
    b"burstable": b"/kubepods/burstable/pod0",
    b"best-effort": b"/kubepods/besteffort/pod0",
}


def _place(box: Box) -> Part | None:
    paths, units, classes = (
        _sets(box, Subject(field), otherwise)
        for field, otherwise in (
            (Field.CGROUP, _PATHS),
            (Field.UNIT, _ABSENT),
            (Field.QOS, _ABSENT),
        )
    )
    for path, unit, qos in product(paths, units, classes):
        for place in _places(path, unit, qos):
            if _fits(place, path, unit, qos):
                return {"cgroup": place}
    for field, sets, known in ((Field.CGROUP, paths, _PATHS), (Field.UNIT, units, _UNIT_NAMES)):
        if _is_exact(box, field) and not sets[0].absent and _has_none(sets[0], known):
            raise NoTaskError
    if _is_exact(box, Field.CGROUP, Field.UNIT, Field.QOS):
        path, unit, qos = paths[0], units[0], classes[0]
        # Each of a few paths has one unit and one class.
        if path.values is not None and not any(_fits(p, path, unit, qos) for p in path.values):
            raise NoTaskError
    return None


def _fits(place: bytes, path: Strings, unit: Strings, qos: Strings) -> bool:
    found_unit, found_class = unit_of(place), qos_of(place)
    return (
        path_problem(place, may_end_in_slash=False) is None
        and path.has(place)
        and (unit.absent if found_unit is None else unit.has(found_unit))
        and (qos.absent if found_class is None else qos.has(found_class))
    )


def _places(path: Strings, unit: Strings, qos: Strings) -> Iterator[bytes]:
    """Paths of a set that may have a unit and a class of pods."""
    yield b"/"
    yield from sorted(path.values or ())[:_FEW]
    if (found := _common(path, _PATHS).word()) is not None:
        yield found
    for folder, name in product(_folders(qos), _units(unit)):
        tail = folder if name is None else folder + b"/" + name
        yield tail
        yield b"/system.slice" + tail
        ending = glob_pattern((b"*" + literal_glob(tail),))
        assert ending is not None
        ends = Strings(within=frozenset((ending,)))
        for plain in (_plain(unit=name, folder=folder), Strings()):
            found = _common(path, _PATHS, ends, plain).word()
            if found is not None:
                yield found


def _plain(*, unit: bytes | None, folder: bytes) -> Strings:
    """Paths that have no other unit, and no other pod."""
    barred = (b"*.service", b"*.service/*", b"*.scope", b"*.scope/*") * (unit is None)
    barred += (b"*pod*",) * (folder == b"")
    patterns = (glob_pattern((each,)) for each in barred)
    return Strings(without=frozenset(each for each in patterns if each is not None))


def _folders(qos: Strings) -> Iterator[bytes]:
    """Ends of paths with an allowed class of pods."""
    if qos.absent:
        yield b""
    for name in QOS_CLASSES:
        if qos.has(name):
            yield PODS[name]
            yield _FOLDERS[name]


def _units(unit: Strings) -> Iterator[bytes | None]:
    """Some names of units in a set; None for no unit."""
    if unit.absent:
        yield None
    for names in (_SERVICES, _UNIT_NAMES):
        if (found := _common(unit, names).word()) is not None:
            yield found


# ---- programs -----------------------------------------------------------------------------------

_FILE = regex_pattern(rb"(/[^/]+)+")
assert _FILE is not None
_FILES = Strings(within=frozenset((_FILE,)))
_ARGUMENTS = Strings(longest=ARGUMENT_MAX)


def _program(box: Box) -> Part | None:
    exes = _sets(box, Subject(Field.EXE), _ABSENT)
    exe = None
    if not any(each.absent for each in exes):
        exe = _first(exes, _FILES)
        if exe is None:
            if _is_exact(box, Field.EXE) and _has_none(exes[0], _FILES):
                raise NoTaskError
            return None
    arguments = _command(box)
    return None if arguments is None else {"exe": exe, "cmdline": tuple(arguments)}


def _command(box: Box) -> list[bytes] | None:
    """The arguments: those that are asked for by their numbers, and those of which any will do."""
    wanted, allowed, is_exact = _many(box, Field.CMDLINE, _ARGUMENTS)
    numbered = _numbered(box)
    is_exact = is_exact and _is_exact(box, Field.CMDLINE)
    needed = [place for place, sets in numbered.items() if not any(each.absent for each in sets)]
    arguments: list[bytes] = []
    free: list[int] = []
    for place in range(max(needed, default=-1) + 1):
        sets = numbered.get(place, [allowed])
        text = _first(sets, allowed)
        if text is None:
            if is_exact and all(_has_none(each, allowed) for each in sets):
                raise NoTaskError
            return None
        arguments.append(text)
        free += [place] * (place not in numbered)
    for sets in wanted:
        if any(each.has(text) for each in sets for text in arguments):
            continue
        if all(_has_none(each, allowed) for each in sets) and is_exact:
            raise NoTaskError
        place = free.pop() if free else len(arguments)
        own = numbered.get(place, [allowed])
        both = [_common(*pair) for pair in product(sets, own)]
        text = _first(both, allowed)
        if text is None or place >= ARGUMENTS_MAX:
            return None
        arguments[place : place + 1] = [text]
    return arguments


def _numbered(box: Box) -> dict[int, list[Strings]]:
    """The sets of the arguments that are asked about by their numbers."""
    keys = {key[0] if isinstance(key, tuple) else key for key in box}
    subjects = [key for key in keys if isinstance(key, Subject) and key.field is Field.CMDLINE]
    otherwise = replace(_ARGUMENTS, absent=True)
    return {int(each.key or b""): _sets(box, each, otherwise) for each in subjects}


# ---- pods ---------------------------------------------------------------------------------------


def _pod(box: Box) -> Part | None:
    """Facts about the task's pod. All are known, or those without a value are not."""
    named = (key[0] if isinstance(key, tuple) else key for key in box)
    subjects = [key for key in dict.fromkeys(named) if isinstance(key, Subject)]
    sets = {
        subject: _sets(box, subject, Strings(absent=True, unknown=True))
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
    if _is_exact(box, *LATE) and not any(may_be):
        raise NoTaskError
    return None


def _late(sets: Sequence[Strings], *, is_known: bool) -> bytes | None:
    """A value, or the empty string for none; None if neither is found."""
    if any(each.absent if is_known else each.unknown for each in sets):
        return b""
    return _first(sets)


def _is_barred(values: Strings, *, is_known: bool) -> bool:
    return not (values.absent if is_known else values.unknown) and _has_none(values)


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
