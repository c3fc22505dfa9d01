# SPDX-License-Identifier: Apache-2.0
"""Random tasks, many of which match the random policies of `vocabulary.ODD`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from gthulhuc import checked
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.reference import Task
from matching import NUMBERS, call_key
from vocabulary import ODD

_COMPONENTS = sorted({part for path in ODD.paths for part in path.split(b"/") if part})


def tasks(policy: checked.Policy, seed: int, count: int) -> list[Task]:
    """Returns random tasks, many of which match the policy."""
    choice = random.Random(seed)
    parts = [leaf for rule in policy.rules for leaf in leaves(rule.match)]
    calls = [part for part in parts if isinstance(part, checked.Calls)]
    heirs = [rule.name for rule in policy.rules if rule.actions.inherit]
    return [_task(choice, calls, heirs) for _ in range(count)]


def described(policy: checked.Policy, task: Task) -> Task:
    """Returns a task with much the same facts that a line of a `test` block can describe.

    No rule with `inherit` took what started it. All or none of the facts about its pod are known.
    A call that is recent enough for one comparison is so for all that allow a longer time.
    """
    parts = [leaf for rule in policy.rules for leaf in leaves(rule.match)]
    recent = frozenset(
        part
        for part in parts
        if isinstance(part, checked.Calls)
        and any(
            call.function == part.function
            and call.within_ns <= part.within_ns
            and part.via_softirq >= call.via_softirq
            for call in task.calls or ()
        )
    )
    task = replace(task, inherits=frozenset(), calls=recent)
    if task.labels_known:
        return task
    return replace(task, labels={}, namespace=None, pod=None, container=None)


def _task(choice: random.Random, calls: Sequence[checked.Calls], heirs: Sequence[str]) -> Task:
    ancestors = tuple(_name(choice) for _ in range(choice.randint(0, 4)))
    leader = choice.random() < 0.5
    process = _name(choice)
    in_pod = choice.random() < 0.5
    keys = {call_key(call) for call in calls}
    called = {key for key in sorted(keys) if choice.random() < 0.3}
    return Task(
        comm=process if leader else _name(choice),
        process=process,
        parent=ancestors[0] if ancestors else None,
        ancestors=ancestors,
        cgroup=_path(choice),
        labels={k: _name(choice) for k in ODD.label_keys if in_pod and choice.random() < 0.6},
        namespace=_name(choice) if in_pod and choice.random() < 0.7 else None,
        pod=_name(choice) if in_pod and choice.random() < 0.7 else None,
        container=_name(choice) if in_pod and choice.random() < 0.7 else None,
        labels_known=choice.random() < 0.7,
        numbers={field: _number(choice, field) for field in NUMBERS},
        kthread=choice.random() < 0.2,
        leader=leader,
        interactive=choice.random() < 0.3,
        inherits=frozenset(name for name in heirs if choice.random() < 0.2),
        calls=frozenset(call for call in calls if call_key(call) in called),
        users={name.encode(): number for name, number in ODD.users.items()},
        groups={name.encode(): number for name, number in ODD.groups.items()},
        exe=_program(choice),
        cmdline=tuple(_name(choice) for _ in range(choice.randint(0, 5))),
    )


def _number(choice: random.Random, field: Field) -> int:
    low, high = field.row.bounds
    near = [number + by for number in ODD.numbers for by in (-1, 0, 1)]
    if high - low < 100:
        near = list(range(low, high + 1))
    return choice.choice([number for number in near if low <= number <= high])


def _name(choice: random.Random) -> bytes:
    name = choice.choice(ODD.names)
    if choice.random() < 0.2:
        at = choice.randint(0, len(name))
        name = name[:at] + bytes([choice.randint(1, 255)]) + name[at:]
    return name[:15]


def _program(choice: random.Random) -> bytes | None:
    path = _path(choice)
    return None if path == b"/" else path


def _path(choice: random.Random) -> bytes:
    """A path of the policies', or one of their components in another order."""
    if choice.random() < 0.3:
        return choice.choice(ODD.paths)
    return b"/" + b"/".join(choice.choices(_COMPONENTS, k=choice.randint(0, 3)))
