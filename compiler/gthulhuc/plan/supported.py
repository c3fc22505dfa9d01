# SPDX-License-Identifier: Apache-2.0
"""What the language has and the generated scheduler does not do yet: refused, never ignored.

Policies with it can be checked, and their IR looked at; only C and objects are not made of them.
Every word that the scheduler learns is a line less in here.
"""

from __future__ import annotations

from collections.abc import Iterator

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Span

MAX_GROUPS = 8
"""As many as a pin of the object has room for (`templates/lib/abi.h`)."""
MAX_ID_BYTES = 63
_NOTE = "`gthulhu check` and `--emit ir` know it; the scheduler cannot do it yet"


def refuse(policy: checked.Policy) -> list[Diagnostic]:
    """An error for each thing in the policy that there is no code for, with its place."""
    report = Collector()
    for rule in policy.rules:
        for what, span in _predicate(rule.match):
            _refuse(what, span, report)
        for what, span in _cpus(rule.actions.cpus):
            _refuse(what, span, report)
    for what, span in _cpus(policy.default.cpus):
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
        case checked.IdNamed(names=names, subject=subject):
            if max(map(len, names)) > MAX_ID_BYTES:
                what = f"a name of more than {MAX_ID_BYTES} bytes for `{subject.field.value}`"
                yield what, predicate.span


def _cpus(cpus: checked.Cpus | None) -> Iterator[tuple[str, Span]]:
    if cpus is not None and len(cpus.groups) > MAX_GROUPS:
        yield f"`cpus` with more than {MAX_GROUPS} groups", cpus.span
