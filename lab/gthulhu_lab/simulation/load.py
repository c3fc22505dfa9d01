# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The tasks of a simulation: those of a policy's `expect` block, or a standard load."""

from __future__ import annotations

from dataclasses import dataclass

from gthulhu_lab.catalogue import Workload, units
from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation.behaviours import (
    MESSAGE_NS,
    MS,
    OF_WORKLOADS,
    US,
    Behaviour,
    pair,
    sleeper,
)
from gthulhu_lab.verify.claims import Claim
from gthulhu_lab.verify.facts import Facts, class_of, ids_of
from gthulhu_lab.verify.scene import Scene
from gthulhuc import checked
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.contents import leaves

# The standard load has two tasks for each CPU, each of which computes for a third of its time.
_THIRD_NS = 100 * US


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks that behave alike, in one class: so many units of one or more tasks.

    `threads`: they are threads of a process with these names, else processes. `delay_ns`: how much
    later than others they begin. `session`: its number, 0 for that of the first process.
    """

    name: str
    class_name: str
    facts: Facts
    behaviour: Behaviour
    units: int
    threads: tuple[bytes, ...] = ()
    delay_ns: int = 0
    session: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """Groups of tasks that run together. `line`: of the block in the policy, 0 for none.

    `is_script`: the tasks begin together, in their order, and count from the first one on.
    `seconds`: how long it lasts, None for any time.
    """

    name: str
    line: int
    groups: tuple[Group, ...]
    claims: tuple[Claim, ...] = ()
    is_script: bool = False
    seconds: float | None = None

    @property
    def where(self) -> str:
        """Its place in the policy, else its name."""
        return f"line {self.line}" if self.line else self.name


STANDARD = ("pairs", "wakers", "hogs")
"""The names of the standard loads."""


def of_scene(scene: Scene, cpus: int) -> Load:
    """Returns the load of an `expect` block on that many CPUs.

    Raises LabError where the host model lacks what its tasks are or do.
    """
    groups = []
    for session, each in enumerate(scene.groups, 1):
        place = f"line {scene.line}: `{each.workload.name}` as `{each.class_name}`"
        if each.workload.name not in OF_WORKLOADS:
            raise LabError(
                f"{place}: this workload needs a kernel; `gthulhu verify` runs it",
                f"the simulated ones are {', '.join(OF_WORKLOADS)}",
            )
        if lacking := _lacking(each.facts):
            raise LabError(f"{place}: the host model has no {lacking}", "")
        groups.append(
            Group(
                each.workload.name,
                each.class_name,
                each.facts,
                OF_WORKLOADS[each.workload.name](_values(each.workload)),
                units(each.amount, cpus),
                session=session,
            )
        )
    text = " ".join(scene.block.span.text.partition("{")[0].split())
    return Load(text, scene.line, tuple(groups), scene.claims)


def _values(workload: Workload) -> dict[str, int]:
    return {name: parameter.value for name, parameter in workload.parameters.items()}


def _lacking(facts: Facts) -> str:
    """The first thing that the host model lacks for tasks with these facts; empty for none."""
    if facts.calls:
        return "calls of kernel functions"
    if facts.interactive:
        return "workload that makes a task `interactive`"
    return "sessions" if facts.numbers.get(Field.SESSION) else ""


def standard(name: str, policy: checked.Policy, cpus: int) -> Load:
    """Returns a standard load; its tasks are in the classes that the policy has for their names."""
    parts = {
        "pairs": (("pairs", pair(MESSAGE_NS), cpus),),
        "wakers": (("wakers", sleeper(_THIRD_NS, 2 * _THIRD_NS), 2 * cpus),),
        "hogs": (
            ("wakers", sleeper(20 * US, 2 * MS), max(1, cpus // 2)),
            ("hogs", Behaviour(), 4 * cpus),
        ),
    }
    ids = ids_of(policy)
    groups = []
    for group, behaviour, number in parts[name]:
        facts = Facts(process=group.encode(), comm=group.encode())
        class_name = class_of(policy, facts, ids)
        groups.append(Group(group, class_name, facts, behaviour, number))
    return Load(name, 0, tuple(groups))


def refuse_names(policy: checked.Policy) -> None:
    """Raises LabError for a policy with users or groups: the loader knows their numbers."""
    for rule in policy.rules:
        for leaf in leaves(rule.match):
            if isinstance(leaf, checked.IdNamed):
                raise LabError(
                    f"rule {rule.name}: the simulator does not know users and groups by name",
                    "compare numbers, such as `uid in 1000`, or use `gthulhu verify`",
                )
