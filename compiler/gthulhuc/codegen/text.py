# SPDX-License-Identifier: Apache-2.0
"""The only ways for text of a policy to get into C."""

from __future__ import annotations


def c_string(text: str | bytes) -> str:
    """A C string literal: whatever is not plain is an octal escape, so nothing can end it."""
    data = text.encode() if isinstance(text, str) else text
    return '"' + "".join(_char(byte) for byte in data) + '"'


def _char(byte: int) -> str:
    plain = 0x20 <= byte < 0x7F and byte not in b'"\\?%'
    return chr(byte) if plain else f"\\{byte:03o}"


def c_comment(text: str) -> str:
    """Text for the inside of a C comment, on one line."""
    safe = "".join(c if " " <= c <= "~" and c != "\\" else "?" for c in text)
    return safe.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/")


def c_rows(numbers: tuple[int, ...], per_row: int = 16) -> list[str]:
    """Numbers as rows of an initialiser, without the comma at a row's end."""
    rows = [numbers[i : i + per_row] for i in range(0, len(numbers), per_row)]
    return [", ".join(str(number) for number in row) for row in rows]
