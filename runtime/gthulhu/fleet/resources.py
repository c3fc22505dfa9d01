# SPDX-License-Identifier: Apache-2.0
"""The resources of `gthulhuc.dev/v1alpha1`. `deploy/crds` has their schemas, which the API checks.

Members that a newer release has are ignored, so that a node of an older one goes on.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

GROUP = "/apis/gthulhuc.dev/v1alpha1"
POLICIES = f"{GROUP}/schedulingpolicies"
NODES = f"{GROUP}/nodeschedulingstatuses"

_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")


class _Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)

    def as_json(self) -> dict[str, Any]:
        """The object for the API, without the members that have no value."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Meta(_Model):
    """The metadata that matter here."""

    name: str
    uid: str = ""
    generation: int = 0
    resource_version: str = ""


# ---- SchedulingPolicy ---------------------------------------------------------------------------


class ConfigMapRef(_Model):
    """A text in a ConfigMap."""

    name: str
    key: str = "policy.gpl"


class GthulhuRef(_Model):
    """Gthulhu's own resources in a namespace."""

    namespace: str = "gthulhu-system"
    semantics: Literal["current", "kernel", "user"] = "current"


class Rollout(_Model):
    """How a policy is rolled out; `steps`: numbers of nodes, or parts such as `5%`."""

    canary_nodes: tuple[str, ...] = ()
    steps: tuple[int | str, ...] = (1, "5%", "50%")
    hold: str = "10m"
    promises: Literal["NotBroken", "Kept"] = "NotBroken"

    @property
    def held(self) -> timedelta:
        """How long the promises have to hold."""
        found = _DURATION.fullmatch(self.hold)
        hours, minutes, seconds = (int(each or 0) for each in found.groups()) if found else (0,) * 3
        return timedelta(hours=hours, minutes=minutes, seconds=seconds)


class PolicySpec(_Model):
    """A user's wish. Exactly one of `policy`, `config_map` and `gthulhu` is given."""

    policy: str | None = None
    config_map: ConfigMapRef | None = None
    gthulhu: GthulhuRef | None = None
    node_selector: dict[str, str] = {}
    priority: int = 0
    verified: str | None = None
    attempt: int = 1
    paused: bool = False
    rollout: Rollout = Rollout()


class Revision(_Model):
    """A text, by its hash and the attempt to roll it out."""

    revision: str
    sha256: str
    text: str

    @classmethod
    def of(cls, text: str, attempt: int = 1, **more: Any) -> Self:
        """The revision of a text; `more`: further members."""
        sha256 = digest(text)
        return cls(revision=revision_of(sha256, attempt), sha256=sha256, text=text, **more)


class Candidate(Revision):
    """A revision on its way to the nodes.

    Nodes whose place in its order is `up_to` or before it, and that joined until `as_of`, may have
    it in force. `salt` and `canary_nodes` determine the order. `since`: of the step.
    """

    step: int = -1
    up_to: str = ""
    as_of: str = "0"
    salt: int = 0
    canary_nodes: tuple[str, ...] = ()
    since: datetime | None = None
    held_since: datetime | None = None


class Failure(_Model):
    """A revision that failed, on the node that reported it first."""

    revision: str
    node: str = ""
    message: str = ""


class Counts(_Model):
    """Numbers of nodes."""

    total: int = 0
    released: int = 0
    dry_run: int = 0
    in_force: int = 0
    failed: int = 0
    silent: int = 0
    unable: int = 0


class Condition(_Model):
    """A condition, as the conventions of Kubernetes have it."""

    type: str
    status: Literal["True", "False", "Unknown"]
    reason: str
    message: str = ""
    observed_generation: int = 0
    last_transition_time: datetime


class PolicyStatus(_Model):
    """The state of a rollout; the controller alone writes it."""

    observed_generation: int = 0
    phase: str = ""
    message: str = ""
    revision: str = ""
    stable: Revision | None = None
    candidate: Candidate | None = None
    failed: Failure | None = None
    nodes: Counts = Counts()
    conditions: tuple[Condition, ...] = ()


class Policy(_Model):
    """A SchedulingPolicy."""

    metadata: Meta
    spec: PolicySpec
    status: PolicyStatus = PolicyStatus()

    @property
    def name(self) -> str:
        """Its name in the cluster."""
        return self.metadata.name


# ---- NodeSchedulingStatus -----------------------------------------------------------------------


class InForce(_Model):
    """The revision in force on a node."""

    revision: str
    generation: int = 0
    since: str | None = None


class DryRun(_Model):
    """Whether the kernel of a node has accepted a revision."""

    revision: str
    ok: bool


class NodeFailure(_Model):
    """A revision that a node refused or left, and why."""

    revision: str
    reason: str = ""
    message: str = ""
    at: datetime | None = None


State = Literal["InForce", "Waiting", "Failed", "Replaced", "Unable"]


class NodeStatus(_Model):
    """The state of a node; the node alone writes it.

    `joined`: the version of the object with which the node began to follow `policy`.
    """

    joined: str | None = None
    policy: str | None = None
    state: State = "Waiting"
    message: str = ""
    kernel: str = ""
    promises: Literal["Kept", "Silent", "Broken"] | None = None
    in_force: InForce | None = None
    dry_run: DryRun | None = None
    failed: NodeFailure | None = None
    renewed: datetime | None = None


class NodeObject(_Model):
    """A NodeSchedulingStatus."""

    metadata: Meta
    status: NodeStatus = Field(default=NodeStatus())

    @property
    def name(self) -> str:
        """The node's name."""
        return self.metadata.name


# ---- shared by nodes and the controller ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """The text that a policy asks for.

    `text` is None if it is not known now (`problem` says why), so nothing moves. `is_wrong`: it has
    errors, and `problem` is the first of them.
    """

    text: str | None
    problem: str = ""
    is_wrong: bool = False


def digest(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def revision_of(sha256: str, attempt: int) -> str:
    """The name of a revision."""
    return f"{sha256[:16]}-{attempt}"


def place(candidate: Candidate, node: str) -> str:
    """A node's place in the order of a candidate; canaries come first, and others by a hash."""
    key = f"{candidate.revision}\n{candidate.salt}\n{node}"
    head = "0" if node in candidate.canary_nodes else "1"
    return head + hashlib.sha256(key.encode()).hexdigest()[:16]


def is_admitted(candidate: Candidate, node: str, joined: str | None) -> bool:
    """Whether a node may have a candidate in force."""
    if not joined or not joined.isdecimal() or not candidate.as_of.isdecimal():
        return False
    return int(joined) <= int(candidate.as_of) and place(candidate, node) <= candidate.up_to


def now() -> datetime:
    """The present. With whole seconds, a `hold` of one second could end at once."""
    return datetime.now(UTC)
