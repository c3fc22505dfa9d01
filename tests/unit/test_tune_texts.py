# SPDX-License-Identifier: Apache-2.0
"""`gthulhu tune`: what it may vary in a policy, and the text of the changed policy."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gthulhu_lab.tuning import applying, knobs, rewriting
from gthulhu_lab.tuning.knobs import MS, US, WORDS, Candidate, Space
from gthulhuc import checked
from gthulhuc.formatter import format_source
from gthulhuc.frontend import check
from gthulhuc.source import Source

ROOT = Path(__file__).parents[2]
POLICY = """\
policy p {}

# How long a turn is.
tunable quantum = 4ms in 500us..20ms
tunable limit   = 300us in 100us..1ms

rule quick {
    match    comm == "quick"  # answers
    priority high
    preempt  budget 50ms per 100ms
}
rule jobs  { match comm == "jobs" slice quantum }
rule plain { match comm == "plain" }

expect waker as quick under hogs 2x as jobs {
    p99(wakeup quick) < limit
}
"""


def read(text: str) -> tuple[checked.Policy, Source]:
    source = Source("p.gpl", text)
    policy, problems = check(source)
    assert policy is not None, problems
    return policy, source


def space_of(policy: checked.Policy, words: tuple[str, ...] = WORDS) -> Space:
    classes = knobs.classes_of(policy)
    return knobs.find(policy, words, classes, classes)


def with_values(space: Space, **wanted: knobs.Choice) -> Candidate:
    """The present candidate with other values; `__` in a name stands for a dot."""
    names = {
        name.replace("__", ".").replace("max_wait", "max-wait"): value
        for name, value in wanted.items()
    }
    assert names.keys() <= {knob.name for knob in space.knobs}
    return tuple(
        knob.values.index(names[knob.name]) if knob.name in names else knob.now
        for knob in space.knobs
    )


def changes(text: str, **wanted: knobs.Choice) -> list[str]:
    """The lines of the diff."""
    policy, source = read(text)
    space = space_of(policy)
    after = rewriting.rewritten(policy, source, space, with_values(space, **wanted))
    lines = rewriting.diff(source, after).splitlines()[2:]
    return [line for line in lines if line[0] in "+-"]


def test_a_tunable_is_varied_unless_a_claim_has_it() -> None:
    policy, _ = read(POLICY)
    space = knobs.find(policy, (), (), ("quick", "jobs"))
    (knob,) = space.knobs
    assert (knob.name, knob.text(knob.now)) == ("quantum", "4ms")
    assert knob.values[0] == 500 * US
    assert knob.values[-1] == 20 * MS
    assert space.left_out == ("tunable `limit`: claims have it as their bound",)


def test_actions_are_varied_on_request_only_where_tasks_run() -> None:
    policy, _ = read(POLICY)
    space = knobs.find(policy, WORDS, knobs.classes_of(policy), ("quick", "jobs"))
    names = {knob.name for knob in space.knobs}
    assert {"quick.priority", "quick.slice", "quick.weight", "quick.max-wait"} < names
    assert {"quick.migrate", "quick.preempt", "quick.after", "quick.budget"} < names
    assert not any(name.startswith("plain.") for name in names)
    assert "rule `plain`: no load has tasks of it" in space.left_out
    assert "`slice` of rule `jobs`: a tunable gives it" in space.left_out


def test_a_level_moves_by_one_step() -> None:
    policy, _ = read(POLICY)
    (knob,) = (knob for knob in space_of(policy).knobs if knob.name == "quick.priority")
    assert knob.values == ("urgent", "high", "normal")


def test_a_ladder_has_round_numbers_and_both_ends() -> None:
    values = knobs.ladder(500 * US, 20 * MS, 4 * MS, "ns")
    assert values[:4] == (500 * US, 600 * US, 800 * US, MS)
    assert values[-2:] == (15 * MS, 20 * MS)
    narrow = knobs.ladder(100, 110, 104, "")
    assert narrow == tuple(range(100, 111))
    assert knobs.ladder(7, 7, 7, "") == (7,)


def test_the_text_changes_where_the_value_stands() -> None:
    assert changes(POLICY, quantum=10 * MS) == [
        "-tunable quantum = 4ms in 500us..20ms",
        "+tunable quantum = 10ms in 500us..20ms",
    ]
    assert changes(POLICY, quick__budget=20 * MS, quick__after=100 * US) == [
        "-    preempt  budget 50ms per 100ms",
        "+    preempt  after 100us budget 20ms per 100ms",
    ]
    assert changes(POLICY, quick__budget="none") == [
        "-    preempt  budget 50ms per 100ms",
        "+    preempt",
    ]
    assert changes(POLICY, quick__preempt="off") == ["-    preempt  budget 50ms per 100ms"]


def test_a_new_action_follows_the_others_of_its_rule() -> None:
    assert changes(POLICY, quick__slice=(2 * MS, 2 * MS)) == ["+    slice 2ms"]
    assert changes(POLICY, plain__weight=200) == [
        '-rule plain { match comm == "plain" }',
        '+rule plain { match comm == "plain"  weight 200 }',
    ]


def test_what_follows_from_a_level_is_stated_only_where_it_differs() -> None:
    # The knobs of weight and max-wait keep what they were.
    assert changes(POLICY, quick__priority="urgent") == [
        "-    priority high",
        "+    priority urgent",
        "+    weight 200",
        "+    max-wait 20ms",
    ]
    policy, source = read(POLICY)
    space = space_of(policy, ("priority",))
    after = rewriting.rewritten(policy, source, space, with_values(space, quick__priority="urgent"))
    assert "weight" not in after.text


def test_a_default_that_is_not_there_is_added() -> None:
    text = POLICY.replace('rule plain { match comm == "plain" }\n', "")
    assert (
        changes(text, default__slice=(3 * MS, 3 * MS), jobs__weight=100)[-1]
        == "+default { slice 3ms }"
    )


def test_a_rule_keeps_what_default_gave_it() -> None:
    # Rule `quick` had its slice from there, and its own knob says that it stays.
    lines = changes(POLICY, default__slice=(2 * MS, 2 * MS))
    assert "+    slice 1ms..5ms" in lines
    assert '+rule plain { match comm == "plain"  slice 1ms..5ms }' in lines


def test_a_policy_in_the_standard_layout_keeps_it() -> None:
    text, _ = format_source(Source("p.gpl", POLICY))
    assert text is not None
    policy, source = read(text)
    space = space_of(policy)
    after = rewriting.rewritten(policy, source, space, with_values(space, quick__weight=300))
    assert format_source(after)[0] == after.text
    assert after.text.count("# answers") == 1


@pytest.mark.parametrize("name", ["web", "k8s-node", "upf", "desktop", "tenants", "build-farm"])
def test_every_candidate_is_a_policy_with_its_values(name: str) -> None:
    text = (ROOT / "policies" / f"{name}.gpl").read_text()
    policy, source = read(text)
    space = space_of(policy)
    assert rewriting.rewritten(policy, source, space, space.now).text == text
    choose = random.Random(name)
    for _ in range(20):
        candidate = tuple(choose.randrange(len(knob.values)) for knob in space.knobs)
        # It compares the actions of the text with those of the candidate.
        rewriting.rewritten(policy, source, space, space.settled(candidate))


def test_candidates_that_differ_in_numbers_share_a_scheduler() -> None:
    policy, _ = read(POLICY)
    space = space_of(policy)
    one = with_values(space, quantum=10 * MS, quick__slice=(2 * MS, 2 * MS), quick__weight=300)
    other = with_values(space, quick__preempt="off")
    assert applying.shape(space, one) == applying.shape(space, space.now)
    assert applying.shape(space, other) != applying.shape(space, space.now)
    assert applying.numbers_of(space, one)["quick.slice_max_ns"] == 2 * MS
