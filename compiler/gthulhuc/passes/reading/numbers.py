# SPDX-License-Identifier: Apache-2.0
"""Comparisons of fields that are numbers."""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc import checked
from gthulhuc.checked import Subject
from gthulhuc.diagnostics import codes
from gthulhuc.diagnostics.suggest import write
from gthulhuc.fields import Field, Kind
from gthulhuc.passes.reading.operands import Context, Items, items_of, opposite
from gthulhuc.passes.reading.values import COUNT
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast

NAME_MAX = 32  # useradd's limit


def number_comparison(
    node: ast.Comparison, field: Field, context: Context
) -> checked.Predicate | None:
    """Returns the checked form of a comparison with a number; None after an error."""
    return _Numbers(node, field, *field.row.bounds, context).lower()


@dataclass(frozen=True, slots=True)
class _Numbers:
    node: ast.Comparison
    field: Field
    low: int
    high: int
    context: Context

    def lower(self) -> checked.Predicate | None:
        operator, operand = self.node.operator, self.node.operand
        assert operator is not None
        assert operand is not None
        match operator.text:
            case "==" | "!=":
                result = self._one(operand)
                if result is None or operator.text == "==":
                    return result
                return opposite(result, self.node.span)
            case "<" | "<=" | ">" | ">=":
                return self._ordered(operator.text, operand)
            case "in":
                return self._in(operand)
        message = f"`{self.field.value}` is a number and has no operator `{operator.text}`"
        hint = f"use `==`, `!=`, `<`, `<=`, `>`, `>=` or `in`: `{self.field.row.example}`"
        self.context.report.error(codes.WRONG_OPERATOR, message, operator.span, hint=hint)
        return None

    def _one(self, operand: ast.Operand) -> checked.Predicate | None:
        if isinstance(operand, ast.ListLiteral | ast.Range):
            message = f"`{self.field.value}` must be compared with a single value here"
            hint = f"for a list or a range, write `{self.field.value} in ..`"
            self.context.report.error(codes.WRONG_VALUE, message, operand.span, hint=hint)
            return None
        return self._members(Items((operand,), operand.span, None))

    def _ordered(self, operator: str, operand: ast.Operand) -> checked.Predicate | None:
        if isinstance(operand, ast.Text | ast.ListLiteral | ast.Range):
            message = f"`{operator}` expects a number"
            self.context.report.error(codes.WRONG_VALUE, message, operand.span)
            return None
        number = self._number(operand)
        if number is None:
            return None
        ranges = {
            "<": (self.low, number - 1),
            "<=": (self.low, number),
            ">": (number + 1, self.high),
            ">=": (number, self.high),
        }
        low, high = ranges[operator]
        if low <= high:
            return self._ranges([(low, high)])
        message = f"`{self.field.value}` is never {operator} {number}"
        self.context.report.error(
            codes.NEVER_TRUE, message, self.node.span, f"it ranges from {self.low} to {self.high}"
        )
        return None

    def _in(self, operand: ast.Operand) -> checked.Predicate | None:
        if isinstance(operand, ast.Range):
            low, high = self._number(operand.low), self._number(operand.high)
            if low is None or high is None:
                return None
            if low > high:
                hint = write(f"{high}..{low}")
                self.context.report.error(
                    codes.REVERSED_RANGE, "the range runs backwards", operand.span, hint=hint
                )
                return None
            return self._ranges([(low, high)])
        if not isinstance(operand, ast.ListLiteral | ast.Word):
            message = "`in` expects a list or a range"
            hint = write(f"[{operand.span.text}]")
            self.context.report.error(codes.WRONG_VALUE, message, operand.span, hint=hint)
            return None
        items = items_of(operand, self.context)
        if items is not None and not items.items:
            message = "the list is empty"
            self.context.report.error(codes.EMPTY_LIST, message, items.span, "never true")
            return None
        return None if items is None else self._members(items)

    def _members(self, items: Items) -> checked.Predicate | None:
        """True for any of the numbers and names in a list."""
        numbers: list[int | None] = []
        names: list[bytes | None] = []
        for item in items.items:
            if isinstance(item, ast.Text):
                names.append(self._name(item, items))
            else:
                numbers.append(self._number(item))
        values = [number for number in numbers if number is not None]
        known = tuple(dict.fromkeys(name for name in names if name is not None))
        if len(values) < len(numbers) or None in names:
            return None
        span = self.node.span
        parts: list[checked.Predicate] = []
        if values:
            parts.append(self._ranges((value, value) for value in values))
        if known:
            parts.append(checked.IdNamed(Subject(self.field), known, span))
        return parts[0] if len(parts) == 1 else checked.Or(tuple(parts), span)

    def _name(self, text: ast.Text, items: Items) -> bytes | None:
        what = {Field.UID: "user", Field.GID: "group"}.get(self.field)
        problem = ""
        hint: str | tuple[str, ...] = ()
        if what is None:
            problem = f"`{self.field.value}` must be compared with a number"
        elif text.value.isdigit():
            problem, hint = "a number takes no quotes", write(text.value.decode())
        elif not 0 < len(text.value) <= NAME_MAX or b":" in text.value or b"/" in text.value:
            problem = f"not a valid {what} name"
        if not problem:
            return text.value
        self.context.report.error(
            codes.WRONG_VALUE, problem, text.span, secondary=items.used_here, hint=hint
        )
        return None

    def _number(self, value: ast.Scalar) -> int | None:
        is_name = isinstance(value, ast.Word) and self.field.row.kind is Kind.ID
        values = self.context.values
        if is_name and value.text not in values.draft.names:
            message = f"`{value.text}` is neither a number nor a quoted name"
            hint = write(f'"{value.text}"')
            self.context.report.error(codes.WRONG_VALUE, message, value.span, hint=hint)
            return None
        return values.fixed(value, f"`{self.field.value}`", COUNT, self.low, self.high)

    def _ranges(self, ranges: Iterable[tuple[int, int]]) -> checked.Predicate:
        return checked.InRanges(Subject(self.field), joined(ranges), self.node.span)


def joined(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Returns the ranges (ends included) sorted, with those that touch or overlap merged."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return tuple(result)
