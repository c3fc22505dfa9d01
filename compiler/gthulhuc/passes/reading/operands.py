# SPDX-License-Identifier: Apache-2.0
"""Shared parts of all comparisons: their context, and the lists that names stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label
from gthulhuc.passes.reading.values import DURATION, Quantity, Values
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast

ListOf: TypeAlias = Callable[[ast.Word], ast.ListLiteral | None]


@dataclass(frozen=True, slots=True)
class Context:
    """Where comparisons look up names and report errors."""

    list_of: ListOf
    values: Values
    report: Collector
    duration: Quantity = DURATION


@dataclass(frozen=True, slots=True)
class Items:
    """The elements of a list, and the place of the name through which it is used."""

    items: tuple[ast.Element, ...]
    span: Span
    use: Span | None

    @property
    def used_here(self) -> list[Label]:
        """A label at the use of the list, for a problem in one of its elements."""
        return [Label(self.use, "used here")] if self.use else []


def items_of(operand: ast.ListLiteral | ast.Word, context: Context) -> Items | None:
    """Returns the elements of a list, maybe by its name; None after an error."""
    if isinstance(operand, ast.ListLiteral):
        return Items(operand.items, operand.span, None)
    literal = context.list_of(operand)
    return None if literal is None else Items(literal.items, literal.span, operand.span)


def opposite(predicate: checked.Predicate, span: Span) -> checked.Predicate:
    """Returns the negated predicate."""
    return checked.Not(predicate, span)
