# SPDX-License-Identifier: Apache-2.0
"""From a checked policy to the IR: what the scheduler for it has to hold."""

from __future__ import annotations

import hashlib
from pathlib import PurePath

from gthulhuc import __version__, checked, ir
from gthulhuc.plan.classes import Classes
from gthulhuc.plan.facts import Facts


def build(policy: checked.Policy) -> ir.Ir:
    """Decide queues, classes, facts and features of the scheduler for a policy."""
    source = policy.source.source
    facts = Facts()
    classes = Classes(policy, facts)
    return ir.Ir(
        policy=ir.PolicyInfo(
            name=policy.name,
            file=PurePath(source.name).name,
            sha256=hashlib.sha256(source.text.encode()).hexdigest(),
            compiler=__version__,
            kernel_min=policy.kernel_min,
            watchdog_ms=None if policy.watchdog_ns is None else policy.watchdog_ns // 1_000_000,
        ),
        names=facts.names(),
        cgroups=facts.cgroups(),
        domains=classes.domains,
        classes=classes.classes,
        levels=classes.levels,
        features=_features(facts, classes),
    )


def _features(facts: Facts, classes: Classes) -> ir.Features:
    degrees = {cls.migrate for cls in classes.classes}
    return ir.Features(
        comm="comm" in facts.subjects,
        process="process" in facts.subjects,
        cgroup="cgroup" in facts.subjects,
        express=any(domain.express for domain in classes.domains),
        hard_cpus=any(domain.cpus is not None for domain in classes.domains),
        exclusive=any(domain.exclusive for domain in classes.domains),
        home=bool(degrees & {"never", "lazy"}) or any(c.migrate_return for c in classes.classes),
        never="never" in degrees,
        lazy="lazy" in degrees,
        migrate_return=any(cls.migrate_return for cls in classes.classes),
        adaptive_slice=any(cls.slice_min_ns != cls.slice_max_ns for cls in classes.classes),
    )
