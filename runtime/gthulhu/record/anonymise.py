# SPDX-License-Identifier: Apache-2.0
"""Replaces names in a record by pseudonyms, but for those that a policy asks for.

A name has the same pseudonym wherever it is. Pseudonyms are numbered as names appear, so none can
be guessed from a list of known names.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gthulhu.record import columns, labels
from gthulhu.record.columns import TASK_WORDS, Row
from gthulhu.record.events import Code
from gthulhu.record.framing import Block, Kind, json_block
from gthulhuc import checked, reference
from gthulhuc.fields import LATE, Field
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.reference import Task

_NAMED = {Code.TASK, Code.PROGRAM, Code.RENAME, Code.CGROUP}
_COMM_BYTES = 16
_COMM_AT = TASK_WORDS * 8 - _COMM_BYTES
_UNIT = re.compile(rb".*(\.(?:service|scope|slice|socket|mount))", re.DOTALL)
_COMMS = frozenset({Field.COMM, Field.PROCESS, Field.PARENT, Field.ANCESTOR})
_CGROUPS = frozenset({Field.CGROUP, Field.UNIT, Field.QOS})
_PUBLIC = ("kernel", "scheduler", "cpus", "model", "memory_kb", "began", "gthulhu", "recorder",
    "imported",
)  # fmt: skip


class Asked:
    """Whether policies ask for a name."""

    def __init__(self, policies: Iterable[checked.Policy] = ()) -> None:
        self._tests = [test for policy in policies for test in _tests(policy)]

    def comm(self, name: bytes) -> bool:
        """Whether a policy asks for this name of a task."""
        task = Task(comm=name, process=name, parent=name, ancestors=(name,))
        return self._holds(_COMMS, task)

    def cgroup(self, path: bytes) -> bool:
        """Whether a policy asks for this path of a control group, or its unit."""
        return self._holds(_CGROUPS, Task(cgroup=path))

    def program(self, path: bytes) -> bool:
        """Whether a policy asks for this path of a program."""
        return self._holds({Field.EXE}, Task(exe=path))

    def argument(self, text: bytes) -> bool:
        """Whether a policy asks for this argument of a program, wherever it is."""
        return self._holds({Field.CMDLINE}, Task(cmdline=(text,)))

    def fact(self, kind: str, value: bytes) -> bool | None:
        """Whether a policy asks for this value of a label, a pod or the like; None: for no value.

        `kind`: `label:tier`, `namespace`, `pod` or `container`.
        """
        name, _, key = kind.partition(":")
        tests = [
            test
            for test in self._tests
            if test.subject.field in LATE
            and test.subject.field.value == name
            and test.subject.key == (os.fsencode(key) or None)
        ]
        if not tests:
            return None
        task = _with_fact(tests[0].subject, value)
        return any(
            reference.value(test, task) is True
            for test in tests
            if not isinstance(test, checked.Has)
        )

    def _holds(self, fields: Iterable[Field], task: Task) -> bool:
        return any(
            reference.value(test, task) is True
            for test in self._tests
            if test.subject.field in fields
        )


_Test = checked.Equals | checked.Glob | checked.Regex | checked.Under | checked.Has


def _tests(policy: checked.Policy) -> Iterator[_Test]:
    """The comparisons of texts in a policy's rules; one argument is as good as another."""
    for rule in policy.rules:
        for leaf in leaves(rule.match):
            if isinstance(leaf, _Test):
                yield _without_key(leaf)


def _with_fact(subject: checked.Subject, value: bytes) -> Task:
    match subject.field:
        case Field.NAMESPACE:
            return Task(namespace=value)
        case Field.POD:
            return Task(pod=value)
        case Field.CONTAINER:
            return Task(container=value)
    return Task(labels={subject.key or b"": value})


def _without_key(test: _Test) -> _Test:
    from dataclasses import replace

    if test.subject.field is not Field.CMDLINE:
        return test
    return replace(test, subject=checked.Subject(Field.CMDLINE))


@dataclass(slots=True)
class Anonymiser:
    """Replaces the names in the blocks of one record, which are given in their order."""

    asked: Asked
    _pseudonyms: dict[str, dict[bytes, bytes]] = field(default_factory=dict)

    def info(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """The content of the first block, without names."""
        return {name: info[name] for name in _PUBLIC if name in info} | {"anonymised": True}

    def block(self, block: Block) -> Block:
        """A block, without names. Raises ValueError if it is not valid."""
        header = block.header
        if header.kind == Kind.LABELS:
            return self._labels(block)
        kinds = set(block.content[: header.events])
        if header.kind != Kind.EVENTS or not kinds & _NAMED:
            return block
        found = [self._row(row) for row in columns.rows(header, block.content)]
        content = columns.encode(found)
        return Block(header._replace(size=len(content), stored=len(content)), content)

    def _row(self, row: Row) -> Row:
        change = self._changes().get(row.code)
        return row if change is None else row._replace(words=change(row.words))

    def _changes(self) -> dict[int, Callable[[bytes], bytes]]:
        return {
            Code.TASK: self._task,
            Code.RENAME: self._comm,
            Code.CGROUP: self._cgroup,
            Code.PROGRAM: self._program,
        }

    def _task(self, words: bytes) -> bytes:
        if len(words) < TASK_WORDS * 8:
            raise ValueError("an event is too short")
        end = _COMM_AT + _COMM_BYTES
        return words[:_COMM_AT] + self._comm(words[_COMM_AT:end]) + words[end:]

    def _comm(self, words: bytes) -> bytes:
        name = words.partition(b"\0")[0]
        if not self.asked.comm(name):
            name = self._pseudonym("task", name)
        return name.ljust(_COMM_BYTES, b"\0")

    def _cgroup(self, words: bytes) -> bytes:
        return words[:8] + _padded(self._path(words[8:].partition(b"\0")[0]) + b"\0")

    def _path(self, path: bytes) -> bytes:
        """The path of a control group."""
        parts = path.split(b"/")
        kept = self._kept(parts, self.asked.cgroup)
        new = [part if place < kept else self._group(part) for place, part in enumerate(parts)]
        return b"/".join(new)

    def _group(self, part: bytes) -> bytes:
        """A component; what kind of systemd unit it is, is no name."""
        unit = _UNIT.fullmatch(part)
        return self._pseudonym("group", part) + (unit[1] if unit else b"")

    def _labels(self, block: Block) -> Block:
        found = labels.of_json(json.loads(block.content)).changed(
            lambda path: os.fsdecode(self._path(os.fsencode(path))), self._fact
        )
        return json_block(Kind.LABELS, found.as_json(), block.header.begin_ns)

    def _fact(self, text: str) -> str | None:
        """A fact that a policy asks for, with its value only if a rule compares it with that."""
        kind, _, shown = text.partition("=")
        value = os.fsencode(shown)
        asked = self.asked.fact(kind, value)
        if asked is None:
            return None
        return text if asked else f"{kind}={self._pseudonym('value', value).decode()}"

    def _program(self, words: bytes) -> bytes:
        path, _, rest = words.partition(b"\0")
        parts = path.split(b"/")
        kept = self._kept(parts, self.asked.program)
        new = [
            part if place < kept else self._pseudonym("file", part)
            for place, part in enumerate(parts)
        ]
        arguments = rest.rstrip(b"\0").split(b"\0")
        shown = (
            each if self.asked.argument(each) else self._pseudonym("argument", each)
            for each in arguments
        )
        return _padded(b"\0".join([b"/".join(new), *shown]) + b"\0")

    @staticmethod
    def _kept(parts: list[bytes], asks: Callable[[bytes], bool]) -> int:
        """How many components of a path make a path that is asked for."""
        for number in range(len(parts), 1, -1):
            if asks(b"/".join(parts[:number])):
                return _least(parts, number, asks)
        return 0

    def _pseudonym(self, kind: str, name: bytes) -> bytes:
        if not name:
            return name
        known = self._pseudonyms.setdefault(kind, {})
        return known.setdefault(name, f"{kind}-{len(known) + 1}".encode())


def _least(parts: list[bytes], number: int, asks: Callable[[bytes], bool]) -> int:
    """The fewest components for which the answer is the same: `under` asks for all below one."""
    while number > 2 and asks(b"/".join(parts[: number - 1])):
        number -= 1
    return number


def _padded(text: bytes) -> bytes:
    """A text as words."""
    text = text[: 255 * 8]
    return text.ljust(struct.calcsize("Q") * -(-len(text) // 8), b"\0")
