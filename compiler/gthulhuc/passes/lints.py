# SPDX-License-Identifier: Apache-2.0
"""Warns about policies that are correct but probably not what the author meant.

Changes nothing. Each warning has a name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from gthulhuc import checked
from gthulhuc.bounds import SHORTEST_SLICE_NS
from gthulhuc.checked import Actions, Calls, Change, Cpus, Has, Preempt
from gthulhuc.diagnostics import Collector, Edit, Help, Label, codes
from gthulhuc.diagnostics.suggest import insert, remove
from gthulhuc.fields import Field
from gthulhuc.passes.draft import NOTHING_GIVEN, Draft, DraftRule
from gthulhuc.passes.placement import Unit, units
from gthulhuc.passes.reading.values import least, show_ns
from gthulhuc.passes.reasoning.contents import asks_for_kthreads, contains
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.target import Target
from gthulhuc.variants import changed

_MOST_MARKED = 6
_NAMES = (Field.COMM, Field.PROCESS)
_KERNEL_NAME = re.compile(
    rb"(kworker|ksoftirqd|kswapd|kcompactd|khugepaged|kthreadd|migration/|rcu_|rcuo|rcub|irq/|jbd2/)"
)


def check(draft: Draft, report: Collector) -> Draft:
    """Warns about each rule and about `default`; returns the draft as it was."""
    varied = {change.rule for when in draft.whens for change in when.changes}
    plain = None if draft.default is None else replace(draft.default, preempt=None)
    for index, rule in enumerate(draft.rules):
        _warn_of_pins(rule, report)
        if rule.block.name.text not in varied:
            _warn_of_no_difference(rule, draft, plain, index + 1 == len(draft.rules), report)
        if rule.match is not None:
            warn = partial(_warn_of_kernel_names, rule.match, report)
            draft.memo.of("kernel names", rule.match, warn, report)
    _warn_of_slices(draft, report)
    _warn_of_starvation(draft, report)
    return draft


def _warn_of_pins(rule: DraftRule, report: Collector) -> None:
    cpus = rule.given.cpus
    if cpus is None or cpus.cpus is None or cpus.cpus.prefer or rule.match is None:
        return
    if contains(rule.match, _changes_while_running):
        report.warning(
            codes.COMES_AND_GOES,
            "this pin depends on a predicate that changes while a task runs",
            cpus.span,
            secondary=[Label(rule.match.span, "changes while a task runs")],
            hint=insert(
                cpus.span,
                " prefer",
                "write `cpus .. prefer`, or match on a field that does not change",
            ),
        )


def _changes_while_running(predicate: checked.Predicate) -> bool:
    is_flag = isinstance(predicate, Has) and predicate.subject.field is Field.INTERACTIVE
    return is_flag or isinstance(predicate, Calls)


def _warn_of_slices(draft: Draft, report: Collector) -> None:
    said = [(rule.given.slice_ns, rule.block.statements) for rule in draft.rules]
    if draft.default_block is not None:
        said.append((draft.default_given.slice_ns, draft.default_block.statements))
    blocks = {
        (when.span, rule.name.text): rule.statements
        for when in draft.file.items
        if isinstance(when, ast.When)
        for rule in when.rules
    }
    for when in draft.whens:
        said += [(change.slice_ns, blocks[when.span, change.rule]) for change in when.changes]
    for slice_ns, statements in said:
        if slice_ns is not None and least(slice_ns[0]) < SHORTEST_SLICE_NS:
            item = next(each for each in statements if isinstance(each, ast.Slice))
            _warn_of_slice(least(slice_ns[0]), item, report)


def _warn_of_slice(slice_ns: int, item: ast.Slice, report: Collector) -> None:
    # The shortest slice that is kept takes the place of a shorter literal.
    edit = Edit(item.low.span, show_ns(SHORTEST_SLICE_NS))
    report.warning(
        codes.SHORT_SLICE,
        f"a slice of {show_ns(slice_ns)} is too short to be enforced",
        item.span,
        hint=Help(
            f"it will last {show_ns(SHORTEST_SLICE_NS)}; longer slices are kept to within 25us",
            edits=[] if isinstance(item.low, ast.Word) else [edit],
        ),
    )


def _warn_of_no_difference(
    rule: DraftRule, draft: Draft, plain: Actions | None, is_last: bool, report: Collector
) -> None:
    """Warns of a rule with the actions of `default`; `plain`: these without `preempt`."""
    default = draft.default
    # A rule without actions is a deliberate exemption from later rules.
    if rule.given == NOTHING_GIVEN or rule.actions is None or default is None:
        return
    if draft.default_given != NOTHING_GIVEN and rule.match and asks_for_kthreads(rule.match):
        return  # a kernel thread that no rule takes gets nothing from `default`
    if rule.actions == plain and default.preempt is None:
        name = rule.block.name
        report.warning(
            codes.SAME_AS_DEFAULT,
            f"rule `{name.text}` has the same actions as `default`",
            name.span,
            hint=remove(rule.block.span, "remove the rule; no later rule could take its tasks")
            if is_last
            else "to exempt its tasks from later rules, remove only the actions",
        )


def _warn_of_kernel_names(match: checked.Predicate, report: Collector) -> None:
    if asks_for_kthreads(match):
        return
    for predicate in _leaves(match):
        match predicate:
            case checked.Equals(values=texts) | checked.Glob(patterns=texts):
                pass
            case checked.Regex(pattern=text):
                texts = (text,)
            case _:
                continue
        if predicate.subject.field in _NAMES and any(map(_KERNEL_NAME.match, texts)):
            report.warning(
                codes.NO_KTHREAD,
                "this name belongs to kernel threads, but the rule does not match any",
                predicate.span,
                hint=Help(
                    "write `kthread and ..`",
                    edits=[Edit(predicate.span, f"(kthread and {predicate.span.text})")],
                ),
                note="examples of kernel threads are `kworker/u16:2`, `ksoftirqd/0`, `kswapd0`",
            )


def _leaves(predicate: checked.Predicate) -> Iterator[checked.Predicate]:
    """The comparisons that a task has to fulfil, without negated ones."""
    match predicate:
        case checked.Not():
            pass
        case checked.And() | checked.Or():
            for operand in predicate.operands:
                yield from _leaves(operand)
        case _:
            yield predicate


@dataclass(frozen=True, slots=True)
class _Class:
    """A class; `is_judged`: what it may starve is not reported elsewhere."""

    name: str
    at: Span | None
    actions: Actions | None
    is_judged: bool = True


def _warn_of_starvation(draft: Draft, report: Collector) -> None:
    default_at = draft.default_block.span if draft.default_block else None
    default = _Class("`default`", default_at, draft.default)
    _warn_of_starving([*_classes(draft, {}), default], draft, report)
    for when in draft.whens:
        changes = {change.rule: change for change in when.changes}
        if changes:
            varied = [*_classes(draft, changes), replace(default, is_judged=False)]
            _warn_of_starving(varied, draft, report)


def _classes(draft: Draft, changes: Mapping[str, Change]) -> Iterator[_Class]:
    """The rules' classes with the changes of a `when` block."""
    for rule in draft.rules:
        name, actions = rule.block.name, rule.actions
        change = changes.get(name.text)
        if change is not None and actions is not None:
            actions = changed(actions, [change])
        is_judged = not changes or (change is not None and isinstance(change.preempt, Preempt))
        yield _Class(f"rule `{name.text}`", name.span, actions, is_judged)


def _warn_of_starving(classes: list[_Class], draft: Draft, report: Collector) -> None:
    taken = {
        unit
        for one in classes
        if one.actions is not None and one.actions.cpus is not None and one.actions.cpus.exclusive
        for unit in units(one.actions.cpus, draft.target)
    }
    known: dict[Hashable, tuple[str, list[Label]] | None] = {}
    for one in classes:
        actions = one.actions
        if not one.is_judged or actions is None or actions.preempt is None or actions.monitor:
            continue
        if actions.preempt.budget_ns is not None:
            continue
        cpus = actions.cpus
        where = cpus and (cpus.exclusive, cpus.prefer, units(cpus, draft.target))
        key = actions.priority, where
        if key not in known:
            known[key] = _starved(actions, classes, taken, draft.target)
        if (starved := known[key]) is None:
            continue
        these, marks = starved
        report.warning(
            codes.STARVATION,
            f"{one.name} may preempt {these} without a limit",
            actions.preempt.span,
            secondary=marks,
            hint=insert(
                actions.preempt.span,
                " budget 10ms per 100ms",
                "add a budget, such as `preempt budget 10ms per 100ms`",
            ),
            note="a preempted task runs for at least 100us between two preemptions of its CPU, "
            "and `max-wait` still gives each task its turn",
        )


def _starved(
    actions: Actions, classes: list[_Class], taken: set[Unit], target: Target | None
) -> tuple[str, list[Label]] | None:
    """The classes that these actions may preempt, as text and labels, or None."""
    below = [
        other
        for other in classes
        if other.actions is not None
        and other.actions.priority > actions.priority
        and not other.actions.monitor
        and _may_meet(actions.cpus, other.actions.cpus, taken, target)
    ]
    return (_these(below), _marks(below)) if below else None


def _may_meet(
    one: Cpus | None, other: Cpus | None, taken: set[Unit], target: Target | None
) -> bool:
    """Whether tasks of two rules can want the same CPU; `taken` is exclusive to some rule."""
    if (one is not None and one.exclusive) or (other is not None and other.exclusive):
        return False
    if one is None or other is None or one.prefer or other.prefer:
        return True
    left, right = units(one, target), units(other, target)
    if not all(isinstance(unit, int) for unit in (*left, *right)):
        return True  # the members of these groups are unknown
    return bool((set(left) & set(right)) - taken)


def _these(below: list[_Class]) -> str:
    rules = [one.name for one in below if one.name != "`default`"]
    shown = [*rules] if len(rules) <= 1 else [f"{len(rules)} rules"]
    if len(rules) < len(below):
        shown.append("`default`")
    return " and ".join(shown)


def _marks(below: list[_Class]) -> list[Label]:
    marked = [(one.name, one.at) for one in below if one.at is not None]
    shown = marked[:_MOST_MARKED]
    labels = [Label(_first_line(at), f"{name} can be starved") for name, at in shown]
    if (more := len(marked) - len(shown)) > 0:
        last = labels[-1]
        labels[-1] = Label(last.span, f"{last.text}, and {more} more")
    return labels


def _first_line(span: Span) -> Span:
    return Span(span.source, span.start, min(span.end, span.start + len("default")))
