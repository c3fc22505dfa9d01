# SPDX-License-Identifier: Apache-2.0
"""Checks texts while they are being edited, so that a burst of edits ends in one check.

A check is done in steps, between which the server reads and answers. The next edit of a text ends
the check of what it was before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import TypeAlias

from gthulhuc.lsp.analysis import Analysis

REST_S = 0.01
"""How long a text rests before it is checked."""
PAUSE_S = 0.2
"""How long it rests before the plan is tried, which is one long step."""

Steps: TypeAlias = Callable[[], Iterator[Analysis | None]]
Publish: TypeAlias = Callable[[str, Analysis], None]


class Checks:
    """The checks of all open texts, by their URI."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._running: dict[str, asyncio.Task[None]] = {}
        self._ready: dict[str, asyncio.Event] = {}
        self._latest: dict[str, Analysis] = {}

    def begin(self, uri: str, steps: Steps) -> None:
        """Begins a check of a text, which has changed."""
        self._cancel(uri)
        self._ready[uri] = asyncio.Event()
        self._running[uri] = asyncio.get_running_loop().create_task(self._check(uri, steps))

    def forget(self, uri: str) -> None:
        """Ends what concerns a text, which was closed."""
        self._cancel(uri)
        self._latest.pop(uri, None)

    def latest(self, uri: str) -> Analysis | None:
        """Returns the last analysis of a text, which may have changed since; None before it."""
        return self._latest.get(uri)

    async def current(self, uri: str) -> Analysis | None:
        """Returns the analysis of a text as it is now; waits for the passes, not for the plan."""
        while (ready := self._ready.get(uri)) is not None and not ready.is_set():
            await ready.wait()
        return self._latest.get(uri)

    def _cancel(self, uri: str) -> None:
        task = self._running.pop(uri, None)
        if task is not None:
            task.cancel()
        if (ready := self._ready.pop(uri, None)) is not None:
            ready.set()  # who waits for it looks for the next one

    async def _check(self, uri: str, steps: Steps) -> None:
        ready = self._ready[uri]
        try:
            await asyncio.sleep(REST_S)
            published = None
            for found in steps():
                if found is not None:
                    self._latest[uri] = found
                    ready.set()
                    if found.problems != published:
                        published = found.problems
                        self._publish(uri, found)
                await asyncio.sleep(0 if found is None else PAUSE_S)
        finally:
            ready.set()  # nobody waits for a check that ended
