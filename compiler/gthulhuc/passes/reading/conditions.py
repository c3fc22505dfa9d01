# SPDX-License-Identifier: Apache-2.0
"""Reads the condition of a `when` block."""

from __future__ import annotations

import re
from collections.abc import Callable

from gthulhuc.conditions import Aspect, Condition, Joined, State
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of, write
from gthulhuc.passes.reading.values import DURATION, SHARE, UNITS_NS, Values
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast

PROFILES = ("saver", "balanced", "performance")
CHARGE = (1, 1000)
RESOURCES = ("cpu", "memory", "io")
PRESSURE = (1, 999)
OVER_NS = (UNITS_NS["s"], 600 * UNITS_NS["s"])
MINUTES = 24 * 60
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")


def read_condition(node: ast.Predicate, values: Values, report: Collector) -> Condition | None:
    """Returns the condition; None after an error."""
    match node:
        case ast.Broken():
            return None
        case ast.Not():
            operands: tuple[ast.Predicate, ...] = (node.operand,)
            word = "not"
        case ast.And():
            operands, word = node.operands, "and"
        case ast.Or():
            operands, word = node.operands, "or"
        case _:
            return _Reader(node, values, report).state()
    read = [read_condition(operand, values, report) for operand in operands]
    whole = tuple(operand for operand in read if operand is not None)
    return Joined(word, whole) if len(whole) == len(read) else None


@dataclass(frozen=True, slots=True)
class _Form:
    """How to write a state; `example` has all its parts."""

    example: str
    operator: str | None
    has_of: bool
    has_for: bool


_FORMS = {
    Aspect.POWER: _Form('power == "saver"', "==", has_of=False, has_for=False),
    Aspect.BATTERY: _Form("battery < 20%", "<", has_of=False, has_for=False),
    Aspect.ON_BATTERY: _Form("on-battery", None, has_of=False, has_for=False),
    Aspect.PRESSURE: _Form("pressure cpu > 20% for 5s", ">", has_of=True, has_for=True),
    Aspect.TIME: _Form("time in 22:00..06:00", "in", has_of=False, has_for=False),
}


@dataclass(frozen=True, slots=True)
class _Reader:
    node: ast.Comparison
    values: Values
    report: Collector

    def state(self) -> State | None:
        name = self.node.field
        known = [aspect.value for aspect in Aspect]
        if name.text not in known:
            message = f"unknown condition `{name.text}`"
            hint = did_you_mean(name.text, known)
            self.report.error(codes.UNKNOWN_WORD, message, name.span, hint=hint)
            return None
        aspect = Aspect(name.text)
        if not self._has_form(aspect):
            return None
        return _READ[aspect](self)

    def _has_form(self, aspect: Aspect) -> bool:
        """Checks which parts there are."""
        form, node, name = _FORMS[aspect], self.node, aspect.value
        if form.has_of and node.via is None:
            message, at = f"`{name}` needs a resource: {one_of(RESOURCES, 'or')}", node.field.span
        elif not form.has_of and node.via is not None:
            message, at = f"unexpected `{node.via.text}` after `{name}`", node.via.span
        elif form.operator is None and node.operator is not None:
            message, at = f"`{name}` takes no operator and no value", node.operator.span
        elif form.operator is not None and (node.operator is None or node.operand is None):
            lacking = "an operator and a value" if node.operator is None else "a value"
            message, at = f"`{name}` needs {lacking}", node.span
        elif form.operator and node.operator and node.operator.text != form.operator:
            message = f"`{name}` expects `{form.operator}`, found `{node.operator.text}`"
            self.report.error(
                codes.WRONG_OPERATOR, message, node.operator.span, hint=write(form.operator)
            )
            return False
        elif form.has_for and node.within is None:
            message, at = f"`{name}` needs the time over which it is measured", node.span
        elif not form.has_for and node.within is not None:
            message, at = f"`{name}` has no `for`", node.within.span
        else:
            return True
        hint = f"write it like `{form.example}`"
        self.report.error(codes.WRONG_VALUE, message, at, hint=hint)
        return False

    def power(self) -> State | None:
        operand = self.node.operand
        if not isinstance(operand, ast.Text):
            self._refuse_operand('a profile such as `"saver"`')
            return None
        profile = operand.value.decode(errors="replace")
        if profile in PROFILES:
            return State(Aspect.POWER, profile, 0, 0, 0, self.node.span)
        message = f"unknown power profile `{profile}`"
        hint = did_you_mean(f'"{profile}"', [f'"{known}"' for known in PROFILES])
        self.report.error(codes.UNKNOWN_WORD, message, operand.span, hint=hint)
        return None

    def battery(self) -> State | None:
        below = None
        if isinstance(self.node.operand, ast.Number | ast.Word):
            below = self.values.fixed(self.node.operand, "`battery`", SHARE, *CHARGE)
        else:
            self._refuse_operand("a percentage such as `20%`")
        if below is None:
            return None
        return State(Aspect.BATTERY, "", 0, below, 0, self.node.span)

    def on_battery(self) -> State | None:
        return State(Aspect.ON_BATTERY, "", 0, 0, 0, self.node.span)

    def pressure(self) -> State | None:
        node = self.node
        assert node.via is not None
        assert node.within is not None
        of = node.via.text
        if of not in RESOURCES:
            message = f"unknown resource `{of}` after `pressure`"
            hint = did_you_mean(of, RESOURCES)
            self.report.error(codes.UNKNOWN_WORD, message, node.via.span, hint=hint)
        above = None
        if isinstance(node.operand, ast.Number | ast.Word):
            above = self.values.fixed(node.operand, "`pressure`", SHARE, *PRESSURE)
        else:
            self._refuse_operand("a percentage such as `20%`")
        over = self.values.fixed(node.within, "the time of `pressure`", DURATION, *OVER_NS)
        if of not in RESOURCES or above is None or over is None:
            return None
        return State(Aspect.PRESSURE, of, above, 0, over, node.span)

    def time(self) -> State | None:
        operand = self.node.operand
        if not isinstance(operand, ast.Range):
            self._refuse_operand("times of day such as `22:00..06:00`")
            return None
        low, high = self._minute(operand.low), self._minute(operand.high)
        if low is None or high is None:
            return None
        if low == high:
            message = f"`{operand.span.one_line}` has no length"
            self.report.error(codes.WRONG_VALUE, message, operand.span)
            return None
        return State(Aspect.TIME, "", low, high, 0, self.node.span)

    def _minute(self, clock: ast.Scalar) -> int | None:
        found = _CLOCK.fullmatch(clock.text)
        if found is not None and int(found[1]) < 24 and int(found[2]) < 60:
            return 60 * int(found[1]) + int(found[2])
        message = f"`{clock.text}` is not a time of day"
        hint = "write hours and minutes from `00:00` to `23:59`"
        self.report.error(codes.BAD_NUMBER, message, clock.span, hint=hint)
        return None

    def _refuse_operand(self, wanted: str) -> None:
        assert self.node.operand is not None
        span = self.node.operand.span
        message = f"`{self.node.field.text}` expects {wanted}, found `{span.one_line}`"
        self.report.error(codes.WRONG_VALUE, message, span)


_READ: dict[Aspect, Callable[[_Reader], State | None]] = {
    Aspect.POWER: _Reader.power,
    Aspect.BATTERY: _Reader.battery,
    Aspect.ON_BATTERY: _Reader.on_battery,
    Aspect.PRESSURE: _Reader.pressure,
    Aspect.TIME: _Reader.time,
}
