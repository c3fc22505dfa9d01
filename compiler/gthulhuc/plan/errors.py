# SPDX-License-Identifier: Apache-2.0
"""Errors for a valid policy that needs more than a scheduler can hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Span

Made = TypeVar("Made")


class PlanError(Exception):
    """There is no scheduler for this policy; `diagnostics` say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(diagnostic.message for diagnostic in diagnostics))
        self.diagnostics = diagnostics


class Refusals:
    """Collects the errors of independent parts of the plan, so that all are reported at once."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def attempt(self, make: Callable[[], Made]) -> Made | None:
        """Returns what `make` returns; None after a PlanError."""
        try:
            return make()
        except PlanError as error:
            self._found += error.diagnostics
            return None

    def finish(self) -> None:
        """Raises PlanError if a part was refused."""
        if self._found:
            raise PlanError(list(dict.fromkeys(self._found)))


def too_large(message: str, span: Span, hint: str) -> PlanError:
    """Returns the error for a policy that needs more than a scheduler has room for."""
    report = Collector()
    report.error(codes.TOO_LARGE, message, span, hint=hint)
    return PlanError(report.sorted())
