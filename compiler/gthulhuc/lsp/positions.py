# SPDX-License-Identifier: Apache-2.0
"""Converts between the compiler's offsets and the protocol's positions.

The protocol counts columns in units of the encoding that client and server agreed on; its lines
end with LF, CR LF or CR, the compiler's only with LF.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_LINE_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """The lines of one text."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self._encoding, self._unit = _UNITS[encoding]

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column of an offset, both from 0."""
        line = bisect_right(self._starts, offset) - 1
        return line, self._size(self._text[self._starts[line] : offset])

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of a position, limited to the end of its line and of the text."""
        if line >= len(self._starts):
            return len(self._text)
        start = self._starts[line]
        end = _LINE_END.search(self._text, start)
        units = 0
        for at in range(start, end.start() if end else len(self._text)):
            if units >= column:
                return at
            units += self._size(self._text[at])
        return end.start() if end else len(self._text)

    def _size(self, text: str) -> int:
        return len(text.encode(self._encoding, errors="surrogatepass")) // self._unit
