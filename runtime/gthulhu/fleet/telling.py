# SPDX-License-Identifier: Apache-2.0
"""The message and the conditions of a policy's status."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from gthulhu.fleet.resources import Condition, NodeObject, Policy, PolicyStatus, Text

_MOST_NODES = 5
_WENT_BACK = {"PromiseBroken", "Ejected"}

Truth = Literal["True", "False", "Unknown"]


def told(
    policy: Policy, status: PolicyStatus, text: Text, members: Sequence[NodeObject], now: datetime
) -> PolicyStatus:
    """The status with its message and conditions."""
    message = _message(policy, status, text, members)[:4096]
    return status.model_copy(
        update={
            "message": message,
            "conditions": _conditions(policy, status, text, message, now),
        }
    )


def _message(
    policy: Policy, status: PolicyStatus, text: Text, members: Sequence[NodeObject]
) -> str:
    nodes, phase = status.nodes, status.phase
    if phase == "Rejected":
        return _kept(status, f"the policy has errors: {text.problem}")
    if phase == "Pending" or (text.problem and not text.is_wrong):
        return _kept(status, text.problem)
    if phase == "Unverified":
        return _kept(status, "`verified` is the hash of another text: `gthulhu verify` this one")
    if phase in {"Failed", "GoingBack"} and status.failed is not None:
        doing = "going back" if phase == "GoingBack" else "all nodes went back"
        where = f"{status.failed.node}: " if status.failed.node else ""
        return _kept(status, f"failed on {where}{status.failed.message}; {doing}")
    head = f"in force on {nodes.in_force} of {nodes.total}"
    if phase == "DryRun":
        head = f"dry run: accepted by {nodes.dry_run} of {nodes.total}"
    elif phase == "Step" and status.candidate is not None:
        steps = [*policy.spec.rollout.steps, "all"]
        step = status.candidate.step
        head = f"step {step + 1} of {len(steps)}, {nodes.released} released: {head}"
        if status.candidate.held_since is not None:
            until = status.candidate.held_since + policy.spec.rollout.held
            head += f", held until {until:%H:%M:%S} UTC"
    if policy.spec.paused and phase in {"DryRun", "Step"}:
        head = f"paused; {head}"
    current = status.candidate or status.stable
    problems = [
        said
        for each in members
        if (said := _problem(each, current.revision if current else "", status))
    ]
    more = [f"and {len(problems) - _MOST_NODES} more"] if len(problems) > _MOST_NODES else []
    return "; ".join([head, *problems[:_MOST_NODES], *more])


def _kept(status: PolicyStatus, why: str) -> str:
    """Why a text is not rolled out, and what stays in force."""
    if status.stable is None:
        return why
    return f"{why}; revision {status.stable.revision} stays"


def _problem(node: NodeObject, revision: str, status: PolicyStatus) -> str:
    """The reason that keeps a node from having a revision in force; empty: nothing does."""
    said = node.status
    if said.failed is not None and said.failed.revision == revision:
        if said.failed.reason in _WENT_BACK:
            return f"rolled back on {node.name}: {said.failed.message}"
        return f"{node.name} refused: {said.failed.message}"
    if said.promises == "Broken":
        return f"a promise is broken on {node.name}: {said.message}"
    if said.state in {"Unable", "Replaced"}:
        return f"{node.name} refused: {said.message}"
    is_late = status.phase in {"Step", "Complete"} and said.message
    has = said.in_force is not None and said.in_force.revision == revision
    return f"{node.name}: {said.message}" if is_late and not has else ""


def _conditions(
    policy: Policy, status: PolicyStatus, text: Text, message: str, now: datetime
) -> tuple[Condition, ...]:
    before = {each.type: each for each in status.conditions}
    made, at = [], now.replace(microsecond=0)  # whole seconds, as the conventions have it
    for kind, (truth, reason, said) in _facts(policy, status, text, message).items():
        old = before.get(kind)
        is_same = old is not None and old.status == truth
        made.append(
            Condition(
                type=kind,
                status=truth,
                reason=reason,
                message=said,
                observed_generation=status.observed_generation,
                last_transition_time=old.last_transition_time if old and is_same else at,
            )
        )
    return tuple(made)


def _facts(
    policy: Policy, status: PolicyStatus, text: Text, message: str
) -> dict[str, tuple[Truth, str, str]]:
    phase, nodes = status.phase, status.nodes
    checked: Truth = "False" if text.is_wrong else "Unknown" if text.text is None else "True"
    verified: tuple[Truth, str, str] = ("Unknown", "NotAsked", "`spec.verified` is not given")
    if policy.spec.verified is not None:
        is_verified = phase != "Unverified" and checked == "True"
        verified = ("True", "Verified", "") if is_verified else ("False", "OtherText", message)
    has_run = phase in {"Step", "Complete"}
    is_everywhere = phase == "Complete" and nodes.in_force == nodes.total
    has_failed = phase in {"Failed", "GoingBack"}
    is_moving = phase in {"DryRun", "Step", "GoingBack"} and not policy.spec.paused
    return {
        "Checked": (checked, {"True": "NoErrors", "False": "Errors"}.get(checked, "NoText"),
                    text.problem),
        "Verified": verified,
        "DryRunPassed": ("True", "Accepted", "") if has_run else ("False", phase, ""),
        "Progressing": ("True" if is_moving else "False", phase or "Pending", message),
        "Ready": ("True" if is_everywhere else "False", phase or "Pending", message),
        "Degraded": _degraded(status, message, has_failed=has_failed),
    }  # fmt: skip


def _degraded(status: PolicyStatus, message: str, *, has_failed: bool) -> tuple[Truth, str, str]:
    if has_failed:
        return "True", "RolloutFailed", message
    nodes = status.nodes
    if status.phase == "Complete" and nodes.in_force < nodes.total:
        return "True", "NotEverywhere", message
    if nodes.silent:
        return "True", "SilentNodes", message
    return "False", "AsExpected", ""
