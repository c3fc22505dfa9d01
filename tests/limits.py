# SPDX-License-Identifier: Apache-2.0
"""Random policies near what fits into a scheduler: each part is small, or as large as it may be."""

from __future__ import annotations

import random
from collections.abc import Callable

from gthulhuc import checked
from gthulhuc.frontend import check
from gthulhuc.source import Source

Choice = random.Random
Part = Callable[[Choice, int], list[str]]


def draw(seed: int) -> tuple[str, checked.Policy]:
    """Returns a policy's text and the policy, one that `gthulhu check` accepts."""
    choice = random.Random(seed)
    while True:
        text = _policy(choice, f"l{seed}")
        policy, _ = check(Source(f"l{seed}.gpl", text))
        if policy is not None:
            return text, policy


def many_patterns() -> str:
    """Returns a policy with many rules that a glob decides, of a name and of a path."""
    rules = [f'match comm ~ "n{i:04}*" slice 2ms' for i in range(1_500)]
    rules += [f'match cgroup ~ "*n{i:04}*" priority low' for i in range(400)]
    return "\n".join(
        ["policy many {}", *(f"rule r{n} {{ {rule} }}" for n, rule in enumerate(rules))]
    )


def _policy(choice: Choice, name: str) -> str:
    rules: list[str] = []
    for part in choice.sample(PARTS, choice.randint(1, len(PARTS))):
        rules += part(choice, choice.choice((1, 8, 64, 256)))
    choice.shuffle(rules)
    return "\n".join(
        [f"policy {name} {{}}", *(f"rule r{n} {{ {rule} }}" for n, rule in enumerate(rules))]
    )


def _conjunctions(choice: Choice, size: int) -> list[str]:
    fields = ("comm", "process", "parent", "ancestor")
    return [
        f'match {choice.choice(fields)} == "n{i}" and uid == {i} {_action(choice)}'
        for i in range(size)
    ]


def _disjunction(choice: Choice, size: int) -> list[str]:
    parts = [f'(comm == "d{i}" and gid != {i} and nice < {i % 20})' for i in range(size * 4)]
    return [f"match {' or '.join(parts)} {_action(choice)}"]


def _patterns(field: str) -> Part:
    def part(choice: Choice, size: int) -> list[str]:
        root = "/" if field == "cgroup" else ""
        shapes = ("*q{}", f"{root}q{{}}*", f"{root}a{{}}*b", "*q{}*", f"{root}[x-z]{{}}?")
        return [
            f'match {field} ~ "{choice.choice(shapes).format(i)}" and leader {_action(choice)}'
            for i in range(size)
        ]

    return part


def _lists(choice: Choice, size: int) -> list[str]:
    numbers = ", ".join(str(choice.randrange(1 << 31)) for _ in range(size * 8))
    return [f"match uid in [{numbers}] and not interactive {_action(choice)}"]


def _heirs(choice: Choice, size: int) -> list[str]:
    return [
        f'match process == "h{i}" and leader {_action(choice)} inherit' for i in range(size // 4)
    ]


def _counted(choice: Choice, size: int) -> list[str]:
    return [f'match comm == "c{i}" and nice > 3 monitor' for i in range(size // 4)]


def _labels(choice: Choice, size: int) -> list[str]:
    return [
        f'match label "k{i}" ~ "v{i}*" and not pod == "p{i}" {_action(choice)}'
        for i in range(size // 8)
    ]


def _calls(choice: Choice, size: int) -> list[str]:
    return [f'match calls "tcp_sendmsg" within {i + 1}ms slice 2ms' for i in range(size // 16)]


def _kthreads(choice: Choice, size: int) -> list[str]:
    return [f'match kthread and comm ~ "kworker/{i}*" {_action(choice)}' for i in range(size // 8)]


PARTS: tuple[Part, ...] = (
    _conjunctions,
    _disjunction,
    *(_patterns(field) for field in ("comm", "process", "parent", "ancestor")),
    *(_patterns(field) for field in ("cgroup", "unit")),
    _lists,
    _heirs,
    _counted,
    _labels,
    _calls,
    _kthreads,
)


def _action(choice: Choice) -> str:
    return choice.choice(
        ("priority urgent", "priority low", "slice 2ms", "weight 30", "max-wait 9ms")
    )
