# SPDX-License-Identifier: Apache-2.0
"""Renders diagnostics for people, as rustc does.

error[GPL0101]: unknown level `urgnt`
--> web.gpl:7:14
|
7 |     priority urgnt
|              ^^^^^ not a level
= help: did you mean `urgent`?
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from gthulhuc.diagnostics.model import Diagnostic, Label, Severity
from gthulhuc.records import dataclass
from gthulhuc.source import Source

_TAB = 4
# A longer line is shown from shortly before the reported place.
_LINE_WIDTH = 160
_LEAD = 40


@dataclass(frozen=True, slots=True)
class Palette:
    """Escape sequences by role; empty without colour."""

    error: str = ""
    warning: str = ""
    frame: str = ""
    strong: str = ""
    reset: str = ""


PLAIN = Palette()
COLOURED = Palette("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m")


def palette_for(stream: TextIO, choice: str, environ: Mapping[str, str] = os.environ) -> Palette:
    """Returns the colours for a choice; NO_COLOR and FORCE_COLOR affect `auto`."""
    if choice != "auto":
        return COLOURED if choice == "always" else PLAIN
    if environ.get("NO_COLOR"):
        return PLAIN
    if environ.get("FORCE_COLOR"):
        return COLOURED
    return COLOURED if stream.isatty() and environ.get("TERM") != "dumb" else PLAIN


def render(diagnostics: Iterable[Diagnostic], palette: Palette = PLAIN) -> str:
    """Returns all diagnostics as text, with an empty line after each."""
    return "".join(render_one(diagnostic, palette) + "\n" for diagnostic in diagnostics)


def render_one(diagnostic: Diagnostic, palette: Palette = PLAIN) -> str:
    """Returns one diagnostic as lines of text."""
    accent = palette.error if diagnostic.is_error else palette.warning
    head = f"{diagnostic.severity.value}[{diagnostic.code.id}]"
    message = visible(diagnostic.message)
    source = diagnostic.span.source
    line, column = source.position(diagnostic.span.start)
    labels = (diagnostic.primary, *diagnostic.secondary)
    width = len(str(max(label.span.line for label in labels)))
    bar = f"{palette.frame}{' ' * width} |{palette.reset}"
    place = f"{visible(source.name)}:{line}:{column}"
    lines = [
        f"{accent}{head}{palette.reset}{palette.strong}: {message}{palette.reset}",
        f"{palette.frame}{' ' * width}-->{palette.reset} {place}",
        bar,
        *_excerpts(diagnostic, width, accent, palette),
    ]
    for kind, texts in (("help", diagnostic.help), ("note", diagnostic.notes)):
        for text in texts:
            lead = f"{palette.frame}{' ' * width} ={palette.reset} "
            rest = "\n" + " " * (width + len(f" = {kind}: "))
            said = rest.join(visible(part) for part in text.split("\n"))
            lines.append(f"{lead}{palette.strong}{kind}{palette.reset}: {said}")
    return "\n".join(lines) + "\n"


def summary(diagnostics: Sequence[Diagnostic], name: str, palette: Palette = PLAIN) -> str:
    """Returns the last line: the number of errors and warnings, or an empty string."""
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [_count(errors, "error")] * bool(errors) + [_count(warnings, "warning")] * bool(
        warnings
    )
    if not counts:
        return ""
    accent = palette.error if errors else palette.warning
    word = "error" if errors else "warning"
    return f"{accent}{word}{palette.reset}: {visible(name)} has {' and '.join(counts)}\n"


def visible(text: str) -> str:
    """Returns the text with escapes for all characters that would control a terminal."""
    return "".join(_visible_char(char) for char in text)


def _visible_char(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file's name that is not UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"


def _excerpts(diagnostic: Diagnostic, width: int, accent: str, palette: Palette) -> list[str]:
    """The relevant lines, first of the file with the problem, then of others."""
    files: dict[str, tuple[Source, list[tuple[Label, bool]]]] = {}
    for label in (diagnostic.primary, *diagnostic.secondary):
        source = label.span.source
        group = files.setdefault(source.name, (source, []))[1]
        group.append((label, label is diagnostic.primary))
    lines: list[str] = []
    for source, labels in files.values():
        if lines:
            line, column = source.position(labels[0][0].span.start)
            place = f"{visible(source.name)}:{line}:{column}"
            lines.append(f"{palette.frame}{' ' * width}:::{palette.reset} {place}")
        lines += _excerpt(source, labels, width, accent, palette)
    return lines


def _excerpt(
    source: Source, labels: list[tuple[Label, bool]], width: int, accent: str, palette: Palette
) -> list[str]:
    marked: dict[int, list[tuple[Label, bool]]] = {}
    for label, is_primary in labels:
        marked.setdefault(label.span.line, []).append((label, is_primary))
    lines: list[str] = []
    previous: int | None = None
    for number in sorted(marked):
        if previous is not None and number > previous + 1:
            lines.append(f"{palette.frame}{'.' * max(3, width)}{palette.reset}")
        previous = number
        text, marks = _line_with_marks(source, number, marked[number])
        lines.append(f"{palette.frame}{number:>{width}} |{palette.reset} {text}".rstrip())
        for start, length, said, is_primary in marks:
            tone = accent if is_primary else palette.frame
            mark = ("^" if is_primary else "-") * length
            tail = f" {visible(said)}" if said else ""
            lines.append(
                f"{palette.frame}{' ' * width} |{palette.reset} "
                f"{' ' * start}{tone}{mark}{tail}{palette.reset}"
            )
    return lines


def _line_with_marks(
    source: Source, number: int, labels: list[tuple[Label, bool]]
) -> tuple[str, list[tuple[int, int, str, bool]]]:
    """A line as shown, and for each label: first cell, cells, text, whether it is the primary."""
    raw = source.line(number)
    ranges = []
    for label, is_primary in labels:
        start = source.position(label.span.start)[1] - 1
        # A span over several lines is underlined to the end of its first.
        end = min(start + max(label.span.end - label.span.start, 1), max(len(raw), start + 1))
        ranges.append((min(start, len(raw)), end, label.text, is_primary))
    ranges.sort(key=lambda item: (not item[3], item[0]))
    first = ranges[0][0]
    cut = 0 if len(raw) <= _LINE_WIDTH else max(0, first - _LEAD)
    shown = raw[cut : cut + _LINE_WIDTH]
    cells = [0]
    text = ""
    for char in shown:
        piece = " " * (_TAB - cells[-1] % _TAB) if char == "\t" else _visible_char(char)
        text += piece
        cells.append(cells[-1] + sum(_cells(part) for part in piece))
    lead = "..." if cut else ""
    tail = "..." if cut + _LINE_WIDTH < len(raw) else ""

    def cell(index: int) -> int:
        inside = min(max(index - cut, 0), len(cells) - 1)
        return cells[inside] + len(lead)

    marks = [
        (cell(start), max(1, cell(end) - cell(start)), label, is_primary)
        for start, end, label, is_primary in ranges
    ]
    return lead + text + tail, marks


def _cells(char: str) -> int:
    """The number of terminal cells of a character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
