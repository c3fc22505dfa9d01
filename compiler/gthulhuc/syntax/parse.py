# SPDX-License-Identifier: Apache-2.0
"""The parser's door: a source in, an AST and diagnostics out.

A file without syntax errors never meets ANTLR's runtime, which is not even imported for it.
"""

from __future__ import annotations

from gthulhuc.diagnostics import Collector
from gthulhuc.source import Source
from gthulhuc.syntax import ast, quick
from gthulhuc.syntax.adapter import Adapter


def parse(source: Source, report: Collector) -> ast.File | None:
    """The AST of all that is well-formed in a file; None when it is not to be parsed at all."""
    tree = quick.parse(source)
    if tree is None:
        from gthulhuc.syntax import tolerant

        tree = tolerant.parse(source, report)
    return None if tree is None else Adapter(source, report).file(tree)
