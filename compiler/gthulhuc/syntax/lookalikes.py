# SPDX-License-Identifier: Apache-2.0
"""Characters that look like those of the language, and those that change the order of text."""

from __future__ import annotations

import re
import unicodedata

from gthulhuc.diagnostics import Collector, Help, codes
from gthulhuc.source import Source, Span

_ALIKE = {
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2026": "..", "\u223c": "~",
}  # fmt: skip
# Cyrillic and Greek ones
_LETTERS = {
    **dict(zip("\u0430\u0435\u043e\u0440\u0441\u0443\u0445", "aeopcyx", strict=True)),
    **dict(zip("\u0456\u0455\u0458\u0501\u04bb\u051b\u051d", "isjdhqw", strict=True)),
    **dict(zip("\u0410\u0412\u0415\u041a\u041c\u041d", "ABEKMH", strict=True)),
    **dict(zip("\u041e\u0420\u0421\u0422\u0425", "OPCTX", strict=True)),
    **dict(zip("\u03bf\u03bd\u03c1", "ovp", strict=True)),
}  # fmt: skip
# The characters that rustc refuses, too; see "Trojan Source" (Boucher and Anderson, 2021).
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff")


def plain(char: str) -> str | None:
    """Returns what a character looks like (nothing, for an invisible one); None if unknown."""
    if (known := _ALIKE.get(char) or _LETTERS.get(char)) is not None:
        return known
    if char in _INVISIBLE or _DIRECTION.match(char):
        return ""
    if unicodedata.category(char) in ("Zs", "Zl", "Zp"):
        return " "
    folded = unicodedata.normalize("NFKC", char)
    return folded if folded != char and folded.isascii() and folded.isprintable() else None


def in_latin(text: str) -> tuple[str, str] | None:
    """Returns a letter that looks like a Latin one, and the text with Latin letters only.

    None for a word of another script: one that has no Latin letters, or others that look different.
    """
    if text.isascii():  # as nearly all are
        return None
    odd = next((char for char in text if char in _LETTERS), None)
    spelled = "".join(_LETTERS.get(char, char) for char in text)
    has_latin = any(char.isascii() and char.isalpha() for char in text)
    return (odd, spelled) if odd and has_latin and spelled.isascii() else None


def name(char: str) -> str:
    """Returns a character's number and name."""
    return f"U+{ord(char):04X} ({unicodedata.name(char, 'a control character')})"


def refuse_directions(source: Source, report: Collector) -> None:
    """Reports characters that change the order in which text is shown, wherever they are."""
    if source.text.isascii():
        return
    for found in _DIRECTION.finditer(source.text):
        report.error(
            codes.TEXT_DIRECTION,
            f"{name(found[0])} changes the order in which text is shown",
            Span(source, found.start(), found.end()),
            hint=Help("remove it; in a string, write its bytes as `\\xHH`", ""),
        )
