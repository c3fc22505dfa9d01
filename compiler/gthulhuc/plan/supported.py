# SPDX-License-Identifier: Apache-2.0
"""What the language has and the generated scheduler does not do yet: refused, never ignored.

Policies with it can be checked, and their IR looked at; only C and objects are not made of them.
Every word that the scheduler learns is a line less in here.
"""

from __future__ import annotations

from collections.abc import Iterator

from gthulhuc import checked
from gthulhuc.checked import Field
from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Span

_RUNTIME_FIELDS = checked.LATE | {Field.CALLS, Field.INTERACTIVE}
_NOTE = "`gthulhu check` and `--emit ir` know it; the scheduler cannot do it yet"


def refuse(policy: checked.Policy) -> list[Diagnostic]:
    """An error for each thing in the policy that there is no code for, with its place."""
    report = Collector()
    for rule in policy.rules:
        for what, span in _predicate(rule.match):
            _refuse(what, span, report)
        for what, span in _actions(rule.actions, rule.span):
            _refuse(what, span, report)
    for what, span in _actions(policy.default, policy.default_span or policy.source):
        _refuse(what, span, report)
    return report.sorted()


def _refuse(what: str, span: Span, report: Collector) -> None:
    report.error(codes.NOT_SUPPORTED, f"{what} is not supported yet", span, note=_NOTE)


def _predicate(predicate: checked.Predicate) -> Iterator[tuple[str, Span]]:
    match predicate:
        case checked.Not(operand=operand):
            yield from _predicate(operand)
        case checked.And(operands=operands) | checked.Or(operands=operands):
            for operand in operands:
                yield from _predicate(operand)
        case checked.Calls():
            yield "`calls`", predicate.span
        case checked.IdNamed(subject=subject):
            yield f"a name for `{subject.field.value}`", predicate.span
        case checked.Under():
            pass
        case _ if predicate.subject.field in _RUNTIME_FIELDS:
            yield f"`{predicate.subject.field.value}`", predicate.span


def _actions(actions: checked.Actions, block: Span) -> Iterator[tuple[str, Span]]:
    """What of a class's actions there is no code for. `block`: where no word is noted."""
    written = dict(actions.written)

    def at(word: str) -> Span:
        return written.get(word, block)

    slices = (actions.slice_min_ns, actions.slice_max_ns)
    if any(isinstance(value, checked.Tunable) for value in slices):
        yield "a tunable for `slice`", at("slice")
    if isinstance(actions.weight, checked.Tunable):
        yield "a tunable for `weight`", at("weight")
    if "max-wait" in written:
        yield "`max-wait`", at("max-wait")
    if actions.inherit:
        yield "`inherit`", at("inherit")
    if actions.monitor:
        yield "`monitor`", at("monitor")
    if actions.cpus is not None:
        yield from _cpus(actions.cpus)
    if actions.preempt is not None:
        yield from _preempt(actions.preempt, at("preempt"))


def _cpus(cpus: checked.Cpus) -> Iterator[tuple[str, Span]]:
    for group, _ in cpus.groups[:1]:
        yield f"`cpus {group.value}`", cpus.span
    if cpus.prefer:
        yield "`cpus` with `prefer`", cpus.span


def _preempt(preempt: checked.Preempt, span: Span) -> Iterator[tuple[str, Span]]:
    words = []
    if preempt.after_ns != 0:
        words.append("`after`")
    if preempt.budget_ns is not None:
        words.append("`budget`")
    if words:
        yield f"`preempt` with {' and '.join(words)}", span
