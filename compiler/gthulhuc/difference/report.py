# SPDX-License-Identifier: Apache-2.0
"""The differences between two policies, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gthulhuc.checked import Policy, Predicate
from gthulhuc.diagnostics.human import visible
from gthulhuc.difference import changes
from gthulhuc.difference.changes import Change, ClassChange
from gthulhuc.difference.tasks import Move, moves
from gthulhuc.explanation import predicate_text
from gthulhuc.reference import Classification, Task
from gthulhuc.testing import written


@dataclass(frozen=True)
class Difference:
    """All that differs between two policies."""

    moves: tuple[Move, ...]
    classes: tuple[ClassChange, ...]
    settings: tuple[Change, ...]
    tunables: tuple[Change, ...]
    promises: tuple[Change, ...]
    whens: tuple[Change, ...]

    def __bool__(self) -> bool:
        values = (self.settings, self.tunables, self.promises, self.whens)
        return any((self.moves, self.classes, *values))


def compare(old: Policy, new: Policy) -> Difference:
    """Returns the differences between two policies."""
    return Difference(
        tuple(moves(old, new)),
        tuple(changes.classes(old, new)),
        tuple(changes.settings(old, new)),
        tuple(changes.tunables(old, new)),
        tuple(changes.promises(old, new)),
        tuple(changes.whens(old, new)),
    )


# ---- for people ---------------------------------------------------------------------------------


def to_text(found: Difference) -> str:
    """Returns the differences as lines; an empty text without any."""
    certain = [move for move in found.moves if move.witness is not None]
    undecided = [move for move in found.moves if move.witness is None]
    sections = (
        ("tasks that change class", [line for move in certain for line in _moved(move)]),
        ("tasks that may change class (undecided)", list(map(_pair, undecided))),
        ("actions", [line for each in found.classes for line in _class(each)]),
        ("settings", list(_changed(found.settings))),
        ("tunables", list(_changed(found.tunables))),
        ("promises", list(_changed(found.promises))),
        ("conditions", list(_changed(found.whens))),
    )
    texts = [
        "\n".join([f"{title}:", *(f"  {line}" for line in lines)])
        for title, lines in sections
        if lines
    ]
    shown = "\n\n".join(texts)
    return "".join(visible(line) + "\n" for line in shown.split("\n")) if shown else ""


def _pair(move: Move) -> str:
    if move.before is None:
        return "of the other classes: the policies differ too much to compare them all"
    return f"{move.before} -> {move.after}"


def _moved(move: Move) -> Iterator[str]:
    assert move.witness is not None
    yield _pair(move)
    yield f"  such as  {facts_of(move.witness)}"
    for title, found in (("was", move.old), ("is", move.new)):
        for number, part in enumerate(_decided(found)):
            yield f"  {'' if number else title:<8} {predicate_text(part)}"


def facts_of(task: Task) -> str:
    """Returns the facts of a witness as a line of a test has them, and what no line can say."""
    has_some = bool(task.labels or task.namespace or task.pod or task.container)
    more = "" if task.labels_known or not has_some else ", and nothing else is known about its pod"
    rules = " and ".join(f"`{name}`" for name in sorted(task.inherits))
    heir = f", started by a task of {rules}" if rules else ""
    return written(task) + more + heir


def _decided(found: Classification | None) -> tuple[Predicate, ...]:
    return () if found is None else found.decided


def _class(change: ClassChange) -> Iterator[str]:
    if not change.is_old or not change.is_new:
        yield f"{change.name} is only in the {'new' if change.is_new else 'old'} policy"
        listed = (f"{each.name} {each.new or each.old or ''}".strip() for each in change.actions)
        yield f"  {', '.join(listed)}"
        return
    yield change.name
    yield from (f"  {line}" for line in _changed(change.actions))


def _changed(found: Sequence[Change]) -> Iterator[str]:
    width = max((len(each.name) for each in found), default=0)
    for each in found:
        yield f"{each.name:<{width}}  {_side(each.old)} -> {_side(each.new)}"


def _side(text: str | None) -> str:
    return "none" if text is None else text or "yes"


# ---- for programs -------------------------------------------------------------------------------


def to_json(found: Difference) -> dict[str, Any]:
    """Returns the differences as plain data."""
    return {
        "different": bool(found),
        "tasks": [_move_json(move) for move in found.moves],
        "classes": [
            {
                "class": each.name,
                "change": "changed"
                if each.is_old and each.is_new
                else "added"
                if each.is_new
                else "removed",
                "actions": _json(each.actions),
            }
            for each in found.classes
        ],
        "settings": _json(found.settings),
        "tunables": _json(found.tunables),
        "promises": _json(found.promises),
        "whens": _json(found.whens),
    }


def _json(found: Iterable[Change]) -> list[dict[str, str | None]]:
    return [{"name": each.name, "old": each.old, "new": each.new} for each in found]


def _move_json(move: Move) -> dict[str, Any]:
    return {
        "old": move.before,
        "new": move.after,
        "certain": move.witness is not None,
        "witness": None if move.witness is None else facts_of(move.witness),
        "decided": {
            side: [{"predicate": part.span.one_line, **part.span.place} for part in _decided(found)]
            for side, found in (("old", move.old), ("new", move.new))
        },
    }
