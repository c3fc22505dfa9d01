# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Says what goes on: one living line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self, TextIO

_HEARTBEAT_S = 15.0
_REFRESH_S = 0.25
_WHEEL = "|/-\\"


class Progress:
    """A context in which `step(text)` names what begins; the time it takes is shown with it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._text = ""
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._finish()

    def step(self, text: str) -> None:
        """End the present step, if any, and begin another."""
        self._finish()
        with self._lock:
            self._text = text
            self._started = time.monotonic()
            if not self._terminal:
                print(text, file=self._stream, flush=True)

    def _finish(self) -> None:
        with self._lock:
            if self._text and self._terminal:
                print(f"\r\x1b[K{self._text} ({self._elapsed_s():.0f} s)", file=self._stream)
            self._text = ""

    def _live(self) -> None:
        turn = 0
        interval_s = _REFRESH_S if self._terminal else _HEARTBEAT_S
        while not self._stop.wait(interval_s):
            turn += 1
            with self._lock:
                if not self._text:
                    continue
                if self._terminal:
                    wheel = _WHEEL[turn % len(_WHEEL)]
                    line = f"\r\x1b[K{wheel} {self._text} ({self._elapsed_s():.0f} s)"
                    print(line, end="", file=self._stream, flush=True)
                elif self._elapsed_s() >= _HEARTBEAT_S:
                    print(f"  … {self._elapsed_s():.0f} s", file=self._stream, flush=True)

    def _elapsed_s(self) -> float:
        return time.monotonic() - self._started
