# SPDX-License-Identifier: Apache-2.0
"""The strategies and intents that clients want, and their copy on disk."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from gthulhu.serve.store import replace
from gthulhuc.cli.frame import CommandError, reason

IDENTITY = ("podName", "podID", "nodeID", "k8sNamespace", "commandRegex")
_BOOT = Path("/proc/sys/kernel/random/boot_id")

Row = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """The strategies and intents that shall be in force. Of those for a task the last one wins."""

    strategies: tuple[Row, ...] = ()
    intents: Mapping[Hashable, Row] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """Both as an object of JSON, for the compiler's job and for the copy."""
        return json.dumps({"strategies": self.strategies, "intents": list(self.intents.values())})

    def with_intents(self, rows: Iterable[Row]) -> Wanted:
        """These and further intents; one with the same pod and command replaces the one before."""
        intents = dict(self.intents)
        for row in rows:
            key = identity(row)
            if intents.get(key) != row:
                intents.pop(key, None)  # the last one wins
                intents[key] = row
        return Wanted(self.strategies, intents)

    def without(self, pod: str) -> Wanted:
        """These without the intents of a pod."""
        left = {key: row for key, row in self.intents.items() if row["podID"] != pod}
        return Wanted(self.strategies, left)


def identity(row: Row) -> Hashable:
    """The pod and the command of an intent, without its wishes."""
    return (*(row[name] for name in IDENTITY), *sorted(row["podLabels"].items()))


@dataclass(frozen=True, slots=True)
class Applied:
    """The part that is in force: the policy's text, its generation and the loader's process.

    `labels`: of the processes that are given by number, with the time at which each started.
    """

    wanted: Wanted
    sha256: str
    generation: int
    loader: int
    labels: Mapping[int, tuple[str, str]]


def save(path: Path, applied: Applied) -> None:
    """Replaces the copy at once, readable for its owner alone. Raises CommandError."""
    said = {
        "boot": boot(),
        "sha256": applied.sha256,
        "generation": applied.generation,
        "loader": applied.loader,
        "labels": [[pid, *label] for pid, label in applied.labels.items()],
    }
    try:
        replace(path, with_members(said, applied.wanted.text))
    except OSError as error:
        raise CommandError(
            f"cannot write {path}: {reason(error)}", "the strategies are in force until a restart"
        ) from error


def with_members(said: dict[str, Any], text: str) -> str:
    """An object as JSON, with the members of another one, whose JSON is given."""
    return f"{json.dumps(said)[:-1]}, {text[1:]}"


def load(path: Path) -> Applied | None:
    """Returns the copy, or None without one. No loader has it after a boot. Raises CommandError."""
    try:
        said = json.loads(path.read_bytes())
        wanted = Wanted(tuple(said["strategies"])).with_intents(said["intents"])
        is_same = said["boot"] == boot()
        labels = {int(pid): (str(label), str(at)) for pid, label, at in said["labels"]}
        return Applied(
            wanted, str(said["sha256"]), int(said["generation"]),
            int(said["loader"]) if is_same else 0, labels if is_same else {},
        )  # fmt: skip
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise CommandError(
            f"{path} has no strategies of this server", "remove it to begin without any"
        ) from error


def boot() -> str:
    """The number of this boot, after which process numbers begin anew."""
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return ""
