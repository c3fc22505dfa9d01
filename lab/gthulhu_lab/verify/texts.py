# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Texts that a comparison may be about, to try as a fact of a task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from gthulhuc import checked, globs, regexes
from gthulhuc.checked import Predicate
from gthulhuc.fields import COMM_MAX, Field, Kind, of_kind
from gthulhuc.passes.reasoning.contents import field_of

OF_A_PATH = (Field.CGROUP, Field.UNIT, Field.QOS)
"""Fields that follow from the path of a task's cgroup."""
_NAMES = of_kind(Kind.NAME)
_QOS = {
    b"guaranteed": b"/kubepods.slice/kubepods-pod1.slice",
    b"burstable": b"/kubepods.slice/kubepods-burstable-pod1.slice",
    b"best-effort": b"/kubepods.slice/kubepods-besteffort-pod1.slice",
}


def texts_of(leaf: Predicate) -> Iterator[bytes]:
    """Texts that a comparison may be about; paths where it is about a part of one."""
    match leaf:
        case checked.Under(paths=paths):
            yield from paths
            return
        case checked.Equals(values=values):
            texts: list[bytes] = list(values)
        case checked.Glob(patterns=patterns):
            texts = [text for pattern in patterns for text in _of_glob(pattern)]
        case checked.Regex(pattern=pattern):
            texts = list(islice(_of_regex(regexes.parse(pattern)), 8))
        case _:
            texts = [b"x"]
    subject = field_of(leaf)
    if subject is Field.UNIT:
        texts = [b"/" + text for text in texts] + [b"/x.service", b"/x.scope"]
    elif subject is Field.QOS:
        texts = list(_QOS.values())
    yield from texts
    if subject in OF_A_PATH:
        yield b"/x"


def is_possible(subject: Field, text: bytes) -> bool:
    """Whether a task can have this text: names are short, and paths are valid folders."""
    if b"\0" in text or b"\n" in text:
        return False
    if subject in _NAMES:
        return 0 < len(text) <= COMM_MAX
    if subject in OF_A_PATH:
        parts = text.split(b"/")[1:]
        fine = all(part not in (b"", b".", b"..") for part in parts)
        return text == b"/" or (text.startswith(b"/") and fine)
    return True


def _of_glob(pattern: bytes) -> Iterator[bytes]:
    """Some texts that match: `*` stands for nothing, and for a byte."""
    for star in (b"", b"x", b"/x"):
        text = b""
        for atom in globs.parse(pattern):
            text += star if isinstance(atom, globs.Star) else _byte(atom.bytes)
        yield text


def _of_regex(tree: regexes.Regex) -> Iterator[bytes]:
    """Some words of the expression, short ones first."""
    match tree:
        case regexes.OneOf(bytes=members):
            yield _byte(members)
        case regexes.Sequence(parts=parts):
            words = [list(islice(_of_regex(part), 4)) for part in parts]
            yield from (b"".join(word) for word in product(*words))
        case regexes.Choice(parts=parts):
            for part in parts:
                yield from _of_regex(part)
        case regexes.Repeat(part=part, low=low, high=high):
            for count in dict.fromkeys((low, low + 1 if high is None else high)):
                yield from (word * count for word in _of_regex(part))


def _byte(members: frozenset[int]) -> bytes:
    """One of a set, a letter where there is one."""
    usual = re.compile(rb"[A-Za-z0-9_-]")
    chosen = sorted(members, key=lambda byte: (not usual.match(bytes((byte,))), byte))
    return bytes((chosen[0],))
