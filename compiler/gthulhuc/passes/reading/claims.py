# SPDX-License-Identifier: Apache-2.0
"""Reads claims: their form, unit and range, and the rules and workloads that they name."""

from __future__ import annotations

from gthulhuc.claims import Baseline, Claim
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.values import (
    COUNT,
    DURATION,
    PER_CENT,
    SHARE,
    UNITS_NS,
    Quantity,
    Values,
)
from gthulhuc.peers import BASELINES
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.tunables import Value

OF_A_METRIC = ("p50", "p90", "p99", "p999", "max", "mean")
STATISTICS = (*OF_A_METRIC, "share", "rate", "time")
OF_A_WORKLOAD = "time"  # also a metric
METRICS = ("wakeup", "wait", OF_A_WORKLOAD)
OPERATORS = ("<", "<=", ">", ">=")
_TIME_NS = (1, 3600 * UNITS_NS["s"])
_RATE = (1, 10**12)
_SHARE = (1, 100 * PER_CENT)
_OF_BASELINE = (1, 10_000 * PER_CENT)


@dataclass(frozen=True, slots=True)
class Claims:
    """Reads the claims of one policy."""

    draft: Draft
    report: Collector
    values: Values

    def read(self, claim: ast.Claim, workloads: list[str]) -> Claim | None:
        """Returns the claim of a block with these workloads; None after an error."""
        statistic = claim.metric.text
        if statistic not in STATISTICS:
            hint = did_you_mean(statistic, STATISTICS)
            message = f"unknown statistic `{statistic}`"
            self.report.error(codes.UNKNOWN_WORD, message, claim.metric.span, hint=hint)
            return None
        subject = self._subject(claim, statistic, workloads)
        is_compared = self._operator_is_fine(claim.operator)
        baseline, has_baseline = self._baseline(claim, statistic)
        if subject is None or not is_compared or not has_baseline:
            return None
        bound = self._bound(claim, statistic, baseline)
        if bound is None:
            return None
        metric, target = subject
        operator = claim.operator.text
        return Claim(statistic, metric, target, operator, bound, baseline, claim.span)

    def is_rule(self, word: ast.Word) -> bool:
        """Returns whether a word names a rule; otherwise reports it."""
        definition = self.draft.names.get(word.text)
        if isinstance(definition, ast.RuleBlock):
            return True
        if definition is not None:
            message = f"`{word.text}` is not a rule"
            defined = [Label(definition.name.span, "defined here")]
            self.report.error(codes.WRONG_KIND, message, word.span, secondary=defined)
        elif word.text not in self.draft.lost_names and self.draft.file.is_whole:
            hint: tuple[str, ...] = ()
            if not self.report.is_long:
                names = self.draft.names.items()
                rules = [name for name, item in names if isinstance(item, ast.RuleBlock)]
                hint = did_you_mean(word.text, [*rules, "default"])
            message = f"undefined rule `{word.text}`"
            self.report.error(codes.UNDEFINED_NAME, message, word.span, hint=hint)
        return False

    def _subject(
        self, claim: ast.Claim, statistic: str, workloads: list[str]
    ) -> tuple[str | None, str] | None:
        """The metric and the rule or workload of a claim."""
        argument, rule = claim.argument, claim.rule
        if statistic in OF_A_METRIC:
            return self._metric(claim, statistic, workloads)
        if rule is not None:
            wanted = "a rule" if statistic == "share" else "a workload"
            message = f"`{statistic}` takes only {wanted}"
            self.report.error(codes.WRONG_VALUE, message, rule.span)
            return None
        if statistic == "share":
            is_fine = argument.text == "default" or self.is_rule(argument)
            return (None, argument.text) if is_fine else None
        return (None, argument.text) if self._is_workload(argument, workloads) else None

    def _is_workload(self, word: ast.Word, workloads: list[str]) -> bool:
        if word.text in workloads:
            return True
        message = f"`{word.text}` is not a workload of this block"
        hint = did_you_mean(word.text, workloads)
        self.report.error(codes.UNDEFINED_NAME, message, word.span, hint=hint)
        return False

    def _metric(
        self, claim: ast.Claim, statistic: str, workloads: list[str]
    ) -> tuple[str, str] | None:
        """The metric, and the rule or workload that it belongs to."""
        argument, whose = claim.argument, claim.rule
        if argument.text not in METRICS:
            message = f"unknown metric `{argument.text}`"
            hint = did_you_mean(argument.text, METRICS)
            self.report.error(codes.UNKNOWN_WORD, message, argument.span, hint=hint)
            return None
        is_of_workload = argument.text == OF_A_WORKLOAD
        if whose is None:
            kind, example = ("workload", workloads[0]) if is_of_workload else ("rule", "default")
            message = f"`{statistic}` takes a metric and a {kind}"
            self.report.error(
                codes.WRONG_VALUE,
                message,
                argument.span,
                hint=f"write `{statistic}({argument.text} {example})`",
            )
            return None
        if is_of_workload:
            is_fine = self._is_workload(whose, workloads)
        else:
            is_fine = whose.text == "default" or self.is_rule(whose)
        return (argument.text, whose.text) if is_fine else None

    def _operator_is_fine(self, operator: ast.Word) -> bool:
        if operator.text in OPERATORS:
            return True
        message = "a claim must use `<`, `<=`, `>` or `>=`"
        self.report.error(codes.WRONG_OPERATOR, message, operator.span)
        return False

    def _baseline(self, claim: ast.Claim, statistic: str) -> tuple[Baseline | None, bool]:
        """The baseline after `of`, and whether it is valid."""
        reference = claim.reference
        if reference is None:
            return None, True
        if statistic == "share":
            message = "`share` is a part of all CPU time and takes no `of`"
            self.report.error(codes.WRONG_VALUE, message, reference.span)
            return None, False
        if isinstance(reference, ast.Text):
            path = reference.value.decode(errors="replace")
            if path.endswith(".gpl"):
                return Baseline(path, is_policy=True), True
            message = "not the name of a policy file"
            self.report.error(
                codes.WRONG_VALUE, message, reference.span, hint='write `of "other.gpl"`'
            )
            return None, False
        if reference.text in BASELINES:
            return Baseline(reference.text, is_policy=False), True
        message = f"unknown scheduler `{reference.text}`"
        hint = did_you_mean(reference.text, BASELINES)
        self.report.error(codes.UNKNOWN_WORD, message, reference.span, hint=hint)
        return None, False

    def _bound(self, claim: ast.Claim, statistic: str, baseline: Baseline | None) -> Value | None:
        quantity, low, high = _expected(statistic, baseline)
        is_percentage = isinstance(claim.value, ast.Number) and claim.value.text.endswith("%")
        if is_percentage and quantity is not SHARE:
            self._report_no_baseline(claim, statistic, claim.value.span)
            return None
        return self.values.read(claim.value, f"`{statistic}`", quantity, low, high)

    def _report_no_baseline(self, claim: ast.Claim, statistic: str, at: Span) -> None:
        message = f"a percentage of `{statistic}` needs a baseline"
        hint = f"write `{claim.value.text} of eevdf`; baselines are {one_of(BASELINES)}"
        self.report.error(codes.WRONG_VALUE, message, at, hint=hint)


def _expected(statistic: str, baseline: Baseline | None) -> tuple[Quantity, int, int]:
    if baseline is not None:
        return SHARE, *_OF_BASELINE
    if statistic == "share":
        return SHARE, *_SHARE
    return (COUNT, *_RATE) if statistic == "rate" else (DURATION, *_TIME_NS)
