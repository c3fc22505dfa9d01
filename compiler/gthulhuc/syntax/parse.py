# SPDX-License-Identifier: Apache-2.0
"""The parser's entry point: from a source to an AST and diagnostics.

The recovery is imported only for a file with syntax errors.
"""

from __future__ import annotations

from gthulhuc.diagnostics import Collector
from gthulhuc.source import Source
from gthulhuc.syntax import ast, quick
from gthulhuc.syntax.adapter import Adapter
from gthulhuc.syntax.lookalikes import refuse_directions


def parse(source: Source, report: Collector) -> ast.File | None:
    """Returns the AST of the well-formed parts of a file; None if it cannot be parsed at all."""
    refuse_directions(source, report)
    tree = quick.parse(source)
    if tree is None:
        from gthulhuc.syntax import recovery

        tree = recovery.parse(source, report)
    return None if tree is None else Adapter(source, report).file(tree)
