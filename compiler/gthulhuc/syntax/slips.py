# SPDX-License-Identifier: Apache-2.0
"""Help for common slips, by the tokens around a syntax error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antlr4 import Token as AntlrToken
from antlr4 import TokenStream

from gthulhuc.diagnostics.suggest import nearest
from gthulhuc.syntax.generated.GplParser import GplParser as P
from gthulhuc.words import UNITS

_STRINGS = (P.STRING, P.RAW)
_PREDICATES = (P.MatchStatementContext, P.UnaryContext, P.PrimaryContext)


def help_of(
    stream: TokenStream, context: Any, token: AntlrToken, words: Sequence[str]
) -> tuple[str, ...]:
    """Returns what to write instead, if that can be guessed; `words` can start a statement."""
    before = [stream.LT(back) for back in (-1, -2) if stream.index >= -back]
    kinds = [each.type for each in before]
    if token.type == P.AFTER:
        return ("write `after` before `budget`: `preempt after 100us budget 10ms per 100ms`",)
    if kinds[:1] == [P.CPUS]:
        return _of_cpus(stream, token)
    if token.type == P.DOTS and kinds in ([P.NUMBER, P.CPUS], [P.NUMBER, P.COMMA]):
        last = stream.LT(2)
        if last.type == P.NUMBER:
            return (f"for a range of CPUs, write `{before[0].text}-{last.text}`",)
    if token.type == P.MINUS and kinds == [P.NUMBER, P.SLICE]:
        return (f"for a range, write `{before[0].text}..{stream.LT(2).text}`",)
    if token.type == P.COMMA and kinds == [P.STRING, P.EQ]:
        return (f"for several values, write a list: `in [{before[0].text}, {stream.LT(2).text}]`",)
    return _of_context(context, token, kinds) or _of_word(token, words)


def unit_apart(stream: TokenStream, token: AntlrToken) -> tuple[str, ...]:
    """Returns help for a unit that a space separates from its number."""
    before = stream.LT(-1)
    if token.text in UNITS and before is not None and before.type == P.NUMBER:
        return (f"write the unit directly after its number: `{before.text}{token.text}`",)
    return ()


def _of_cpus(stream: TokenStream, token: AntlrToken) -> tuple[str, ...]:
    if token.type in _STRINGS:
        return (f"write CPUs without quotes: `cpus {token.text[1:-1]}`",)
    if token.type != P.LBRACKET:
        return ()
    listed: list[str] = []
    while stream.LA(len(listed) + 2) in (P.NUMBER, P.COMMA, P.MINUS):
        listed.append(stream.LT(len(listed) + 2).text)
    shown = "".join(listed) or "14,15"
    return (f"write CPUs without brackets: `cpus {shown}`; a range looks like `14-15`",)


def _of_context(context: Any, token: AntlrToken, kinds: Sequence[int]) -> tuple[str, ...]:
    here, parents = context, set()
    while context is not None:
        parents.add(type(context))
        context = context.parentCtx
    is_list = P.SetItemContext in parents and token.type in _STRINGS
    if is_list or (token.type == P.LPAREN and kinds[:1] == [P.IN]):
        return ('write a list in brackets: `["a", "b"]`',)
    if isinstance(here, _PREDICATES) and token.type in _STRINGS:
        return ('write the field on the left: `comm == "sshd"`',)
    if isinstance(here, P.AnyNameContext) and token.type in _STRINGS:
        return ("write the name without quotes, such as `web-server`",)
    return ()


def _of_word(token: AntlrToken, words: Sequence[str]) -> tuple[str, ...]:
    meant = nearest(token.text, words) if token.type == P.WORD else None
    return (f"did you mean `{meant}`?",) if meant else ()
