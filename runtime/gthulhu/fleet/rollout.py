# SPDX-License-Identifier: Apache-2.0
"""Decides on rollouts: a pure function of a policy, the nodes' statuses and the time.

All that it needs to know of the past is in the policy's status. So a controller can end at any
point, and another one goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gthulhu.fleet import telling
from gthulhu.fleet.resources import (
    Candidate,
    Counts,
    Failure,
    NodeObject,
    Policy,
    PolicyStatus,
    Revision,
    Text,
    is_admitted,
    place,
)

SILENCE = timedelta(seconds=180)
"""A node that has written nothing for so long is silent; it writes at least once a minute."""
_SALTS = 64
_BEHIND_ALL = "2"  # places begin with 0 or 1


def advance(
    policy: Policy, text: Text, nodes: Iterable[NodeObject], as_of: str, now: datetime
) -> PolicyStatus:
    """The next status of a policy. `as_of`: the version of the API up to which `nodes` is known.

    Applied again to its own result it changes nothing, until a node or the time does.
    """
    members = sorted(
        (each for each in nodes if each.status.policy == policy.name), key=lambda each: each.name
    )
    begun = _begin(policy, text)
    view = _View(policy, members, as_of, now)
    if begun.candidate is not None:
        begun = _move(view, begun, begun.candidate, text)
    if begun.failed is not None and begun.phase in {"Failed", "GoingBack"}:
        left = any(view.has(each, begun.failed.revision) for each in view.heard)
        begun = begun.model_copy(update={"phase": "GoingBack" if left else "Failed"})
    counted = begun.model_copy(update={"nodes": view.counts(begun)})
    return telling.told(policy, counted, text, members, now)


def _begin(policy: Policy, text: Text) -> PolicyStatus:
    """The status with the candidate that the specification asks for now."""
    spec, status = policy.spec, policy.status
    changes: dict[str, object] = {"observed_generation": policy.metadata.generation}
    if text.text is None and not text.is_wrong:
        is_moving = status.candidate is not None or status.phase in {"Failed", "GoingBack"}
        changes["phase"] = status.phase if is_moving else "Pending"
        return status.model_copy(update=changes)
    if text.is_wrong:
        return status.model_copy(update=changes | {"phase": "Rejected", "candidate": None})
    assert text.text is not None
    asked = Candidate.of(text.text, spec.attempt, canary_nodes=spec.rollout.canary_nodes)
    revision = changes["revision"] = asked.revision
    before = status.candidate
    if status.stable is not None and status.stable.revision == revision:
        changes |= {"phase": "Complete", "candidate": None, "failed": None}
    elif status.failed is not None and status.failed.revision == revision:
        changes |= {"phase": "Failed", "candidate": None}
    elif spec.verified is not None and spec.verified != asked.sha256:
        changes |= {"phase": "Unverified", "candidate": None}
    elif before is None or before.revision != revision:
        changes["phase"] = "DryRun"
        changes["candidate"] = asked
    return status.model_copy(update=changes)


@dataclass(frozen=True, slots=True)
class _View:
    """The nodes of a policy at a time."""

    policy: Policy
    members: Sequence[NodeObject]
    as_of: str
    now: datetime

    @property
    def heard(self) -> list[NodeObject]:
        """The nodes that are not silent."""
        return [each for each in self.members if not is_silent(each, self.now)]

    @staticmethod
    def has(node: NodeObject, revision: str) -> bool:
        """Whether a node has a revision in force."""
        return node.status.in_force is not None and node.status.in_force.revision == revision

    def admitted(self, candidate: Candidate) -> list[NodeObject]:
        """The nodes that may have a candidate in force."""
        return [
            each for each in self.members if is_admitted(candidate, each.name, each.status.joined)
        ]

    def counts(self, status: PolicyStatus) -> Counts:
        """The numbers of nodes for people, about the revision on its way or in force."""
        current = status.candidate or status.stable
        revision = current.revision if current is not None else ""
        released = len(self.members) if status.phase == "Complete" else 0
        if status.candidate is not None:
            released = len(self.admitted(status.candidate))
        return Counts(
            total=len(self.members),
            released=released,
            dry_run=sum(_is_ready(each, revision) for each in self.members),
            in_force=sum(self.has(each, revision) for each in self.members),
            failed=sum(failure_of(each, revision) is not None for each in self.members),
            silent=len(self.members) - len(self.heard),
            unable=sum(each.status.state == "Unable" for each in self.heard),
        )


def _move(view: _View, status: PolicyStatus, candidate: Candidate, text: Text) -> PolicyStatus:
    """The status after a look at the nodes: back, as it is, or one step forward."""
    for node in view.members:
        why = failure_of(node, candidate.revision)
        if why is not None:
            failed = Failure(revision=candidate.revision, node=node.name, message=why[:1024])
            changes = {"phase": "Failed", "candidate": None, "failed": failed}
            return status.model_copy(update=changes)
    if text.text is None:
        return status
    if view.policy.spec.paused:
        return _with(status, candidate.model_copy(update={"held_since": None}))
    if candidate.step < 0:
        return _end_of_dry_run(view, status, candidate)
    if not _holds(view, candidate):
        return _with(status, candidate.model_copy(update={"held_since": None}))
    since = candidate.held_since or view.now
    candidate = candidate.model_copy(update={"held_since": since})
    held_until = since + view.policy.spec.rollout.held
    if view.now < held_until or not _has_proof(view, candidate, held_until):
        return _with(status, candidate)
    if candidate.step >= len(view.policy.spec.rollout.steps) and _is_for_all(view, candidate):
        stable = Revision(
            revision=candidate.revision, sha256=candidate.sha256, text=candidate.text
        )  # fmt: skip
        return status.model_copy(
            update={"phase": "Complete", "candidate": None, "failed": None, "stable": stable}
        )
    return _release(view, status, candidate)


def _with(status: PolicyStatus, candidate: Candidate) -> PolicyStatus:
    return status.model_copy(update={"candidate": candidate})


def _end_of_dry_run(view: _View, status: PolicyStatus, candidate: Candidate) -> PolicyStatus:
    able = [each for each in view.heard if each.status.state != "Unable" and each.status.joined]
    if not able or not all(_is_ready(each, candidate.revision) for each in able):
        return status
    names = {each.name for each in able}
    salted = (candidate.model_copy(update={"salt": salt}) for salt in range(_SALTS))
    wanted = _allowed(view, 0)

    def able_ones(each: Candidate) -> int:
        order = sorted((node.name for node in view.members), key=lambda name: place(each, name))
        return sum(name in names for name in order[:wanted])

    # The first step is of use only if its nodes can take part.
    return _release(view, status, max(salted, key=able_ones))


def _allowed(view: _View, step: int) -> int:
    """How many nodes may have a candidate in force at a step, or before."""
    total = len(view.members)
    most = 1
    for size in [*view.policy.spec.rollout.steps, "100%"][: step + 1]:
        if isinstance(size, int):
            most = max(most, size)
        else:
            most = max(most, total * int(size.removesuffix("%")) // 100)
    return min(most, total)


def _is_for_all(view: _View, candidate: Candidate) -> bool:
    """Whether all nodes may have a candidate in force, except those that came since."""
    everyone = candidate.model_copy(update={"up_to": _BEHIND_ALL})
    return len(view.admitted(candidate)) == len(view.admitted(everyone))


def _release(view: _View, status: PolicyStatus, candidate: Candidate) -> PolicyStatus:
    """Lets more nodes have the candidate, but never more than the next step allows."""
    step = min(candidate.step + 1, len(view.policy.spec.rollout.steps))
    most = _allowed(view, step)
    released = candidate.model_copy(
        update={"step": step, "since": view.now, "held_since": None}
    )  # fmt: skip
    # Nodes that came since are counted unless those before the last place are too many with them.
    for as_of in (view.as_of, candidate.as_of):
        all_of_them = released.model_copy(update={"up_to": _BEHIND_ALL, "as_of": as_of})
        order = sorted(place(released, each.name) for each in view.admitted(all_of_them))
        if order and sum(each <= candidate.up_to for each in order) <= most:
            up_to = max(candidate.up_to, order[min(most, len(order)) - 1])
            released = released.model_copy(update={"up_to": up_to, "as_of": as_of})
            break
    return status.model_copy(update={"phase": "Step", "candidate": released})


def _holds(view: _View, candidate: Candidate) -> bool:
    """Whether all nodes of the step have the candidate in force, and one of them does.

    A node that could not take part when the step began, or cannot now, holds up no one.
    """
    taking_part = [each for each in view.admitted(candidate) if not _is_out(each, candidate)]
    return bool(taking_part) and all(
        view.has(each, candidate.revision) and not is_silent(each, view.now)
        for each in taking_part
    )  # fmt: skip


def _is_out(node: NodeObject, candidate: Candidate) -> bool:
    if _View.has(node, candidate.revision):
        return False
    was_silent = candidate.since is not None and is_silent(node, candidate.since)
    return was_silent or node.status.state == "Unable"


def _has_proof(view: _View, candidate: Candidate, held_until: datetime) -> bool:
    """Whether the nodes of a step have reported since the end of its time, and as wanted.

    A node whose process is not running would hide a broken promise until it is silent for long.
    """
    for each in view.admitted(candidate):
        is_late = each.status.renewed is None or each.status.renewed < held_until
        if is_late and not _is_out(each, candidate):
            return False
    if view.policy.spec.rollout.promises != "Kept":
        return True
    return any(each.status.promises == "Kept" for each in view.admitted(candidate))


def _is_ready(node: NodeObject, revision: str) -> bool:
    found = node.status.dry_run
    return found is not None and found.ok and found.revision == revision


def is_silent(node: NodeObject, now: datetime) -> bool:
    """Whether a node has written nothing for some minutes."""
    return node.status.renewed is None or now - node.status.renewed > SILENCE


def failure_of(node: NodeObject, revision: str) -> str | None:
    """Why a revision failed on a node; None: it did not."""
    status = node.status
    if status.failed is not None and status.failed.revision == revision:
        return status.failed.message or status.failed.reason
    if _View.has(node, revision) and status.promises == "Broken":
        return status.message or "a promise is broken"
    return None
