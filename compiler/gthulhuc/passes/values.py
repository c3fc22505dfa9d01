# SPDX-License-Identifier: Apache-2.0
"""Numbers with and without units, in base units and in range."""

from __future__ import annotations

import re
from decimal import Decimal

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import one_of
from gthulhuc.passes.draft import Draft
from gthulhuc.syntax import ast

UNITS_NS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
_ALIASES = {
    "µs": "us", "μs": "us", "usec": "us", "usecs": "us", "u": "us", "micros": "us",
    "msec": "ms", "msecs": "ms", "m": "ms", "millis": "ms", "mss": "ms",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s",
}  # fmt: skip
_NUMBER = re.compile(r"(-?)([0-9]+(?:\.[0-9]+)*)(.*)")


def integer(
    value: ast.Scalar, what: str, low: int, high: int, draft: Draft, report: Collector
) -> int | None:
    """A whole number without a unit, within low..high; None when an error was reported."""
    if isinstance(value, ast.Word):
        _refuse_word(value, what, "a number", draft, report)
        return None
    sign, digits, unit = _split(value)
    if unit or "." in digits:
        expected = "no unit" if unit else "a whole number"
        code = codes.WRONG_UNIT if unit else codes.BAD_NUMBER
        report.error(code, f"{what} takes {expected}, not `{value.text}`", value.span)
        return None
    number = int(sign + digits)
    if low <= number <= high:
        return number
    message = f"{what} must be within {low}..{high}"
    report.error(codes.OUT_OF_RANGE, message, value.span, "out of range")
    return None


def duration_ns(
    value: ast.Scalar, what: str, low_ns: int, high_ns: int, draft: Draft, report: Collector
) -> int | None:
    """A duration in nanoseconds, within low_ns..high_ns; None when an error was reported."""
    if isinstance(value, ast.Word):
        _refuse_word(value, what, "a duration", draft, report)
        return None
    sign, digits, unit = _split(value)
    if digits.count(".") > 1:
        report.error(codes.BAD_NUMBER, f"`{value.text}` is not a number", value.span)
        return None
    if unit not in UNITS_NS:
        _report_unit(value, digits, unit, report)
        return None
    exact = Decimal(sign + digits) * UNITS_NS[unit]
    if low_ns <= exact <= high_ns:
        if exact == int(exact):
            return int(exact)
        report.error(codes.BAD_NUMBER, f"`{value.text}` is finer than a nanosecond", value.span)
        return None
    report.error(
        codes.OUT_OF_RANGE,
        f"{what} must be within {show_ns(low_ns)}..{show_ns(high_ns)}",
        value.span,
        "out of range",
    )
    return None


def show_ns(duration: int) -> str:
    """A duration in nanoseconds as the language writes it, in the largest unit that is exact."""
    for unit in ("s", "ms", "us"):
        if duration % UNITS_NS[unit] == 0:
            return f"{duration // UNITS_NS[unit]}{unit}"
    return f"{Decimal(duration) / UNITS_NS['us']:f}us"


def _split(value: ast.Number) -> tuple[str, str, str]:
    found = _NUMBER.fullmatch(value.text)
    assert found is not None  # the lexer's NUMBER begins with a digit
    sign, digits, unit = found.groups()
    return sign, digits, unit


def _report_unit(value: ast.Number, digits: str, unit: str, report: Collector) -> None:
    if not unit:
        report.error(
            codes.MISSING_UNIT,
            f"`{value.text}` has no unit",
            value.span,
            hint=f"write {one_of((digits + known for known in UNITS_NS), 'or')}",
        )
        return
    meant = _ALIASES.get(unit.lower(), unit.lower() if unit.lower() in UNITS_NS else None)
    report.error(
        codes.WRONG_UNIT,
        f"unknown unit of time `{unit}`",
        value.span,
        hint=f"did you mean `{digits}{meant}`?" if meant else f"known are {one_of(UNITS_NS)}",
    )


def _refuse_word(value: ast.Word, what: str, wanted: str, draft: Draft, report: Collector) -> None:
    """Reports a name where a value is wanted, unless it was a definition that is refused anyway."""
    if value.text in draft.lost_names or not draft.file.is_whole:
        return
    known = draft.names.get(value.text)
    if isinstance(known, ast.Tunable):
        return
    if known is not None:
        kind = "a set" if isinstance(known, ast.SetItem) else "a rule"
        message = f"{what} takes {wanted}, and `{value.text}` is {kind}"
        report.error(codes.WRONG_KIND, message, value.span)
    else:
        report.error(
            codes.UNDEFINED_NAME,
            f"nothing is called `{value.text}`",
            value.span,
            f"{what} takes {wanted}",
        )
