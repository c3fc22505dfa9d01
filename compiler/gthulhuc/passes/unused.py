# SPDX-License-Identifier: Apache-2.0
"""Warns of sets and tunables that nothing refers to."""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast


def check(draft: Draft, report: Collector) -> Draft:
    """Warns, unless the file has damage: what was dropped might have been the use.

    What a library offers need not be used.
    """
    if not draft.file.is_whole or report.has_errors:
        return draft
    for name, item in draft.names.items():
        if name in draft.used or item.span.source is not draft.file.source:
            continue
        if isinstance(item, ast.SetItem | ast.Tunable):
            kind = "set" if isinstance(item, ast.SetItem) else "tunable"
            report.warning(codes.UNUSED, f"{kind} `{name}` is not used", item.name.span)
    return draft
