# SPDX-License-Identifier: Apache-2.0
"""Finds the construct at an offset, without a parser, as the text may be incomplete."""

from __future__ import annotations

import re

from gthulhuc import actions
from gthulhuc.records import dataclass

_TOKEN = re.compile(
    r"#[^\r\n]*|\"(?:\\.|[^\"\\\r\n])*\"?|'[^'\r\n]*'?|[A-Za-z_][A-Za-z0-9_-]*|[0-9][\w.%]*"
    r"|==|!=|<=|>=|->|=~|\.\.|\S"
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ITEMS = frozenset(
    {"policy", "include", "tunable", "set", "rule", "default", "expect", "promise", "test", "when"}
)
_STATEMENTS = frozenset(actions.NAMES)


@dataclass(frozen=True, slots=True)
class Context:
    """The construct that an offset is in.

    `item` is the word of the item (empty between items), `in_block` whether its braces are open,
    `statement` the word of the statement; `before` the tokens of the statement (or item) so far,
    `used` the statements that the block has; `in_text`: inside of a string or a comment;
    `in_when`: inside of the braces of a `when` block, whose rules are items there.
    """

    item: str
    in_block: bool
    statement: str
    before: tuple[str, ...]
    used: frozenset[str]
    in_text: bool
    in_when: bool

    @property
    def last(self) -> str:
        """Returns the token directly before the offset."""
        return self.before[-1] if self.before else ""


def context_at(text: str, offset: int) -> Context:
    """Returns the context of an offset; a word that ends there is not part of it."""
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    item, statement, in_block, in_text, in_when = "", "", False, False, False
    before: list[str] = []
    used: set[str] = set()
    for found in _TOKEN.finditer(text, 0, start):
        part = found[0]
        in_text = found.end() == start and _is_open(part)
        if part[0] == "#":
            continue
        if part == "}":
            in_when = in_when and in_block  # else the brace is that of the `when` block
            item, statement, in_block, before, used = "", "", False, [], set()
        elif part == "{" and item == "when":
            item, in_when, before = "", True, []
        elif not in_block and part in _ITEMS and not _is_name(before):
            item, statement, before = part, "", [part]
        elif part == "{":
            in_block, before = True, []
        elif in_block and item in ("rule", "default") and part in _STATEMENTS:
            statement, before = part, [part]
            used.add(part)
        else:
            before.append(part)
    return Context(item, in_block, statement, tuple(before), frozenset(used), in_text, in_when)


def _is_open(token: str) -> bool:
    if token[0] == "#":
        return True
    return token[0] in "\"'" and (len(token) == 1 or token[-1] != token[0])


def _is_name(before: list[str]) -> bool:
    """Whether the next token names the current item, although it is a keyword."""
    return before in (["policy"], ["rule"], ["expect"], ["promise"])


def word_at(text: str, offset: int) -> tuple[str, int, int] | None:
    """Returns the word at an offset, with its place."""
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    for found in _TOKEN.finditer(text, line_start):
        if found.start() > offset:
            return None
        if found.end() >= offset and _WORD.fullmatch(found[0]):
            return found[0], found.start(), found.end()
    return None


def text_at(text: str, offset: int) -> tuple[int, int] | None:
    """Returns the string literal around an offset, with its quotes."""
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    for found in _TOKEN.finditer(text, line_start):
        if found.start() > offset:
            return None
        if found.end() >= offset and found[0][0] in "\"'":
            return found.start(), found.end()
    return None
