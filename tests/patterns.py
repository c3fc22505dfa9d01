# SPDX-License-Identifier: Apache-2.0
"""Random patterns: globs and regular expressions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def glob(choice: Random, texts: Sequence[bytes]) -> bytes:
    """Returns a glob that resembles one of these texts."""
    text = choice.choice(texts)
    at = choice.randint(0, len(text))
    middle = choice.choice((b"*", b"?", b"[a-z]", b"[!a]", b"[*]", b""))
    parts = (choice.choice((b"", b"*")), _literal(text[:at]), middle, _literal(text[at:]))
    return b"".join(parts)


def _literal(text: bytes) -> bytes:
    return b"".join(b"[%c]" % c if c in b"*?[" else b"%c" % c for c in text)


_ATOMS = (
    b"a", b"b", b".", b"[a-c]", b"[^/]", rb"\d", rb"\w", b"nr-", b"/", rb"\.", b"web", b"[a-m]+",
)  # fmt: skip


def regex(choice: Random, depth: int = 3) -> bytes:
    """Returns a regular expression that matches short texts."""
    form = choice.randint(0, 5) if depth else 0
    if form < 2:
        return choice.choice(_ATOMS)
    left = regex(choice, depth - 1)
    if form < 4:
        return left + regex(choice, depth - 1)
    if form == 4:
        return b"(%b|%b)" % (left, regex(choice, depth - 1))
    return b"(%b)%b" % (left, choice.choice((b"*", b"+", b"?", b"{2}", b"{1,3}")))
