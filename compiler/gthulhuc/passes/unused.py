# SPDX-License-Identifier: Apache-2.0
"""Warns of sets that nothing refers to."""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast


def check(draft: Draft, report: Collector) -> Draft:
    """Warns, unless the file has damage: what was dropped might have been the use."""
    if not draft.file.is_whole or report.has_errors:
        return draft
    for name, item in draft.names.items():
        if isinstance(item, ast.SetItem) and name not in draft.used:
            report.warning(codes.UNUSED, f"set `{name}` is not used", item.name.span)
    return draft
