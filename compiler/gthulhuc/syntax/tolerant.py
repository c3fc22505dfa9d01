# SPDX-License-Identifier: Apache-2.0
"""ANTLR's parser, for files with errors; past this module nobody sees ANTLR."""

from __future__ import annotations

from typing import Any

from antlr4 import CommonTokenStream
from antlr4 import Token as AntlrToken
from antlr4.ListTokenSource import ListTokenSource
from antlr4.tree.Tree import ErrorNode, TerminalNode

from gthulhuc.diagnostics import Collector
from gthulhuc.source import Source
from gthulhuc.syntax.generated.GplParser import GplParser
from gthulhuc.syntax.recovery import Recovery
from gthulhuc.syntax.tokens import tokenize
from gthulhuc.syntax.tree import Child, Node, Token


def parse(source: Source, report: Collector) -> Node | None:
    """The tree of all that is well-formed in a file; None when it is not to be parsed at all."""
    tokens = tokenize(source, report)
    if tokens is None:
        return None
    parser = GplParser(CommonTokenStream(ListTokenSource(tokens)))
    parser.removeErrorListeners()
    parser._errHandler = Recovery(source, tokens, report)
    return _node(parser.policyFile())


def _node(context: Any) -> Node:
    """The context as a node."""
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
