# SPDX-License-Identifier: Apache-2.0
"""The CPU lists of `cpus`."""

from __future__ import annotations

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.passes.draft import GivenCpus
from gthulhuc.passes.unsupported import refuse_at
from gthulhuc.syntax import ast

CPU_MAX = 8191  # distributions build kernels for at most 8192 CPUs (CONFIG_NR_CPUS)

_KINDS_NOT_YET = ("node", "llc", "fast", "slow")
_MODIFIERS = ("exclusive", "prefer")


def read_cpus(item: ast.Cpus, report: Collector) -> GivenCpus | None:
    """The CPUs of one `cpus` action, sorted and once each; None when it was refused."""
    is_fine = _modifier_is_fine(item.modifier, report)
    is_exclusive = item.modifier is not None and item.modifier.text == "exclusive"
    cpus: set[int] = set()
    for term in item.terms:
        if term.kind is None:
            numbers = _numbers(term, report)
            is_fine = is_fine and numbers is not None
            cpus.update(numbers or ())
        elif term.kind.text != "all" or len(item.terms) > 1 or term.first is not None:
            _refuse_kind(term, term.kind, report)
            is_fine = False
    if not is_fine:
        return None
    if cpus:
        return GivenCpus(tuple(sorted(cpus)), is_exclusive, item.span)
    if is_exclusive:
        message = "exclusive on every CPU leaves none for other tasks"
        report.error(codes.NO_CPU_LEFT, message, item.span)
        return None
    return GivenCpus(None, False, item.span)


def _modifier_is_fine(modifier: ast.Word | None, report: Collector) -> bool:
    if modifier is None or modifier.text == "exclusive":
        return True
    if modifier.text == "prefer":
        refuse_at("`prefer`", modifier.span, report)
    else:
        message = f"unknown word `{modifier.text}` after `cpus`"
        hint = did_you_mean(modifier.text, _MODIFIERS)
        report.error(codes.UNKNOWN_WORD, message, modifier.span, hint=hint)
    return False


def _refuse_kind(term: ast.CpuTerm, kind: ast.Word, report: Collector) -> None:
    if kind.text in _KINDS_NOT_YET:
        refuse_at(f"`cpus {kind.text}`", term.span, report)
    elif kind.text == "all":
        report.error(codes.WRONG_VALUE, "`all` stands alone after `cpus`", term.span)
    else:
        hint = did_you_mean(kind.text, ("all", *_KINDS_NOT_YET))
        message = f"unknown word `{kind.text}` in a list of CPUs"
        report.error(codes.UNKNOWN_WORD, message, kind.span, hint=hint)


def _numbers(term: ast.CpuTerm, report: Collector) -> range | None:
    assert term.first is not None  # the grammar: a term has a word or a number
    first = _number(term.first, report)
    last = first if term.last is None else _number(term.last, report)
    if first is None or last is None:
        return None
    if last < first:
        hint = f"write `{last}-{first}`"
        report.error(codes.REVERSED_RANGE, "the range runs backwards", term.span, hint=hint)
        return None
    return range(first, last + 1)


def _number(value: ast.Number, report: Collector) -> int | None:
    if not value.text.isdecimal():
        message = f"`{value.text}` is not the number of a CPU"
        report.error(codes.BAD_NUMBER, message, value.span)
        return None
    if len(value.text) > 5 or int(value.text) > CPU_MAX:
        report.error(codes.OUT_OF_RANGE, f"CPUs have numbers within 0..{CPU_MAX}", value.span)
        return None
    return int(value.text)
