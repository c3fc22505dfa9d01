# SPDX-License-Identifier: Apache-2.0
"""Plans the scheduler for a checked policy: derives the IR."""

from __future__ import annotations

from dataclasses import fields
from pathlib import PurePath

from gthulhuc import __version__, checked, ir
from gthulhuc.fields import FEATURES
from gthulhuc.plan import budget, decisions, whens
from gthulhuc.plan.classes import Classes
from gthulhuc.plan.comparisons import Comparisons
from gthulhuc.plan.errors import PlanError, Refusals
from gthulhuc.plan.ladders import Ladders
from gthulhuc.plan.promises import plan as plan_promises
from gthulhuc.plan.questions import Questions
from gthulhuc.source import Source

__all__ = ["PlanError", "build"]

_FLAGS = {flag.name for flag in fields(ir.Features)}


def build(policy: checked.Policy) -> ir.Ir:
    """Returns the queues, classes, comparisons and features of the scheduler for a policy.

    Raises PlanError if a predicate needs more than a scheduler can hold.
    """
    questions = Questions()
    refusals = Refusals()
    ladders = Ladders(policy.rules)
    classes = Classes(policy, questions, ladders, refusals)
    compared = Comparisons(questions, classes.deciding, ladders, refusals)
    refusals.finish()
    changes = tuple(whens.changes(policy, classes.classes))
    scheduler = ir.Ir(
        policy=_policy_info(policy),
        tunables=tuple(
            ir.Tunable(t.name, index, t.default, t.low, t.high, t.unit, t.span.line)
            for index, t in enumerate(policy.tunables)
        ),
        comparisons=compared.comparisons,
        names=compared.names,
        cgroups=compared.cgroups,
        ranges=compared.ranges,
        ids=compared.ids,
        runtime=compared.runtime,
        domains=classes.domains,
        classes=classes.classes,
        decisions=decisions.build(
            classes.classes, compared.comparisons, compared.ranges, compared.ids
        ),
        levels=classes.levels,
        features=_features(policy, questions, classes, changes),
        promises=plan_promises(policy, classes.classes),
        programs=compared.programs,
        whens=whens.whens(policy),
        changes=changes,
    )
    if found := budget.excess(scheduler, policy.source):
        raise PlanError(found)
    return scheduler


def _policy_info(policy: checked.Policy) -> ir.PolicyInfo:
    source = policy.source.source
    others = {span.source.name: span.source for span in policy.sources}
    others.pop(source.name, None)
    return ir.PolicyInfo(
        name=policy.name,
        file=_base_name(source),
        sha256=source.sha256,
        included=tuple(ir.SourceFile(_base_name(s), s.sha256) for s in others.values()),
        compiler=__version__,
        kernel_min=policy.kernel_min,
        watchdog_ms=None if policy.watchdog_ns is None else policy.watchdog_ns // 1_000_000,
    )


def _base_name(source: Source) -> str:
    return PurePath(source.shown).name


def _features(
    policy: checked.Policy,
    questions: Questions,
    classes: Classes,
    changes: tuple[ir.Change, ...],
) -> ir.Features:
    acting = [cls for cls in classes.classes if not cls.monitor]
    degrees = {cls.migrate for cls in acting}
    varied = [(change.number, change.value) for change in changes]
    preemptors = [c.preempt for c in classes.classes if c.preempt is not None and c.preempts]
    return ir.Features(
        **{name: questions.asked_about(*FEATURES[name]) for name in _FLAGS & FEATURES.keys()},
        inherit=any(cls.inherit for cls in classes.classes),
        monitor=len(acting) < len(classes.classes),
        preemption=bool(preemptors) or ("preempts", 1) in varied,
        preempt_after=any(p.after_ns != 0 for p in preemptors)
        or any(name == "after_ns" and number != 0 for name, number in varied),
        preempt_budget=any(p.budget_ns is not None for p in preemptors)
        or any(name == "budget_ns" and number is not None for name, number in varied),
        hard_cpus=any(domain.cpus is not None for domain in classes.domains),
        exclusive=any(domain.exclusive for domain in classes.domains),
        home=bool(degrees & {"never", "lazy"}) or any(c.migrate_return for c in acting),
        never="never" in degrees,
        lazy="lazy" in degrees,
        migrate_return=any(cls.migrate_return for cls in acting),
        adaptive_slice=any(cls.slice_min_ns != cls.slice_max_ns for cls in acting),
        cgroup_weight=policy.cgroups.weighs,
        cgroup_limit=policy.cgroups.limits,
        cgroup_auto=policy.cgroups is checked.Cgroups.AUTO,
    )
