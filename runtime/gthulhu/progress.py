# SPDX-License-Identifier: Apache-2.0
"""A line that shows how far a command is."""

from __future__ import annotations

from gthulhuc.cli import frame


class Progress:
    """A progress line on a terminal; elsewhere it prints nothing."""

    def __init__(self) -> None:
        import sys

        self._is_shown = sys.stderr.isatty()
        self._last = 0.0

    def show(self, text: str) -> None:
        """Shows a text, at most five times per second."""
        import time

        if self._is_shown and time.monotonic() - self._last >= 0.2:
            self._last = time.monotonic()
            frame.err(f"\r{text}\x1b[K")

    def hide(self) -> None:
        """Clears the line."""
        if self._is_shown and self._last:
            frame.err("\r\x1b[K")
            self._last = 0.0
