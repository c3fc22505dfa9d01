# SPDX-License-Identifier: Apache-2.0
"""Warns about sets and tunables that nothing refers to."""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import remove
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast


def check(draft: Draft, report: Collector) -> Draft:
    """Warns about unused definitions; returns the draft as it was.

    After an error it does not warn, because the dropped part might have been the use. Definitions
    of a library need not be used.
    """
    if not draft.file.is_whole or report.has_errors:
        return draft
    for name, item in draft.names.items():
        if name in draft.used or item.span.source.name != draft.file.source.name:
            continue
        if isinstance(item, ast.SetItem | ast.Tunable):
            kind = "set" if isinstance(item, ast.SetItem) else "tunable"
            report.warning(
                codes.UNUSED,
                f"{kind} `{name}` is not used",
                item.name.span,
                hint=remove(item.span, "remove it"),
            )
    return draft
