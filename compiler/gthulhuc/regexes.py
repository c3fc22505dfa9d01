# SPDX-License-Identifier: Apache-2.0
r"""The regular expressions of the language, over bytes and anchored at both ends.

`. [] () | * + ? {m} {m,} {m,n} \d \w \s`, and a backslash before a punctuation mark for the mark
itself. `.` is any byte; `[^a-z]` any that is not listed. Nothing in a subject is a NUL.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from gthulhuc.records import dataclass

MAX_REPEAT = 255
MAX_SIZE = 1000
"""The maximal size of an expression in bytes, with repetitions expanded."""


class RegexError(ValueError):
    """The pattern is malformed or unsupported at the bytes from `start` to `end`.

    `hint` says what to do; `instead` is what to write there, if that is certain.
    """

    def __init__(
        self, message: str, start: int, end: int, hint: str = "", instead: str | None = None
    ) -> None:
        super().__init__(message)
        self.start = start
        self.end = end
        self.hint = hint
        self.instead = instead


@dataclass(frozen=True, slots=True)
class OneOf:
    """One byte out of a set."""

    bytes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts in sequence; an empty sequence is the empty string."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, at least two."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part `low` to `high` times; None for `high` means without limit."""

    part: Regex
    low: int
    high: int | None


Regex: TypeAlias = OneOf | Sequence | Choice | Repeat

ANY = frozenset(range(1, 256))
_DIGITS = frozenset(b"0123456789")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACE = frozenset(b" \t\n\r\f\v")
_CLASSES = {ord("d"): _DIGITS, ord("w"): _WORD, ord("s"): _SPACE}
_NEGATED = {ord("D"): "[^0-9]", ord("W"): r"[^A-Za-z0-9_]", ord("S"): r"[^\s]"}
_SIMPLE_BOUNDS: dict[bytes, tuple[int, int | None]] = {
    b"*": (0, None),
    b"+": (1, None),
    b"?": (0, 1),
}
_BOUNDS = re.compile(rb"\{([0-9]*)(,?)([0-9]*)\}")


def parse(pattern: bytes) -> Regex:
    """Returns the expression's tree. Raises RegexError."""
    parser = _Parser(pattern)
    tree = parser.choice(0)
    if parser.at < len(pattern):
        raise RegexError(
            "unmatched `)`", parser.at, parser.at + 1, r"for a literal one, write `\)`"
        )
    if size(tree) > MAX_SIZE:
        raise RegexError(
            f"longer than {MAX_SIZE} bytes once expanded", 0, len(pattern), "repeat less often"
        )
    return tree


def size(tree: Regex) -> int:
    """Returns the number of single bytes in the expression, with repetitions expanded."""
    match tree:
        case OneOf():
            return 1
        case Sequence() | Choice():
            return sum(size(part) for part in tree.parts)
        case Repeat():
            return size(tree.part) * max(tree.low, tree.high or 1, 1)


def shortest(tree: Regex) -> int:
    """Returns the length in bytes of the shortest match."""
    match tree:
        case OneOf():
            return 1
        case Sequence():
            return sum(shortest(part) for part in tree.parts)
        case Choice():
            return min(shortest(part) for part in tree.parts)
        case Repeat():
            return shortest(tree.part) * tree.low


def to_python(tree: Regex) -> bytes:
    """Returns the expression for `re.fullmatch` (with DOTALL) on bytes."""
    match tree:
        case OneOf():
            return b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(tree.bytes)) + b"]"
        case Sequence():
            return b"".join(to_python(part) for part in tree.parts)
        case Choice():
            return b"(?:" + b"|".join(to_python(part) for part in tree.parts) + b")"
        case Repeat():
            high = b"" if tree.high is None else b"%d" % tree.high
            return b"(?:" + to_python(tree.part) + b"){%d,%b}" % (tree.low, high)


class _Parser:
    """Recursive descent, one method for each level of binding."""

    def __init__(self, pattern: bytes) -> None:
        self._pattern = pattern
        self.at = 0

    def choice(self, depth: int) -> Regex:
        if depth > 50:
            raise RegexError("nested deeper than 50", self.at - 1, self.at)
        parts = [self._sequence(depth)]
        while self._next() == b"|":
            self.at += 1
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _sequence(self, depth: int) -> Regex:
        parts: list[Regex] = []
        while self._next() not in (b"", b"|", b")"):
            parts.append(self._repeated(depth))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, depth: int) -> Regex:
        start = self.at
        part = self._atom(depth)
        bounds = self._bounds()
        if bounds is None:
            return part
        if self._next() in (b"*", b"+", b"?", b"{"):
            hint = "put parentheses around the first repetition"
            if self._next() in (b"+", b"?"):
                hint = "lazy and possessive repetition have no effect: the whole value must match"
            raise RegexError("a repetition of a repetition", start, self.at + 1, hint)
        return Repeat(part, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        if (bounds := _SIMPLE_BOUNDS.get(self._next())) is not None:
            self.at += 1
            return bounds
        if self._next() != b"{":
            return None
        start = self.at
        found = _BOUNDS.match(self._pattern, start)
        if found is None or not found[1]:
            hint = r"write a repetition as `{3}`, `{2,}` or `{2,5}`, a literal brace as `\{`"
            raise RegexError("`{` does not start a repetition", start, start + 1, hint)
        self.at = found.end()
        if any(len(part) > 4 or int(part or b"0") > MAX_REPEAT for part in (found[1], found[3])):
            raise RegexError(f"more than {MAX_REPEAT} repetitions", start, self.at)
        low = int(found[1])
        high = low if not found[2] else int(found[3]) if found[3] else None
        if high is not None and high < low:
            raise RegexError("the repetition runs backwards", start, self.at)
        return low, high

    def _atom(self, depth: int) -> Regex:
        char, start = self._next(), self.at
        self.at += 1
        match char:
            case b"(":
                return self._group(start, depth)
            case b"[":
                return self._set(start)
            case b".":
                return OneOf(ANY)
            case b"\\":
                return OneOf(self._escape(start))
            case b"*" | b"+" | b"?" | b"{":
                hint = rf"for a literal one, write `\{char.decode()}`"
                raise RegexError(f"`{char.decode()}` has nothing to repeat", start, self.at, hint)
            case b"^" | b"$":
                hint = (
                    rf"remove it: the whole value must match; a literal one is `\{char.decode()}`"
                )
                raise RegexError(f"`{char.decode()}` is not needed", start, self.at, hint, "")
            case b"]" | b"}":
                hint = rf"for a literal one, write `\{char.decode()}`"
                raise RegexError(f"unmatched `{char.decode()}`", start, self.at, hint)
        return OneOf(frozenset(char))

    def _group(self, start: int, depth: int) -> Regex:
        if self._next() == b"?":
            hint = "use plain parentheses"
            raise RegexError("`(?` is not supported", start, start + 2, hint)
        inner = self.choice(depth + 1)
        if self._next() != b")":
            raise RegexError("`(` is not closed", start, start + 1)
        self.at += 1
        return inner

    def _escape(self, start: int) -> frozenset[int]:
        char = self._next()
        self.at += 1
        if char == b"":
            raise RegexError(
                r"nothing follows `\`", start, start + 1, r"for a literal backslash, write `\\`"
            )
        if (known := _CLASSES.get(char[0])) is not None:
            return known
        if char.isalnum() or char == b"_":
            shown = char.decode()
            hint = _NEGATED.get(char[0])
            help_ = f"write `{hint}`" if hint else r"expected `\d`, `\w` or `\s`"
            raise RegexError(rf"`\{shown}` is not supported", start, self.at, help_, hint)
        return frozenset(char)

    def _set(self, start: int) -> Regex:
        negated = self._next() == b"^"
        self.at += negated
        members: set[int] = set()
        is_first = True
        while self._next() != b"]" or is_first:
            is_first = False
            if self._next() == b"":
                raise RegexError("`[` is not closed", start, start + 1)
            members |= self._member()
        self.at += 1
        chosen = ANY - members if negated else frozenset(members)
        if not chosen:
            raise RegexError("this set matches nothing", start, self.at)
        return OneOf(chosen)

    def _member(self) -> frozenset[int]:
        start = self.at
        low = self._single()
        if self._next() != b"-" or self._pattern[self.at + 1 : self.at + 2] in (b"]", b""):
            return low
        self.at += 1
        high = self._single()
        if len(low) != 1 or len(high) != 1:
            raise RegexError("a range needs one character at each end", start, self.at)
        if min(high) < min(low):
            raise RegexError("a range runs backwards", start, self.at)
        return frozenset(range(min(low), min(high) + 1))

    def _single(self) -> frozenset[int]:
        char, start = self._next(), self.at
        self.at += 1
        if char == b"[" and self._next() == b":":
            hint = r"write `\d`, `\w` or `\s`"
            raise RegexError("`[:` is not supported", start, start + 2, hint)
        return self._escape(start) if char == b"\\" else frozenset(char)

    def _next(self) -> bytes:
        return self._pattern[self.at : self.at + 1]
