# SPDX-License-Identifier: Apache-2.0
r"""Reads string literals: `"..."` with the escapes \" \\ \n \t \xHH, and '...' literally."""

from __future__ import annotations

import re

from gthulhuc.diagnostics import Collector, Help, codes
from gthulhuc.source import Span

_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.)|$)", re.DOTALL)
_SIMPLE = {'"': b'"', "\\": b"\\", "n": b"\n", "t": b"\t"}
_HINT = r"""valid escapes are `\"`, `\\`, `\n`, `\t` and `\xHH`; '...' has no escapes"""


def is_open_text(text: str) -> bool:
    """Whether a string as written is not closed, and so may have swallowed what follows."""
    escapes = len(text) - 1 - len(text[:-1].rstrip("\\"))
    return len(text) < 2 or text[-1] != text[0] or (text[0] == '"' and escapes % 2 == 1)


def unquote(span: Span, report: Collector) -> bytes | None:
    """Returns the bytes of the literal at `span`, text as UTF-8; None after an error.

    A NUL is an error, as no name in the kernel contains one.
    """
    text = span.text
    body = text[1:-1]
    is_plain = text[0] == "'" or "\\" not in body
    value = body.encode() if is_plain else _unescape(body, span, report)
    if value is not None and b"\0" in value:
        report.error(codes.BAD_ESCAPE, "a string cannot contain a NUL byte", span)
        return None
    return value


def _unescape(body: str, span: Span, report: Collector) -> bytes | None:
    is_fine = True
    parts: list[bytes] = []
    end = 0
    for found in _ESCAPE.finditer(body):
        parts.append(body[end : found.start()].encode())
        end = found.end()
        digits, char = found.groups()
        if digits is not None:
            parts.append(bytes([int(digits, 16)]))
        elif char in _SIMPLE:
            parts.append(_SIMPLE[char])
        elif char is not None:
            start = span.start + 1 + found.start()
            at = Span(span.source, start, start + 2)
            is_fine = False
            hint = Help(_HINT, f"\\\\{char}")
            report.error(codes.BAD_ESCAPE, f"unknown escape `\\{char}`", at, hint=hint)
    parts.append(body[end:].encode())
    return b"".join(parts) if is_fine else None


# Nearly all: importers quote tens of thousands of names.
_PLAIN = re.compile(rb"[ !#-\[\]-~]*")


def quote(value: bytes) -> str:
    r"""Returns a string literal: text unchanged, other bytes as \xHH."""
    if _PLAIN.fullmatch(value):
        return f'"{value.decode()}"'
    text = value.decode("utf-8", errors="surrogateescape")
    return '"' + "".join(_quoted(char) for char in text) + '"'


def _quoted(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", errors="surrogateescape"))
