# SPDX-License-Identifier: Apache-2.0
"""`when` blocks in the plan: whichever conditions hold together, a class has the right numbers."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from gthulhuc import checked, ir, plan
from gthulhuc.actions import LEVELS
from gthulhuc.codegen import view
from gthulhuc.codegen.render import render
from gthulhuc.frontend import check
from gthulhuc.plan.classes import value
from gthulhuc.source import Source
from gthulhuc.variants import changed, of_rule

ACTIONS = (
    "priority idle", "priority low", "priority normal", "priority high", "weight 300",
    "weight heft", "slice 2ms", "slice 1ms..quantum", "max-wait 70ms", "preempt off",
    "preempt", "preempt after 1ms", "preempt budget 2ms per 20ms", "perf 30%",
)  # fmt: skip
OWN = ("", "priority low", "weight 150", "max-wait 60ms", "preempt", "perf auto")
HEAD = """policy p
tunable heft = 300 in 100..1000
tunable quantum = 5ms in 4ms..6ms
rule other { match comm == "other" priority idle weight heft slice 1ms..quantum }
"""


def planned(text: str) -> tuple[checked.Policy, ir.Ir]:
    policy, problems = check(Source("p.gpl", text))
    assert policy is not None, problems
    return policy, plan.build(policy)


def chosen(chance: random.Random, actions: Sequence[str], most: int) -> str:
    """Some of the actions, each word once."""
    some = chance.sample(actions, chance.randint(1, most))
    return " ".join({each.split()[0] if each else "": each for each in some}.values())


def numbers(actions: checked.Actions) -> dict[str, object]:
    """The numbers of a class with these actions, as the scheduler is to have them."""
    found: dict[str, object] = {
        "level": actions.priority.name.lower(),
        "lead_ns": LEVELS[actions.priority].lead_ns,
        "weight": value(actions.weight),
        "slice_min_ns": value(actions.slice_min_ns),
        "slice_max_ns": value(actions.slice_max_ns),
        "max_wait_ns": value(actions.max_wait_ns),
        "perf": value(actions.numbers.get("perf", 0)),
        "preempts": int(actions.preempt is not None),
    }
    if actions.preempt is not None:
        preempt = actions.preempt
        found["after_ns"] = preempt.after_ns
        found["budget_ns"] = preempt.budget_ns
        if preempt.period_ns is not None:
            found["period_ns"] = preempt.period_ns
    return found


def test_the_last_change_that_holds_is_the_right_one() -> None:
    chance = random.Random(7)  # the seed only chooses policies
    seen = 0
    for _ in range(150):
        blocks = "".join(
            f"when pressure cpu > {n}% for 5s {{ rule r {{ {chosen(chance, ACTIONS, 4)} }} }}\n"
            for n in (10, 11, 12)
        )
        rule = f'rule r {{ match comm == "r" {chosen(chance, OWN, 3)} }}\n'
        policy, scheduler = planned(HEAD + rule + blocks)
        own = policy.rules[1].actions
        found = list(of_rule("r", policy.whens))
        for holds in product((False, True), repeat=3):
            written = {
                change.number: change.value
                for change in scheduler.changes
                if change.when is None or holds[change.when]
            }
            active = [c for (_, c), is_so in zip(found, holds, strict=True) if is_so]
            expected = numbers(changed(own, active))
            assert {name: expected.get(name, number) for name, number in written.items()} == written
            base = numbers(own)
            untouched = {n: v for n, v in expected.items() if n not in written}
            assert untouched == {name: base.get(name) for name in untouched}
            seen += len(written)
    assert seen > 1000


def test_later_blocks_win_and_levels_carry_their_defaults() -> None:
    policy, _ = planned(
        HEAD + 'rule r { match comm == "r" }\n'
        "when pressure cpu > 10% for 5s { rule r { weight 300 } }\n"
        "when pressure io > 10% for 5s { rule r { priority low } }\n"
        "when pressure memory > 10% for 5s { rule r { priority high } }\n"
    )
    own = policy.rules[1].actions
    first, second, third = (change for _, change in of_rule("r", policy.whens))
    both = changed(own, [first, second])
    assert (both.priority, both.weight, both.max_wait_ns) == (checked.Level.LOW, 300, 500_000_000)
    assert changed(own, [second]).weight == 50
    assert changed(own, [second, third]).weight == 200


@pytest.mark.parametrize(
    ("action", "sign"),
    [
        ("preempt", "find_victim("),
        ("preempt after 1ms", "after_ns"),
        ("preempt budget 2ms per 20ms", "BUDGET_R"),
        ("perf 30%", "params_of(t)->perf"),
        ("priority high", "MAX_LEAD_NS 20000000LL"),
        ("max-wait 3ms", "3000000"),
    ],
)
def test_the_scheduler_has_parts_that_only_a_condition_uses(action: str, sign: str) -> None:
    plain = HEAD.replace("1ms..quantum", "quantum") + (
        'rule r { match comm == "r" priority low slice 2ms }\ndefault { priority low slice 2ms }\n'
    )
    block = f"when pressure cpu > 10% for 5s {{ rule r {{ {action} }} }}\n"
    before, after = (render(planned(text)[1]) for text in (plain, plain + block))
    assert sign not in before
    assert sign in after


def test_a_tunable_that_a_condition_uses_is_written_by_the_condition() -> None:
    text = HEAD.replace("weight heft ", "") + (
        'rule r { match comm == "r" weight heft slice quantum }\n'
        "when pressure cpu > 10% for 5s { rule r { weight 500 } }\n"
    )
    _, scheduler = planned(text)
    variables = view.build(scheduler)
    assert [each["name"] for each in variables["tunables"]] == ["heft", "quantum"]
    assert "weight" not in {place["member"] for place in variables["places"]}
    changes = [(c["when"], c["tunable"], c["value"]) for c in variables["changes"]]
    assert changes == [(0, 1, 0), (1, 0, 500)]


def test_a_policy_whose_tunables_are_all_written_by_conditions_compiles(tmp_path: Path) -> None:
    # The kernel refuses an object with an array of no elements.
    path = tmp_path / "p.gpl"
    path.write_text(
        'policy p\ntunable heft = 300 in 100..1000\nrule r { match comm == "r" weight heft }\n'
        "when time in 22:00..06:00 { rule r { priority low } }\n"
        "when time in 07:00..08:00 { rule r { weight 500 } }\n"
    )
    subprocess.run(["gthulhuc", path, "-o", tmp_path / "p.bpf.o"], check=True)
    shown = subprocess.run(
        ["gthulhuc", "--emit", "c", path], check=True, capture_output=True, text=True
    ).stdout
    assert "policy_changes[]" in shown
    assert not re.search(r"policy_places\[\]", shown)
