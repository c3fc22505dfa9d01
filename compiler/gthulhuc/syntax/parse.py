# SPDX-License-Identifier: Apache-2.0
"""The parser's door: a source in, an AST and diagnostics out."""

from __future__ import annotations

from antlr4 import CommonTokenStream
from antlr4.ListTokenSource import ListTokenSource

from gthulhuc.diagnostics import Collector
from gthulhuc.source import Source
from gthulhuc.syntax import ast
from gthulhuc.syntax.adapter import Adapter
from gthulhuc.syntax.generated.GplParser import GplParser
from gthulhuc.syntax.recovery import Recovery
from gthulhuc.syntax.tokens import tokenize


def parse(source: Source, report: Collector) -> ast.File | None:
    """The AST of all that is well-formed in a file; None when it is not to be parsed at all."""
    tokens = tokenize(source, report)
    if tokens is None:
        return None
    parser = GplParser(CommonTokenStream(ListTokenSource(tokens)))
    parser.removeErrorListeners()
    recovery = Recovery(source, tokens, report)
    parser._errHandler = recovery
    tree = parser.policyFile()
    return Adapter(source, report, has_damage=recovery.reported).file(tree)
