# SPDX-License-Identifier: Apache-2.0
"""Random policies as text, and random schedules of tasks under them."""

from __future__ import annotations

import random
from collections.abc import Callable

from gthulhuc import checked
from gthulhuc.frontend import check
from gthulhuc.source import Source
from simulation import FOREVER, MS, US, Facts, Scenario, choices

NAMES = ("a", "ab", "web", "nr-gnb", "kw/0", "make", "cc1")
GROUPS = (
    "/", "/ci.slice", "/ci.slice/job", "/sys.slice/web.service", "/user/a.scope",
    "/kubepods/burstable/pod7", "/kubepods/besteffort/pod9",
)  # fmt: skip
UIDS = (0, 33, 1000)
LEVELS = ("urgent", "high", "normal", "low", "idle")
KERNELS = ("6.16", "6.18", "7.0", "7.2")
CPUS = 4

Choice = random.Random


def random_policy(choice: Choice) -> tuple[str, checked.Policy]:
    """A valid, supported policy, and its text."""
    while True:
        text = _policy(choice)
        policy, _ = check(Source("test.gpl", text))
        if policy:
            return text, policy


def _policy(choice: Choice) -> str:
    rules = [
        f"rule r{number} {{\n    match {_match(choice)}\n{_actions(choice)}}}\n"
        for number in range(choice.randint(1, 5))
    ]
    default = f"default {{\n{_actions(choice, default=True)}}}\n" if choice.random() < 0.4 else ""
    return "policy test {}\n" + "".join(rules) + default


def _match(choice: Choice) -> str:
    if choice.random() < 0.6:
        return _comparison(choice)
    word = choice.choice((" and ", " or "))
    parts = [_comparison(choice) for _ in range(choice.randint(2, 3))]
    return word.join(f"not {part}" if choice.random() < 0.2 else part for part in parts)


def _comparison(choice: Choice) -> str:
    name = f'"{choice.choice(NAMES)}"'
    group = f'"{choice.choice(GROUPS)}"'
    return choice.choice((
        f"comm == {name}", f"process == {name}", f"parent == {name}", f"ancestor == {name}",
        f'comm in [{name}, "cc1"]', f'comm ~ "{choice.choice(NAMES)[0]}*"',
        "comm =~ '[a-m]+'", 'process ~ "*a*"',
        f"cgroup under {group}", f"cgroup == {group}", 'unit == "web.service"',
        'qos == "burstable"', f"uid == {choice.choice(UIDS)}", "gid in 1..40",
        f"nice > {choice.randint(-5, 5)}", "leader", "kthread",
        f'label "app" == {name}', f"pod != {name}",
    ))  # fmt: skip


def _actions(choice: Choice, *, default: bool = False) -> str:
    short = choice.randint(1, 4)
    actions = (
        f"priority {choice.choice(LEVELS)}",
        f"weight {choice.choice((10, 50, 100, 300, 1000))}",
        f"slice {short}ms" if choice.random() < 0.5 else f"slice {short * 200}us..{short * 3}ms",
        _cpus(choice, default=default),
        f"migrate {choice.choice(('never', 'lazy', 'balanced', 'eager'))}"
        + choice.choice(("", " return")),
    )
    for_rules = () if default else ("preempt", "inherit", "monitor")
    some = [action for action in actions if choice.random() < 0.45]
    some += [action for action in for_rules if choice.random() < 0.25]
    return "".join(f"    {action}\n" for action in some)


def _cpus(choice: Choice, *, default: bool) -> str:
    if not default and choice.random() < 0.3:
        return f"cpus {choice.randrange(1, CPUS)} exclusive"
    low = choice.randrange(CPUS)
    high = choice.randrange(low, CPUS)
    prefer = " prefer" if choice.random() < 0.3 else ""
    return (f"cpus {low}-{high}" if high > low else f"cpus {low}") + prefer


def random_scenario(policy: checked.Policy, seed: int, *, length_ns: int = 60 * MS) -> Scenario:
    """Tasks that run, sleep and wake each other, while everything about them changes."""
    choice = choices(seed)
    scenario = Scenario(policy, cpus=CPUS, kernel=choice.choice(KERNELS), seed=seed)
    for number in range(choice.randint(3, 14)):
        _start_task(choice, scenario, number)
    for cpu in range(CPUS):
        bound = Facts(cpus=1 << cpu, kthread=True)
        scenario.task(b"bound", bound, burst=30 * US, sleep=5 * MS)
    scenario.start()
    for task in scenario.alive():
        scenario.wake(task.pid, choice.randrange(CPUS))
    now_ns = 0
    while (now_ns := now_ns + choice.randrange(2 * MS)) < length_ns:
        scenario.at(now_ns)
        choice.choice(EVENTS)(choice, scenario)
    # The remaining tasks must get their turn.
    return scenario.end(length_ns + 20 * MS)


def _start_task(choice: Choice, scenario: Scenario, number: int) -> None:
    makers = [task.pid for task in scenario.alive(kthreads=False)]
    thread = choice.random() < 0.3
    maker = choice.choice(makers)
    kthread = choice.random() < 0.15
    burst, sleep = (100 * US, 3 * MS) if kthread else _habits(choice)
    facts = Facts(
        cgroup=choice.choice(GROUPS).encode(),
        uid=choice.choice(UIDS),
        gid=choice.choice(UIDS),
        nice=choice.choice((0, 0, 0, -5, 10)),
        cpus=choice.choice((15, 15, 15, 3, 8, 12, 1)),
        kthread=kthread,
    )
    pid = scenario.task(
        choice.choice(NAMES).encode(),
        facts,
        maker=maker,
        thread=thread and maker != 1,
        burst=burst,
        sleep=sleep,
    )
    if number and not kthread and choice.random() < 0.2:
        scenario.work(pid, 50 * US, 0, partner=choice.choice(makers))


def _habits(choice: Choice) -> tuple[int, int]:
    if choice.random() < 0.4:
        return FOREVER, 0
    return choice.choice((20 * US, 300 * US, 3 * MS)), choice.choice((0, 100 * US, 4 * MS))


def _victim(choice: Choice, scenario: Scenario) -> int:
    """Any task except those that last from start to end."""
    tasks = [t.pid for t in scenario.alive() if t.pid > 1 and t.comm != b"bound"]
    return choice.choice(tasks) if tasks else 1


def _wake(choice: Choice, scenario: Scenario) -> None:
    pid = choice.choice(scenario.alive()).pid
    scenario.wake(pid, choice.randrange(CPUS))


def _fork(choice: Choice, scenario: Scenario) -> None:
    makers = [task.pid for task in scenario.alive(kthreads=False)]
    burst, sleep = _habits(choice)
    scenario.fork(
        choice.choice(makers),
        thread=choice.random() < 0.4,
        sibling=choice.random() < 0.1,
        burst=burst,
        sleep=sleep,
    )


def _exit(choice: Choice, scenario: Scenario) -> None:
    pid = _victim(choice, scenario)
    threads = [t for t in scenario.alive() if t.leader == pid and t.pid != pid]
    if pid != 1 and not threads and not scenario.tasks[pid].kthread:
        scenario.exit(pid)


def _rename(choice: Choice, scenario: Scenario) -> None:
    scenario.rename(_victim(choice, scenario), choice.choice(NAMES).encode())


def _cgroup(choice: Choice, scenario: Scenario) -> None:
    path = choice.choice(GROUPS).encode()
    scenario.cgroup(_victim(choice, scenario), path, whole=choice.random() < 0.7)


def _affinity(choice: Choice, scenario: Scenario) -> None:
    scenario.affinity(_victim(choice, scenario), choice.randrange(1, 1 << CPUS))


def _nice(choice: Choice, scenario: Scenario) -> None:
    scenario.nice(_victim(choice, scenario), choice.choice((-10, 0, 5, 19)))


def _ids(choice: Choice, scenario: Scenario) -> None:
    scenario.ids(_victim(choice, scenario), choice.choice(UIDS), choice.choice(UIDS))


def _forget(choice: Choice, scenario: Scenario) -> None:
    scenario.forget(_victim(choice, scenario))


def _migration(choice: Choice, scenario: Scenario) -> None:
    scenario.migration(_victim(choice, scenario), allowed=choice.random() < 0.7)


def _real_time(choice: Choice, scenario: Scenario) -> None:
    scenario.real_time(choice.randrange(CPUS), choice.choice((50 * US, MS, 5 * MS)))


def _online(choice: Choice, scenario: Scenario) -> None:
    """Takes the last CPU offline, or online again."""
    if choice.random() < 0.2:
        scenario.online(CPUS - 1, online=choice.random() < 0.5)


Event = Callable[[Choice, Scenario], None]
EVENTS: tuple[Event, ...] = (
    _wake, _wake, _wake, _wake, _fork, _exit, _rename, _rename, _cgroup, _affinity, _affinity,
    _nice, _ids, _forget, _migration, _real_time, _online,
)  # fmt: skip
