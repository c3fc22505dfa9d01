# SPDX-License-Identifier: Apache-2.0
"""CPUs of one rule against those of the others, and migration against CPUs.

After it: no CPU is exclusive to two rules, every class has a CPU that is not exclusive to another
rule, and no `migrate` is without an effect.
"""

from __future__ import annotations

from dataclasses import dataclass

from gthulhuc.checked import Actions, Migrate
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.draft import Draft, Given
from gthulhuc.source import Span


@dataclass(frozen=True, slots=True)
class _Owner:
    rule: str
    span: Span


def check(draft: Draft, report: Collector) -> Draft:
    """Checks all classes."""
    owners = _exclusive_owners(draft, report)
    for rule in draft.rules:
        _check_class(rule.block.name.text, rule.given, rule.actions, owners, report)
    _check_class("default", draft.default_given, draft.default, owners, report)
    return draft


def _exclusive_owners(draft: Draft, report: Collector) -> dict[int, _Owner]:
    owners: dict[int, _Owner] = {}
    for rule in draft.rules:
        given = rule.given.cpus
        if given is None or not given.exclusive or given.cpus is None:
            continue
        name = rule.block.name.text
        twice = [cpu for cpu in given.cpus if cpu in owners]
        if twice:
            other = owners[twice[0]]
            which = f"CPU {twice[0]} is" if len(twice) == 1 else f"CPUs {_show(twice)} are"
            report.error(
                codes.EXCLUSIVE_TWICE,
                f"{which} exclusive to two rules",
                given.span,
                f"here to `{name}`",
                secondary=[Label(other.span, f"and here to `{other.rule}`")],
            )
        for cpu in given.cpus:
            owners.setdefault(cpu, _Owner(name, given.span))
    return owners


def _check_class(
    name: str, given: Given, actions: Actions | None, owners: dict[int, _Owner], report: Collector
) -> None:
    pinned = given.cpus
    if pinned is not None and not pinned.exclusive and pinned.cpus is not None:
        others = [owners[cpu] for cpu in pinned.cpus if cpu in owners]
        if len(others) == len(pinned.cpus):
            whose = {owner.rule: owner for owner in others}
            labels = [Label(owner.span, f"exclusive to `{owner.rule}`") for owner in whose.values()]
            what = "the tasks of `default`" if name == "default" else f"the tasks of rule `{name}`"
            report.error(
                codes.NO_CPU_LEFT,
                f"{what} have no CPU left",
                pinned.span,
                secondary=labels,
                note="nobody else runs on an exclusive CPU, not even when it is idle",
            )
    if given.migrate is None:
        return
    if given.migrate.how is Migrate.NEVER and given.migrate.comes_back:
        report.error(
            codes.MEANINGLESS,
            "`return` means nothing with `migrate never`",
            given.migrate.span,
            note="a task that is never moved has nowhere to return to",
        )
    elif actions is not None and actions.cpus is not None and len(actions.cpus.cpus) == 1:
        report.error(
            codes.MEANINGLESS,
            "`migrate` means nothing with a single CPU",
            given.migrate.span,
            secondary=[Label(actions.cpus.span, "the only CPU")],
        )


def _show(cpus: list[int]) -> str:
    return ", ".join(str(cpu) for cpu in cpus)
