# SPDX-License-Identifier: Apache-2.0
"""Errors for a valid policy that needs more than a scheduler can hold."""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Span


class PlanError(Exception):
    """There is no scheduler for this policy; `diagnostics` say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(diagnostic.message for diagnostic in diagnostics))
        self.diagnostics = diagnostics


def too_large(message: str, span: Span, hint: str) -> PlanError:
    """Returns the error for a predicate that needs too large a table."""
    report = Collector()
    report.error(codes.TOO_LARGE, message, span, hint=hint)
    return PlanError(report.sorted())
