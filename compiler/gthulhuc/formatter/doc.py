# SPDX-License-Identifier: Apache-2.0
"""Documents with possible line breaks, and their layout as lines.

The algorithm is that of Philip Wadler's "A prettier printer" (2003): a group goes on one line if it
fits; otherwise all its own breaks become line breaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from gthulhuc.records import dataclass


@dataclass(frozen=True, slots=True)
class Break:
    """`flat` if its group fits on the line, else a line break."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class HardBreak:
    """Always a line break; `blank` adds an empty line."""

    blank: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment at the end of the line; a HardBreak must follow."""

    text: str


@dataclass(frozen=True, slots=True)
class IfBroken:
    """Text that appears only if its group is broken."""

    text: str


@dataclass(frozen=True, slots=True)
class Nest:
    """Lines that start inside are indented by `by` columns."""

    by: int
    content: Doc
    is_hard: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Content that goes on one line if it fits and contains no hard break."""

    content: Doc
    is_hard: bool


Doc: TypeAlias = "str | Break | HardBreak | Remark | IfBroken | Nest | Group | tuple[Doc, ...]"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output, and the comment at its end."""

    text: str
    remark: str | None = None
    blank_before: bool = False


def nest(by: int, *content: Doc) -> Nest:
    """Returns the content with its lines indented."""
    return Nest(by, content, _is_hard(content))


def group(*content: Doc) -> Group:
    """Returns the content as a group."""
    return Group(content, _is_hard(content))


def _is_hard(doc: Doc) -> bool:
    match doc:
        case HardBreak() | Remark():
            return True
        case Nest() | Group():
            return doc.is_hard
        case tuple():
            return any(_is_hard(part) for part in doc)
        case _:
            return False


_Todo: TypeAlias = "tuple[int, bool, Doc]"


def render(doc: Doc, indent: int, width: int) -> list[Line]:
    """Returns the lines of a document, all with the same base indentation."""
    lines: list[Line] = []
    text, remark, blank = " " * indent, None, False
    todo: list[_Todo] = [(indent, False, doc)]
    while todo:
        margin, is_flat, part = todo.pop()
        match part:
            case str():
                text += part
            case tuple():
                todo.extend((margin, is_flat, inner) for inner in reversed(part))
            case Nest():
                todo.append((margin + part.by, is_flat, part.content))
            case Group():
                room = width - len(text)
                fits = not part.is_hard and _fits(room, (margin, True, part.content), todo)
                todo.append((margin, is_flat or fits, part.content))
            case IfBroken():
                text += "" if is_flat else part.text
            case Remark():
                remark = part.text
            case Break() if is_flat:
                text += part.flat
            case Break() | HardBreak():
                lines.append(Line(text.rstrip(), remark, blank))
                blank = isinstance(part, HardBreak) and part.blank
                text, remark = " " * margin, None
    lines.append(Line(text.rstrip(), remark, blank))
    return lines


def _fits(room: int, first: _Todo, rest: Sequence[_Todo]) -> bool:
    """Whether the text up to the next line break fits."""
    todo = [first]
    following = len(rest)
    while room >= 0:
        if not todo:
            if following == 0:
                return True
            following -= 1
            todo.append(rest[following])
            continue
        margin, is_flat, part = todo.pop()
        match part:
            case str():
                room -= len(part)
            case tuple():
                todo.extend((margin, is_flat, inner) for inner in reversed(part))
            case Nest():
                todo.append((margin, is_flat, part.content))
            case Group():
                todo.append((margin, is_flat or not part.is_hard, part.content))
            case IfBroken():
                room -= 0 if is_flat else len(part.text)
            case Break() if is_flat:
                room -= len(part.flat)
            case Break() | HardBreak() | Remark():
                return True
    return False
