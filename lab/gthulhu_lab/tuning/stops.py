# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Signals that end a search, but not in the middle of a transaction of its storage."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

from gthulhuc.cli.frame import STOPPING

Handler = Callable[[int, FrameType | None], Any]


class Deferred:
    """Lets signals wait until the next part that is `interruptible`, or the end.

    An exception in a transaction leaves a session of SQLAlchemy in a state where it raises another
    one. Only the main thread may use it, because Python handles signals there.
    """

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._is_open = False
        self._number: int | None = None

    def __enter__(self) -> Self:
        for number in STOPPING:
            handler = signal.getsignal(number)
            if callable(handler):
                self._before[number] = handler
                signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            if signal.getsignal(number) == self._handle:  # else it ignores further ones
                signal.signal(number, handler)
        self._pass_on(None)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A part in which signals are handled at once."""
        self._is_open = True
        try:
            self._pass_on(None)
            yield
        finally:
            self._is_open = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._number = number
        if self._is_open:
            self._pass_on(frame)

    def _pass_on(self, frame: FrameType | None) -> None:
        number, self._number = self._number, None
        if number is not None:
            self._before[number](number, frame)
