# SPDX-License-Identifier: Apache-2.0
"""Converts Gthulhu's `commandRegex` (Go's RE2, unanchored) to a predicate on names of 15 bytes."""

from __future__ import annotations

import re
from functools import lru_cache

from gthulhuc import regexes
from gthulhuc.importers.document import escape_glob, one_of
from gthulhuc.records import dataclass
from gthulhuc.syntax.text import quote

COMM_MAX = 15
_LITERAL = re.compile(r"(?:[A-Za-z0-9_ /:@%,;<>='\"!~&-]|\\[^A-Za-z0-9])+")
_GROUPED = re.compile(r"(\^?)\((?:\?:)?([^()]*)\)(\$?)", re.DOTALL)
_NESTING = re.compile(r"[\\()\[]")
_UNKNOWN = re.compile(r"\\[AzbBpPQCaftnrvxDWS0-9]|\(\?(?!:)|\[\[:|[^\x00-\x7f]")


class UnsupportedError(ValueError):
    """The expression has no counterpart; the message names the part."""


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """The predicate of an expression, and warnings about it."""

    predicate: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Literal:
    """A literal at the start (`is_head`) or end (`is_tail`) of a name, or anywhere."""

    text: bytes
    is_head: bool
    is_tail: bool


@lru_cache(4096)  # a strategy has an intent for each pod
def to_predicate(pattern: str) -> CommandMatch:
    """Returns the predicate of an expression. Raises UnsupportedError."""
    alternatives, is_head, is_tail = _alternatives(pattern)
    literals = [_literal(part, is_head=is_head, is_tail=is_tail) for part in alternatives]
    if all(literal is not None for literal in literals):
        return _from_literals([literal for literal in literals if literal is not None])
    text, shortest = _anchored(alternatives, is_head=is_head, is_tail=is_tail)
    if shortest > COMM_MAX:
        raise UnsupportedError("it matches only names longer than 15 bytes")
    return CommandMatch(f"comm =~ {quote_regex(text)}", ())


def to_anchored(pattern: str) -> str:
    """Returns the expression, which need not match the whole value, as one that does.

    Raises UnsupportedError.
    """
    alternatives, is_head, is_tail = _alternatives(pattern)
    return _anchored(alternatives, is_head=is_head, is_tail=is_tail)[0]


def quote_regex(text: str) -> str:
    """Returns an expression as a string, without escapes if that can be."""
    is_plain = "'" not in text and text.isprintable()
    return f"'{text}'" if is_plain else quote(text.encode(errors="surrogatepass"))


def _alternatives(pattern: str) -> tuple[list[str], bool, bool]:
    """The alternatives of a pattern, and whether it has an anchor for all at each end."""
    found = _UNKNOWN.search(pattern)
    if found is not None:
        raise UnsupportedError(f"`{found[0]}` has no counterpart in the language")
    body, is_head, is_tail = _without_anchors(pattern)
    return _split(body), is_head, is_tail


def _without_anchors(pattern: str) -> tuple[str, bool, bool]:
    """The pattern without an outer group and anchors, and whether it had each anchor."""
    grouped = _GROUPED.fullmatch(pattern)
    if grouped is not None:
        return grouped[2], bool(grouped[1]), bool(grouped[3])
    return pattern, False, False


def _split(pattern: str) -> list[str]:
    """The alternatives of a pattern."""
    if not _NESTING.search(pattern):
        return pattern.split("|")
    parts = [""]
    depth = 0
    in_class = False
    at = 0
    while at < len(pattern):
        char = pattern[at]
        step = 2 if char == "\\" else 1
        if char == "|" and depth == 0 and not in_class:
            parts.append("")
        else:
            parts[-1] += pattern[at : at + step]
        in_class = char == "[" or (in_class and char != "]")
        depth += 0 if in_class else (char == "(") - (char == ")")
        at += step
    return parts


def _ends(part: str, *, is_head: bool, is_tail: bool) -> tuple[str, bool, bool]:
    """An alternative without its own anchors and without `.*` at its ends."""
    if part.startswith("^"):
        part, is_head = part[1:], True
    if part.endswith("$") and not part.endswith("\\$"):
        part, is_tail = part[:-1], True
    if part.startswith(".*"):
        part, is_head = part[2:], False
    if part.endswith(".*") and not part.endswith("\\.*"):
        part, is_tail = part[:-2], False
    return part, is_head, is_tail


def _literal(part: str, *, is_head: bool, is_tail: bool) -> _Literal | None:
    part, is_head, is_tail = _ends(part, is_head=is_head, is_tail=is_tail)
    if not _LITERAL.fullmatch(part):
        return None
    text = re.sub(r"\\(.)", r"\1", part) if "\\" in part else part
    return _Literal(text.encode(), is_head, is_tail)


def _from_literals(literals: list[_Literal]) -> CommandMatch:
    warnings: list[str] = []
    exact: list[bytes] = []
    globs: list[bytes] = []
    loose: list[str] = []
    for literal in literals:
        if len(literal.text) > COMM_MAX:
            cut = literal.text[:COMM_MAX]
            warnings.append(
                f"`{literal.text.decode()}` is longer than the 15 bytes of a name, so Gthulhu "
                f"never matched it; imported as `{cut.decode(errors='replace')}`, the name that "
                "the kernel keeps"
            )
            exact.append(cut)
        elif literal.is_head and literal.is_tail:
            exact.append(literal.text)
        else:
            head = b"" if literal.is_head else b"*"
            tail = b"" if literal.is_tail else b"*"
            globs.append(head + escape_glob(literal.text) + tail)
            if head and tail:
                loose.append(f"`{literal.text.decode()}`")
    if loose:
        warnings.append(
            f"{', '.join(loose)} without anchors: as in Gthulhu, this matches every name that "
            "contains it; to match one name, compare with `==`"
        )
    exact, globs = list(dict.fromkeys(exact)), list(dict.fromkeys(globs))
    if not globs:
        return CommandMatch(one_of("comm", exact), tuple(warnings))
    if len(globs) == 1 and not exact:
        return CommandMatch(f"comm ~ {quote(globs[0])}", tuple(warnings))
    listed = ", ".join(quote(text) for text in (*exact, *globs))
    return CommandMatch(f"comm ~ [{listed}]", tuple(warnings))


def _anchored(parts: list[str], *, is_head: bool, is_tail: bool) -> tuple[str, int]:
    """The alternatives as one expression for the whole value, and the length of its shortest."""
    made = []
    for whole in parts:
        part, begins, ends = _ends(whole, is_head=is_head, is_tail=is_tail)
        # Greed changes captures, not matches.
        part = re.sub(r"(?<!\\)([*+?}])\?", r"\1", part.replace("(?:", "("))
        if re.search(r"(?<!\\)(?<!\[)[\^$]", part):
            raise UnsupportedError("an anchor in the middle has no counterpart in the language")
        group = f"({part})" if len(_split(part)) > 1 else part
        made.append(("" if begins else ".*") + group + ("" if ends else ".*"))
    text = "|".join(made)
    try:
        tree = regexes.parse(text.encode())
    except regexes.RegexError as error:
        raise UnsupportedError(str(error)) from error
    return text, regexes.shortest(tree)
