# SPDX-License-Identifier: Apache-2.0
"""The labels of tasks, from the loader's response to `tasks`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gthulhu.control import Answer
    from gthulhuc.reference import Task

_PREFIX = "label:"  # marks a label; other facts are a namespace, a pod or a container


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """One label or name of a task: its own, or its container's.

    `text`: as the loader writes it, `label:tier=web` or `pod=web-1`. `giver`: the process from
    which the task inherited it, if the loader knows.
    """

    text: str
    is_own: bool
    giver: int | None = None

    @property
    def kind(self) -> str:
        return self.text.partition("=")[0]

    @property
    def shown(self) -> str:
        return self.text.removeprefix(_PREFIX)


@dataclass(frozen=True, slots=True)
class Held:
    """All labels of a task. `cgroup`: its container's; None: no container is known.

    `complete`: a missing label does not exist; else it is unknown. `certain`: the scheduler has
    exactly these facts.
    """

    facts: tuple[LabelEntry, ...]
    cgroup: str | None
    complete: bool
    certain: bool

    def add_to(self, task: Task) -> Task:
        """The task with its labels, if they are certain."""
        if not self.certain:
            return task
        known = {fact.kind: fact.text.partition("=")[2].encode() for fact in self.facts}
        labels = {
            kind.removeprefix(_PREFIX).encode(): value
            for kind, value in known.items()
            if kind.startswith(_PREFIX)
        }
        return replace(
            task,
            labels=labels,
            namespace=known.get("namespace"),
            pod=known.get("pod"),
            container=known.get("container"),
            labels_known=self.complete,
        )

    def as_json(self) -> dict[str, Any]:
        facts = [
            {"fact": fact.text, "of": "task" if fact.is_own else "container", "from": fact.giver}
            for fact in self.facts
        ]
        return {"facts": facts, "cgroup": self.cgroup, "complete": self.complete}


class Labels:
    """The labels of all tasks in a response to `tasks`."""

    def __init__(self, answer: Answer) -> None:
        self._sets = {
            each["number"]: tuple(_own(each["facts"])) for each in answer["label_sets"]
        } | {0: ()}
        self._containers = {each["cgroup"]: each for each in answer["containers"]}

    def of(self, number: int, cgroup: bytes, *, is_gone: bool) -> Held:
        """The labels of a task with this set of its own labels, in this cgroup."""
        own = self._sets.get(number)
        paths = () if is_gone else _upwards(cgroup.decode(errors="replace"))
        path = next((path for path in paths if path in self._containers), None)
        container = {} if path is None else self._containers[path]
        told = [LabelEntry(each["fact"], is_own=False) for each in container.get("facts", ())]
        facts = {fact.kind: fact for fact in (*told, *(own or ()))}  # its own labels win
        # Not certain: the set may be newer than this response; the scheduler remembers facts of a
        # removed cgroup; the loader replaces bytes that are not UTF-8.
        is_text = not any("\ufffd" in fact.text for fact in facts.values())
        certain = own is not None and not is_gone and is_text
        shown = sorted(facts.values(), key=lambda fact: (not fact.is_own, fact.text))
        return Held(tuple(shown), path, container.get("complete", False), certain)


def held_in(answer: Answer) -> Labels | None:
    """The labels in a response; None: the policy does not use labels."""
    return Labels(answer) if "label_sets" in answer else None


def _own(facts: list[Answer]) -> Iterator[LabelEntry]:
    for fact in facts:
        yield LabelEntry(fact["fact"], is_own=True, giver=fact.get("from"))


def _upwards(path: str) -> Iterator[str]:
    """A cgroup's path and its ancestors, innermost first."""
    while path not in ("", "/"):
        yield path
        path = path.rpartition("/")[0]
    yield "/"
