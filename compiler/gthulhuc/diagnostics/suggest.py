# SPDX-License-Identifier: Apache-2.0
"""Suggests words that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from gthulhuc.diagnostics.model import Edit, Help
from gthulhuc.source import Span

# Searching a longer list costs more than a guess is worth.
_MOST_CANDIDATES = 2000


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Returns the candidate that `word` most likely stands for, or None."""
    return _nearest(word, tuple(candidates)[:_MOST_CANDIDATES])


@lru_cache(maxsize=1000)  # one misspelled name often occurs a thousand times
def _nearest(word: str, known: tuple[str, ...]) -> str | None:
    plain = {_plain(candidate): candidate for candidate in reversed(known)}
    if (same := plain.get(_plain(word))) is not None:
        return same
    from difflib import get_close_matches

    close = get_close_matches(_plain(word), plain, n=1, cutoff=0.6)
    return plain[close[0]] if close else None


def did_you_mean(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Returns help with the nearest candidate, or with all of them if they are few."""
    known = list(candidates)
    if (meant := nearest(word, known)) is not None:
        return (Help(f"did you mean `{meant}`?", meant),)
    if 0 < len(known) <= 20:
        return (f"expected {one_of(known, 'or')}",)
    return ()


def write(instead: str, more: str = "") -> Help:
    """Returns the help to write something in place of the problem's place."""
    return Help(f"write `{instead}`{more}", instead)


def insert(at: Span, text: str, said: str) -> Help:
    """Returns help that adds text after a place."""
    return Help(said, edits=[Edit(Span(at.source, at.end, at.end), text)])


def remove(span: Span, said: str) -> Help:
    """Returns help that removes a part of the source, with the blanks before it."""
    text = span.source.text
    start = span.start
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if start > 0 and text[start - 1] == "\n" and text[span.end : span.end + 1] == "\n":
        start -= 1
    return Help(said, edits=[Edit(Span(span.source, start, span.end), "")])


def one_of(words: Iterable[str], last: str = "and") -> str:
    """Returns words in backticks as a phrase: `a`, `b` and `c`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")
