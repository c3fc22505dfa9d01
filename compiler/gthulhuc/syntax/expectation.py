# SPDX-License-Identifier: Apache-2.0
"""Messages for tokens that a parser did not expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gthulhuc import actions
from gthulhuc.diagnostics import Collector, Help, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.source import Source
from gthulhuc.syntax import slips
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.generated.QuickParser import BODIES, ITEMS, KEYWORDS
from gthulhuc.syntax.slips import Place
from gthulhuc.syntax.tokens import token_span
from gthulhuc.syntax.tree import Token

EOF = -1
_STATEMENTS = {getattr(k, name.upper().replace("-", "_")) for name in actions.NAMES}
_COMPARATORS = {
    k.EQ, k.NE, k.LT, k.LE, k.GT, k.GE, k.GLOB, k.REGEX, k.IN, k.UNDER, k.ASSIGN,
}  # fmt: skip
_CPU_MODIFIERS = ("exclusive", "prefer")
_RULES = ("ruleBlock", "defaultBlock")
_BRACKETS = {k.RBRACE: k.LBRACE, k.RBRACKET: k.LBRACKET, k.RPAREN: k.LPAREN}
_WORDS = {number: word for word, number in KEYWORDS.items()}
_MARKS = {
    k.EQ: "==", k.NE: "!=", k.LE: "<=", k.GE: ">=", k.LT: "<", k.GT: ">", k.REGEX: "=~",
    k.GLOB: "~", k.ASSIGN: "=", k.DOTS: "..", k.ARROW: "->", k.COMMA: ",", k.MINUS: "-",
    k.LPAREN: "(", k.RPAREN: ")", k.LBRACKET: "[", k.RBRACKET: "]", k.LBRACE: "{", k.RBRACE: "}",
}  # fmt: skip
_PLAIN = {
    k.WORD: "a name", k.NUMBER: "a number", k.STRING: "a string", k.RAW: "a string",
    k.CLOCK: "a time of day", EOF: "the end of the file",
}  # fmt: skip
_CONDITION = "a condition such as `pressure cpu > 20% for 5s`"
_CLAIM = "a claim such as `p99(wakeup ran) < 300us`"
# The text for what a construct expects; the innermost listed construct counts.
_IN_BLOCK = {
    "policyBlock": "a setting such as `kernel >= 6.16`",
    "ruleBlock": "an action such as `slice 2ms`",
    "defaultBlock": "an action such as `slice 2ms`",
    "expectBlock": _CLAIM,
    "promiseBlock": _CLAIM,
    "testBlock": 'a task and its rule such as `comm "ffmpeg" -> batch`',
    "whenBlock": "a rule such as `rule batch { priority low }`",
}


def _statement_of(action: str) -> str:
    """The grammar's rule for an action."""
    first, *rest = action.split("-")
    return first + "".join(part.capitalize() for part in rest) + "Statement"


_WANTED = {
    "anyName": "a name",
    **{_statement_of(action.name): action.wanted for action in actions.ACTIONS if action.wanted},
    "unary": 'a predicate such as `comm == "sshd"`',
    "primary": 'a predicate such as `comm == "sshd"`',
    "comparison": 'a predicate such as `comm == "sshd"`',
    "operand": "a value",
    "element": "a string or a number",
    "testLine": "a fact or `->`",
    "whenBlock": _CONDITION,
    "conditionUnary": _CONDITION,
    "conditionPrimary": _CONDITION,
    "state": _CONDITION,
    "stateValue": "a value such as `20%` or `22:00..06:00`",
    "includeItem": "a file name in double quotes",
    "setItem": 'a list such as `["a", "b"]` or a predicate',
}
_INNER = ("scalar", "text", "cpuTerm", "expression", "condition")


@dataclass(frozen=True)
class Expectation:
    """An unexpected token: its index, the rules around it, and the kinds that could be there."""

    at: int
    stack: tuple[str, ...]
    kinds: frozenset[int]

    @property
    def rule(self) -> str:
        """The innermost rule that a reader has a name for."""
        stack = list(self.stack)
        while len(stack) > 1 and stack[-1] in _INNER:
            stack.pop()
        return stack[-1]


class Messages:
    """Reports unexpected tokens; `statement` is the first token of the statement before."""

    def __init__(self, source: Source, tokens: Sequence[Token], report: Collector) -> None:
        self._source = source
        self._tokens = tokens
        self._collector = report
        self.statement = 0

    def report(self, wanted: Expectation, begin: int) -> None:
        """Reports a token inside of the construct that begins at a token."""
        token = self._tokens[wanted.at]
        note = ""
        is_keyword = k.POLICY <= token.kind < k.EQ
        if k.WORD in wanted.kinds and is_keyword and wanted.rule in ("setItem", "tunableItem"):
            note = f"`{self._text(token)}` is a keyword and cannot be used as a name here"
        self._error(
            f"expected {self._describe(wanted, token)}, found {self._found(token)}",
            wanted.at,
            secondary=self._opened(wanted, begin),
            note=[note] * bool(note),
            hint=slips.help_of(self._place(wanted.at), wanted.stack, _words()),
        )

    def stray(self, wanted: Expectation, opened: int | None) -> None:
        """Reports a token with which nothing in a block can begin, which `opened` has opened."""
        if self._is_known_stray(wanted):
            return
        token = self._tokens[wanted.at]
        labels = []
        if opened is not None and self._tokens[opened].kind == k.LBRACE:
            labels = [Label(token_span(self._source, self._tokens[opened]), "opened here")]
        self._error(
            f"expected {self._describe(wanted, token)}, found {self._found(token)}",
            wanted.at,
            secondary=labels,
            hint=slips.help_of(self._place(wanted.at), wanted.stack, _words()),
        )

    def _is_known_stray(self, wanted: Expectation) -> bool:
        """Reports a stray token that has a message of its own; False for another one."""
        token = self._tokens[wanted.at]
        text = self._text(token)
        in_file, in_rule = wanted.rule == "policyFile", wanted.rule in _RULES
        if in_file and token.kind == k.RBRACE:
            self._error("unmatched `}`", wanted.at, hint=Help("remove it", ""))
        elif in_file and token.kind in _STATEMENTS:
            hint = "put it into a rule: `rule NAME { .. }`"
            self._error(f"`{text}` is outside of a rule", wanted.at, hint=hint)
        elif in_rule and text in _CPU_MODIFIERS:
            self._report_modifier(wanted)
        elif token.kind == k.WORD and (in_file or in_rule):
            self._report_unknown(wanted.at, in_rule=in_rule)
        else:
            return False
        return True

    def _report_modifier(self, wanted: Expectation) -> None:
        text = self._text(self._tokens[wanted.at])
        message = f"`{text}` is valid only after `cpus`"
        hint = f"write `cpus 2-3 {text}`"
        if text == "exclusive" and wanted.rule == "defaultBlock":
            hint = "exclusive CPUs belong to a rule: write `cpus 2-3 exclusive` there"
        self._error(message, wanted.at, hint=hint)

    def _report_unknown(self, at: int, *, in_rule: bool) -> None:
        place = self._place(at)
        text = self._text(self._tokens[at])
        known = _literals(_STATEMENTS if in_rule else set(ITEMS))
        hint: tuple[str, ...] = ()
        if in_rule:
            is_compared = self._tokens[at + 1].kind in _COMPARATORS
            hint = ("write `match` before a predicate",) * is_compared
            hint = hint or slips.unit_apart(place) or slips.foreign_action(text)
        self._collector.error(
            codes.UNKNOWN_WORD,
            f"unknown {'action' if in_rule else 'item'} `{text}`",
            token_span(self._source, self._tokens[at]),
            hint=hint or did_you_mean(text, known),
        )

    def _error(
        self,
        message: str,
        at: int,
        *,
        secondary: Iterable[Label] = (),
        hint: str | Iterable[str] = (),
        note: Iterable[str] = (),
    ) -> None:
        span = token_span(self._source, self._tokens[at])
        self._collector.error(
            codes.SYNTAX, message, span, secondary=secondary, note=note, hint=hint
        )

    def _opened(self, wanted: Expectation, begin: int) -> list[Label]:
        """A label at the bracket that is not closed."""
        for closing, opening in _BRACKETS.items():
            if closing not in wanted.kinds:
                continue
            depth = 0
            for token in reversed(self._tokens[begin : wanted.at]):
                depth += (token.kind == closing) - (token.kind == opening)
                if depth < 0:
                    return [Label(token_span(self._source, token), "opened here")]
        return []

    def _describe(self, wanted: Expectation, token: Token) -> str:
        """The tokens that the parser expected, as text."""
        kinds = wanted.kinds
        if kinds == {k.LBRACE}:
            return "`{`"
        if k.RBRACE in kinds:
            ends = token.kind in ITEMS or token.kind == EOF
            more = _IN_BLOCK.get(wanted.rule)
            return f"{more} or `}}`" if more and not ends else "`}`"
        if kinds == {k.WORD} and wanted.rule in ("setItem", "tunableItem"):
            return "a name"
        if wanted.rule == "cpusStatement" and self._tokens[wanted.at - 1].kind == k.NOT:
            return "`irq` after `not`"
        phrase = _WANTED.get(wanted.rule)
        if phrase and (len(kinds) > 4 or kinds & {k.WORD, k.NUMBER, k.STRING}):
            return phrase
        if wanted.rule == "policyFile":
            return "`policy`, `rule` or another item"
        shown = list(dict.fromkeys(_display(kind) for kind in sorted(kinds)))
        return ", ".join(shown[:-1]) + " or " * (len(shown) > 1) + shown[-1]

    def _found(self, token: Token) -> str:
        if token.kind == EOF:
            return "the end of the file"
        return "a string" if token.kind in (k.STRING, k.RAW) else f"`{self._text(token)}`"

    def _text(self, token: Token) -> str:
        return self._source.text[token.start : token.end]

    def _place(self, at: int) -> Place:
        return Place(self._source, self._tokens, at)


def _display(kind: int) -> str:
    return _PLAIN.get(kind) or f"`{_WORDS.get(kind) or _MARKS[kind]}`"


def _literals(kinds: Iterable[int]) -> list[str]:
    return [_WORDS[kind] for kind in sorted(kinds)]


def _words() -> list[str]:
    return _literals(_STATEMENTS | set(ITEMS))


assert set(_IN_BLOCK) == set(BODIES)
