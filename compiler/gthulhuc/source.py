# SPDX-License-Identifier: Apache-2.0
"""Source text and places in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from itertools import accumulate

from gthulhuc.records import dataclass


def as_text(name: str) -> str:
    """Returns a file's name as text, with escapes for bytes that are not UTF-8."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class Source:
    """One policy file: its display name (as the user gave it) and its text.

    `is_text` is false for a file that has no text to read, which was reported.
    """

    name: str
    text: str = field(repr=False)
    is_text: bool = True
    _line_starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lengths = (len(line) + 1 for line in self.text.split("\n")[:-1])
        object.__setattr__(self, "_line_starts", tuple(accumulate(lengths, initial=0)))

    @property
    def shown(self) -> str:
        """The name in a form that can be printed everywhere."""
        return as_text(self.name)

    @property
    def sha256(self) -> str:
        """The hash by which an object names its source."""
        import hashlib

        return hashlib.sha256(self.text.encode(errors="surrogateescape")).hexdigest()

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column of a character offset, both from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Returns the text of a line (counted from 1), without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of character offsets in a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, counted from 1."""
        return self.source.position(self.start)[0]

    @property
    def text(self) -> str:
        """The source text that the span covers."""
        return self.source.text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The text on one line, with single blanks."""
        return " ".join(self.text.split())

    @property
    def place(self) -> dict[str, str | int]:
        """The file, line and column of the first character, as JSON has them."""
        line, column = self.source.position(self.start)
        return {"file": self.source.shown, "line": line, "column": column}

    def to(self, other: Span) -> Span:
        """Returns the span from the start of this one to the end of another."""
        return Span(self.source, self.start, other.end)
