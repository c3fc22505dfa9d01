# SPDX-License-Identifier: Apache-2.0
"""Finds the cgroup of a task in a box: the unit, and the class of its pod, follow from the path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gthulhuc.checked import Subject
from gthulhuc.difference.values import ABSENT, FEW, NoTaskError, common, has_none, says_all, sets_of
from gthulhuc.fields import QOS_CLASSES, Field
from gthulhuc.passes.reading.paths import path_problem
from gthulhuc.passes.reading.strings import literal_glob
from gthulhuc.passes.reasoning.languages import Strings
from gthulhuc.passes.reasoning.logic import Box
from gthulhuc.passes.reasoning.patterns import glob_pattern, regex_pattern
from gthulhuc.reference import qos_of, unit_of
from gthulhuc.testing import PODS

_VALID = regex_pattern(rb"/|(/[^/]+)+")
assert _VALID is not None
_PATHS = Strings(within=frozenset((_VALID,)))
_UNIT = regex_pattern(rb"[^/]+\.(service|scope)")
assert _UNIT is not None
_UNIT_NAMES = Strings(within=frozenset((_UNIT,)))
_SERVICE = regex_pattern(rb"[^/]+\.service")
assert _SERVICE is not None
_SERVICES = Strings(within=frozenset((_SERVICE,)))
_FOLDERS = {
    b"guaranteed": b"/kubepods/pod0",
    b"burstable": b"/kubepods/burstable/pod0",
    b"best-effort": b"/kubepods/besteffort/pod0",
}


def cgroup_in(box: Box) -> bytes | None:
    """Returns the cgroup of a task in a box; None if it is hard to find. Raises NoTaskError."""
    paths, units, classes = (
        sets_of(box, Subject(field), otherwise)
        for field, otherwise in (
            (Field.CGROUP, _PATHS),
            (Field.UNIT, ABSENT),
            (Field.QOS, ABSENT),
        )
    )
    for path, unit, qos in product(paths, units, classes):
        for place in _places(path, unit, qos):
            if _fits(place, path, unit, qos):
                return place
    for field, sets, known in ((Field.CGROUP, paths, _PATHS), (Field.UNIT, units, _UNIT_NAMES)):
        if says_all(box, field) and not sets[0].absent and has_none(sets[0], known):
            raise NoTaskError
    if says_all(box, Field.CGROUP, Field.UNIT, Field.QOS):
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
    yield from sorted(path.values or ())[:FEW]
    if (found := common(path, _PATHS).word()) is not None:
        yield found
    for folder, name in product(_folders(qos), _units(unit)):
        tail = folder if name is None else folder + b"/" + name
        yield tail
        yield b"/system.slice" + tail
        ending = glob_pattern((b"*" + literal_glob(tail),))
        assert ending is not None
        ends = Strings(within=frozenset((ending,)))
        for plain in (_plain(unit=name, folder=folder), Strings()):
            found = common(path, _PATHS, ends, plain).word()
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
        if (found := common(unit, names).word()) is not None:
            yield found
