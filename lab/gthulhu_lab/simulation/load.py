# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The tasks of a simulation: those of a policy's `expect` block, or a standard load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gthulhu_lab.catalogue import Workload, units
from gthulhu_lab.errors import LabError
from gthulhu_lab.verify.claims import Claim
from gthulhu_lab.verify.facts import Facts, class_of, ids_of
from gthulhu_lab.verify.scene import Scene
from gthulhuc import checked
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.contents import leaves

US, MS = 1_000, 1_000_000
_MESSAGE_NS = 5 * US  # to wake another task, or to answer
# Of the standard load: two tasks for each CPU, each of which computes for a third of its time.
_THIRD_NS = 100 * US


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The work that a task repeats: steps of the host model (`sim/script.c`).

    Without steps it computes for ever. `partner`: the steps of the task that it wakes. `cpus`: its
    affinity, all CPUs if empty.
    """

    steps: tuple[str, ...] = ()
    partner: tuple[str, ...] = ()
    cpus: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks that behave alike, in one class; with partners there are two tasks for each unit.

    `threads`: they are threads of a process with these names, else processes. `delay_ns`: how much
    later than others they begin.
    """

    name: str
    class_name: str
    facts: Facts
    behaviour: Behaviour
    units: int
    threads: tuple[bytes, ...] = ()
    delay_ns: int = 0


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


def _sleeper(run_ns: int, sleep_ns: int) -> Behaviour:
    return Behaviour((f"run:{run_ns}", f"sleep:{sleep_ns}"))


def _pair(run_ns: int) -> Behaviour:
    return Behaviour((f"run:{run_ns}", "give", "take"), ("take", f"run:{run_ns}", "give"))


def _rpc(values: Mapping[str, int]) -> Behaviour:
    ask = (f"sleep:{values['sleep_us'] * US}", f"run:{_MESSAGE_NS}", "give", "take")
    return Behaviour(ask, ("take", f"run:{values['work_us'] * US}", "give"))


_SIMULATED: dict[str, Callable[[Mapping[str, int]], Behaviour]] = {
    "waker": lambda values: _sleeper(_MESSAGE_NS, values["period_us"] * US),
    "rpc": _rpc,
    "hogs": lambda _: Behaviour(),
    "pinned-hogs": lambda values: Behaviour(cpus=frozenset((values["cpu"],))),
    "pipe": lambda _: _pair(_MESSAGE_NS),
    "futex": lambda _: _pair(_MESSAGE_NS),
}
"""The workloads of the catalogue that need no kernel, and what their tasks do."""

STANDARD = ("pairs", "wakers", "hogs")
"""The names of the standard loads."""


def of_scene(scene: Scene, cpus: int) -> Load:
    """Returns the load of an `expect` block on that many CPUs.

    Raises LabError where the host model lacks what its tasks are or do.
    """
    groups = []
    for each in scene.groups:
        place = f"line {scene.line}: `{each.workload.name}` as `{each.class_name}`"
        if each.workload.name not in _SIMULATED:
            raise LabError(
                f"{place}: this workload needs a kernel; `gthulhu verify` runs it",
                f"the simulated ones are {', '.join(_SIMULATED)}",
            )
        if lacking := _lacking(each.facts):
            raise LabError(f"{place}: the host model has no {lacking}", "")
        groups.append(
            Group(
                each.workload.name,
                each.class_name,
                each.facts,
                _SIMULATED[each.workload.name](_values(each.workload)),
                units(each.amount, cpus),
            )
        )
    text = " ".join(scene.block.span.text.partition("{")[0].split())
    return Load(text, scene.line, tuple(groups), scene.claims)


def _values(workload: Workload) -> dict[str, int]:
    return {name: parameter.value for name, parameter in workload.parameters.items()}


def _lacking(facts: Facts) -> str:
    """The first thing that the host model lacks for tasks with these facts; empty for none."""
    if facts.pod or facts.labels:
        return "labels and pods"
    if facts.calls:
        return "calls of kernel functions"
    if facts.interactive:
        return "workload that makes a task `interactive`"
    return "sessions" if facts.numbers.get(Field.SESSION) else ""


def standard(name: str, policy: checked.Policy, cpus: int) -> Load:
    """Returns a standard load; its tasks are in the classes that the policy has for their names."""
    parts = {
        "pairs": (("pairs", _pair(_MESSAGE_NS), cpus),),
        "wakers": (("wakers", _sleeper(_THIRD_NS, 2 * _THIRD_NS), 2 * cpus),),
        "hogs": (
            ("wakers", _sleeper(20 * US, 2 * MS), max(1, cpus // 2)),
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
