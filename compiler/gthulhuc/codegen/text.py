# SPDX-License-Identifier: Apache-2.0
"""The only functions that put text of a policy into C."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 100
_TAB = 8


_ESCAPED = {
    byte: f"\\{byte:03o}" for byte in range(256) if not 0x20 <= byte < 0x7F or byte in b"\\?%"
}
# One set of characters each, because alternatives take five times as long.
_SPECIAL_IN_STRING = re.compile(r"[^ -$&->@-\[\]-~]")  # not printable, or one of % ? \
_MAYBE_SPECIAL_IN_COMMENT = re.compile(r"[^ -)+-.0->@-\[\]-~]")  # not printable, or * / ? \


def c_string(text: str | bytes) -> str:
    """Returns a C string literal. All special characters but quotes are octal escapes."""
    data = text.encode(errors="surrogateescape") if isinstance(text, str) else text
    found = data.decode("latin-1")
    if _SPECIAL_IN_STRING.search(found):  # in few of them, and `translate` is slow
        found = found.translate(_ESCAPED)
    return '"' + found.replace('"', '\\"') + '"'


def c_comment(text: str) -> str:
    """Returns text for the inside of a C comment, on one line.

    It contains no start or end of a comment and no trigraph.
    """
    if not _MAYBE_SPECIAL_IN_COMMENT.search(text):
        return text
    result = ""
    for char in text:
        shown = char if " " <= char <= "~" and char != "\\" else "?"
        if result[-1:] + shown in {"*/", "/*", "//", "??"}:
            result += " "
        result += shown
    return result


def c_rows(numbers: Sequence[int]) -> list[str]:
    """Returns numbers as rows of an initialiser, without the comma at a row's end."""
    return c_fill([str(number) for number in numbers])


def c_fill(items: Sequence[str]) -> list[str]:
    """Returns items as rows of an initialiser, each as long as possible."""
    rows: list[str] = []
    row: list[str] = []
    length = _TAB
    for item in items:
        if row and length + len(item) + 2 > WIDTH:
            rows.append(", ".join(row))
            row, length = [], _TAB
        row.append(item)
        length += len(item) + 2
    if row:
        rows.append(", ".join(row))
    return rows


def power_of_two(number: int) -> int:
    """Returns the least power of two that is not below a number."""
    return 1 << (number - 1).bit_length()


def c_break(head: str, terms: Sequence[str], operator: str, indent: str) -> str:
    """Terms joined by an operator, as what follows `head` on a line, broken where it is full.

    Later lines start with `indent`. The last line has room for the character that ends the
    statement.
    """
    lines: list[str] = []
    line = terms[0]
    width = _columns(head) + len(line)
    for index, term in enumerate(terms[1:], 2):
        end = 1 if index == len(terms) else len(f" {operator}")
        if width + len(f" {operator} {term}") + end > WIDTH:
            lines.append(f"{line} {operator}")
            line, width = term, _columns(indent) + len(term)
        else:
            line += f" {operator} {term}"
            width += len(f" {operator} {term}")
    return f"\n{indent}".join([*lines, line])


def _columns(head: str) -> int:
    return len(head.expandtabs(_TAB))
