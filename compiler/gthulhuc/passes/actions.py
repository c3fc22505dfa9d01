# SPDX-License-Identifier: Apache-2.0
"""The actions as written: words known, values in base units and in range.

After it: `given` of each rule and of `default` holds what that block states itself. An action
that was refused counts as left out; the error stands, so no policy comes of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gthulhuc.checked import Level, Migrate
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.passes.cpus import read_cpus
from gthulhuc.passes.draft import Draft, Given, GivenMigrate
from gthulhuc.passes.unsupported import refuse_at
from gthulhuc.passes.values import UNITS_NS, duration_ns, integer
from gthulhuc.source import Span
from gthulhuc.syntax import ast

WEIGHT = (1, 10_000)
# Below 100 us the timer that keeps a slice costs more than the slice is worth; over 1 s one task
# would hold a CPU longer than any wait that the language promises at level normal.
SLICE_NS = (100 * UNITS_NS["us"], UNITS_NS["s"])

_LEVELS = {level.name.lower(): level for level in Level}
_MIGRATES = {how.value: how for how in Migrate}


def read(draft: Draft, report: Collector) -> Draft:
    """Reads the actions of all blocks."""
    rules = tuple(
        replace(rule, given=_given(rule.block.statements, draft, report)) for rule in draft.rules
    )
    if draft.default_block is None:
        return replace(draft, rules=rules)
    default = _given(draft.default_block.statements, draft, report)
    return replace(draft, rules=rules, default_given=default)


def _given(statements: Iterable[ast.Statement], draft: Draft, report: Collector) -> Given:
    given = Given()
    for item in statements:
        match item:
            case ast.Priority():
                given = replace(given, priority=_level(item.level, report))
            case ast.Weight():
                weight = integer(item.value, "`weight`", *WEIGHT, draft, report)
                given = replace(given, weight=weight)
            case ast.Slice():
                given = replace(given, slice_ns=_slice(item, draft, report))
            case ast.Cpus():
                given = replace(given, cpus=read_cpus(item, report))
            case ast.Migrate():
                given = replace(given, migrate=_migrate(item, report))
            case ast.Preempt():
                given = replace(given, preempt=item.span)
    return given


def _level(word: ast.Word, report: Collector) -> Level | None:
    if (level := _LEVELS.get(word.text)) is None:
        hint = did_you_mean(word.text, _LEVELS)
        report.error(codes.UNKNOWN_WORD, f"unknown level `{word.text}`", word.span, hint=hint)
    return level


def _slice(item: ast.Slice, draft: Draft, report: Collector) -> tuple[int, int] | None:
    low = duration_ns(item.low, "`slice`", *SLICE_NS, draft, report)
    if item.high is None:
        return None if low is None else (low, low)
    high = duration_ns(item.high, "`slice`", *SLICE_NS, draft, report)
    span = item.low.span.to(item.high.span)
    if low is not None and high is not None and low > high:
        _report_reversed(item.low, item.high, span, report)
        return None
    refuse_at("a range of slices", span, report)
    return None


def _report_reversed(low: ast.Scalar, high: ast.Scalar, span: Span, report: Collector) -> None:
    hint = f"write `{high.text}..{low.text}`"
    report.error(codes.REVERSED_RANGE, "the range runs backwards", span, hint=hint)


def _migrate(item: ast.Migrate, report: Collector) -> GivenMigrate | None:
    how = _MIGRATES.get(item.how.text)
    if how is None:
        message = f"unknown word `{item.how.text}` after `migrate`"
        hint = did_you_mean(item.how.text, _MIGRATES)
        report.error(codes.UNKNOWN_WORD, message, item.how.span, hint=hint)
    modifier = item.modifier
    if modifier is not None and modifier.text != "return":
        message = f"unknown word `{modifier.text}` after `migrate {item.how.text}`"
        hint = did_you_mean(modifier.text, ["return"])
        report.error(codes.UNKNOWN_WORD, message, modifier.span, hint=hint)
        return None
    return None if how is None else GivenMigrate(how, modifier is not None, item.span)
