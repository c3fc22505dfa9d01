# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Shows progress: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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

    def done(self) -> None:
        """End the present step, if any, and begin none."""
        self._finish()

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


class Countdown:
    """Progress of many similar steps, some at the same time, with an estimate of the time left."""

    def __init__(self, progress: Progress, kind: str, wanted: int) -> None:
        self._progress = progress
        self._kind = kind
        self._wanted = wanted
        self._begun = self._done = 0
        self._started = time.monotonic()
        self._lock = threading.Lock()

    def wants(self, more: int) -> None:
        """Add steps to the total, or take some away."""
        with self._lock:
            self._wanted += more

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """One step."""
        with self._lock:
            self._begun += 1
            left = ""
            if self._done:
                each_s = (time.monotonic() - self._started) / self._done
                minutes = each_s * max(0, self._wanted - self._done) / 60
                left = f"; about {minutes:.0f} min left"
            self._progress.step(f"{self._kind} {self._begun} of {self._wanted}: {text}{left}")
        try:
            yield
        finally:
            with self._lock:
                self._done += 1
