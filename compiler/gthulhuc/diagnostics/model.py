# SPDX-License-Identifier: Apache-2.0
"""Diagnostics, and the collector that passes report to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import Enum
from typing import Self

from gthulhuc.diagnostics.codes import Code
from gthulhuc.records import dataclass
from gthulhuc.source import Span


class Severity(Enum):
    """An error stops the compiler after the checks; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and a text about it, which may be empty."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of a part of the source."""

    span: Span
    text: str


class Help(str):
    """Help that a program can apply.

    Each of `instead` can replace the primary place; or `edits` are made.
    """

    __slots__ = ("edits", "instead")
    instead: tuple[str, ...]
    edits: tuple[Edit, ...]

    def __new__(cls, text: str, *instead: str, edits: Iterable[Edit] = ()) -> Self:
        """Returns the help with this text for a reader."""
        made = super().__new__(cls, text)
        made.instead = instead
        made.edits = tuple(edits)
        return made


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that solve a problem, and what they do."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem.

    `message` says what is wrong, on its own; `primary` says where, `secondary` what else in the
    source is involved, `help` what to do, and `notes` why.
    """

    code: Code
    severity: Severity
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """The place of the problem."""
        return self.primary.span

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The edits that solve it; several are alternatives."""
        found = []
        for text in self.help:
            if isinstance(text, Help):
                is_one = len(text.instead) == 1
                for new in text.instead:
                    title = str(text) if is_one else f"write `{new}`"
                    found.append(Fix(title, (Edit(self.span, new),)))
                if text.edits:
                    found.append(Fix(str(text), text.edits))
        return tuple(found)

    @property
    def is_error(self) -> bool:
        """Whether this stops the compiler."""
        return self.severity is Severity.ERROR


MANY = 100


@dataclass(slots=True)
class Collector:
    """Collects the findings of the passes."""

    _found: list[Diagnostic] = field(default_factory=list)

    def error(
        self,
        code: Code,
        message: str,
        at: Span,
        label: str = "",
        *,
        secondary: Iterable[Label] = (),
        hint: str | Iterable[str] = (),
        note: str | Iterable[str] = (),
    ) -> None:
        """Reports an error at a place."""
        self._add(Severity.ERROR, code, message, Label(at, label), secondary, hint, note)

    def warning(
        self,
        code: Code,
        message: str,
        at: Span,
        label: str = "",
        *,
        secondary: Iterable[Label] = (),
        hint: str | Iterable[str] = (),
        note: str | Iterable[str] = (),
    ) -> None:
        """Reports a warning at a place."""
        self._add(Severity.WARNING, code, message, Label(at, label), secondary, hint, note)

    def extend(self, found: Iterable[Diagnostic]) -> None:
        """Adds findings of another collector."""
        self._found.extend(found)

    def _add(
        self,
        severity: Severity,
        code: Code,
        message: str,
        primary: Label,
        secondary: Iterable[Label],
        hint: str | Iterable[str],
        note: str | Iterable[str],
    ) -> None:
        found = Diagnostic(
            code, severity, message, primary, tuple(secondary), _texts(hint), _texts(note)
        )
        self._found.append(found)

    @property
    def count(self) -> int:
        """How many findings there are."""
        return len(self._found)

    @property
    def is_long(self) -> bool:
        """Whether there are so many findings that looking for help is no longer worth it."""
        return len(self._found) > MANY

    @property
    def has_errors(self) -> bool:
        """Whether any finding stops the compiler."""
        return any(diagnostic.is_error for diagnostic in self._found)

    def sorted(self) -> list[Diagnostic]:
        """Returns all diagnostics, each once, in the order of their places."""
        unique = dict.fromkeys(self._found)
        return sorted(
            unique, key=lambda d: (d.span.source.name, d.span.start, d.span.end, d.code.id)
        )


def _texts(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
