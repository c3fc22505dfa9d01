# SPDX-License-Identifier: Apache-2.0
"""The broker's compilers: it takes no object from its client but those that they have made."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from gthulhu.serve.compiling import Compilers
from gthulhuc.cli.frame import CommandError

_MOST_OBJECTS = 1024
NICE = 10
_T = TypeVar("_T")


class Workshop:
    """Runs jobs in sandboxed children, in an event loop of its own thread.

    `user`: of the children, if it is another one than this process's.
    """

    def __init__(self, user: int | None) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._made: dict[bytes, None] = {}
        self._compilers = self._await(_started(user))

    def run(self, text: bytes) -> bytes:
        """The result of a job, both as a child reads and writes them. Raises CommandError."""
        compilers = self._compilers[_kind(text) == "import"]
        result = self._await(compilers.run_text(text))
        if result.content:
            self._made[hashlib.sha256(result.content).digest()] = None
            while len(self._made) > _MOST_OBJECTS:
                self._made.pop(next(iter(self._made)), None)
        return json.dumps(result.said).encode() + b"\n" + result.content

    def has_made(self, content: bytes) -> bool:
        """Whether an object is the result of a job, and of one of the last thousand."""
        return hashlib.sha256(content).digest() in self._made

    def close(self) -> None:
        """Ends the children, once."""
        if self._loop.is_closed():
            return
        for each in self._compilers:
            self._await(each.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _await(self, what: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result()


async def _started(user: int | None) -> tuple[Compilers, Compilers]:
    """The compilers of clients' policies, and that of strategies, which waits for nothing."""
    found = Compilers(nice=NICE, user=user), Compilers(1, user=user)
    for each in found:
        each.prepare()
    return found


def _kind(text: bytes) -> str:
    try:
        job = json.loads(text)
    except (ValueError, RecursionError):
        job = None
    if not isinstance(job, dict) or job.get("do") not in {"compile", "import"}:
        raise CommandError("`compile` needs a job as JSON, whose `do` is compile or import")
    return str(job["do"])
