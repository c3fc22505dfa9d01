# SPDX-License-Identifier: Apache-2.0
"""Random policies near what fits into a scheduler: each part is small, or as large as it may be.

They are about size: `generator` draws those that are about the language.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from gthulhuc import checked
from gthulhuc.diagnostics import Severity
from gthulhuc.frontend import check
from gthulhuc.source import Source

_ACTIONS = (
    "priority urgent", "priority low", "priority high preempt after 1ms", "slice 2ms", "weight 30",
    "max-wait 9ms", "perf 40%",
)  # fmt: skip

Choice = random.Random
Part = Callable[[Choice, int], list[str]]
SIZES = (1, 8, 64, 256)
CPUS = 6
"""Those of the guests: they have as many sets as a policy may name."""


def draw(seed: int) -> tuple[str, checked.Policy]:
    """Returns a policy's text and the policy, one that `gthulhu check` accepts.

    A part that `check` refuses gets half as large and is tried again, so it ends below a limit.
    """
    choice = random.Random(seed)
    parts = choice.sample(PARTS, choice.randint(1, len(PARTS)))
    sizes = {part: choice.choice(SIZES) for part in parts}
    settings = choice.choice(("", "cgroups on"))
    while True:
        rules = [(rule, part) for part, size in sizes.items() for rule in part(choice, size)]
        choice.shuffle(rules)
        text = _policy(f"l{seed}", [rule for rule, _ in rules], settings)
        policy, diagnostics = check(Source(f"l{seed}.gpl", text))
        if policy is not None:
            return text, policy
        lines = {each.span.line for each in diagnostics if each.severity is Severity.ERROR}
        refused = {rules[line - 2][1] for line in lines if line > 1}
        for part in refused or {choice.choice(parts)}:
            sizes[part] //= 2


def many_patterns() -> str:
    """Returns a policy with many rules that a glob decides, of a name and of a path."""
    rules = [f'match comm ~ "n{i:04}*" slice 2ms' for i in range(1_500)]
    rules += [f'match cgroup ~ "*n{i:04}*" priority low' for i in range(400)]
    return _policy("many", rules)


def many_numbers() -> str:
    """Returns a policy with long lists of numbers among rules of other kinds, which stays C."""
    choice = random.Random(1)
    rules = [*_conjunctions(choice, 40), *_heirs(choice, 64)]
    rules += [rule for _ in range(6) for rule in _lists(choice, 64)]
    choice.shuffle(rules)
    return _policy("numbers", rules)


def many_cpus() -> str:
    """Returns a policy with as many sets of CPUs as there may be, one of which moves."""
    choice = random.Random(1)
    sets = ['irq "ttyS*"', *(_cpus(number) for number in range(1, (1 << CPUS) - 1))]
    rules = [f'match comm == "s{i}" cpus {cpus} {_action(choice)}' for i, cpus in enumerate(sets)]
    rules += [f'match comm == "p{i}" cpus {cpus} prefer slice 2ms' for i, cpus in enumerate(sets)]
    return _policy("cpus", rules)


def deepest() -> str:
    """Returns a policy of which each function needs the most stack."""
    choice = random.Random(1)
    rules = [f'match cgroup ~ "/p{i:03}*" and leader slice 2ms' for i in range(504)]
    rules += [f'match unit ~ "u{i:02}*" and leader slice 3ms' for i in range(63)]
    for part in (_patterns("parent"), _patterns("process"), _heirs, _labels, _calls, _lists):
        rules += part(choice, 64)
    rules += [f'match exe ~ "/e{i}*" and cmdline ~ "a{i}*" slice 2ms' for i in range(63)]
    return _policy("deepest", rules, "cgroups on")


def _policy(name: str, rules: Sequence[str], settings: str = "") -> str:
    """The text of a policy, with a rule on each line after the first."""
    head = f"policy {name} {{ {settings} }}"
    return "\n".join([head, *(f"rule r{n} {{ {rule} }}" for n, rule in enumerate(rules))])


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
        root = "/" if field in ("cgroup", "exe") else ""
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


def _cpu_sets(choice: Choice, size: int) -> list[str]:
    return [
        f'match comm == "s{i}" cpus {_cpus(choice.randrange(1, 1 << CPUS))}'
        f"{choice.choice(('', ' prefer'))} {_action(choice)}"
        for i in range(size // 4)
    ]


def _cpus(bits: int) -> str:
    return ", ".join(str(cpu) for cpu in range(CPUS) if bits >> cpu & 1)


PARTS: tuple[Part, ...] = (
    _conjunctions,
    _disjunction,
    *(_patterns(field) for field in ("comm", "process", "parent", "ancestor")),
    *(_patterns(field) for field in ("cgroup", "unit", "exe", "cmdline")),
    _lists,
    _heirs,
    _counted,
    _labels,
    _calls,
    _kthreads,
    _cpu_sets,
)


def _action(choice: Choice) -> str:
    return choice.choice(_ACTIONS)
