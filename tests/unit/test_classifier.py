# SPDX-License-Identifier: Apache-2.0
"""The generated classifier, on the host and under sanitizers, agrees with the reference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator import ODD, draw
from gthulhuc import checked, reference
from gthulhuc.fields import Field
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.plan import decisions
from gthulhuc.reference import Task
from matching import NUMBERS, HostClassifier, call_key

# Compiling a policy costs more than trying a thousand tasks.
WORDS = replace(ODD, sizes=tuple(range(3, 13)))
POLICIES = 70
TASKS = 1500
COMPONENTS = sorted({part for path in ODD.paths for part in path.split(b"/") if part})


@pytest.mark.parametrize("seed", range(POLICIES))
def test_the_classifier_agrees_with_the_reference(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As C, and every second policy as a graph of steps."""
    for name in ("MOST_INLINE", "MOST_INLINE_OF_ONE"):
        monkeypatch.setattr(decisions, name, 0 if seed % 2 else 1000)
    _, policy = draw(seed, WORDS)
    some = tasks(policy, seed)
    expected = [verdict(policy, task) for task in some]
    found = HostClassifier(policy, tmp_path).verdicts(some)
    for task, is_so, wanted in zip(some, found, expected, strict=True):
        assert is_so == wanted, task


def verdict(policy: checked.Policy, task: Task) -> tuple[str, list[str]]:
    found = reference.classify(policy, task)
    return found.name, [rule.name for rule in found.monitored]


def tasks(policy: checked.Policy, seed: int) -> list[Task]:
    """Returns random tasks, many of which match the policy."""
    choice = random.Random(seed)
    parts = [leaf for rule in policy.rules for leaf in leaves(rule.match)]
    calls = [part for part in parts if isinstance(part, checked.Calls)]
    heirs = [rule.name for rule in policy.rules if rule.actions.inherit]
    return [_task(choice, calls, heirs) for _ in range(TASKS)]


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


def _path(choice: random.Random) -> bytes:
    """A path of the policies', or one of their components in another order."""
    if choice.random() < 0.3:
        return choice.choice(ODD.paths)
    return b"/" + b"/".join(choice.choices(COMPONENTS, k=choice.randint(0, 3)))
