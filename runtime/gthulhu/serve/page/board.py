# SPDX-License-Identifier: Apache-2.0
"""The parts of the page that change by themselves, rendered once for all who watch.

Nothing in them depends on who watches: no role, and no token of a session.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from fastapi.concurrency import run_in_threadpool

from gthulhu import counters, promises, provenance
from gthulhu.control import Answer
from gthulhu.serve.context import Context
from gthulhu.serve.native import shown
from gthulhu.serve.node import Events, NothingInForceError, explained
from gthulhu.serve.page.history import History
from gthulhu.serve.page.rendering import render
from gthulhuc.cli.frame import CommandError

PARTS = ("now", "said", "rules", "promises", "events")
TICK_S = 1.0
_MOST_EVENTS = 20
_SOURCE_S = 10
_FIRST_EVENTS_S = 0.3

_NOT_SHOWN = {"event", "at", "policy", "generation"}


class Board:
    """Asks the loader at most once a second, however many watch."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = asyncio.Lock()
        self._rendered: tuple[float, int, dict[str, str]] | None = None
        self._history = History()
        self._uncounted: dict[str, object] | None = None
        self._log: Events | None = None
        self._events: deque[dict[str, Any]] = deque(maxlen=_MOST_EVENTS)
        self._source: tuple[float, int, provenance.Compared | None] = (0, 0, None)

    async def parts(self) -> dict[str, str]:
        """The HTML of each part, by its name; at most a second old, and not before a change."""
        async with self._lock:
            changes = self._context.node.changes
            if self._rendered is not None:
                at, then, parts = self._rendered
                if then == changes and time.monotonic() - at < TICK_S * 0.9:
                    return parts
            now = time.monotonic()
            parts = await run_in_threadpool(self._render)
            self._rendered = (now, changes, parts)
            return parts

    async def rest(self) -> None:
        """Ends what is needed only while someone watches."""
        async with self._lock:
            self._close_log()

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None

    def _render(self) -> dict[str, str]:
        values = self._values()
        return {part: render(f"parts/{part}.html.j2", **values) for part in PARTS}

    def _values(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "status": None, "problem": None, "rows": [], "uncounted": None, "source": None,
            "by": None, "fallbacks": [], "events": [],
        }  # fmt: skip
        try:
            self._read_events()
            values["events"] = list(self._events)[::-1]
            status = self._context.node.status()
            values["status"] = shown(status)
            values["source"] = self._compared(status)
            values["by"] = asker(self._context, status, self._events)
            values["fallbacks"] = list(promises.fallback(status))
            self._count()
            values["rows"], values["uncounted"] = self._history.rows(), self._uncounted
        except CommandError as error:
            self._history.clear()
            is_calm = isinstance(error, NothingInForceError)
            values |= {"status": None, "problem": {**explained(error), "is_calm": is_calm}}
        return values

    def _count(self) -> None:
        if not self._history.is_due():
            return
        try:
            self._history.add(counters.parse(self._context.node.ask("stats")))
            self._uncounted = None
        except NothingInForceError:
            raise
        except CommandError as error:
            self._history.clear()
            self._uncounted = explained(error)

    def _compared(self, status: Answer) -> provenance.Compared | None:
        """Whether the files are those of the policy in force, as of ten seconds ago at most."""
        at, generation, found = self._source
        if generation == status["generation"] and time.monotonic() - at < _SOURCE_S:
            return found
        found = None
        with suppress(CommandError, OSError):
            node = self._context.node
            node.fetch_object(status["generation"])
            found = provenance.compare(node.folder, status["generation"], status["object"])
        self._source = (time.monotonic(), status["generation"], found)
        return found

    def _read_events(self) -> None:
        """Takes the events that have come; the first time it waits for those before."""
        wait_s = 0.01
        if self._log is None:
            self._log = self._context.node.events(follow=True)
            self._events.clear()
            wait_s = _FIRST_EVENTS_S
        while lines := self._log.read(wait_s):
            self._events.extend(event for line in lines if (event := _event(line)))
            wait_s = 0.01
        if lines is None:  # the broker has ended
            self._close_log()


def _event(line: bytes) -> dict[str, Any] | None:
    """An event with `more`: what belongs to it beside the time and the policy."""
    with suppress(ValueError):
        found = json.loads(line.decode(errors="replace"))
        if isinstance(found, dict) and isinstance(found.get("event"), str):
            more = {key: value for key, value in found.items() if key not in _NOT_SHOWN}
            return {"at": "", "policy": "", "generation": "", **found, "more": more}
    return None


def asker(context: Context, status: Answer, events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The one who has put the policy in force.

    That is `who` by the audit log, or else `command` by the loader's. Both are None if the logs do
    not say.
    """
    found: dict[str, Any] = dict.fromkeys(("who", "what", "command", "uid"))
    number, since = status["generation"], str(status["since"])
    for line in reversed(context.audit.recent):
        # The loader's time has no parts of a second, and the line is written afterwards.
        if line.get("generation") == number and str(line.get("at"))[:19] >= since[:19]:
            return found | {"who": line.get("who"), "what": line.get("what")}
    for event in events:
        if event["generation"] == number and event["event"] in {"swapped", "rolled-back"}:
            more = event["more"]
            found |= {"command": more.get("command"), "uid": more.get("uid")}
    return found
