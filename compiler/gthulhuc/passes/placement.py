# SPDX-License-Identifier: Apache-2.0
"""Checks CPUs against other rules and the target, and migration against CPUs.

Afterwards no CPU is exclusive to two rules, every class has a CPU that is not exclusive to another
rule, no pin lies outside of the target, and every `migrate` has an effect. A group of CPUs
(`node 1`, `fast`) counts as its members if the target defines them, else as itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from gthulhuc.checked import Actions, CpuGroup, Cpus, Migrate
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft, Given
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.target import Target

Unit = Hashable
"""A CPU by its number, or a group whose members are unknown."""


@dataclass(frozen=True, slots=True)
class _Owner:
    rule: str
    span: Span


def check(draft: Draft, report: Collector) -> Draft:
    """Checks the CPUs and the migration of all classes; returns the draft as it was."""
    _check_target(draft, report)
    owners = _exclusive_owners(draft, report)
    for rule in draft.rules:
        _check_class(rule.block.name.text, rule.given, rule.actions, owners, draft.target, report)
    _check_class("default", draft.default_given, draft.default, owners, draft.target, report)
    return draft


def units(cpus: Cpus, target: Target | None) -> tuple[Unit, ...]:
    """Returns the CPUs of an action, those of groups that the target defines, and other groups."""
    found: dict[Unit, None] = dict.fromkeys(cpus.cpus)
    # A choice takes other CPUs than any other rule has, but rules with the same `cpus` share it.
    chooser = cpus.span if cpus.exclusive else (cpus.cpus, cpus.groups)
    for group, number in cpus.groups:
        if group.is_chosen:
            found[(group, number, chooser)] = None
            continue
        members = group_members(group, number, target)
        found.update(dict.fromkeys([(group, number)] if members is None else sorted(members)))
    return tuple(found)


def group_members(
    group: CpuGroup, number: int | bytes | None, target: Target | None
) -> frozenset[int] | None:
    """Returns the CPUs of a group on the target; None if the target does not define it.

    For a choice: all CPUs that are near enough to each other, or an empty set if they are too few.
    """
    if target is None or isinstance(number, bytes):
        return None
    if group.is_chosen:
        near = {CpuGroup.OF_LLC: target.llcs, CpuGroup.OF_NODE: target.nodes}.get(group)
        places = [target.cpus] if near is None else near.values()
        most = max(places, key=len, default=frozenset[int]())
        return most if len(most) >= (number or 0) else frozenset()
    if group in (CpuGroup.NODE, CpuGroup.LLC):
        groups = target.nodes if group is CpuGroup.NODE else target.llcs
        return None if groups is None else groups.get(number or 0, frozenset())
    return target.fast if group is CpuGroup.FAST else target.slow


def _check_target(draft: Draft, report: Collector) -> None:
    target = draft.target
    if target is None:
        return
    given = [rule.given.cpus for rule in draft.rules]
    for item in [*given, draft.default_given.cpus]:
        if item is None or item.cpus is None:
            continue
        absent = [cpu for cpu in item.cpus.cpus if cpu not in target.cpus]
        if absent:
            which = f"CPU {absent[0]} is" if len(absent) == 1 else f"CPUs {_show(absent)} are"
            there = f"{len(target.cpus)} CPUs: {_show(sorted(target.cpus))}"
            report.error(
                codes.OUTSIDE_TARGET,
                f"{which} not on the target",
                item.span,
                note=f"target `{target.name}` has {there}",
            )
        for group, number in item.cpus.groups:
            if group_members(group, number, target) == frozenset():
                lacks = "too few CPUs" if group.is_chosen else "no CPU"
                message = f"`{group.text(number)}` has {lacks} on the target"
                report.error(codes.OUTSIDE_TARGET, message, item.span)


def _exclusive_owners(draft: Draft, report: Collector) -> dict[Unit, _Owner]:
    owners: dict[Unit, _Owner] = {}
    last: Span | None = None
    for rule in draft.rules:
        given = rule.given.cpus
        if given is None or given.cpus is None or not given.cpus.exclusive:
            continue
        last = given.span
        name = rule.block.name.text
        own = units(given.cpus, draft.target)
        twice = [unit for unit in own if unit in owners]
        if twice:
            other = owners[twice[0]]
            which = f"{_one(twice[0])} is" if len(twice) == 1 else f"CPUs {_show(twice)} are"
            report.error(
                codes.EXCLUSIVE_TWICE,
                f"{which} exclusive to two rules",
                given.span,
                f"here to `{name}`",
                secondary=[Label(other.span, f"and here to `{other.rule}`")],
            )
        for unit in own:
            owners.setdefault(unit, _Owner(name, given.span))
    if draft.target is not None and last is not None and draft.target.cpus <= set(owners):
        message = "all CPUs of the target are exclusive to rules; other tasks have none"
        report.error(codes.NO_CPU_LEFT, message, last)
    return owners


def _check_class(
    name: str,
    given: Given,
    actions: Actions | None,
    owners: dict[Unit, _Owner],
    target: Target | None,
    report: Collector,
) -> None:
    pinned = given.cpus.cpus if given.cpus is not None else None
    if pinned is not None and not pinned.exclusive and not pinned.prefer:
        own = units(pinned, target)
        others = [owners[unit] for unit in own if unit in owners]
        if own and len(others) == len(own):
            whose = {owner.rule: owner for owner in others}
            labels = [Label(owner.span, f"exclusive to `{owner.rule}`") for owner in whose.values()]
            what = "the tasks of `default`" if name == "default" else f"the tasks of rule `{name}`"
            report.error(
                codes.NO_CPU_LEFT,
                f"{what} have no CPU to run on",
                pinned.span,
                secondary=labels,
                note="no other task runs on an exclusive CPU, even when it is idle",
            )
    if given.migrate is not None:
        _check_migrate(given.migrate.span, given, actions, report)


def _check_migrate(span: Span, given: Given, actions: Actions | None, report: Collector) -> None:
    migrate = given.migrate
    cpus = actions.cpus if actions is not None else None
    if migrate is not None and migrate.how is Migrate.NEVER and migrate.returns:
        report.error(
            codes.MEANINGLESS,
            "`return` has no effect with `migrate never`",
            span,
            note="a task that never migrates has nowhere to return to",
        )
    elif cpus is not None and not cpus.prefer and len(cpus.cpus) == 1 and not cpus.groups:
        report.error(
            codes.MEANINGLESS,
            "`migrate` has no effect with a single CPU",
            span,
            secondary=[Label(cpus.span, "the only CPU")],
        )


def _one(unit: Unit) -> str:
    return f"CPU {unit}" if isinstance(unit, int) else f"`{_text(unit)}`"


def _text(unit: Unit) -> str:
    if isinstance(unit, tuple):
        group, number, *_ = unit
        return str(group.text(number))
    return str(unit)


def _show(found: Iterable[Unit]) -> str:
    """CPUs as text, with runs as ranges."""
    parts: list[str] = []
    run: list[int] = []
    for unit in found:
        if isinstance(unit, int):
            if run and unit == run[-1] + 1:
                run.append(unit)
                continue
            parts += _run(run)
            run = [unit]
        else:
            parts.append(_text(unit))
    return ", ".join([*parts, *_run(run)])


def _run(run: list[int]) -> list[str]:
    if len(run) < 3:
        return [str(cpu) for cpu in run]
    return [f"{run[0]}-{run[-1]}"]
