# SPDX-License-Identifier: Apache-2.0
"""Reads `expect` blocks: their names, and the form, unit and range of each claim.

Afterwards `expectations` holds the blocks in which every claim can be measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gthulhuc.claims import Expectation, Load
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.claims import Claims
from gthulhuc.passes.reading.conflicts import report_conflicts, report_shares
from gthulhuc.passes.reading.values import TIMES, Values
from gthulhuc.syntax import ast

_AMOUNT = (1, 1000 * 1000)


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with all sound `expect` blocks in `expectations`."""
    values = Values(draft, report)
    reader = _Reader(report, values, Claims(draft, report, values))
    blocks = [item for item in draft.file.items if isinstance(item, ast.Expect)]
    found = [reader.block(block) for block in blocks]
    whole = tuple(item for item in found if item is not None)
    return replace(draft, expectations=whole, used=draft.used | reader.values.used)


@dataclass(slots=True)
class _Reader:
    report: Collector
    values: Values
    claims: Claims

    def block(self, block: ast.Expect) -> Expectation | None:
        rule, is_fine = self._as_rule(block.rule)
        loads = [self._load(load) for load in block.loads]
        workloads = {block.workload.text: block.workload.span}
        for item in block.loads:
            before = workloads.setdefault(item.name.text, item.name.span)
            if before is not item.name.span:
                self.report.error(
                    codes.DUPLICATE_STATEMENT,
                    f"workload `{item.name.text}` appears twice in this block",
                    item.name.span,
                    secondary=[Label(before, "first used here")],
                )
        if not block.claims and self.claims.draft.file.is_whole:
            message = f"`expect {block.workload.text}` has no claims"
            hint = "add a claim, such as `p99(wakeup default) < 1ms`"
            self.report.error(codes.NO_CLAIM, message, block.workload.span, hint=hint)
        claims = [self.claims.read(claim, list(workloads)) for claim in block.claims]
        if not is_fine or None in loads or None in claims:
            return None
        whole = tuple(load for load in loads if load is not None)
        said = tuple(claim for claim in claims if claim is not None)
        report_conflicts(said, self.report)
        report_shares(said, self.report)
        return Expectation(block.workload.text, rule, whole, said, block.span)

    def _load(self, load: ast.Load) -> Load | None:
        what = f"the amount of `{load.name.text}`"
        amount = self.values.literal(load.amount, what, TIMES, *_AMOUNT)
        rule, is_fine = self._as_rule(load.rule)
        if amount is None or not is_fine:
            return None
        return Load(load.name.text, amount, rule, load.span)

    def _as_rule(self, word: ast.Word | None) -> tuple[str | None, bool]:
        """The rule after `as` (None for `default` or without `as`), and whether it is valid."""
        if word is None or word.text == "default":
            return None, True
        return word.text, self.claims.is_rule(word)
