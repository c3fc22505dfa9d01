# SPDX-License-Identifier: Apache-2.0
"""Reads the actions as written, and checks their words, units and ranges.

Afterwards `given` of each rule and of `default` holds what that block itself states. A refused
action counts as absent; its error already prevents a policy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gthulhuc import checked
from gthulhuc.actions import BY_NAME, NUMBERS
from gthulhuc.checked import Level, Migrate
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean, remove, write
from gthulhuc.passes.draft import NOTHING_GIVEN, Draft, DraftRule, Given, GivenMigrate
from gthulhuc.passes.reading.cpus import read_cpus
from gthulhuc.passes.reading.values import (
    QUANTITIES,
    SHARE,
    UNITS_NS,
    Values,
    least,
    share_text,
    show_ns,
    worst,
)
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.tunables import Value

# Below 10 us a preemption costs more than the run that it ends.
AFTER_NS = (10 * UNITS_NS["us"], UNITS_NS["s"])
BUDGET_NS = (100 * UNITS_NS["us"], 10 * UNITS_NS["s"])
PERIOD_NS = (UNITS_NS["ms"], 10 * UNITS_NS["s"])

_LEVELS = {level.name.lower(): level for level in Level}
_MIGRATES = {how.value: how for how in Migrate}


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with the actions of every block in `given` and `default_given`."""
    values = Values(draft, report)
    rules = tuple(
        # `replace` takes three times as long, and a policy may have 100,000 rules.
        DraftRule(rule.block, rule.match, _of_rule(rule.block.statements, values, report))
        for rule in draft.rules
    )
    default = NOTHING_GIVEN
    if draft.default_block is not None:
        default = _of_rule(draft.default_block.statements, values, report)
    used = draft.used | values.used
    return replace(draft, rules=rules, default_given=default, used=used)


def _of_rule(statements: Iterable[ast.Statement], values: Values, report: Collector) -> Given:
    for item in statements:
        if isinstance(item, ast.Preempt) and item.modifier and item.modifier.text == "off":
            report.error(
                codes.MEANINGLESS,
                "`preempt off` has no effect here: a rule without `preempt` does not preempt",
                item.span,
                hint=remove(item.span, "remove it"),
                note="in a `when` block, `preempt off` ends what the rule says",
            )
    return given(statements, values, report)


def given(statements: Iterable[ast.Statement], values: Values, report: Collector) -> Given:
    """Returns the actions that a block states."""
    found: dict[str, Any] = {}  # each value has its field's type
    numbers: dict[str, Value] = {}
    for item in statements:
        match item:
            case ast.Priority():
                found["priority"] = _level(item.level, report)
            case ast.Cpus():
                found["cpus"] = read_cpus(item, report)
            case ast.Migrate():
                found["migrate"] = _migrate(item, report)
            case ast.Inherit():
                found["inherit"] = item.span
            case ast.Monitor():
                found["monitor"] = item.span
            case ast.Amount(word=word) if word in NUMBERS:
                if (value := _amount(item, values)) is not None:
                    numbers[word] = value
            case _:
                found |= _quantities(item, values, report)
    return Given(numbers=numbers, **found)


def _quantities(item: ast.Statement, values: Values, report: Collector) -> dict[str, object]:
    """The actions that take numbers."""
    match item:
        case ast.Slice():
            return {"slice_ns": _slice(item, values, report)}
        case ast.Preempt(modifier=ast.Word() as modifier):
            return {"stops_preempt": _stops_preempt(item, modifier, report)}
        case ast.Share():
            return {"share": _share(item, values, report)}
        case ast.Preempt():
            return {"preempt": _preempt(item, values, report)}
        case ast.Amount(word="max-wait"):
            return {"max_wait_ns": _max_wait(item, values, report)}
        case ast.Amount(word="weight"):
            return {"weight": _amount(item, values)}
    return {}


def _level(word: ast.Word, report: Collector) -> Level | None:
    if (level := _LEVELS.get(word.text)) is None:
        hint = did_you_mean(word.text, _LEVELS)
        report.error(codes.UNKNOWN_WORD, f"unknown level `{word.text}`", word.span, hint=hint)
    return level


def _slice(item: ast.Slice, values: Values, report: Collector) -> tuple[Value, Value] | None:
    low = values.duration(item.low, "`slice`", *BY_NAME["slice"].bounds)
    if item.high is None:
        return None if low is None else (low, low)
    high = values.duration(item.high, "`slice`", *BY_NAME["slice"].bounds)
    if low is None or high is None:
        return None
    span = item.low.span.to(item.high.span)
    if worst(low) > least(high):
        _report_reversed(item.low, item.high, low, high, span, report)
        return None
    return low, high


def _report_reversed(
    low: ast.Scalar,
    high: ast.Scalar,
    low_ns: Value,
    high_ns: Value,
    span: Span,
    report: Collector,
) -> None:
    if isinstance(low_ns, int) and isinstance(high_ns, int):
        hint: str = write(f"{high.text}..{low.text}")
        report.error(codes.REVERSED_RANGE, "the range runs backwards", span, hint=hint)
        return
    note = (
        f"`{low.text}` may be {show_ns(worst(low_ns))} and `{high.text}` {show_ns(least(high_ns))}"
    )
    hint = "narrow the tunable's range so that it cannot pass the other end"
    report.error(codes.REVERSED_RANGE, "the range can run backwards", span, hint=hint, note=note)


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


def _share(item: ast.Share, values: Values, report: Collector) -> checked.Share | None:
    if item.low is not None and item.high is not None and _is_nothing(item.low):
        hint = write(f"..{item.high.text}")
        span = item.low.span.to(item.high.span)
        report.error(codes.OUT_OF_RANGE, "`share` cannot guarantee 0%", span, hint=hint)
        return None
    found = [
        None if bound is None else values.fixed(bound, "`share`", SHARE, *BY_NAME["share"].bounds)
        for bound in (item.low, item.high)
    ]
    low, high = found
    if (low is None and item.low is not None) or (high is None and item.high is not None):
        return None
    if low is not None and high is not None and low > high:
        assert item.low is not None
        assert item.high is not None
        span = item.low.span.to(item.high.span)
        hint = write(share_text(high, low))
        report.error(codes.REVERSED_RANGE, "the range runs backwards", span, hint=hint)
        return None
    return checked.Share(low, high, item.span)


def _is_nothing(share: ast.Scalar) -> bool:
    return isinstance(share, ast.Number) and not share.text.strip("0.%")


def _preempt(item: ast.Preempt, values: Values, report: Collector) -> checked.Preempt | None:
    after: Value | None = 0
    if item.after is not None:
        after = values.duration(item.after, "`after`", *AFTER_NS)
    if item.budget is None or item.period is None:
        return None if after is None else checked.Preempt(after, None, None, item.span)
    budget = values.duration(item.budget, "`budget`", *BUDGET_NS)
    period = values.duration(item.period, "the budget's period", *PERIOD_NS)
    if after is None or budget is None or period is None:
        return None
    if worst(budget) >= least(period):
        report.error(
            codes.OUT_OF_RANGE,
            "the budget must be less than its period",
            item.budget.span.to(item.period.span),
            hint="to preempt without a limit, omit the budget",
        )
        return None
    return checked.Preempt(after, budget, period, item.span)


def _stops_preempt(item: ast.Preempt, modifier: ast.Word, report: Collector) -> bool:
    """Checks `preempt off`."""
    if modifier.text != "off":
        message = f"unknown word `{modifier.text}` after `preempt`"
        hint = did_you_mean(modifier.text, ["off", "after", "budget"])
        report.error(codes.UNKNOWN_WORD, message, modifier.span, hint=hint)
    elif item.after is not None or item.budget is not None:
        rest = item.span.source, modifier.span.end, item.span.end
        message = "`preempt off` has no limits"
        report.error(codes.WRONG_VALUE, message, item.span, hint=remove(Span(*rest), "remove them"))
    return True


def _amount(item: ast.Amount, values: Values) -> Value | None:
    action = BY_NAME[item.word]
    assert action.unit is not None
    if isinstance(item.value, ast.Word) and item.value.text in action.words:
        return action.words[item.value.text]
    if action.unit == "%":  # the loader has no tunable percentages
        return values.fixed(item.value, f"`{item.word}`", SHARE, *action.bounds)
    return values.read(item.value, f"`{item.word}`", QUANTITIES[action.unit], *action.bounds)


def _max_wait(item: ast.Amount, values: Values, report: Collector) -> Value | None:
    wait = _amount(item, values)
    watchdog_ns = values.draft.watchdog_ns
    if wait is None or watchdog_ns is None or worst(wait) < watchdog_ns:
        return wait
    report.error(
        codes.OUT_OF_RANGE,
        f"`max-wait` must be less than the policy's watchdog, {show_ns(watchdog_ns)}",
        item.value.span,
        note="the watchdog treats a task that waits this long as stalled and ends the policy",
    )
    return None
