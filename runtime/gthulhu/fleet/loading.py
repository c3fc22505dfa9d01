# SPDX-License-Identifier: Apache-2.0
"""The loader of this node, through the broker, as policies of the fleet use it."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gthulhu.fleet.resources import digest
from gthulhu.serve.broker import UnknownObjectError
from gthulhu.serve.compiling import LimitError
from gthulhu.serve.node import Node, RefusedError
from gthulhu.serve.store import Store
from gthulhuc.cli.frame import CommandError, reason

if TYPE_CHECKING:
    from gthulhu.control import Answer
    from gthulhu.fleet.resources import Revision

_SCHED_EXT = Path("/sys/kernel/sched_ext")
_HASH = re.compile(r"[0-9a-f]{64}")


class PolicyError(CommandError):
    """A policy cannot be put in force on this node; another attempt would end in the same way."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Loader(Protocol):
    """The requests of a node of the fleet. They raise PolicyError and CommandError."""

    def status(self) -> Answer:
        """The loader's status. Raises NothingInForceError and BrokerError."""

    def dry_run(self, name: str, revision: Revision) -> None:
        """Lets the kernel verify a text."""

    def swap(self, name: str, revision: Revision, *, force: bool) -> int:
        """Puts a text in force, and returns its generation."""

    def rollback(self) -> None:
        """Puts the generation before in force again."""

    def last_events(self) -> list[dict[str, Any]]:
        """The loader's log of events."""


class BrokerLoader:
    """The loader that the broker in `broker` asks. Texts are kept in `store`."""

    def __init__(self, broker: str, store: Path) -> None:
        self._node = Node(broker)
        self._store = Store(store)
        self._made: tuple[str, bytes] | None = None

    def close(self) -> None:
        """Removes what it has on disk for the loader's client."""
        self._node.close()

    def status(self) -> Answer:
        """See `Loader`."""
        return self._node.ask("status")

    def dry_run(self, name: str, revision: Revision) -> None:
        """See `Loader`."""
        self._load(name, revision, "DryRunFailed", ["dry-run"])

    def swap(self, name: str, revision: Revision, *, force: bool) -> int:
        """See `Loader`."""
        answer = self._load(name, revision, "LoadFailed", ["force"] if force else [])
        generation: int = answer["generation"]
        return generation

    def rollback(self) -> None:
        """See `Loader`."""
        self._node.ask("rollback", is_long=True)

    def last_events(self) -> list[dict[str, Any]]:
        """See `Loader`."""
        log = self._node.events(follow=False)
        found = []
        try:
            while (lines := log.read()) is not None:
                for line in lines:
                    with suppress(ValueError):
                        found.append(json.loads(line))
        finally:
            log.close()
        return found

    def _load(self, name: str, revision: Revision, kind: str, options: list[str]) -> Answer:
        if digest(revision.text) != revision.sha256:
            raise PolicyError(kind, "the text is not that of its hash")
        try:
            path = str(self._store.keep(name, revision.text).path)
        except OSError as error:
            raise CommandError(f"cannot keep the text: {reason(error)}") from error
        try:
            content = self._object(name, revision)
            try:
                return self._ask(path, options, content)
            except UnknownObjectError:  # the broker was started again
                self._made = None
                return self._ask(path, options, self._object(name, revision))
        except RefusedError as error:
            raise PolicyError(kind, one_line(error)) from error

    def _ask(self, path: str, options: list[str], content: bytes) -> Answer:
        return self._node.ask("swap", "-", path, *options, is_long=True, content=content)

    def _object(self, name: str, revision: Revision) -> bytes:
        """The object of a text; that of the last text is kept."""
        if self._made is None or self._made[0] != revision.sha256:
            job = {"do": "compile", "name": f"{name}.gpl", "text": revision.text, "stats": True}
            try:
                result = self._node.build(job)
            except LimitError as error:
                raise PolicyError("CompileFailed", one_line(error)) from error
            if not result.said["ok"]:
                raise PolicyError("CompileFailed", first_error(result.said["diagnostics"]))
            self._made = revision.sha256, result.content
        return self._made[1]


def first_error(diagnostics: list[dict[str, Any]]) -> str:
    """The first error of a check, with its place."""
    wrong = [each for each in diagnostics if each["severity"] == "error"] or diagnostics
    if not wrong:
        return "the policy has errors"
    first = wrong[0]
    return f"{first['file']}:{first['line']}: {first['message']}"


def sha256_of(called: str) -> str:
    """The hash of the text that an object was loaded as; empty: it is no text of a store."""
    parent = Path(called).parent.name
    return parent if _HASH.fullmatch(parent) else ""


def why_no_loader(error: Exception) -> str:
    """Why a node cannot have a policy in force."""
    if not _SCHED_EXT.exists():
        return f"kernel {os.uname().release} has no sched_ext"
    return one_line(error)


def one_line(error: Exception) -> str:
    """An error's message as a line."""
    return " ".join(str(error).split())[:1000] or type(error).__name__
