# SPDX-License-Identifier: Apache-2.0
"""The labels of containers and tasks in a record: docs/record.md has the format.

They come from the files of container managers, as the agent reads them, and from the loader if one
runs. Its labels win: they are those that counted, and may be from the Kubernetes API.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gthulhu.record.framing import Block, Kind, json_block
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError, reason

if TYPE_CHECKING:
    from gthulhu.agent.agent import Places
    from gthulhu.control import Answer

Facts = tuple[str, ...]
"""As the loader has them: `label:tier=web`, `namespace=shop`, `pod=web-1`, `container=nginx`."""
_MOST_CONTAINERS = 32
"""In a block, which has 16 MB at most. The agent tells 60 kB of a container."""


@dataclass(frozen=True, slots=True)
class Container:
    """The facts of a cgroup, and of those below it. `complete`: it has no others."""

    facts: Facts
    complete: bool


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels at some time: of containers by their cgroups' paths, of tasks by their numbers.

    Tasks have those that they were given (`gthulhu label`), or inherited from one that was.
    """

    containers: Mapping[str, Container] = field(default_factory=dict)
    tasks: Mapping[int, Facts] = field(default_factory=dict)

    def __or__(self, later: Labels) -> Labels:
        """Both; where they differ, the later ones."""
        return Labels({**self.containers, **later.containers}, {**self.tasks, **later.tasks})

    def __bool__(self) -> bool:
        return bool(self.containers or self.tasks)

    def as_json(self) -> dict[str, Any]:
        """The content of a block of labels; tasks with the same ones are together."""
        tasks = defaultdict(list)
        for number, facts in self.tasks.items():
            tasks[facts].append(number)
        return {
            "containers": [
                {"cgroup": path, "facts": each.facts, "complete": each.complete}
                for path, each in self.containers.items()
            ],
            "tasks": [{"tasks": numbers, "facts": facts} for facts, numbers in tasks.items()],
        }

    def blocks(self, at_ns: int) -> Iterator[Block]:
        """The blocks that have them; none without labels."""
        containers = list(self.containers.items())
        parts = [
            Labels(dict(containers[begin : begin + _MOST_CONTAINERS]))
            for begin in range(0, len(containers), _MOST_CONTAINERS)
        ]
        if self.tasks:
            parts.append(Labels(tasks=self.tasks))
        for part in parts:
            yield json_block(Kind.LABELS, part.as_json(), at_ns)

    def changed(self, path: Callable[[str], str], fact: Callable[[str], str | None]) -> Labels:
        """The same with other paths and facts; None leaves a fact out."""

        def facts(before: Facts) -> Facts:
            return tuple(new for each in before if (new := fact(each)) is not None)

        return Labels(
            {
                path(name): Container(facts(each.facts), each.complete)
                for name, each in self.containers.items()
            },
            {number: new for number, each in self.tasks.items() if (new := facts(each))},
        )


def of_json(said: Mapping[str, Any]) -> Labels:
    """The labels of a block. Raises ValueError."""
    try:
        return Labels(
            {
                _text(each["cgroup"]): Container(_facts(each["facts"]), bool(each["complete"]))
                for each in said["containers"]
            },
            {
                int(number): _facts(each["facts"])
                for each in said["tasks"]
                for number in each["tasks"]
            },
        )
    except (LookupError, TypeError) as error:
        raise ValueError("its labels are malformed") from error


def _facts(said: Sequence[Any]) -> Facts:
    return tuple(map(_text, said))


def _text(said: Any) -> str:
    """A text that stands for bytes."""
    return os.fsdecode(os.fsencode(str(said)))


class Source:
    """The labels of this machine. Raises CommandError if the file of labels is not valid."""

    def __init__(self, places: Places) -> None:
        from gthulhu.agent.lookup import Lookup, read_entries
        from gthulhu.agent.static import StaticError

        self._places = places
        try:
            self._lookup = Lookup(places.root, read_entries(places.labels))
        except (OSError, UnicodeDecodeError, StaticError) as error:
            why = reason(error) if isinstance(error, OSError) else error
            raise CommandError(
                f"{places.labels}: {why}", "correct it, or name another file with --labels"
            ) from error

    def read(self) -> Labels:
        """The labels as they are now; prints a warning if some cannot be read."""
        return Labels(self._containers()) | self._of_loader()

    def _containers(self) -> Mapping[str, Container]:
        containers = {}
        try:
            for path, known in self._lookup.survey(self._places.cgroups).items():
                extent, *facts = known.fields()
                containers[path] = Container(tuple(facts), extent == "all")
        except OSError as error:  # such as too many cgroups to watch
            frame.err(f"warning: labels of containers are missing: {reason(error)}\n")
        return containers

    def _of_loader(self) -> Labels:
        """Those that the loader has for the policy in force; none without one."""
        from gthulhu import control

        try:
            return told(control.ask(self._places.state, "tasks"))
        except control.NotRunningError:
            return Labels()
        except CommandError as error:
            frame.err(f"warning: the loader's labels are missing: {error}\n")
            return Labels()


def told(answer: Answer) -> Labels:
    """The labels in a loader's response to `tasks`; none if its policy asks for none."""
    if "label_sets" not in answer:
        return Labels()
    sets = {each["number"]: _texts(each["facts"]) for each in answer["label_sets"]}
    return Labels(
        {
            each["cgroup"]: Container(_texts(each["facts"]), each["complete"])
            for each in answer["containers"]
        },
        {
            each["tid"]: sets[each["label_set"]]
            for each in answer["tasks"]
            if each["label_set"] in sets
        },
    )


def _texts(facts: Sequence[Answer]) -> Facts:
    return tuple(each["fact"] for each in facts)
