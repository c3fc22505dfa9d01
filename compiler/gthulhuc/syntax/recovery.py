# SPDX-License-Identifier: Apache-2.0
"""Reports syntax errors, and decides where the parser goes on after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from antlr4 import Parser, Token
from antlr4 import Token as AntlrToken
from antlr4.atn.ATNState import ATNState
from antlr4.error.Errors import InputMismatchException, NoViableAltException
from antlr4.error.ErrorStrategy import DefaultErrorStrategy

from gthulhuc import actions
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.source import Source, Span
from gthulhuc.syntax import slips
from gthulhuc.syntax.generated.GplParser import GplParser as P
from gthulhuc.syntax.tokens import MOST_ERRORS, is_open_string
from gthulhuc.syntax.tree import Token as OwnToken

_ITEMS = {P.POLICY, P.INCLUDE, P.TUNABLE, P.SET, P.RULE, P.DEFAULT, P.EXPECT, P.PROMISE}
_STATEMENTS = {getattr(P, name.upper().replace("-", "_")) for name in actions.NAMES}
_COMPARATORS = {
    P.EQ, P.NE, P.LT, P.LE, P.GT, P.GE, P.GLOB, P.REGEX, P.IN, P.UNDER, P.ASSIGN,
}  # fmt: skip
_CPU_MODIFIERS = ("exclusive", "prefer")
_BEGINNINGS = _ITEMS | _STATEMENTS | {P.RBRACE}
_BLOCKS = (
    P.PolicyFileContext,
    P.PolicyBlockContext,
    P.RuleBlockContext,
    P.DefaultBlockContext,
    P.ExpectBlockContext,
    P.PromiseBlockContext,
)

_BRACKETS = {P.RBRACE: P.LBRACE, P.RBRACKET: P.LBRACKET, P.RPAREN: P.LPAREN}


def _context_of(action: str) -> type[Any]:
    """The generated parser's class for an action's statement."""
    name = "".join(part.capitalize() for part in action.split("-"))
    found: type[Any] = getattr(P, f"{name}StatementContext")
    return found


# The text for what a construct expects; the innermost listed construct counts.
_IN_BLOCK: dict[type[Any], str] = {
    P.PolicyBlockContext: "a setting such as `kernel >= 6.16`",
    P.RuleBlockContext: "an action such as `slice 2ms`",
    P.DefaultBlockContext: "an action such as `slice 2ms`",
    P.ExpectBlockContext: "a claim such as `p99(wakeup ran) < 300us`",
    P.PromiseBlockContext: "a claim such as `p99(wakeup ran) < 300us`",
}
_WANTED: dict[type[Any], str] = {
    P.AnyNameContext: "a name",
    **{_context_of(action.name): action.wanted for action in actions.ACTIONS if action.wanted},
    P.UnaryContext: 'a predicate such as `comm == "sshd"`',
    P.PrimaryContext: 'a predicate such as `comm == "sshd"`',
    P.OperandContext: "a value",
    P.ElementContext: "a string or a number",
    P.IncludeItemContext: "a file name in double quotes",
    P.SetItemContext: 'a list such as `["a", "b"]` or a predicate',
}


class TooManyError(Exception):
    """There are too many errors to go on; `span` is the place of the last."""

    def __init__(self, span: Span) -> None:
        super().__init__("too many syntax errors")
        self.span = span


def token_span(source: Source, token: AntlrToken) -> Span:
    """Returns the place of a token; for the end-of-file token, the end of the file."""
    return Span(source, token.start, token.stop + 1)


class Recovery(DefaultErrorStrategy):
    """Reports at most one error per statement, so that one mistake gives one message."""

    def __init__(
        self, source: Source, tokens: Sequence[OwnToken], report: Collector, *, is_part: bool
    ) -> None:
        """`is_part`: the tokens end before the file does, so their end is not an error."""
        super().__init__()
        self._source = source
        self._report = report
        self._is_part = is_part
        self._errors = 0
        self._statement_of = _number_statements(tokens)
        self._reported = {
            self._statement_of[token.start] for token in tokens if is_open_string(source, token)
        }

    # ---- recovery ------------------------------------------------------------------------------

    def sync(self, recognizer: Parser) -> None:
        """In a block, skips to the next statement; elsewhere does what the runtime does.

        The runtime would give up a whole block for an unknown word at its start.
        """
        if self.inErrorRecoveryMode(recognizer) or not isinstance(recognizer._ctx, _BLOCKS):
            super().sync(recognizer)
            return
        state = recognizer._interp.atn.states[recognizer.state]
        loops = (ATNState.STAR_LOOP_ENTRY, ATNState.STAR_LOOP_BACK)
        expected = recognizer.atn.nextTokens(state)
        token = recognizer.getCurrentToken()
        if state.stateType not in loops or token.type in expected or Token.EPSILON in expected:
            super().sync(recognizer)
            return
        self.beginErrorCondition(recognizer)
        self._report_error(recognizer, token)
        wanted = recognizer.getExpectedTokens()
        while (kind := recognizer.getTokenStream().LA(1)) != Token.EOF:
            if kind in wanted or kind in _ITEMS:
                break
            recognizer.consume()

    def singleTokenDeletion(self, recognizer: Parser) -> AntlrToken | None:
        """Never deletes a brace: its content would end up in another block."""
        if recognizer.getTokenStream().LA(1) in (P.LBRACE, P.RBRACE):
            return None
        return super().singleTokenDeletion(recognizer)

    # ---- messages ------------------------------------------------------------------------------

    def reportNoViableAlternative(self, recognizer: Parser, e: NoViableAltException) -> None:
        self._report_error(recognizer, e.offendingToken)

    def reportInputMismatch(self, recognizer: Parser, e: InputMismatchException) -> None:
        self._report_error(recognizer, e.offendingToken)

    def reportUnwantedToken(self, recognizer: Parser) -> None:
        if not self.inErrorRecoveryMode(recognizer):
            self.beginErrorCondition(recognizer)
            self._report_error(recognizer, recognizer.getCurrentToken())

    def reportMissingToken(self, recognizer: Parser) -> None:
        if not self.inErrorRecoveryMode(recognizer):
            self.beginErrorCondition(recognizer)
            self._report_error(recognizer, recognizer.getCurrentToken())

    def _report_error(self, recognizer: Parser, token: AntlrToken) -> None:
        # An error at the start of the next statement belongs to the one before.
        broke_off = token.type in _BEGINNINGS and not isinstance(recognizer._ctx, _BLOCKS)
        statement = self._statement_of[token.start] - broke_off
        if statement in self._reported:
            return
        self._reported.add(statement)
        span = token_span(self._source, token)
        if self._is_part and token.type == Token.EOF:
            return
        self._errors += 1
        if self._errors > MOST_ERRORS:
            raise TooManyError(span)
        context = recognizer._ctx
        wanted = recognizer.getExpectedTokens()
        if isinstance(context, _BLOCKS) and self._stray(recognizer, token):
            return
        note = ""
        is_name_taken = isinstance(context, P.SetItemContext | P.TunableItemContext)
        if P.WORD in wanted and _is_keyword(token) and is_name_taken:
            note = f"`{span.text}` is a keyword and cannot be used as a name here"
        self._report.error(
            codes.SYNTAX,
            f"expected {_describe(context, wanted, token)}, found {_found(token)}",
            span,
            secondary=self._opened(context, wanted),
            note=[note] * bool(note),
            hint=slips.help_of(
                recognizer.getTokenStream(), context, token, _literals(_STATEMENTS | _ITEMS)
            ),
        )

    def _stray(self, recognizer: Parser, token: AntlrToken) -> bool:
        """Reports a token that cannot start anything in a block; False if it is another error."""
        context = recognizer._ctx
        span = token_span(self._source, token)
        in_file = isinstance(context, P.PolicyFileContext)
        in_rule = isinstance(context, P.RuleBlockContext | P.DefaultBlockContext)
        if in_file and token.type == P.RBRACE:
            self._report.error(codes.SYNTAX, "unmatched `}`", span)
        elif in_file and token.type in _STATEMENTS:
            message = f"`{token.text}` is outside of a rule"
            self._report.error(
                codes.SYNTAX, message, span, hint="put it into a rule: `rule NAME { .. }`"
            )
        elif in_rule and token.text in _CPU_MODIFIERS:
            before = recognizer.getTokenStream().LT(-1).text
            if before in _CPU_MODIFIERS and before != token.text:
                message = "`exclusive` and `prefer` cannot be combined"
                hint = "`exclusive` keeps other tasks off the CPUs; `prefer` also allows other CPUs"
            else:
                message = f"`{token.text}` is valid only after `cpus`"
                hint = f"write `cpus 2-3 {token.text}`"
                if token.text == "exclusive" and isinstance(context, P.DefaultBlockContext):
                    hint = "exclusive CPUs belong to a rule: write `cpus 2-3 exclusive` there"
            self._report.error(codes.SYNTAX, message, span, hint=hint)
        elif token.type == P.WORD and (in_file or (in_rule and _has_brace(context))):
            known = _literals(_ITEMS if in_file else _STATEMENTS)
            what = "item" if in_file else "action"
            is_compared = recognizer.getTokenStream().LA(2) in _COMPARATORS
            missing: tuple[str, ...] = ()
            if in_rule:
                missing = ("write `match` before a predicate",) * is_compared
                missing = missing or slips.unit_apart(recognizer.getTokenStream(), token)
            self._report.error(
                codes.UNKNOWN_WORD,
                f"unknown {what} `{token.text}`",
                span,
                hint=missing or did_you_mean(token.text, known),
            )
        else:
            return False
        return True

    def _opened(self, context: Any, wanted: Any) -> list[Label]:
        """A label at the bracket that is not closed."""
        for closing, opening in _BRACKETS.items():
            token = _own_token(context, opening) if closing in wanted else None
            if token is not None and token.start >= 0:
                return [Label(token_span(self._source, token), "opened here")]
        return []


def _own_token(context: Any, kind: int) -> AntlrToken | None:
    """The first token of a kind that belongs directly to the nearest bracketed construct."""
    while not isinstance(context, (*_BLOCKS, P.ListLiteralContext, P.PrimaryContext)):
        if context is None:
            return None
        context = context.parentCtx
    found = context.getToken(kind, 0)
    return None if found is None else found.symbol


def _number_statements(tokens: Iterable[OwnToken]) -> dict[int, int]:
    """For the start of each token, the number of the statement or item head that it is in."""
    number = 0
    numbers = {}
    for token in tokens:
        number += token.kind in _BEGINNINGS
        numbers[token.start] = number
    return numbers


def _describe(context: Any, wanted: Any, token: AntlrToken) -> str:
    """The tokens that the parser expected, as text."""
    kinds = {kind for interval in wanted for kind in _each(interval)} if wanted else set()
    if isinstance(context, (P.ScalarContext, P.TextContext, P.CpuTermContext, P.ExpressionContext)):
        context = context.parentCtx
    if kinds == {P.LBRACE}:
        return "`{`"
    if P.RBRACE in kinds:
        ends = token.type in _ITEMS or token.type == Token.EOF
        more = _IN_BLOCK.get(type(context))
        return f"{more} or `}}`" if more and not ends else "`}`"
    if kinds == {P.WORD} and isinstance(context, (P.SetItemContext, P.TunableItemContext)):
        return "a name"
    phrase = _WANTED.get(type(context))
    if phrase and (len(kinds) > 4 or kinds & {P.WORD, P.NUMBER, P.STRING}):
        return phrase
    shown = list(dict.fromkeys(_display(kind) for kind in sorted(kinds) if kind > 0))
    return ", ".join(shown[:-1]) + " or " * (len(shown) > 1) + shown[-1] if shown else "the end"


def _each(interval: Any) -> Iterable[int]:
    return interval if isinstance(interval, range) else (interval,)


def _display(kind: int) -> str:
    plain = {P.WORD: "a name", P.NUMBER: "a number", P.STRING: "a string", P.RAW: "a string"}
    if kind in plain:
        return plain[kind]
    return f"`{P.literalNames[kind].strip(chr(39))}`" if kind < len(P.literalNames) else "something"


def _literals(kinds: Iterable[int]) -> list[str]:
    return [P.literalNames[kind].strip("'") for kind in sorted(kinds)]


def _found(token: AntlrToken) -> str:
    if token.type == Token.EOF:
        return "the end of the file"
    if token.type in (P.STRING, P.RAW):
        return "a string"
    return f"`{token.text}`"


def _is_keyword(token: AntlrToken) -> bool:
    return bool(P.POLICY <= token.type <= P.NOT)


def _has_brace(context: Any) -> bool:
    return isinstance(context, P.PolicyFileContext) or context.LBRACE() is not None
