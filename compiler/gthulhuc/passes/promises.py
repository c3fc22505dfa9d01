# SPDX-License-Identifier: Apache-2.0
"""Reads `promise` blocks: what holds on the running machine, and what follows when it does not.

Afterwards `promises` holds the blocks in which a running scheduler can count every claim.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gthulhuc.claims import Claim, Otherwise, Promise
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.claims import OF_A_METRIC, OF_A_WORKLOAD, Claims
from gthulhuc.passes.reading.conflicts import report_conflicts
from gthulhuc.passes.reading.values import DURATION, UNITS_NS, Values
from gthulhuc.syntax import ast

_WINDOW_NS = (UNITS_NS["s"], 3600 * UNITS_NS["s"])
_MOST_CLAIMS = 64


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with all sound `promise` blocks in `promises`."""
    values = Values(draft, report)
    reader = _Reader(draft, report, values, Claims(draft, report, values))
    blocks = [item for item in draft.file.items if isinstance(item, ast.Promise)]
    found = [reader.block(block) for block in blocks]
    reader.refuse_many(blocks)
    whole = tuple(item for item in found if item is not None)
    return replace(draft, promises=whole, used=draft.used | values.used)


@dataclass(slots=True)
class _Reader:
    draft: Draft
    report: Collector
    values: Values
    claims: Claims

    def block(self, block: ast.Promise) -> Promise | None:
        name = block.rule.text
        is_fine = name == "default" or (
            self.claims.is_rule(block.rule) and self._is_counted(block.rule)
        )
        window = self.values.fixed(block.window, "the window", DURATION, *_WINDOW_NS)
        otherwise = self._otherwise(block.otherwise)
        if not block.claims and self.draft.file.is_whole:
            hint = f"add a claim, such as `p99(wakeup {name}) < 1ms`"
            message = f"`promise {name}` has no claims"
            self.report.error(codes.NO_CLAIM, message, block.rule.span, hint=hint)
        claims = [self._claim(claim) for claim in block.claims]
        if not is_fine or window is None or otherwise is None or None in claims:
            return None
        said = tuple(claim for claim in claims if claim is not None)
        report_conflicts(said, self.report)
        return Promise(name, window, said, otherwise, block.span)

    def _otherwise(self, found: ast.Otherwise | None) -> Otherwise | None:
        if found is None:
            return Otherwise.LOG
        known = [item.value for item in Otherwise]
        if found.action.text in known:
            return Otherwise(found.action.text)
        message = f"unknown action `{found.action.text}` after `else`"
        hint = did_you_mean(found.action.text, known)
        self.report.error(codes.UNKNOWN_WORD, message, found.action.span, hint=hint)
        return None

    def _claim(self, claim: ast.Claim) -> Claim | None:
        statistic = claim.metric
        if statistic.text in ("rate", "time") or claim.argument.text == OF_A_WORKLOAD:
            what = statistic if statistic.text in ("rate", "time") else claim.argument
            message = f"`{what.text}` is about a workload, and a promise has none"
            hint = "write `wakeup`, `wait` or `share` of a rule"
            self.report.error(codes.WRONG_VALUE, message, what.span, hint=hint)
        elif claim.reference is not None:
            message = "a promise has no baseline"
            hint = "write a value, or use `of` in an `expect` block"
            self.report.error(codes.WRONG_VALUE, message, claim.reference.span, hint=hint)
        elif statistic.text in OF_A_METRIC and claim.value.text.endswith("%"):
            message = f"`{statistic.text}` expects a duration, found `{claim.value.text}`"
            self.report.error(codes.WRONG_UNIT, message, claim.value.span)
        else:
            read = self.claims.read(claim, [])
            return read if read and self._is_counted(claim.rule or claim.argument) else None
        return None

    def _is_counted(self, rule: ast.Word) -> bool:
        """Whether the scheduler counts the waits of the rule: not with `monitor`."""
        monitors = {
            rule.block.name.text
            for rule in self.draft.rules
            if rule.actions is not None and rule.actions.monitor
        }
        if rule.text not in monitors:
            return True
        message = f"rule `{rule.text}` has `monitor`, so it takes no tasks to promise anything to"
        hint = "name a rule without `monitor`, or `default`"
        self.report.error(codes.WRONG_VALUE, message, rule.span, hint=hint)
        return False

    def refuse_many(self, blocks: list[ast.Promise]) -> None:
        """Reports the first claim that is too many."""
        claims = [claim for block in blocks for claim in block.claims]
        if len(claims) > _MOST_CLAIMS:
            message = f"a policy can have {_MOST_CLAIMS} claims in promises"
            self.report.error(codes.TOO_LARGE, message, claims[_MOST_CLAIMS].span)
