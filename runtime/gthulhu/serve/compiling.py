# SPDX-License-Identifier: Apache-2.0
"""The sandboxed children of the server, a few at a time, one for each job."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from gthulhuc.cli.frame import CommandError

TIMEOUT_S = 60
MOST_WAITING = 64
_MAX_RESULT = 64 << 20
_PASSED_ON = ("PATH", "CLANG", "LANG")


class BusyError(CommandError):
    """Too many jobs wait already."""


class ToolError(CommandError):
    """The compiler could not work: no clang, or no space."""


class LimitError(CommandError):
    """A job took more time or memory than it may."""


@dataclass(frozen=True, slots=True)
class Result:
    """A child's answer, and an object if the job makes one."""

    said: dict[str, Any]
    content: bytes


@dataclass(frozen=True, slots=True)
class _Child:
    process: asyncio.subprocess.Process
    folder: str

    async def end(self) -> None:
        """Ends it with all that it has started, and removes its files."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


KINDS: dict[str, type[CommandError]] = {
    "busy": BusyError,
    "tool": ToolError,
    "limit": LimitError,
}
"""The errors, by the words that the broker has for them."""


def modules() -> dict[str, str]:
    """The variable by which another Python finds all modules of this one.

    The command of a package has them in a folder that no other Python knows.
    """
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Turns:
    """Lets `at_once` jobs work at a time, and a number of further ones wait."""

    def __init__(self, at_once: int | None = None) -> None:
        self._free = asyncio.Semaphore(at_once or os.cpu_count() or 1)
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for a turn. Raises BusyError."""
        if self._waiting >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} jobs wait for the compiler", "try again later")
        self._waiting += 1
        try:
            async with self._free:
                yield
        finally:
            self._waiting -= 1


class Compilers:
    """Runs jobs; `at_once` at a time. One child is always started in advance.

    `nice`: what the children leave to others, such as the server that answers meanwhile. `user`: of
    the children, if it is another one.
    """

    def __init__(
        self, at_once: int | None = None, *, nice: int = 0, user: int | None = None
    ) -> None:
        self._turns = Turns(at_once)
        self._how = nice, user
        self._spare: asyncio.Task[_Child] | None = None

    def prepare(self) -> None:
        """Starts a child for the next job, unless there is one."""
        if self._spare is None:
            self._spare = asyncio.create_task(_start(*self._how))

    async def close(self) -> None:
        """Ends the child that was started in advance."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            await (await spare).end()

    async def run(self, job: dict[str, Any]) -> Result:
        """The result of a job. Raises BusyError, LimitError and ToolError."""
        return await self.run_text(json.dumps(job).encode())

    async def run_text(self, job: bytes) -> Result:
        """The result of a job that is JSON already. Raises as `run` does."""
        async with self._turns.turn():
            spare, self._spare = self._spare, None
            child = await spare if spare is not None else await _start(*self._how)
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    text, errors = await child.process.communicate(job)
            except TimeoutError:
                raise LimitError(
                    f"the policy took longer than {TIMEOUT_S} s to compile", "make it smaller"
                ) from None
            finally:
                await child.end()
                self.prepare()
        return _read(child.process.returncode, text, errors)


async def _start(nice: int, user: int | None) -> _Child:
    folder = tempfile.mkdtemp(prefix="gthulhu-serve-")
    other: dict[str, Any] = {}
    if user is not None:
        os.chown(folder, user, user)
        other = {"user": user, "group": user, "extra_groups": ()}
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gthulhu.serve.worker", str(nice),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, cwd=folder, process_group=0,
        env={**passed_on, **modules(), "TMPDIR": folder}, limit=_MAX_RESULT, **other,
    )  # fmt: skip
    return _Child(process, folder)


def _read(status: int | None, text: bytes, errors: bytes) -> Result:
    head, _, content = text.partition(b"\n")
    with suppress(ValueError):
        said = json.loads(head)
        if said.get("failed"):
            raise ToolError(said["failed"], said["help"])
        return Result(said, content)
    if status in {-signal.SIGXCPU, -signal.SIGKILL} or b"MemoryError" in errors:
        raise LimitError("the policy needs too much time or memory to compile", "make it smaller")
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    raise ToolError(f"the compiler ended without a result: {last or f'status {status}'}")
