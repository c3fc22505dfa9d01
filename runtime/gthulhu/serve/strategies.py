# SPDX-License-Identifier: Apache-2.0
"""Gthulhu's strategies and intents as a policy in force.

Rules come from `importers.gthulhu`, in one generation for each change. Processes that are given by
number match a label, so a change of them alone costs no generation.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.concurrency import run_in_threadpool

from gthulhu.serve.broker import UnknownObjectError
from gthulhu.serve.context import ApiError, Caller, Context, change
from gthulhu.serve.node import RefusedError
from gthulhu.serve.wanted import IDENTITY, Applied, Row, Wanted, load, save, with_members
from gthulhuc.cli.frame import CommandError

MOST = 10_000
"""Strategies, and intents, at a time."""
_DEBOUNCE_S = 0.02
_KEPT_OBJECTS = 8
_WATCH_S = 2


@dataclass(frozen=True, slots=True)
class _Asked:
    caller: Caller
    outcome: asyncio.Future[Applied]


class Strategies:
    """Puts what clients want in force, several changes at once in one generation."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._path = context.store.folder / "strategies.json"
        self.applied = load(self._path)
        self.wanted = self.applied.wanted if self.applied is not None else Wanted()
        self.swaps = 0
        """Generations that strategies have caused."""
        self._asked: list[_Asked] = []
        self._bell = asyncio.Event()
        self._objects: OrderedDict[str, bytes] = OrderedDict()
        self._tasks = [asyncio.create_task(self._work()), asyncio.create_task(self._watch())]

    async def close(self) -> None:
        """Ends the work; what is in force stays."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def alter(self, caller: Caller, how: Callable[[Wanted], Wanted]) -> Applied:
        """Changes what is wanted, and waits until it is in force.

        Raises ApiError and CommandError; what was in force before is then wanted again.
        """
        wanted = how(self.wanted)
        if len(wanted.strategies) > MOST or len(wanted.intents) > MOST:
            raise ApiError(413, f"more than {MOST:,} strategies or intents")
        applied = self.applied
        if applied is not None and wanted == self.wanted == applied.wanted:
            return await self._renew(applied)
        self.wanted = wanted
        outcome: asyncio.Future[Applied] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(caller, outcome))
        self._bell.set()
        return await outcome

    async def _renew(self, applied: Applied) -> Applied:
        """Labels a process whose number was taken again; changes nothing else."""
        if not applied.labels:
            return applied
        wanted = {pid: label for pid, (label, _) in applied.labels.items()}
        told = await run_in_threadpool(self._label, wanted, applied.labels)
        if self.applied is applied:
            self.applied = Applied(
                applied.wanted, applied.sha256, applied.generation, applied.loader, told
            )
        return applied

    async def _work(self) -> None:
        while True:
            await self._bell.wait()
            await asyncio.sleep(_DEBOUNCE_S)
            self._bell.clear()
            asked, self._asked = self._asked, []
            work = asyncio.create_task(self._apply(self.wanted, asked))
            await asyncio.wait([work])
            error = work.exception()
            if error is not None:
                self.wanted = self.applied.wanted if self.applied else Wanted()
            for each in asked:
                if each.outcome.done():  # its client has gone
                    continue
                if error is None:
                    each.outcome.set_result(work.result())
                else:
                    each.outcome.set_exception(error)

    async def _apply(self, wanted: Wanted, asked: list[_Asked]) -> Applied:
        caller = asked[0].caller
        who = sorted({each.caller.claims.subject for each in asked})
        number = len(wanted.strategies) + len(wanted.intents)
        async with change(self._context, caller, "strategies", number=number, asked_by=who) as said:
            applied = self.applied = await self._enforce(wanted, said)
            await run_in_threadpool(save, self._path, applied)
        return applied

    async def _enforce(self, wanted: Wanted, said: dict[str, Any]) -> Applied:
        made = await self._made(wanted)
        status = await run_in_threadpool(self._context.node.ask, "status")
        before = self.applied
        is_ours = before is not None and (before.generation, before.loader) == (
            status["generation"], status["pid"],
        )  # fmt: skip
        generation = status["generation"]
        if before is None or not is_ours or before.sha256 != made["sha256"]:
            try:
                generation = await self._swap(made)
            except UnknownObjectError:  # the broker was started again
                self._objects.clear()
                generation = await self._swap(await self._made(wanted))
            said["generation"] = generation
        kept = before is not None and before.loader == status["pid"]
        told = before.labels if before is not None and kept else {}
        labels = {int(pid): label for pid, label in made["labels"]}
        now = await run_in_threadpool(self._label, labels, told)
        said["labelled"] = len(now)
        return Applied(wanted, made["sha256"], generation, status["pid"], now)

    async def _made(self, wanted: Wanted) -> dict[str, Any]:
        """The policy for strategies, with its object in `_objects`. Raises ApiError."""
        job = {
            "do": "import", "name": "request", "semantics": "current",
            "cgroups": self._context.cgroups, "known": list(self._objects),
        }  # fmt: skip
        result = await run_in_threadpool(
            lambda: self._context.node.build(with_members(job, wanted.text))
        )
        made = result.said
        wrong = [each for each in made["findings"] if each["is_error"]]
        if wrong:
            raise ApiError(422, _shown(wrong[0]), findings=wrong)
        if not made["ok"]:
            help = "a policy has at most 64 labels, pods and namespaces; a list of one kind is one"
            raise ApiError(422, f"the strategies do not fit: {made['refused']}", help=help)
        if result.content:
            self._objects[made["sha256"]] = result.content
        self._objects.move_to_end(made["sha256"])
        while len(self._objects) > _KEPT_OBJECTS:
            self._objects.popitem(last=False)
        return made

    async def _swap(self, made: dict[str, Any]) -> int:
        node, store = self._context.node, self._context.store
        stored = await run_in_threadpool(store.keep, "imported", made["text"])
        content = self._objects[made["sha256"]]
        answer = await run_in_threadpool(
            node.ask, "swap", "-", str(stored.path), is_long=True, content=content
        )
        self.swaps += 1
        generation: int = answer["generation"]
        return generation

    def _label(
        self, wanted: Mapping[int, str], told: Mapping[int, tuple[str, str]]
    ) -> dict[int, tuple[str, str]]:
        """Labels the processes that exist and are not labelled so yet; returns all labels.

        A process that ended meanwhile, or ends now, has no label.
        """
        now: dict[int, tuple[str, str]] = {}
        for pid, label in wanted.items():
            started = _start_of(pid)
            if told.get(pid) == (label, started):
                now[pid] = (label, started)
            elif started:
                with suppress(RefusedError):
                    self._context.node.ask("label", str(pid), label)
                    now[pid] = (label, started)
        for pid in told.keys() - wanted.keys():
            if _start_of(pid) == told[pid][1]:
                with suppress(RefusedError):
                    key = told[pid][0].partition("=")[0]
                    self._context.node.ask("label", str(pid), f"{key}-")
        return {pid: now.get(pid, (label, "")) for pid, label in wanted.items()}

    async def _watch(self) -> None:
        """Tells a new loader what is wanted, as labels and policies end with their loader."""
        while True:
            await asyncio.sleep(_WATCH_S)
            applied = self.applied
            if applied is None or self._asked:
                continue
            with suppress(CommandError, ApiError, OSError):
                status = await run_in_threadpool(self._context.node.status)
                if status["pid"] != applied.loader and self.applied is applied:
                    async with self._context.changing:
                        self.applied = await self._enforce(applied.wanted, {})
                    await run_in_threadpool(save, self._path, self.applied)


def _start_of(pid: int) -> str:
    """When a process started, in the kernel's ticks; empty: it does not exist."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return ""
    return text.rpartition(b")")[2].split()[19].decode()


def _shown(finding: dict[str, Any]) -> str:
    return f"{finding['place']}: {finding['message']}"


# ---- Gthulhu's Merkle tree ----------------------------------------------------------------------


def root_of(intents: Iterable[Row]) -> str:
    """The root hash over all intents, as Gthulhu's manager computes it: 64 hexadecimal digits."""
    leaves = [
        hashlib.sha256(_leaf(row).encode(errors="surrogatepass")).digest()
        for row in sorted(intents, key=_order)
    ]
    if not leaves:
        return hashlib.sha256(b"").hexdigest()
    while len(leaves) > 1:
        if len(leaves) % 2:
            leaves.append(leaves[-1])
        pairs = zip(leaves[::2], leaves[1::2], strict=True)
        leaves = [hashlib.sha256(one + other).digest() for one, other in pairs]
    return leaves[0].hex()


def _labels_of(row: Row) -> str:
    return ",".join(f"{key}={value}" for key, value in sorted(row["podLabels"].items()))


def _order(row: Row) -> str:
    names = (*IDENTITY, "priority", "executionTime")
    return "|".join([*(str(row[name]) for name in names), _labels_of(row)])


def _leaf(row: Row) -> str:
    names = (*IDENTITY, "priority", "executionTime")
    return "|".join([*(f"{name}={row[name]}" for name in names), f"podLabels={_labels_of(row)}"])


def timestamp() -> str:
    """Now, as RFC 3339."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
