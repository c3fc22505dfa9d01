# SPDX-License-Identifier: Apache-2.0
"""What the comparisons of all kinds share: their surroundings, and lists behind names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label
from gthulhuc.passes.values import DURATION, Quantity, Values
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast

ListOf: TypeAlias = Callable[[ast.Word], ast.ListLiteral | None]


@dataclass(frozen=True, slots=True)
class Context:
    """Where comparisons look names up and report to."""

    list_of: ListOf
    values: Values
    report: Collector
    duration: Quantity = DURATION


@dataclass(frozen=True, slots=True)
class Items:
    """The elements of a list, and where the name stands that it was used by."""

    items: tuple[ast.Element, ...]
    span: Span
    use: Span | None

    @property
    def used_here(self) -> list[Label]:
        """The label for a problem in an element."""
        return [Label(self.use, "used here")] if self.use else []


def items_of(operand: ast.ListLiteral | ast.Word, context: Context) -> Items | None:
    """The elements of a list, or of the one that a name stands for; None when it was refused."""
    if isinstance(operand, ast.ListLiteral):
        return Items(operand.items, operand.span, None)
    literal = context.list_of(operand)
    return None if literal is None else Items(literal.items, literal.span, operand.span)


def opposite(predicate: checked.Predicate, span: Span) -> checked.Predicate:
    """The predicate under `not`."""
    return checked.Not(predicate, span)
