# SPDX-License-Identifier: Apache-2.0
"""Converts the conditions of system76-scheduler to predicates.

The daemon compares names of programs' files; here they are the names of processes, of 15 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gthulhuc.importers.command_regex import COMM_MAX
from gthulhuc.importers.document import one_of
from gthulhuc.importers.outcomes import Note, Outcome
from gthulhuc.importers.system76_files import Node
from gthulhuc.passes.reading.paths import path_problem
from gthulhuc.records import dataclass
from gthulhuc.syntax.text import quote

_FIELDS = {"cgroup": "cgroup", "name": "process", "parent": "parent", "descends": "ancestor"}
_LONGEST = 512  # the compiler's time grows with the square of a pattern's length
ALWAYS = "true"
_NEVER = "false"

NAME = (
    "the name of the program's file becomes that of the process, cut off after 15 bytes; they "
    "differ for scripts and for programs that rename themselves"
)
_SAID = {
    "name": NAME,
    "parent": "the parent is the one at the fork, by the name of its process",
    "descends": "the ancestors are those at the fork, by the names of their processes",
}
_EXCEPTED = (
    "system76-scheduler 2.0 does not read it in `exceptions`, and excepts every process; here it is"
    " a condition as in `assignments`"
)


_REPLACED = (
    f"{_SAID['descends']}; a program that such a program executes in its place, as in `nice make`, "
    "is not taken"
)


class ConditionError(Exception):
    """A condition that takes no task here; the message says why."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The comparisons of one `include` or `exclude`, all of which must hold."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """A predicate; it can be part of a larger one."""
        if not self.parts:
            return ALWAYS
        return self.parts[0] if len(self.parts) == 1 else f"({' and '.join(self.parts)})"


def short(name: str) -> bytes:
    """Returns a name as the kernel keeps it."""
    return name.encode()[:COMM_MAX]


def is_text(value: str) -> bool:
    """Whether a name can contain a text."""
    return "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def is_condition(key: str) -> bool:
    """Whether a property of an `include` is a condition."""
    return key in _FIELDS


def to_condition(node: Node, notes: list[Note], *, is_exception: bool = False) -> Condition:
    """Returns the predicate of an `include` or `exclude`, and adds notes about its keys.

    Raises ConditionError.
    """
    parts: list[str] = []
    for key, value in node.properties.items():
        if key not in _FIELDS:
            continue
        if not isinstance(value.value, str):
            raise ConditionError(f"`{key}` expects text, found {value}")
        text = _comparison(key, value.value, is_exception=is_exception)
        if text != ALWAYS:
            parts.append(text)
        outcome = Outcome.KEPT if key == "cgroup" else Outcome.APPROXIMATED
        said = _SAID.get(key, "")
        if is_exception and key in ("cgroup", "name"):
            outcome, said = Outcome.APPROXIMATED, _EXCEPTED
        elif is_exception and key == "descends":
            said = _REPLACED
        notes.append(Note(node.place, key, outcome, said))
    if not any(key in _FIELDS for key in node.properties):
        raise ConditionError("it has no condition")
    return Condition(tuple(parts))


def _comparison(key: str, written: str, *, is_exception: bool) -> str:
    """Raises ConditionError."""
    is_not = written.startswith("!")
    pattern = written[1:] if is_not else written
    if not is_text(pattern):
        raise ConditionError(f"`{key}` has a character that no name can contain")
    if len(pattern.encode()) > _LONGEST:
        raise ConditionError(f"`{key}` is longer than {_LONGEST} bytes")
    if key == "descends" and is_not:
        raise ConditionError(
            "`descends` with `!` asks for an ancestor of another name, which every process has"
        )
    if key == "descends" and is_exception and not pattern.strip("*"):
        raise ConditionError(f'`descends="{written}"` excepts every process')
    field = _FIELDS[key]
    if not pattern or (key == "cgroup" and not _is_path(pattern)):
        text = _NEVER
    elif not pattern.strip("*"):
        text = ALWAYS
    else:
        text = _glob(field, pattern)
    if text in (ALWAYS, _NEVER):
        if is_not == (text == ALWAYS):
            raise ConditionError(f'no process meets `{key}="{written}"`')
        return ALWAYS
    return f"not {text}" if is_not else text


def _is_path(pattern: str) -> bool:
    """Whether a cgroup can have the path."""
    if "*" in pattern or "?" in pattern:
        return pattern.startswith(("/", "*", "?"))
    return path_problem(pattern.encode(), may_end_in_slash=False) is None


def _glob(field: str, pattern: str) -> str:
    """A comparison with a pattern: `*` stands for any characters, `?` for one.

    Raises ConditionError.
    """
    data = pattern.encode()
    literal = re.split(rb"[*?]", data, maxsplit=1)[0]
    if field != "cgroup" and len(literal) >= COMM_MAX:
        return one_of(field, [data[:COMM_MAX]])
    if literal == data:
        return one_of(field, [data])
    if field != "cgroup" and len(data.replace(b"*", b"")) > COMM_MAX:
        raise ConditionError(
            f"`{pattern}` takes no name of {COMM_MAX} bytes, and none has more here"
        )
    return f"{field} ~ {quote(data.replace(b'[', b'[[]'))}"


def any_of(conditions: Iterable[Condition]) -> str:
    """Returns a predicate that holds if one of the conditions does."""
    texts = list(dict.fromkeys(condition.text for condition in conditions))
    if ALWAYS in texts:
        return ALWAYS
    return texts[0] if len(texts) == 1 else f"({' or '.join(texts)})"
