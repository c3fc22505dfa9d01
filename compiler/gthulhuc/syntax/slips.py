# SPDX-License-Identifier: Apache-2.0
"""Help for common slips, by the tokens around a syntax error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gthulhuc.diagnostics import Edit, Help
from gthulhuc.diagnostics.suggest import nearest
from gthulhuc.source import Source, Span
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.tree import Token
from gthulhuc.words import OTHERWISE, UNITS

_STRINGS = (k.STRING, k.RAW)
_PREDICATES = ("matchStatement", "expression", "unary", "primary", "comparison")
_REACTIONS = tuple(word.name for word in OTHERWISE)
_FOREIGN_ACTIONS = {
    "nice": "nice is a fact that `match` compares; for a share of the CPU, write `weight 50`",
    "affinity": "write `cpus 0-3`",
    "cpu": "write `cpus 0-3`",
    "cpuset": "write `cpus 0-3`",
    "pin": "write `cpus 0-3`",
    "timeslice": "write `slice 2ms`",
    "quantum": "write `slice 2ms`",
    "prio": "write `priority high`",
    "class": "write `priority high`",
    "when": "write `match` before a predicate",
    "if": "write `match` before a predicate",
}


@dataclass(frozen=True)
class Place:
    """A token among others."""

    source: Source
    tokens: Sequence[Token]
    at: int

    def kind(self, step: int = 0) -> int:
        """Returns the kind of a token before or after this one; -1 past either end."""
        at = self.at + step
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else -1

    def text(self, step: int = 0) -> str:
        """Returns the text of a token before or after this one."""
        token = self.tokens[self.at + step]
        return self.source.text[token.start : token.end]

    def span(self, step: int) -> Span:
        """Returns the place from a token before this one to its end."""
        first, last = self.tokens[self.at + step], self.tokens[self.at]
        return Span(self.source, first.start, last.end)


def help_of(place: Place, stack: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Returns what to write instead, if that can be guessed; `words` can start a statement."""
    kind, before, first = place.kind(), place.kind(-1), place.kind(-2)
    if kind == k.AFTER:
        return ("write `after` before `budget`: `preempt after 100us budget 10ms per 100ms`",)
    if before == k.CPUS:
        return _of_cpus(place)
    if before == k.NOT and stack[-1] == "cpuTerm":
        return ("list the CPUs that are meant",)
    is_range = kind == k.DOTS and before == k.NUMBER and place.kind(1) == k.NUMBER
    if is_range and first in (k.CPUS, k.COMMA):
        return (Help(f"for a range of CPUs, write `{place.text(-1)}-{place.text(1)}`", "-"),)
    if kind == k.MINUS and before == k.NUMBER and first == k.SLICE:
        return (Help(f"for a range, write `{place.text(-1)}..{place.text(1)}`", ".."),)
    if kind == k.COMMA and before == k.STRING and first == k.EQ:
        return (f"for several values, write a list: `in [{place.text(-1)}, {place.text(1)}]`",)
    return _of_stack(place, stack) or _of_word(place, words)


def unit_apart(place: Place) -> tuple[str, ...]:
    """Returns help for a unit that a space separates from its number."""
    if place.text() in UNITS and place.kind(-1) == k.NUMBER:
        joined = f"{place.text(-1)}{place.text()}"
        said = f"write the unit directly after its number: `{joined}`"
        return (Help(said, edits=[Edit(place.span(-1), joined)]),)
    return ()


def foreign_action(word: str) -> tuple[str, ...]:
    """Returns what to write for a word that other schedulers have."""
    return (_FOREIGN_ACTIONS[word],) if word in _FOREIGN_ACTIONS else ()


def _of_cpus(place: Place) -> tuple[str, ...]:
    if place.kind() in _STRINGS:
        plain = place.text()[1:-1]
        return (Help(f"write CPUs without quotes: `cpus {plain}`", plain),)
    if place.kind() != k.LBRACKET:
        return ()
    listed: list[str] = []
    while place.kind(len(listed) + 1) in (k.NUMBER, k.COMMA, k.MINUS):
        listed.append(place.text(len(listed) + 1))
    shown = "".join(listed) or "14,15"
    return (f"write CPUs without brackets: `cpus {shown}`; a range looks like `14-15`",)


def _of_stack(place: Place, stack: Sequence[str]) -> tuple[str, ...]:
    kind, before = place.kind(), place.kind(-1)
    is_string = kind in _STRINGS
    if ("setItem" in stack and is_string) or (kind == k.LPAREN and before == k.IN):
        return ('write a list in brackets: `["a", "b"]`',)
    if before == k.MATCH and kind == k.LBRACE:
        return ("write the predicate without braces, or in parentheses",)
    if before == k.LT and kind == k.GT:
        return (Help("for `not equal`, write `!=`", edits=[Edit(place.span(-1), "!=")]),)
    if before == k.PRIORITY and kind == k.NUMBER:
        return ("levels are words: write `priority high`",)
    if stack[0] in ("testBlock", "testLine"):
        return _of_test(place)
    if kind == k.ASSIGN and stack[-1] != "setItem":
        return (Help("write the value directly after the word, as in `slice 2ms`", ""),)
    if stack[-1] in ("promiseBlock", "claim", "otherwise"):
        return _of_promise(place)
    if stack[-1] in _PREDICATES and is_string:
        return ('write the field on the left: `comm == "sshd"`',)
    if stack[-1] == "anyName" and is_string:
        return ("write the name without quotes, such as `web-server`",)
    return ()


def _of_test(place: Place) -> tuple[str, ...]:
    kind, before = place.kind(), place.kind(-1)
    if before == k.TEST and kind == k.WORD:
        name = f'"{place.text()}"'
        return (Help(f"write the name of a test in double quotes: `{name}`", name),)
    if kind == k.ASSIGN and place.kind(1) == k.GT:
        arrow = Span(place.source, place.span(0).start, place.tokens[place.at + 1].end)
        return (Help("write `->`", edits=[Edit(arrow, "->")]),)
    if kind in (k.ASSIGN, k.EQ):
        return (Help('write the value directly after the field, as in `comm "sshd"`', ""),)
    if kind == k.COMMA:
        return (Help("facts need no comma between them", ""),)
    if before == k.ARROW and kind in _STRINGS:
        plain = place.text()[1:-1]
        return (Help(f"write the name without quotes: `{plain}`", plain),)
    if before == k.ARROW:
        return ("write the rule that takes the task, or `default`",)
    if kind == k.RBRACE:
        return ("write the rule after the facts, as in `-> default`",)
    return ()


def _of_promise(place: Place) -> tuple[str, ...]:
    kind, before = place.kind(), place.kind(-1)
    if kind == k.LBRACE and place.kind(-2) == k.PROMISE:
        return (f"write for how long each window is: `promise {place.text(-1)} over 10s {{`",)
    if kind == k.RBRACE and before == k.WORD and place.text(-1) in _REACTIONS:
        return (f"write `else {place.text(-1)}`",)
    if kind == k.RBRACE and before == k.ELSE:
        *some, last = (f"`else {word}`" for word in _REACTIONS)
        return (f"write {', '.join(some)} or {last}",)
    if kind == k.COMMA:
        return (Help("claims need no comma between them", ""),)
    return ()


def _of_word(place: Place, words: Sequence[str]) -> tuple[str, ...]:
    meant = nearest(place.text(), words) if place.kind() == k.WORD else None
    return (Help(f"did you mean `{meant}`?", meant),) if meant else ()
