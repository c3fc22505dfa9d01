# SPDX-License-Identifier: Apache-2.0
"""ANTLR's own parser of the grammar, which the derived one is compared with."""

from __future__ import annotations

from typing import Any

from antlr4 import CommonTokenStream
from antlr4.error.ErrorListener import ErrorListener
from antlr4.ListTokenSource import ListTokenSource
from antlr4.Token import CommonToken
from antlr4.Token import Token as AntlrToken
from antlr4.tree.Tree import TerminalNode

from generated.GplParser import GplParser
from gthulhuc.source import Source
from gthulhuc.syntax.tree import Child, Node, Token


class _First(ErrorListener):
    """Notes the first token that the parser did not expect."""

    def __init__(self) -> None:
        self.start: int | None = None

    def syntaxError(
        self, recognizer: Any, offending: Any, line: int, column: int, msg: str, e: Any
    ) -> None:
        del recognizer, line, column, msg, e
        if self.start is None:
            self.start = offending.start


def parse(source: Source, tokens: list[Token]) -> Node | int:
    """Returns the tree of tokens or, for the first error, the offset of its token."""
    stream = CommonTokenStream(ListTokenSource([_antlr_token(source, each) for each in tokens]))
    parser = GplParser(stream)
    parser.removeErrorListeners()
    first = _First()
    parser.addErrorListener(first)
    tree = parser.policyFile()
    return _node(tree) if first.start is None else first.start


def _antlr_token(source: Source, token: Token) -> CommonToken:
    made = CommonToken(type=token.kind, start=token.start, stop=token.end - 1)
    made.text = source.text[token.start : token.end]
    return made


def _node(context: Any) -> Node:
    children: list[Child] = []
    for child in context.children or ():
        if isinstance(child, TerminalNode):
            token = child.symbol
            if token.type != AntlrToken.EOF:
                children.append(Token(token.type, token.start, token.stop + 1))
        else:
            children.append(_node(child))
    end = -1 if context.stop is None else context.stop.stop + 1
    return Node(GplParser.ruleNames[context.getRuleIndex()], children, context.start.start, end)
