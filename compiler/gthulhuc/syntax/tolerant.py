# SPDX-License-Identifier: Apache-2.0
"""Parses files with errors by ANTLR; no other module sees ANTLR's parser.

ANTLR is slow, so it gets neither the items before the first error nor all of a large file.
"""

from __future__ import annotations

from typing import Any

from antlr4 import CommonTokenStream
from antlr4 import Token as AntlrToken
from antlr4.IntervalSet import IntervalSet
from antlr4.ListTokenSource import ListTokenSource
from antlr4.Token import CommonToken
from antlr4.tree.Tree import ErrorNode, TerminalNode

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.source import Source, Span
from gthulhuc.syntax import quick
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.generated.GplParser import GplParser
from gthulhuc.syntax.recovery import Recovery, TooManyError
from gthulhuc.syntax.tokens import report_too_many, tokenize
from gthulhuc.syntax.tree import Child, Node, Token

_MOST_TOKENS = 5000
_ITEMS = {k.POLICY, k.INCLUDE, k.TUNABLE, k.SET, k.RULE, k.DEFAULT, k.EXPECT, k.PROMISE}


def parse(source: Source, report: Collector) -> Node | None:
    """Returns the tree of the well-formed parts of a file; None if it cannot be parsed at all."""
    tokens = tokenize(source, report)
    if tokens is None:
        return None
    items, start = quick.first_items(tokens)
    if tokens[start].kind == AntlrToken.EOF:
        return Node("policyFile", list(items), 0, len(source.text))
    if items:  # the error may be in the end of the last item
        start = next(i for i, token in enumerate(tokens) if token.start == items[-1].start)
        items.pop()
    rest = tokens[start:]
    end = _end_of_part(rest)
    if end is not None:
        rest = [*rest[:end], Token(AntlrToken.EOF, rest[end].start, rest[end].start)]
    tree = parse_thoroughly(source, rest, report, is_part=end is not None)
    if tree is not None:
        tree.children[:0] = items
    return tree


def parse_thoroughly(
    source: Source, tokens: list[Token], report: Collector, *, is_part: bool = False
) -> Node | None:
    """Returns ANTLR's tree of tokens; None if there are too many errors."""
    stream = CommonTokenStream(ListTokenSource([_antlr_token(source, each) for each in tokens]))
    parser = _Parser(stream)
    parser.removeErrorListeners()
    parser._errHandler = Recovery(source, tokens, report, is_part=is_part)
    try:
        tree = _node(parser.policyFile())
    except TooManyError as error:
        report_too_many(error.span, report)
        return None
    if is_part:
        tree.is_damaged = True
        _report_part(Span(source, tokens[-1].start, tokens[-1].start), report)
    return tree


class _Parser(GplParser):
    def getExpectedTokens(self) -> IntervalSet:
        """Returns a copy: the runtime's recovery modifies the set, which is a cache."""
        expected = IntervalSet()
        expected.addSet(super().getExpectedTokens())
        return expected


def _end_of_part(tokens: list[Token]) -> int | None:
    """Where to cut off tokens, before an item; None if there are not too many."""
    if len(tokens) <= _MOST_TOKENS:
        return None
    beginnings = (i for i in range(_MOST_TOKENS, 0, -1) if tokens[i].kind in _ITEMS)
    return next(beginnings, _MOST_TOKENS)


def _report_part(span: Span, report: Collector) -> None:
    report.error(
        codes.SYNTAX,
        "checking stopped here, far after a syntax error",
        span,
        hint="fix the errors before this point, and check again",
    )


def _antlr_token(source: Source, token: Token) -> CommonToken:
    made = CommonToken(type=token.kind, start=token.start, stop=token.end - 1)
    made.text = source.text[token.start : token.end]
    return made


def _node(context: Any) -> Node:
    """Converts a context to a node."""
    children: list[Child] = []
    is_damaged = context.exception is not None
    for child in context.children or ():
        if isinstance(child, TerminalNode):
            token = child.symbol
            if token.type == AntlrToken.EOF:
                continue
            children.append(Token(token.type, token.start, token.stop + 1))
            is_damaged = is_damaged or isinstance(child, ErrorNode)
        else:
            node = _node(child)
            children.append(node)
            is_damaged = is_damaged or node.is_damaged
    end = -1 if context.stop is None else context.stop.stop + 1
    rule = GplParser.ruleNames[context.getRuleIndex()]
    result = Node(rule, children, context.start.start, end)
    result.is_damaged = is_damaged
    return result
