# SPDX-License-Identifier: Apache-2.0
"""Reads the CPU lists of `cpus`."""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.checked import CpuGroup, GivenGroup
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import did_you_mean, remove, write
from gthulhuc.passes.draft import GivenCpus
from gthulhuc.passes.reading.strings import parse_glob
from gthulhuc.syntax import ast
from gthulhuc.target import CPU_MAX

_GROUPS = {group.value: group for group in CpuGroup if " " not in group.value}
_NUMBERED = (CpuGroup.NODE, CpuGroup.LLC, CpuGroup.ANY)
_OF = {"llc": CpuGroup.OF_LLC, "node": CpuGroup.OF_NODE, "all": CpuGroup.ANY}
_MODIFIERS = ("exclusive", "prefer")
_LONGEST_NAME = 63  # of an interrupt, in the object


def read_cpus(item: ast.Cpus, report: Collector) -> GivenCpus | None:
    """Returns the CPUs of one `cpus` action, sorted, without duplicates; None after an error."""
    is_fine = _modifiers_are_fine(item.modifier, item.extent, report)
    modifier = item.modifier.text if item.modifier else ""
    cpus: set[int] = set()
    groups: dict[GivenGroup, None] = {}
    for term in item.terms:
        if term.of is not None:
            choice = _choice(term, term.of, report)
            is_fine = is_fine and choice is not None
            groups |= {choice: None} if choice else {}
        elif term.kind is None:
            numbers = _numbers(term, report)
            is_fine = is_fine and numbers is not None
            cpus.update(numbers or ())
        elif term.span.text != "all" or len(item.terms) > 1:
            read = _interrupt if term.kind.text == "irq" else _group
            group = read(term, term.kind, report)
            if group is not None:
                groups[group] = None
            is_fine = is_fine and group is not None
    if not is_fine or not _others_are_others(item, report):
        return None
    if cpus or groups:
        exclusive, prefer = modifier == "exclusive", modifier == "prefer"
        named = tuple(groups)
        core = item.extent is not None
        chosen = checked.Cpus(tuple(sorted(cpus)), named, exclusive, core, prefer, item.span)
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


def _modifiers_are_fine(
    modifier: ast.Word | None, extent: ast.Word | None, report: Collector
) -> bool:
    if modifier is not None and modifier.text == "core":
        message, instead = "`core` is valid only after `exclusive`", write("exclusive core")
        report.error(codes.WRONG_VALUE, message, modifier.span, hint=instead)
        return False
    if modifier is not None and modifier.text not in _MODIFIERS:
        message = f"unknown word `{modifier.text}` after `cpus`"
        hint = did_you_mean(modifier.text, _MODIFIERS)
        report.error(codes.UNKNOWN_WORD, message, modifier.span, hint=hint)
        return False
    if modifier is None or extent is None:
        return True
    if extent.text in _MODIFIERS and extent.text != modifier.text:
        message = "`exclusive` and `prefer` cannot be combined"
        both = "`exclusive` keeps other tasks off the CPUs; `prefer` also allows other CPUs"
        report.error(codes.WRONG_VALUE, message, extent.span, hint=both)
        return False
    if extent.text == "core" and modifier.text == "prefer":
        message = "`core` is valid only after `exclusive`"
        report.error(codes.WRONG_VALUE, message, extent.span, hint=remove(extent.span, "remove it"))
        return False
    if extent.text == "core":
        return True
    message = f"unknown word `{extent.text}` after `{modifier.text}`"
    report.error(codes.UNKNOWN_WORD, message, extent.span, hint=did_you_mean(extent.text, ["core"]))
    return False


def _others_are_others(item: ast.Cpus, report: Collector) -> bool:
    """Whether `not irq` stands among its like: with other CPUs, it would be nearly all of them."""
    negated = [term for term in item.terms if term.negated]
    if len(negated) in (0, len(item.terms)):
        return True
    report.error(
        codes.WRONG_VALUE,
        "`not irq` cannot be combined with other CPUs",
        negated[0].span,
        hint="`cpus not irq .., not irq ..` are the CPUs that serve neither",
    )
    return False


def _group(term: ast.CpuTerm, kind: ast.Word, report: Collector) -> GivenGroup | None:
    if _is_like_an_interrupt(term, kind, report):
        return None
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


def _is_like_an_interrupt(term: ast.CpuTerm, kind: ast.Word, report: Collector) -> bool:
    """Whether another group is negated or has a string, which is an error."""
    if term.negated:
        message = f"`not` is valid only before `irq`, not before `{kind.text}`"
        report.error(codes.WRONG_VALUE, message, term.span, hint="list the CPUs that are meant")
        return True
    if term.name is None or kind.text not in (*_GROUPS, "all"):
        return False
    message = f"`{kind.text}` takes no string"
    instead = write(f"irq {term.name.span.text}", " for the CPUs of an interrupt")
    report.error(codes.WRONG_VALUE, message, term.span, hint=instead)
    return True


def _interrupt(term: ast.CpuTerm, _kind: ast.Word, report: Collector) -> GivenGroup | None:
    """The CPUs that serve the interrupts with such a name, or those that do not."""
    name = term.name
    if name is None:
        hint = 'names are in the last columns of /proc/interrupts: `irq "eth0*"`'
        if term.first is not None:
            hint = "interrupts change their numbers from boot to boot; " + hint
        message = "`irq` needs the name of an interrupt"
        report.error(codes.WRONG_VALUE, message, term.span, hint=hint)
        return None
    if parse_glob(name, report) is None:
        return None
    if not 0 < len(name.value) <= _LONGEST_NAME:
        if name.value or name.span.text == '""':  # else the string is malformed, and said to be so
            message = f"the name of an interrupt has 1..{_LONGEST_NAME} bytes"
            report.error(codes.OUT_OF_RANGE, message, name.span, f"{len(name.value)} bytes")
        return None
    return CpuGroup.NOT_IRQ if term.negated else CpuGroup.IRQ, name.value


def _choice(term: ast.CpuTerm, of: ast.Word, report: Collector) -> GivenGroup | None:
    """A number of CPUs of one cache, of one node, or of all."""
    group = _OF.get(of.text)
    if group is None:
        message = f"`{of.text}` is not a group of CPUs to choose from"
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
