# SPDX-License-Identifier: Apache-2.0
"""Cgroups' limits on the model of the kernel: what a quota allows, and no less where it is wanted.

tests/limit_scenes.py has scenes, each with what must hold in it. tests/limit_trees.py draws random
trees of groups, and says what each group can use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import limit_trees
from extent import in_parts
from limit_scenes import (
    POLICY,
    TRIALS,
    Trial,
    affinity,
    burst,
    calls_in_a_row,
    idle_rest,
    inside_the_kernel,
    kernel_threads,
    killed,
    lowered,
    moved,
    nearly,
    nested,
    old_kernel,
    raised,
    removed,
    sleepers,
    storm,
    tight,
    tiny,
    turns,
    without_burst,
)
from scenario import MS, S, compiled
from simulation import Machine

BOTH = compiled("policy p { watchdog 5s cgroups on } default { slice 2ms }")


@pytest.fixture(scope="module")
def scheduler(machine: Machine) -> Path:
    return machine.scheduler(POLICY)


@in_parts(10, 12, of_the_gate=2)
def test_use_is_what_limits_allow_on_random_trees(machine: Machine, seeds: range) -> None:
    scheduler = machine.scheduler(compiled(limit_trees.POLICY))
    wrong: dict[tuple[int, str], str] = {}
    for seed in seeds:
        tree = limit_trees.draw(seed)
        scenario, tasks = tree.scenario(seed)
        outcome = machine.run(scheduler, scenario)
        wrong |= {(seed, path): text for path, text in tree.faults(outcome, tasks).items()}
    assert not wrong


@pytest.mark.parametrize("name", TRIALS)
def test_trial(machine: Machine, scheduler: Path, name: str) -> None:
    TRIALS[name](machine, scheduler)


def test_limits_and_weights_hold_together(machine: Machine) -> None:
    """The time that a group may not use goes to the others, by their weights."""
    trial = Trial(
        {b"/a": (50 * MS, 100 * MS, 4), b"/b": (None, S, 8), b"/c": (None, S, 8)}, policy=BOTH
    )
    trial.scenario.weight(b"/c", 300)
    trial.scenario.weight(b"/a", 1000)
    trial.start()
    trial.at(3 * S)
    uses = trial.uses(machine, machine.scheduler(BOTH), 5 * S)
    assert uses[b"/a"] == nearly(0.5)
    assert uses[b"/c"] / uses[b"/b"] == pytest.approx(3, rel=0.05)
    assert sum(uses.values()) == nearly(4)


@pytest.mark.parametrize("trial", [tight, affinity, killed, moved, storm, sleepers])
def test_invariants_hold(tmp_path: Path, trial: Callable[[Machine, Path], None]) -> None:
    """The same with the model's checks, and under sanitizers."""
    machine = Machine(tmp_path)
    trial(machine, machine.scheduler(POLICY))


# Defects as texts of the generated C and its headers, and the trial that shows each.
MUTANTS: Mapping[str, tuple[Callable[[Machine, Path], None], str, str]] = {
    "no limit counts": (lowered, "saw_limit = true;", "saw_limit = false;"),
    "only the innermost limit counts": (
        lowered, "limit_at(i)->quota_ns ? i : nearest_limit(g->parent);",
        "limit_at(i)->quota_ns ? i : 0;",
    ),
    "only the nearest limit is charged": (
        nested, "-lease_ns);\n\t\tnumber = limit_above(number);", "-lease_ns);\n\t\tnumber = 0;",
    ),
    "a task that runs for longer leaves no debt": (
        sleepers, "		change_ns = left_ns;", "		change_ns = left_ns < 0 ? 0 : left_ns;",
    ),
    "a lease has no end where nobody waits": (
        without_burst, "has_limits() && c->lease.limit;", "c->lease.limit && zero;",
    ),
    "what was left is never lost": (without_burst, "l->quota_ns + l->burst_ns", "8 * l->quota_ns"),
    "there is no burst": (burst, "l->quota_ns + l->burst_ns", "l->quota_ns"),
    "the rest of a lease stays with an idle CPU": (
        idle_rest,
        "if (has_limits() && c->lease.limit)\n\t\treturn_lease(c, bpf_ktime_get_ns());\n\t/* Cl",
        "/* Cl",
    ),
    "the watchdog is forgotten": (
        tiny, "later_of(t->stopped_ns + LONGEST_TURN_NS, now_ns)", "~0ULL >> 1",
    ),
    "a new limit is not seen": (
        raised, "	set_limit_us(entry->number, quota_us, period_us, burst_us);\n", "",
    ),
    "those that are set aside are not looked at": (
        removed, "	look_at_all(bpf_ktime_get_ns());\n}", "}",
    ),
    "the killed wait, too": (
        killed, " && !(p->signal->flags & SIGNAL_GROUP_EXIT)", "",
    ),
    "kernel threads are set aside": (kernel_threads, "PF_EXITING | PF_KTHREAD", "PF_EXITING"),
    "a system call is interrupted": (
        inside_the_kernel, "t->in_kernel = preempt && !t->returns;", "",
    ),
    "the end of a system call is missed": (calls_in_a_row, "	await_return(p);\n", ""),
    "a task that returns to its program begins another call": (
        calls_in_a_row, "preempt && !t->returns", "preempt",
    ),
    "a task that wakes up goes on, whatever its group owes": (
        sleepers, "t->in_kernel = !owes_much(number);", "t->in_kernel = true;",
    ),
    "tasks come back where they were": (
        turns, "return later_of(t->vtime, now + ahead_in_group(t));", "return t->vtime;",
    ),
    "a limit is not read": (old_kernel, "		read_limits();\n", "		;\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(machine: Machine, name: str) -> None:
    trial, old, new = MUTANTS[name]
    mutant = machine.mutant(POLICY, old, new)
    with pytest.raises(AssertionError):
        trial(machine, mutant)
