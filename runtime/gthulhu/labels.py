# SPDX-License-Identifier: Apache-2.0
"""What the loader holds of the labels of tasks (`runtime/labels/label_report.h`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gthulhu.control import Answer
    from gthulhuc.reference import Task

_PREFIX = "label:"  # of a fact that is a label, else it is a namespace, a pod or a container


@dataclass(frozen=True, slots=True)
class Fact:
    """One that counts for a task: its own, or one of its container.

    `text`: as the loader has it, `label:tier=web` or `pod=web-1`. `giver`: the process that it has
    its own one from by inheritance, where that is told.
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
    """All that is known of a task. `cgroup`: its container's; None: nothing is known of one.

    `complete`: what is not among the facts is not there; else it is not known. `certain`: the
    scheduler was told just this.
    """

    facts: tuple[Fact, ...]
    cgroup: str | None
    complete: bool
    certain: bool

    def add_to(self, task: Task) -> Task:
        """The task with what is known for certain."""
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
    """Those of all tasks of an answer to `tasks`."""

    def __init__(self, answer: Answer) -> None:
        self._sets = {
            each["number"]: tuple(_own(each["facts"])) for each in answer["label_sets"]
        } | {0: ()}
        self._containers = {each["cgroup"]: each for each in answer["containers"]}

    def of(self, number: int, cgroup: bytes, *, is_gone: bool) -> Held:
        """What a task has that has this set of labels of its own, and is in this cgroup."""
        own = self._sets.get(number)
        paths = () if is_gone else _upwards(cgroup.decode(errors="replace"))
        path = next((path for path in paths if path in self._containers), None)
        container = {} if path is None else self._containers[path]
        told = [Fact(each["fact"], is_own=False) for each in container.get("facts", ())]
        facts = {fact.kind: fact for fact in (*told, *(own or ()))}  # its own come before
        # The number may be newer than the sets; of a cgroup that is gone the scheduler knows what
        # was told before; and what is no text is not told as it is.
        is_text = not any("\ufffd" in fact.text for fact in facts.values())
        certain = own is not None and not is_gone and is_text
        shown = sorted(facts.values(), key=lambda fact: (not fact.is_own, fact.text))
        return Held(tuple(shown), path, container.get("complete", False), certain)


def held_in(answer: Answer) -> Labels | None:
    """None: the policy asks for no labels."""
    return Labels(answer) if "label_sets" in answer else None


def _own(facts: list[Answer]) -> Iterator[Fact]:
    for fact in facts:
        yield Fact(fact["fact"], is_own=True, giver=fact.get("from"))


def _upwards(path: str) -> Iterator[str]:
    """A path in the hierarchy, and those above it."""
    while path not in ("", "/"):
        yield path
        path = path.rpartition("/")[0]
    yield "/"
