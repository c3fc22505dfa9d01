# SPDX-License-Identifier: Apache-2.0
"""Converts numbers and tunables to base units, and checks their ranges."""

from __future__ import annotations

import re
from dataclasses import field
from decimal import Decimal

from gthulhuc.diagnostics import Collector, Help, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of, write
from gthulhuc.passes.draft import Draft
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast
from gthulhuc.tunables import Tunable, Value

UNITS_NS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
PER_CENT = 10
"""One per cent, in thousandths, the base unit of shares."""
_ALIASES = {
    "µs": "us", "μs": "us", "usec": "us", "usecs": "us", "u": "us", "micros": "us",
    "msec": "ms", "msecs": "ms", "m": "ms", "millis": "ms", "mss": "ms",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s",
}  # fmt: skip
_OTHER_NS = {"ns": 1, "nsec": 1, "nsecs": 1, "min": 60 * UNITS_NS["s"], "h": 3600 * UNITS_NS["s"]}
_NUMBER = re.compile(r"(-?)([0-9]+(?:\.[0-9]+)*)(.*)")
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Quantity:
    """A kind of value; `unit` is the base unit of its literals and tunables."""

    unit: str
    what: str
    example: str


DURATION = Quantity("ns", "a duration", "2ms")
COUNT = Quantity("", "a number", "200")
SHARE = Quantity("%", "a percentage", "20%")
TIMES = Quantity("x", "a multiple", "2x")
QUANTITIES = {quantity.unit: quantity for quantity in (DURATION, COUNT, SHARE, TIMES)}


def quantity_of(value: ast.Scalar) -> Quantity:
    """Returns the kind of a literal, by its unit."""
    unit = _split(value)[2] if isinstance(value, ast.Number) else ""
    by_unit = {"": COUNT, "%": SHARE, "x": TIMES}
    return by_unit.get(unit, DURATION)


@dataclass(slots=True)
class Values:
    """Reads values and records the tunables that they name."""

    draft: Draft
    report: Collector
    used: set[str] = field(default_factory=set)

    def read(
        self, value: ast.Scalar, what: str, quantity: Quantity, low: int, high: int
    ) -> Value | None:
        """Returns a literal or tunable within low..high (base units); None after an error."""
        if isinstance(value, ast.Word):
            return self._tunable(value, what, quantity, low, high)
        return self.literal(value, what, quantity, low, high)

    def duration(self, value: ast.Scalar, what: str, low: int, high: int) -> Value | None:
        """Returns a duration in ns within low..high; None after an error."""
        return self.read(value, what, DURATION, low, high)

    def fixed(
        self, value: ast.Scalar, what: str, quantity: Quantity, low: int, high: int
    ) -> int | None:
        """Returns a literal in base units and refuses tunables; None after an error."""
        if isinstance(value, ast.Number):
            return self.literal(value, what, quantity, low, high)
        if value.text in self.draft.tunables:
            self.used.add(value.text)
            message = f"{what} must be a literal, but `{value.text}` is a tunable"
            note = "a tunable is a duration or a number of an action, or the bound of a claim"
            self.report.error(codes.WRONG_KIND, message, value.span, note=note)
        else:
            self._refuse_word(value, what, quantity, ())
        return None

    def literal(
        self, value: ast.Number, what: str, quantity: Quantity, low: int, high: int
    ) -> int | None:
        """Returns the literal in base units within low..high; None after an error."""
        exact = exact_value(value, what, quantity, self.report)
        if exact is None:
            return None
        if low <= exact <= high:
            return exact
        self.report.error(
            codes.OUT_OF_RANGE,
            f"{what} must be within {show(low, quantity)}..{show(high, quantity)}",
            value.span,
            "out of range",
            hint=write(show(min(max(exact, low), high), quantity), ", which is the nearest"),
        )
        return None

    def _tunable(
        self, word: ast.Word, what: str, quantity: Quantity, low: int, high: int
    ) -> Tunable | None:
        tunable = self.draft.tunables.get(word.text)
        if tunable is None:
            named = self.draft.tunables.items()
            known = [name for name, item in named if item.unit == quantity.unit]
            self._refuse_word(word, what, quantity, known)
            return None
        self.used.add(word.text)
        defined = [Label(tunable.span, "defined here")]
        if tunable.unit != quantity.unit:
            message = f"{what} expects {quantity.what}, found `{word.text}`"
            self.report.error(codes.WRONG_KIND, message, word.span, secondary=defined)
            return None
        if tunable.low < low or tunable.high > high:
            self.report.error(
                codes.OUT_OF_RANGE,
                f"{what} must be within {show(low, quantity)}..{show(high, quantity)}",
                word.span,
                f"`{word.text}` ranges over {show(tunable.low, quantity)}.."
                f"{show(tunable.high, quantity)}",
                secondary=defined,
            )
            return None
        return tunable

    def _refuse_word(
        self, word: ast.Word, what: str, quantity: Quantity, known: list[str] | tuple[()]
    ) -> None:
        """Reports a name that is not a value, unless its definition already has an error."""
        draft = self.draft
        definition = draft.names.get(word.text)
        if isinstance(definition, ast.Tunable) or word.text in draft.lost_names:
            return
        if definition is not None:
            kind = "a set" if isinstance(definition, ast.SetItem) else "a rule"
            message = f"{what} expects {quantity.what}, found {kind}, `{word.text}`"
            self.report.error(codes.WRONG_KIND, message, word.span)
        elif draft.file.is_whole:
            self.report.error(
                codes.UNDEFINED_NAME,
                f"undefined name `{word.text}`",
                word.span,
                f"{what} expects {quantity.what}",
                hint=did_you_mean(word.text, known) if known and not self.report.is_long else (),
            )


def exact_value(value: ast.Number, what: str, quantity: Quantity, report: Collector) -> int | None:
    """Returns a literal in base units, without a check of its range; None after an error."""
    sign, digits, unit = _split(value)
    if digits.count(".") > 1 or len(digits) > _MOST_DIGITS:
        reason = "is too long" if len(digits) > _MOST_DIGITS else "is not a number"
        report.error(codes.BAD_NUMBER, f"`{value.text[:40]}` {reason}", value.span)
        return None
    scale = _scale(value, digits, unit, what, quantity, report)
    if scale is None:
        return None
    exact = Decimal(sign + digits) * scale
    if exact == int(exact):
        return int(exact)
    finer = {
        "ns": "is finer than a nanosecond", "": "is not a whole number", "%": "is finer than 0.1%"
    }  # fmt: skip
    message = f"`{value.text}` {finer.get(quantity.unit, 'is finer than a thousandth')}"
    report.error(codes.BAD_NUMBER, message, value.span)
    return None


def show(value: int, quantity: Quantity) -> str:
    """Returns a value in base units as the language writes it."""
    if quantity.unit == "ns":
        return show_ns(value)
    if quantity.unit == "%":
        return f"{Decimal(value) / PER_CENT:f}%"
    if quantity.unit == "x":
        return f"{Decimal(value) / 1000:f}x"
    return str(value)


def share_text(low: int | None, high: int | None) -> str:
    """Returns the bounds of a class's share, in thousandths, as the language writes them."""
    first, last = ("" if bound is None else show(bound, SHARE) for bound in (low, high))
    return first if high is None else f"{first}..{last}"


def show_ns(duration: int) -> str:
    """Returns a duration in ns as the language writes it, in the largest exact unit."""
    for unit in ("s", "ms", "us"):
        if duration % UNITS_NS[unit] == 0:
            return f"{duration // UNITS_NS[unit]}{unit}"
    return f"{Decimal(duration) / UNITS_NS['us']:f}us"


def worst(value: Value) -> int:
    """Returns the largest possible value."""
    return value if isinstance(value, int) else value.high


def least(value: Value) -> int:
    """Returns the smallest possible value."""
    return value if isinstance(value, int) else value.low


def _split(value: ast.Number) -> tuple[str, str, str]:
    found = _NUMBER.fullmatch(value.text)
    assert found is not None  # the lexer's NUMBER starts with a digit
    sign, digits, unit = found.groups()
    return sign, digits, unit


def _scale(
    value: ast.Number, digits: str, unit: str, what: str, quantity: Quantity, report: Collector
) -> int | None:
    """The scale of a literal's unit; None after an error, if the unit does not fit."""
    if quantity.unit == "ns":
        if unit in UNITS_NS:
            return UNITS_NS[unit]
        _report_time_unit(value, digits, unit, report)
    elif unit == quantity.unit:
        return {"": 1, "%": PER_CENT, "x": 1000}[unit]
    elif not unit:
        hint = write(f"{value.text}{quantity.unit}")
        report.error(codes.MISSING_UNIT, f"`{value.text}` has no unit", value.span, hint=hint)
    else:
        wanted = "a number without a unit"
        if quantity.unit:
            wanted = f"{quantity.what} such as `{quantity.example}`"
        message = f"{what} expects {wanted}, found `{value.text}`"
        report.error(codes.WRONG_UNIT, message, value.span, hint=_plain(value.text, quantity))
    return None


def _plain(text: str, quantity: Quantity) -> list[str]:
    """Help for a number with a unit where none is wanted, or in another base."""
    if quantity.unit:
        return []
    if re.fullmatch(r"0(x[0-9a-fA-F]+|b[01]+|o[0-7]+)", text):
        return [write(str(int(text, 0)), ": numbers are decimal")]
    return [f"write a plain number such as `{quantity.example}`"]


def _report_time_unit(value: ast.Number, digits: str, unit: str, report: Collector) -> None:
    if not unit:
        known = [digits + each for each in UNITS_NS]
        report.error(
            codes.MISSING_UNIT,
            f"`{value.text}` has no unit",
            value.span,
            hint=Help(f"write {one_of(known, 'or')}", *known),
        )
        return
    meant = _ALIASES.get(unit.lower(), unit.lower() if unit.lower() in UNITS_NS else None)
    hint: str = f"expected {one_of(UNITS_NS, 'or')}"
    if meant is not None:
        hint = Help(f"did you mean `{digits}{meant}`?", f"{digits}{meant}")
    elif (scale := _OTHER_NS.get(unit.lower())) is not None and digits.isdecimal():
        hint = write(show_ns(int(digits) * scale))
    report.error(codes.WRONG_UNIT, f"unknown time unit `{unit}`", value.span, hint=hint)
