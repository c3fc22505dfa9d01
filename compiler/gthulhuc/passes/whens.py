# SPDX-License-Identifier: Apache-2.0
"""Reads `when` blocks: which actions of which rules change while something is so on the machine.

Afterwards `whens` holds the blocks whose conditions the loader can evaluate, with changes of rules
that take tasks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gthulhuc import checked
from gthulhuc.actions import CHANGEABLE, name_of
from gthulhuc.conditions import Condition, State
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import one_of, remove
from gthulhuc.passes.actions import given
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.inheritance import written
from gthulhuc.passes.reading.claims import Claims
from gthulhuc.passes.reading.conditions import read_condition
from gthulhuc.passes.reading.values import Values
from gthulhuc.passes.structure import each_once
from gthulhuc.syntax import ast

_MOST = 64
_MOST_STEPS = 256


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with all sound `when` blocks in `whens`."""
    values = Values(draft, report)
    reader = _Reader(draft, report, values)
    blocks = [item for item in draft.file.items if isinstance(item, ast.When)]
    found = [reader.block(block) for block in blocks]
    if len(blocks) > _MOST:
        message = f"a policy can have {_MOST} `when` blocks"
        report.error(codes.TOO_LARGE, message, blocks[_MOST].condition.span)
    whole = tuple(item for item in found if item is not None)
    return replace(draft, whens=whole, used=draft.used | values.used)


@dataclass(slots=True)
class _Reader:
    draft: Draft
    report: Collector
    values: Values

    def block(self, block: ast.When) -> checked.When | None:
        condition = read_condition(block.condition, self.values, self.report)
        if not any(rule.statements for rule in block.rules) and self.draft.file.is_whole:
            message = "this `when` block changes nothing"
            hint = "add a rule with the actions that hold meanwhile, such as `rule a { weight 50 }`"
            self.report.error(codes.MEANINGLESS, message, block.condition.span, hint=hint)
        self._refuse_second(block.rules)
        changes = [self._change(rule) for rule in block.rules]
        if condition is None:
            return None
        if _steps(condition) > _MOST_STEPS:
            message = f"a condition can have {_MOST_STEPS} parts"
            self.report.error(codes.TOO_LARGE, message, block.condition.span)
        text = block.condition.span.one_line
        kept = tuple(change for change in changes if change is not None)
        return checked.When(condition, text, kept, block.span)

    def _refuse_second(self, rules: tuple[ast.RuleBlock, ...]) -> None:
        first: dict[str, ast.RuleBlock] = {}
        for rule in rules:
            before = first.setdefault(rule.name.text, rule)
            if before is not rule:
                self.report.error(
                    codes.DUPLICATE_BLOCK,
                    f"this `when` block has rule `{rule.name.text}` twice",
                    rule.name.span,
                    secondary=[Label(before.name.span, "first named here")],
                )

    def _change(self, block: ast.RuleBlock) -> checked.Change | None:
        statements = each_once(block.statements, self.report)
        kept = tuple(item for item in statements if self._may_change(item))
        said = given(kept, self.values, self.report)
        if not self._is_rule(block.name):
            return None
        return checked.Change(
            rule=block.name.text,
            priority=said.priority,
            weight=said.weight,
            slice_ns=said.slice_ns,
            max_wait_ns=said.max_wait_ns,
            preempt=False if said.stops_preempt else said.preempt,
            numbers=said.numbers,
            written=written(kept),
        )

    def _may_change(self, item: ast.Statement) -> bool:
        word = name_of(item)
        if word in CHANGEABLE:
            return True
        self.report.error(
            codes.NOT_IN_WHEN,
            f"`{word}` cannot change in a `when` block",
            item.span,
            hint=remove(item.span, "remove it"),
            note=f"a `when` block changes {one_of(CHANGEABLE)}; "
            "which tasks a rule takes, and their CPUs, stay the same",
        )
        return False

    def _is_rule(self, name: ast.Word) -> bool:
        """Whether a name is that of a rule that takes tasks."""
        if name.text == "default":
            message = "a `when` block changes rules, and `default` is not a rule"
            hint = "write a rule for the tasks that are to change"
            self.report.error(codes.WRONG_KIND, message, name.span, hint=hint)
            return False
        if not Claims(self.draft, self.report, self.values).is_rule(name):
            return False
        rule = next((r for r in self.draft.rules if r.block.name.text == name.text), None)
        if rule is not None and rule.given.monitor is not None:
            message = f"rule `{name.text}` has `monitor`, so it takes no tasks that could change"
            self.report.error(codes.WRONG_VALUE, message, name.span)
            return False
        return True


def _steps(condition: Condition) -> int:
    """How many steps the loader takes to evaluate a condition."""
    if isinstance(condition, State):
        return 1
    operands = condition.operands
    return sum(map(_steps, operands)) + max(1, len(operands) - 1)
