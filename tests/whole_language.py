# SPDX-License-Identifier: Apache-2.0
"""Random policies over all supported features, for a machine with 4 CPUs in two nodes.

They use few names, users and cgroups, so that a load with `NAMES` and `CGROUPS` reaches most of
their rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gthulhuc import checked
from gthulhuc.frontend import check
from gthulhuc.source import Source
from gthulhuc.target import Target

NAMES = ("a", "ab", "web", "nr-gnb", "kw/0", "make", "cc1")
CGROUPS = (
    "/", "/ci.slice", "/ci.slice/job", "/sys.slice/web.service", "/user.slice/a.scope",
    "/kubepods/burstable/pod7", "/kubepods/besteffort/pod9",
)  # fmt: skip
USERS = {"root": 0, "nobody": 65534}
GROUPS = {"root": 0, "crew": 77}
CPUS = 4
_HALVES = {0: frozenset({0, 1}), 1: frozenset({2, 3})}
_ALL = frozenset(range(CPUS))
MACHINE = Target("lab", _ALL, nodes=_HALVES, llcs=_HALVES, fast=_ALL, slow=_ALL)

_LEVELS = ("urgent", "high", "normal", "low", "idle")
_SLICES = ("10us", "100us", "350us", "500us", "1ms", "2.5ms", "5ms", "20ms")
_WAITS = ("1ms", "5ms", "30ms", "200ms", "1s")

Choice = random.Random
Part = Callable[[Choice], str]


def draw(seed: int) -> tuple[str, checked.Policy]:
    """Returns the policy of a number and its text: valid for MACHINE and fully supported."""
    choice = Choice(seed)
    while True:
        text = _policy(choice, name(seed))
        policy, _ = check(Source(f"{name(seed)}.gpl", text), target=MACHINE)
        if policy:
            return text, policy


def name(seed: int) -> str:
    """Returns the name of the policy of a number."""
    return f"s{seed}"


def _one_of(choice: Choice, *parts: Part) -> str:
    return choice.choice(parts)(choice)


def _some(choice: Choice, chance: float, *texts: str) -> list[str]:
    return [text for text in texts if choice.random() < chance]


# ---- Policies ----

_TUNABLES = {
    "quantum": "2ms in 500us..4ms",
    "longest": "5ms in 4ms..20ms",
    "heft": "100 in 10..1000",
    "patience": "30ms in 2ms..100ms",
    "pause": "200us in 50us..1ms",
    "share": "2ms in 500us..4ms",
}
_SETS = {
    "builders": '["make", "cc1"]',
    "building": 'comm in builders or cgroup under "/ci.slice"',
}


def _policy(choice: Choice, name: str) -> str:
    settings = _some(choice, 0.4, "kernel >= 6.16", f"watchdog {choice.randint(10, 30)}s")
    items = [_rule(choice, f"r{number}") for number in range(choice.choice((1, 2, 3, 4, 5, 6, 12)))]
    if choice.random() < 0.5:
        items.append(_block("default", _actions(choice, default=True)))
    if choice.random() < 0.1:
        items.append("expect pipes as r0 under hogs 2x { p99(wakeup r0) < 300us }")
        items.append("promise r0 over 10s { p99(wakeup r0) < 300us else rollback }")
    items += [f"tunable {word} = {value}" for word, value in _TUNABLES.items()]
    items += [f"set {word} = {value}" for word, value in _SETS.items()]
    choice.shuffle(items)
    return "\n".join([f"policy {name} {{ {' '.join(settings)} }}", *items, ""])


def _rule(choice: Choice, name: str) -> str:
    return _block(f"rule {name}", [f"match {_predicate(choice)}", *_actions(choice)])


def _block(head: str, statements: list[str]) -> str:
    return "\n".join([f"{head} {{", *(f"    {statement}" for statement in statements), "}"])


# ---- Predicates ----


def _predicate(choice: Choice, depth: int = 2) -> str:
    if depth == 0 or choice.random() < 0.6:
        return _comparison(choice)
    parts = []
    for _ in range(choice.randint(2, 3)):
        inner = _predicate(choice, depth - 1)
        joined = " and " in inner or " or " in inner
        parts.append("not " * (choice.random() < 0.2) + (f"({inner})" if joined else inner))
    return choice.choice((" and ", " or ")).join(parts)


def _comparison(choice: Choice) -> str:
    return _one_of(choice, _of_names, _of_names, _of_cgroups, _of_labels, _of_ids, _of_others)


def _listed(choice: Choice, words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in choice.sample(words, choice.randint(1, 4)))


def _of_names(choice: Choice) -> str:
    field = choice.choice(("comm", "process", "parent", "ancestor"))
    name = choice.choice(NAMES)
    many = ", ".join(f'"{name}{number}"' for number in range(choice.randint(2, 300)))
    return choice.choice((
        f'{field} == "{name}"', f'{field} != "{name}"', f"{field} in [{_listed(choice, NAMES)}]",
        f'{field} in ["{name}", {many}]', f"{field} in builders", f'{field} ~ "{name[0]}*"',
        f'{field} ~ ["*{name[-1]}", "?b"]', f'{field} ~ "[!a-m]*"', f"{field} =~ '[a-m]+[0-9]?'",
        f"{field} =~ 'nr-(gnb|ue)|{name}'", "building",
    ))  # fmt: skip


def _of_cgroups(choice: Choice) -> str:
    path = choice.choice(CGROUPS)
    qos = choice.choice(("guaranteed", "burstable", "best-effort"))
    return choice.choice((
        f'cgroup == "{path}"', f'cgroup under "{path}"',
        f"cgroup under [{_listed(choice, CGROUPS)}]",
        'cgroup ~ "/*.slice/*"', 'cgroup ~ ["*pod?", "*/job"]', "cgroup =~ '/(ci|user).slice.*'",
        'unit == "web.service"', 'unit ~ "*.scope"', "unit =~ '[a-z]+.service'", f'qos == "{qos}"',
        f'qos in ["{qos}", "burstable"]',
    ))  # fmt: skip


def _of_labels(choice: Choice) -> str:
    subject = choice.choice(('label "app"', 'label "tier"', "namespace", "pod", "container"))
    name = choice.choice(NAMES)
    return choice.choice((
        f'{subject} == "{name}"', f'{subject} != "{name}"',
        f"{subject} in [{_listed(choice, NAMES)}]", f'{subject} ~ "{name[0]}*"',
        f"{subject} =~ '[a-m]+[0-9]?'", 'label "app"', f'not {subject} == "{name}"',
    ))  # fmt: skip


def _of_ids(choice: Choice) -> str:
    number = choice.choice((0, 77, 1000, 65534))
    return choice.choice((
        f"uid == {number}", f"uid != {number}", f"uid >= {number}", f"gid in 1..{number + 2}",
        f"gid in [{number}, 5, 7]", f'uid == "{choice.choice([*USERS])}"',
        f'gid in ["{choice.choice([*GROUPS])}", {number}]',
    ))  # fmt: skip


def _of_others(choice: Choice) -> str:
    nice = choice.randint(-10, 9)
    return choice.choice((
        f"nice > {nice}", f"nice in {nice}..{nice + 10}", "leader", "not leader", "interactive",
        "kthread", 'kthread and comm ~ "kworker/*"',
    ))  # fmt: skip


# ---- Actions ----


def _actions(choice: Choice, *, default: bool = False) -> list[str]:
    actions = _some(
        choice,
        0.4,
        f"priority {choice.choice(_LEVELS)}",
        f"weight {choice.choice((1, 10, 100, 300, 1000, 10000, 'heft'))}",
        _slice(choice),
        f"max-wait {choice.choice((*_WAITS, 'patience'))}",
    )
    if not default:
        actions += _some(choice, 0.2, _preempt(choice), "inherit", "monitor")
    return actions + _placement(choice, default=default)


def _placement(choice: Choice, *, default: bool) -> list[str]:
    if not default and choice.random() < 0.15:
        return [f"cpus {choice.choice(('1', '2', '3', '2-3', 'node 1'))} exclusive"]
    if choice.random() < 0.2:
        return [f"cpus {choice.randrange(CPUS)}"]
    how = choice.choice(("never", "lazy", "balanced", "eager"))
    back = choice.choice(("", " return")) if how != "never" else ""
    cpus = f"cpus {_cpus(choice)}{choice.choice(('', ' prefer'))}"
    return _some(choice, 0.5, cpus, f"migrate {how}{back}")


def _slice(choice: Choice) -> str:
    low, high = sorted(choice.sample(range(len(_SLICES)), 2))
    return choice.choice((
        f"slice {_SLICES[low]}", f"slice {_SLICES[low]}..{_SLICES[high]}", "slice quantum",
        "slice quantum..longest", "slice 100us..quantum",
    ))  # fmt: skip


def _cpus(choice: Choice) -> str:
    low = choice.randrange(CPUS - 1)
    lists = (f"{low}-{choice.randrange(low + 1, CPUS)}", f"{low}, llc {choice.randrange(2)}")
    return choice.choice((*lists, "node 0", "node 1", "llc 0", "llc 1", "fast", "slow", "all"))


def _preempt(choice: Choice) -> str:
    after = choice.choice(("", " after 10us", " after 500us", " after pause"))
    budget = choice.choice((
        "", " budget 500us per 5ms", " budget 20ms per 100ms", " budget share per 10ms",
    ))  # fmt: skip
    return f"preempt{after}{budget}"
