# SPDX-License-Identifier: Apache-2.0
"""Runs a process of the fleet until a signal, which ends it in order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from gthulhuc.cli import frame

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Runs it, and raises StoppedError after a signal has cancelled it.

    Raises CommandError, also if a task of a group has raised it.
    """
    numbers: list[int] = []

    async def main() -> None:
        task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()

        def stop(number: int) -> None:
            numbers.append(number)
            task.cancel()

        for number in _SIGNALS:
            # As `nohup` leaves it, a signal stays ignored.
            if signal.getsignal(number) != signal.SIG_IGN:
                loop.add_signal_handler(number, stop, number)
        with suppress(asyncio.CancelledError):
            await task

    try:
        asyncio.run(main())
    except ExceptionGroup as group:
        errors, others = group.split(frame.CommandError)
        if errors is None or others is not None:
            raise
        raise _first(errors) from group
    if numbers:
        raise frame.StoppedError(numbers[0])


def _first(group: BaseException) -> BaseException:
    """The first error of a group, which may have groups in it."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
