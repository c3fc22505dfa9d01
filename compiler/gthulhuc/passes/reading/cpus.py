# SPDX-License-Identifier: Apache-2.0
"""Reads the CPU lists of `cpus`."""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.checked import CpuGroup
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of, write
from gthulhuc.passes.draft import GivenCpus
from gthulhuc.syntax import ast
from gthulhuc.target import CPU_MAX

_GROUPS = {group.value: group for group in CpuGroup if " " not in group.value}
_NUMBERED = (CpuGroup.NODE, CpuGroup.LLC, CpuGroup.ANY)
_OF = {"llc": CpuGroup.OF_LLC, "node": CpuGroup.OF_NODE, "all": CpuGroup.ANY}
_MODIFIERS = ("exclusive", "prefer")


def read_cpus(item: ast.Cpus, report: Collector) -> GivenCpus | None:
    """Returns the CPUs of one `cpus` action, sorted, without duplicates; None after an error."""
    is_fine = _modifier_is_fine(item.modifier, report)
    modifier = item.modifier.text if item.modifier else ""
    cpus: set[int] = set()
    groups: dict[tuple[CpuGroup, int | None], None] = {}
    for term in item.terms:
        if term.of is not None:
            choice = _choice(term, term.of, report)
            is_fine = is_fine and choice is not None
            groups |= {choice: None} if choice else {}
        elif term.kind is None:
            numbers = _numbers(term, report)
            is_fine = is_fine and numbers is not None
            cpus.update(numbers or ())
        elif term.kind.text != "all" or len(item.terms) > 1 or term.first is not None:
            group = _group(term, term.kind, report)
            if group is not None:
                groups[group] = None
            is_fine = is_fine and group is not None
    if not is_fine:
        return None
    if cpus or groups:
        exclusive, prefer = modifier == "exclusive", modifier == "prefer"
        named = tuple(groups)
        chosen = checked.Cpus(tuple(sorted(cpus)), named, exclusive, prefer, item.span)
        return GivenCpus(chosen, item.span)
    if modifier == "exclusive":
        message = "`exclusive` on all CPUs leaves no CPU for other tasks"
        report.error(codes.NO_CPU_LEFT, message, item.span)
        return None
    if modifier == "prefer":
        message = "`prefer` has no effect on all CPUs"
        report.error(codes.MEANINGLESS, message, item.span, hint=write("cpus all"))
        return None
    return GivenCpus(None, item.span)


def _modifier_is_fine(modifier: ast.Word | None, report: Collector) -> bool:
    if modifier is None or modifier.text in _MODIFIERS:
        return True
    message = f"unknown word `{modifier.text}` after `cpus`"
    hint = did_you_mean(modifier.text, _MODIFIERS)
    report.error(codes.UNKNOWN_WORD, message, modifier.span, hint=hint)
    return False


def _group(
    term: ast.CpuTerm, kind: ast.Word, report: Collector
) -> tuple[CpuGroup, int | None] | None:
    if kind.text == "all":
        report.error(codes.WRONG_VALUE, "`all` cannot be combined with other CPUs", term.span)
        return None
    if (group := _GROUPS.get(kind.text)) is None:
        hint = did_you_mean(kind.text, ("all", *_GROUPS))
        message = f"unknown word `{kind.text}` in a list of CPUs"
        report.error(codes.UNKNOWN_WORD, message, kind.span, hint=hint)
        return None
    if group in _NUMBERED:
        if term.first is None:
            message = f"`{group.value}` needs a number"
            example = f"{group.value} {4 if group.is_chosen else 0}"
            report.error(codes.WRONG_VALUE, message, term.span, hint=write(example))
            return None
        number = _number(term.first, report)
        if number == 0 and group.is_chosen:
            report.error(codes.OUT_OF_RANGE, "a choice needs at least one CPU", term.span)
            return None
        return None if number is None else (group, number)
    if term.first is not None:
        message = f"`{group.value}` takes no number"
        report.error(codes.WRONG_VALUE, message, term.first.span)
        return None
    return group, None


def _choice(
    term: ast.CpuTerm, of: ast.Word, report: Collector
) -> tuple[CpuGroup, int | None] | None:
    """A number of CPUs of one cache, of one node, or of all."""
    group = _OF.get(of.text)
    if group is None:
        message = f"CPUs are chosen of {one_of(_OF, 'or')}, not of `{of.text}`"
        report.error(codes.UNKNOWN_WORD, message, of.span, hint=did_you_mean(of.text, _OF))
        return None
    assert term.first is not None  # by the grammar
    number = _number(term.first, report)
    if number == 0:
        report.error(codes.OUT_OF_RANGE, "a choice needs at least one CPU", term.first.span)
        return None
    return None if number is None else (group, number)


def _numbers(term: ast.CpuTerm, report: Collector) -> range | None:
    assert term.first is not None  # by the grammar, a term has a word or a number
    first = _number(term.first, report)
    last = first if term.last is None else _number(term.last, report)
    if first is None or last is None:
        return None
    if last < first:
        hint = write(f"{last}-{first}")
        report.error(codes.REVERSED_RANGE, "the range runs backwards", term.span, hint=hint)
        return None
    return range(first, last + 1)


def _number(value: ast.Number, report: Collector) -> int | None:
    if not value.text.isdecimal():
        message = f"`{value.text}` is not a CPU number"
        report.error(codes.BAD_NUMBER, message, value.span)
        return None
    if len(value.text) > 5 or int(value.text) > CPU_MAX:
        report.error(codes.OUT_OF_RANGE, f"a CPU number must be within 0..{CPU_MAX}", value.span)
        return None
    return int(value.text)
