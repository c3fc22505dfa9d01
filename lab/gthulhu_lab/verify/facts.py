# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The facts of a group of tasks in a guest, and the rule that takes them by the reference."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from gthulhuc import checked, reference
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.reference import Task

# The process that starts a group's first one in a guest, and the one above it.
SHELL = (b"sh", b"init")
FIRST_ID = 1000
"""The first number for users and groups that a policy names."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a group of tasks is started with.

    `process`: the name of main threads, `comm` of the others; `above`: process names of its
    ancestors, the parent last; `pod`: of its cgroup the namespace, pod and container. `calls`: what
    the policy asks for and they do.
    """

    process: bytes
    comm: bytes
    above: tuple[bytes, ...] = ()
    cgroup: bytes = b"/"
    labels: Mapping[bytes, bytes] = field(default_factory=dict)
    pod: Mapping[str, bytes] = field(default_factory=dict)
    numbers: Mapping[Field, int] = field(default_factory=dict)
    interactive: bool = False
    calls: frozenset[checked.Calls] = frozenset()

    def task(self, ids: Ids, *, leader: bool = True, child: bool = False) -> Task:
        """A thread of the group as the language sees it; `child`: of a process that it started."""
        above = (*SHELL[::-1], *self.above)
        if child:
            above = (*above, self.process)
        return Task(
            comm=self.process if leader else self.comm,
            process=self.process,
            parent=above[-1],
            ancestors=tuple(dict.fromkeys(reversed(above))),
            cgroup=self.cgroup,
            labels=self.labels,
            namespace=self.pod.get(Field.NAMESPACE.value),
            pod=self.pod.get(Field.POD.value),
            container=self.pod.get(Field.CONTAINER.value),
            # Nobody tells the scheduler of a guest that a task is in no pod.
            labels_known=bool(self.labels or self.pod),
            numbers=self.numbers,
            leader=leader,
            interactive=self.interactive,
            calls=self.calls,
            users=ids.users,
            groups=ids.groups,
        )


@dataclass(frozen=True, slots=True)
class Ids:
    """Numbers of the users and groups that a policy names, as the guest has them."""

    users: Mapping[bytes, int]
    groups: Mapping[bytes, int]


def ids_of(policy: checked.Policy) -> Ids:
    """A number for each user or group name in a policy; root is 0."""
    found: dict[Field, dict[bytes, int]] = {Field.UID: {}, Field.GID: {}}
    for rule in policy.rules:
        for leaf in leaves(rule.match):
            if isinstance(leaf, checked.IdNamed):
                numbers = found[leaf.subject.field]
                for name in leaf.names:
                    numbers.setdefault(name, 0 if name == b"root" else FIRST_ID + len(numbers))
    return Ids(found[Field.UID], found[Field.GID])


def class_of(
    policy: checked.Policy, facts: Facts, ids: Ids, *, leader: bool = True, child: bool = False
) -> str:
    """The rule of a thread of a group, by the reference; a child may also inherit one."""
    if child:
        first = reference.classify(policy, facts.task(ids))
        inherits = {first.name} if first.rule and first.rule.actions.inherit else set()
        task = replace(facts.task(ids, leader=leader, child=True), inherits=frozenset(inherits))
        return reference.classify(policy, task).name
    return reference.classify(policy, facts.task(ids, leader=leader)).name


def calls_of(policy: checked.Policy, functions: Collection[str]) -> frozenset[checked.Calls]:
    """The policy's `calls` comparisons about these functions."""
    return frozenset(
        leaf
        for rule in policy.rules
        for leaf in leaves(rule.match)
        if isinstance(leaf, checked.Calls) and leaf.function in functions
    )
