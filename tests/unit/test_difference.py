# SPDX-License-Identifier: Apache-2.0
"""`gthulhu diff`: every witness is real, and no task changes class unseen."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from changed_policies import changed
from command import run
from generator import draw
from gthulhuc import checked, testing
from gthulhuc.difference import changes
from gthulhuc.difference import tasks as difference_of_tasks
from gthulhuc.difference.report import compare, facts_of, to_text
from gthulhuc.difference.tasks import Move, moves
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.reference import DEFAULT, KERNEL_THREADS, Task, classify
from gthulhuc.source import Source
from matching import HostClassifier
from random_tasks import tasks
from vocabulary import ODD

WORDS = replace(ODD, sizes=tuple(range(3, 13)))
PAIRS = 30
TASKS = 300
BATCH = 'rule batch { match comm == "ffmpeg" priority low }\n'
HEIRS = 'rule a { match comm == "a" and nice == 1 inherit }\n'
OTHERS = 'rule b { match comm == "b" and nice == 2 priority high }\n'
WEB = 'rule web { match label "app" == "web" priority high }\n'


@cache
def drawn(seed: int) -> tuple[str, checked.Policy, str, checked.Policy, tuple[Move, ...]]:
    """A random policy and a changed one, each with its text, and the moves between them."""
    text, old = draw(seed, WORDS)
    new_text, new = changed(text, seed, WORDS)
    return text, old, new_text, new, tuple(moves(old, new))


def policy_of(text: str) -> checked.Policy:
    policy, problems = check(Source("p.gpl", f"policy p\n{text}"))
    assert policy is not None, problems
    return policy


def found(old: str, new: str) -> dict[tuple[str | None, str | None], str | None]:
    """The moves of tasks between two policies, each with its witness."""
    policies = policy_of(old), policy_of(new)
    result = {}
    for move in moves(*policies):
        assert_is_real(move, *policies)
        witness = None if move.witness is None else facts_of(move.witness)
        result[move.before, move.after] = witness
    return result


def assert_is_real(move: Move, old: checked.Policy, new: checked.Policy) -> None:
    if move.witness is not None:
        names = classify(old, move.witness).name, classify(new, move.witness).name
        assert names == (move.before, move.after)


# ---- random pairs -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(PAIRS))
def test_no_random_task_changes_class_unseen(seed: int) -> None:
    _, old, _, new, known = drawn(seed)
    for move in known:
        assert_is_real(move, old, new)
    pairs = {(move.before, move.after) for move in known}
    for task in random_tasks(old, new, seed):
        before, after = classify(old, task).name, classify(new, task).name
        assert before == after or (before, after) in pairs, task


def random_tasks(old: checked.Policy, new: checked.Policy, seed: int) -> Iterable[Task]:
    """Random tasks, each with calls that are as recent for both policies."""
    asked = [
        leaf
        for policy in (old, new)
        for rule in policy.rules
        for leaf in leaves(rule.match)
        if isinstance(leaf, checked.Calls)
    ]
    for task in (*tasks(old, seed, TASKS), *tasks(new, seed + 1, TASKS)):
        facts = [
            checked.Fact(checked.Subject(Field.CALLS), call, call.span) for call in task.calls or ()
        ]
        yield replace(task, calls=testing.task_of(facts, asked).calls)


@pytest.mark.parametrize("seed", range(0, PAIRS, 5))
def test_the_classifiers_of_both_policies_confirm_each_witness(seed: int, tmp_path: Path) -> None:
    _, old, _, new, every = drawn(seed)
    known = [move for move in every if move.witness is not None]
    for policy, side in ((old, "before"), (new, "after")):
        folder = tmp_path / side
        folder.mkdir()
        classifier = HostClassifier(policy, folder)
        for move in known:
            assert move.witness is not None
            assert classifier.verdicts([move.witness])[0][0] == getattr(move, side)


def test_most_moves_of_random_pairs_are_decided() -> None:
    undecided = decided = 0
    for seed in range(PAIRS):
        known = drawn(seed)[-1]
        decided += sum(move.witness is not None for move in known)
        undecided += sum(move.witness is None for move in known)
    assert decided > 10 * undecided


def test_a_witness_is_a_line_of_a_test() -> None:
    tried = 0
    for seed in range(0, PAIRS, 2):
        text, _, new_text, _, known = drawn(seed)
        for move in known:
            if move.witness is None or facts_of(move.witness) != testing.written(move.witness):
                continue
            for source, name in ((text, move.before), (new_text, move.after)):
                rule = DEFAULT if name == KERNEL_THREADS else name
                line = f'test "t" {{ {facts_of(move.witness)} -> {rule} }}\n'
                policy, problems = check(Source("p.gpl", source + line), target=WORDS.target)
                assert policy is not None, problems
                tried += 1
    assert tried > 30


# ---- what is decided ----------------------------------------------------------------------------


def test_equal_policies_do_not_differ() -> None:
    other = "# the same\n" + BATCH.replace('comm == "ffmpeg"', 'comm  ==\n"ffmpeg"')
    assert not compare(policy_of(BATCH + WEB), policy_of(other + WEB))


@pytest.mark.parametrize(
    "rules",
    [
        ('match comm == "a"', 'match comm == "b"'),
        ("match uid < 1000", "match uid in 1000..2000"),
        ('match comm ~ "a*"', "match comm =~ 'b.*'"),
        ('match cgroup under "/a"', 'match cgroup under "/ab"'),
        ('match leader and comm == "a"', 'match leader and process == "b"'),
        ('match parent == "a"', 'match not ancestor == "a"'),
        ('match unit == "a.service"', 'match cgroup == "/a.scope"'),
        ('match calls "f" within 1s', 'match not calls "f" within 2s via softirq'),
        ('match label "k" == "v"', 'match not label "k" == "v"'),
        ('match uid == "root"', "match uid > 0"),
        ("match kthread", "match uid == 5"),
    ],
    ids=lambda rules: rules[1],
)
def test_the_order_of_rules_for_other_tasks_does_not_matter(rules: tuple[str, str]) -> None:
    one, other = (
        f"rule {name} {{ {match} weight 30{i} }}\n"
        for i, (name, match) in enumerate(zip(("one", "other"), rules, strict=True))
    )
    assert found(one + other, other + one) == {}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (BATCH, "", {("batch", "default"): 'comm "ffmpeg"'}),
        (BATCH + WEB, WEB + BATCH, {("batch", "web"): 'comm "ffmpeg" label "app" "web"'}),
        (BATCH, BATCH.replace("batch", "jobs"), {("batch", "jobs"): 'comm "ffmpeg"'}),
        (
            BATCH,
            BATCH.replace("ffmpeg", "x264"),
            {("batch", "default"): 'comm "ffmpeg"', ("default", "batch"): 'comm "x264"'},
        ),
        # The labels of a task may not be known yet; then neither rule takes it.
        (
            WEB,
            'rule web { match not label "app" == "web" priority high }',
            {("web", "default"): 'label "app" "web"', ("default", "web"): "not pod"},
        ),
        (
            "rule k { match kthread and nice < 0 priority high }",
            "rule k { match nice < 0 priority high }",
            {("k", "kernel threads"): "nice -1 kthread", ("default", "k"): "nice -1"},
        ),
        (
            'rule a { match uid == "postgres" and uid >= 100 priority high }',
            "",
            {("a", "default"): 'uid 1000 uid "postgres"'},
        ),
        (
            'rule a { match cgroup under "/shop" and unit ~ "web*" priority high }',
            "",
            {("a", "default"): 'cgroup "/shop/web.service"'},
        ),
        (BATCH, BATCH.replace("low", "low monitor"), {("batch", "default"): 'comm "ffmpeg"'}),
        (
            BATCH.replace("low", "low inherit") + WEB,
            WEB + BATCH.replace("low", "low inherit"),
            {("batch", "web"): 'comm "ffmpeg" label "app" "web"'},
        ),
        (
            f"{HEIRS}{OTHERS}",
            f"{OTHERS}{HEIRS}",
            {("a", "b"): 'comm "b" nice 2, started by a task of `a`'},
        ),
    ],
)
def test_the_moves_of_small_policies(
    old: str, new: str, expected: dict[tuple[str, str], str]
) -> None:
    assert found(old, new) == expected


def test_rules_that_hide_a_pair_are_taken_away_one_by_one() -> None:
    """Rules before a pair matter only if they take the task that was found."""
    names = "".join(f'rule r{n} {{ match comm ~ "{n}-*" weight 30 }}\n' for n in range(50))
    tail = 'rule rest { match comm ~ "*-x" weight 40 }\n'
    known = found(names + tail, names)
    assert list(known) == [("rest", "default")]


def test_an_undecided_change_is_reported_as_undecided() -> None:
    """No unit of these paths is found, although there is one."""
    old = "rule a { match cgroup =~ '/x/[a-f]{3}.service' and unit ~ \"b*\" priority high }\n"
    assert found(old, "") == {("a", "default"): None}
    text = to_text(compare(policy_of(old), policy_of("")))
    assert "tasks that may change class (undecided):\n  a -> default\n" in text


def test_a_change_in_a_large_policy_costs_little() -> None:
    rules = [f'rule r{n} {{ match comm == "t{n}" and uid == {n} weight 30 }}\n' for n in range(600)]
    changed_rules = [*rules]
    changed_rules[300] = rules[300].replace("uid == 300", "uid == 7")
    known = found("".join(rules), "".join(changed_rules))
    assert known == {
        ("r300", "default"): 'comm "t300" uid 300',
        ("default", "r300"): 'comm "t300" uid 7',
    }


def test_large_policies_in_another_order_are_compared_by_what_overlaps() -> None:
    rules = [f'rule r{n} {{ match comm in ["t{n}", "u{n}"] weight 30 }}\n' for n in range(400)]
    assert found("".join(rules), "".join(reversed(rules))) == {}


def test_a_comparison_ends_and_says_that_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difference_of_tasks, "_MOST_WORK", 1000)
    assert found(BATCH + WEB, WEB + BATCH.replace("low", "low monitor"))[None, None] is None
    text = to_text(compare(policy_of(BATCH + WEB), policy_of(WEB)))
    assert "  of the other classes: the policies differ too much to compare them all\n" in text


# ---- what else changes --------------------------------------------------------------------------


def changes_of(old: str, new: str) -> list[tuple[str, list[tuple[str, str | None, str | None]]]]:
    return [
        (each.name, [(one.name, one.old, one.new) for one in each.actions])
        for each in changes.classes(policy_of(old), policy_of(new))
    ]


def test_actions_are_compared_by_rule() -> None:
    old = "rule a { match uid == 1 priority low slice 2ms cpus 1-3 }\ndefault { slice 3ms }"
    new = "rule a { match uid == 1 priority high slice 2ms cpus 1,2,3 }\ndefault { slice 4ms }"
    assert changes_of(old, new) == [
        (
            "a",
            [
                ("priority", "low", "high"),
                ("weight", "50", "200"),
                ("max-wait", "500ms", "20ms"),
            ],
        ),
        ("default", [("slice", "3ms", "4ms")]),
    ]


def test_classes_of_one_policy_are_named() -> None:
    (change,) = changes.classes(policy_of(""), policy_of(BATCH))
    assert (change.name, change.is_old, change.is_new) == ("batch", False, True)
    assert changes.Change("priority", None, "low") in change.actions


@pytest.mark.parametrize(
    ("old", "new", "kind", "expected"),
    [
        ("policy p", "policy q", "settings", ("policy", "p", "q")),
        ("policy p", "policy p { watchdog 5s }", "settings", ("watchdog", None, "5s")),
        (
            "policy p { cgroups weight }",
            "policy p { cgroups off }",
            "settings",
            ("cgroups", "weight", "off"),
        ),
        (
            "policy p { kernel >= 6.13 }",
            "policy p { kernel >= 6.16 }",
            "settings",
            ("kernel", ">= 6.13", ">= 6.16"),
        ),
        (
            "policy p tunable t = 2ms in 1ms..5ms default { slice t }",
            "policy p tunable t = 2ms in 1ms..6ms default { slice t }",
            "tunables",
            ("t", "2ms in 1ms..5ms", "2ms in 1ms..6ms"),
        ),
        (
            "policy p promise default over 5s { share(default) > 1% }",
            "policy p",
            "promises",
            ("default", "over 5s: share(default) > 1%; else log", None),
        ),
        (
            f"policy p {WEB} when time in 22:00..06:00 {{ rule web {{ preempt off }} }}",
            f"policy p {WEB}",
            "whens",
            ("web", "when time in 22:00..06:00: preempt off", None),
        ),
    ],
)
def test_settings_tunables_promises_and_conditions(
    old: str, new: str, kind: str, expected: tuple[str, str | None, str | None]
) -> None:
    policies = [check(Source("p.gpl", text))[0] for text in (old, new)]
    assert policies[0] is not None
    assert policies[1] is not None
    difference = compare(policies[0], policies[1])
    assert getattr(difference, kind) == (changes.Change(*expected),)


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("old", BATCH), ("new", WEB + BATCH.replace("low", "idle"))):
        (tmp_path / f"{name}.gpl").write_text(f"policy p\n{text}")
    return str(tmp_path / "old.gpl"), str(tmp_path / "new.gpl")


def test_the_command_shows_witnesses_and_actions(files: tuple[str, str]) -> None:
    old, new = files
    result = run("gthulhu", "diff", old, new)
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout == (
        "tasks that change class:\n"
        "  batch -> web\n"
        '    such as  comm "ffmpeg" label "app" "web"\n'
        f'    was      comm == "ffmpeg"  ({old}:2:20)\n'
        f'    is       label "app" == "web"  ({new}:2:18)\n'
        "  default -> web\n"
        '    such as  label "app" "web"\n'
        f'    is       label "app" == "web"  ({new}:2:18)\n'
        "\n"
        "actions:\n"
        "  batch\n"
        "    priority  low -> idle\n"
        "    weight    50 -> 5\n"
        "    max-wait  500ms -> 2s\n"
        "  web is only in the new policy\n"
        "    priority high, weight 200, slice 1ms..5ms, migrate balanced, max-wait 20ms\n"
    )


def test_json_has_the_same(files: tuple[str, str]) -> None:
    result = run("gthulhu", "diff", "--json", *files)
    assert result.returncode == 1
    said = json.loads(result.stdout)
    first = said["tasks"][0]
    assert said["different"] is True
    assert (first["old"], first["new"], first["certain"]) == ("batch", "web", True)
    assert first["witness"] == 'comm "ffmpeg" label "app" "web"'
    assert first["decided"]["new"][0]["predicate"] == 'label "app" == "web"'
    assert [each["change"] for each in said["classes"]] == ["changed", "added"]


def test_no_difference_is_status_0(files: tuple[str, str]) -> None:
    result = run("gthulhu", "diff", files[0], files[0])
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    result = run("gthulhu", "diff", "--json", "-", files[0], stdin=Path(files[0]).read_text())
    assert (result.returncode, json.loads(result.stdout)["different"]) == (0, False)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_policy_with_errors_is_status_2(files: tuple[str, str], order: tuple[int, int]) -> None:
    Path(files[1]).write_text("policy p\nrule a {}\n")
    result = run("gthulhu", "diff", *(files[index] for index in order))
    assert (result.returncode, result.stdout) == (2, "")
    assert "error[GPL0304]" in result.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-", "-"), "both policies are standard input"),
        (("nowhere.gpl", "nowhere.gpl"), "nowhere.gpl"),
        (("a.gpl",), "usage: gthulhu diff"),
    ],
)
def test_usage(options: tuple[str, ...], said: str) -> None:
    result = run("gthulhu", "diff", *options)
    assert (result.returncode, said in result.stderr) == (2, True)


def test_policies_whose_tests_fail_are_compared(files: tuple[str, str]) -> None:
    path = Path(files[0])
    path.write_text(path.read_text() + 'test "t" { comm "ffmpeg" -> default }\n')
    assert run("gthulhu", "diff", *files).returncode == 1
