# SPDX-License-Identifier: Apache-2.0
"""Promises, with the classes that their claims are about."""

from __future__ import annotations

from gthulhuc import checked, ir
from gthulhuc.claims import Claim
from gthulhuc.plan.classes import value


def plan(policy: checked.Policy, classes: tuple[ir.TaskClass, ...]) -> tuple[ir.Promise, ...]:
    """Returns the promises of a policy with these classes."""
    ids = {cls.name: cls.id for cls in classes[:-1]}
    return tuple(
        ir.Promise(
            rule=promise.rule,
            window_ns=promise.window_ns,
            otherwise=promise.otherwise.value,
            claims=tuple(_claim(claim, ids) for claim in promise.claims),
            line=promise.span.line,
        )
        for promise in policy.promises
    )


def _claim(claim: Claim, ids: dict[str, str]) -> ir.Claim:
    return ir.Claim(
        statistic=claim.statistic,
        metric=claim.metric,
        cls=ids[claim.target],
        operator=claim.operator,
        bound=value(claim.bound),
        text=claim.span.one_line,
        line=claim.span.line,
    )
