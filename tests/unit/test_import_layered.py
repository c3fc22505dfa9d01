# SPDX-License-Identifier: Apache-2.0
"""scx_layered's importer: tasks are in the rule of their layer, but where the report says so."""

from __future__ import annotations

import json
import random
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gthulhuc import checked
from gthulhuc.cli import gthulhu
from gthulhuc.fields import Field
from gthulhuc.formatter import format_source
from gthulhuc.frontend import check
from gthulhuc.importers.document import Finding, settle, to_text
from gthulhuc.importers.layered import convert
from gthulhuc.importers.layered_actions import _KEYS
from gthulhuc.importers.layered_matches import _KINDS
from gthulhuc.importers.reading import read_json
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.reference import DEFAULT, Task, classify
from gthulhuc.source import Source
from layered_matcher import Task as LayeredTask
from layered_matcher import layer_of, random_layers, random_tasks

DATA = Path(__file__).parents[1] / "data/import/layered"
OPEN: dict[str, Any] = {"Open": {}}


def imported(layers: object) -> tuple[checked.Policy, dict[str, int], list[Finding]]:
    """The policy, the index of the layer of each class, and the report."""
    document, findings = convert("x.json", layers)
    document, refused = settle(document)
    source = Source("imported.gpl", to_text(document))
    policy, problems = check(source)
    assert policy is not None
    assert not [problem for problem in problems if problem.is_error]
    assert format_source(source)[0] == source.text
    rules = [*document.rules, *filter(None, [document.default])]
    places = {rule.name: int(re.findall(r"\[(\d+)\]", rule.place)[0]) for rule in rules}
    return policy, places, [*findings, *refused]


def ours(task: LayeredTask, policy: checked.Policy) -> Task:
    """A task as the language sees it, labelled as the importer's report asks for."""
    pids = {"pid": task.pid, "tgid": task.tgid, "ppid": task.ppid}
    labels = {f"imported-{key}".encode(): str(pid).encode() for key, pid in pids.items()}
    parts = [part for rule in policy.rules for part in leaves(rule.match)]
    calls = [part for part in parts if isinstance(part, checked.Calls)]
    return Task(
        comm=task.comm.encode(),
        process=task.process.encode(),
        cgroup=task.cgroup.encode(),
        numbers={Field.NICE: task.nice, Field.UID: task.uid, Field.GID: task.gid},
        kthread=task.kthread,
        leader=task.pid == task.tgid,
        labels=labels,
        calls=frozenset(calls if task.gpu_thread else ()),
    )


def excused(findings: list[Finding], layers: set[int | None]) -> bool:
    """Whether the report says of one of the layers that a match is approximated or lost."""
    for finding in findings:
        said = re.match(r"layer `.*?` (?:becomes|is left out)[^;]*; it (.*)", finding.message)
        index = re.findall(r"\[(\d+)\]", finding.place)
        if said is None or int(index[0]) not in layers:
            continue
        changed = re.split(r"approximates |loses ", said[1], maxsplit=1)[1:]
        if any(f"`{kind}`" in text for text in changed for kind in _KINDS):
            return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_tasks_are_in_the_rule_of_their_layer_but_where_the_report_says_so(seed: int) -> None:
    choice = random.Random(seed)
    layers = random_layers(choice)
    policy, places, findings = imported(layers)
    told = any("kernel threads" in finding.message for finding in findings)
    agreed = 0
    for task in random_tasks(choice, 200):
        expected = layer_of(layers, task)
        found = places.get(classify(policy, ours(task, policy)).name)
        agreed += expected == found
        if expected != found and not (task.kthread and told):
            assert excused(findings, {expected, found}), (task, expected, found)
    assert agreed


def test_without_lost_matches_all_tasks_but_kernel_threads_agree() -> None:
    layers: list[dict[str, Any]] = [
        {"name": "a", "matches": [[{"CommPrefix": "java"}], [{"NiceAbove": 4}]], "kind": OPEN},
        {"name": "b", "matches": [[{"CgroupPrefix": "batch.slice"}]], "kind": OPEN},
        {"name": "c", "matches": [[{"UIDEquals": 1000}, {"IsGroupLeader": True}]], "kind": OPEN},
        {"name": "d", "matches": [[]], "kind": {"Open": {"weight": 7}}},
    ]
    policy, places, _ = imported(layers)
    tasks = [task for task in random_tasks(random.Random(7), 2000) if not task.kthread]
    found = [places[classify(policy, ours(task, policy)).name] for task in tasks]
    assert found == [layer_of(layers, task) for task in tasks]
    assert set(found) == {0, 1, 2, 3}


def test_the_examples_have_every_match_and_every_key() -> None:
    matches = (DATA / "every-match.json").read_text()
    assert [kind for kind in _KINDS if f'"{kind}"' not in matches] == []
    keys = (DATA / "every-key.json").read_text()
    assert [key for row in _KEYS.values() for key in row if f'"{key}"' not in keys] == []


def test_each_key_as_written_is_in_the_report() -> None:
    for name in ("every-match.json", "every-key.json"):
        layers = json.loads((DATA / name).read_text())
        _, findings = convert(name, layers)
        for index, layer in enumerate(layers):
            (settings,) = layer["kind"].values()
            kinds = [kind for block in layer["matches"] for match in block for kind in match]
            summary = next(
                finding.message
                for finding in findings
                if finding.place == f"{name}: [{index}]" and finding.message.startswith("layer ")
            )
            if "is left out" in summary:
                settings = {}
            unused = {key for key, value in settings.items() if value is None} | {
                "member_expire_ms"
            }
            missing = [key for key in {*settings, *kinds} - unused if f"`{key}`" not in summary]
            assert missing == []


def test_a_rule_takes_over_no_action_of_default() -> None:
    layers = [
        {"name": "plain", "matches": [[{"CommPrefix": "x"}]], "kind": OPEN},
        {
            "name": "rest",
            "matches": [[]],
            "kind": {"Open": {"preempt": True, "perf": 100, "nodes": [0], "placement": "Sticky"}},
        },
    ]
    policy, _, _ = imported(layers)
    lone, _, _ = imported(layers[:1])
    actions = [replace(found.rules[0].actions, written=(), numbers={}) for found in (policy, lone)]
    assert actions[0] == actions[1]
    assert classify(policy, Task(comm=b"y")).name == DEFAULT


def test_a_layer_preempts_nothing_where_no_other_is_left() -> None:
    hidden = [
        {"name": "a", "matches": [[{"CommPrefix": "x"}]], "kind": {"Open": {"preempt": True}}},
        {"name": "b", "matches": [[{"CommPrefix": "xy"}]], "kind": OPEN},
        {"name": "rest", "matches": [[]], "kind": {"Open": {"preempt": True}}},
    ]
    for layers in (hidden, hidden[2:]):
        policy, _, findings = imported(layers)
        assert all(rule.actions.preempt is None for rule in policy.rules)
        assert "no layer is left whose tasks" in " ".join(found.message for found in findings)


def test_more_than_fits_into_a_policy_is_an_error_and_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.json"
    matches = [[{"PIDEquals": pid}] for pid in range(1, 100)]
    path.write_text(json.dumps([{"name": "a", "matches": matches, "kind": OPEN}]))
    assert gthulhu.main(["import", "layered", str(path)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "the settings do not fit into a policy: more than 64 comparisons" in err


def test_a_pattern_of_any_length_takes_little_time() -> None:
    for length in (512, 4000):
        match = {"CgroupContains": "x" * length}
        layers = [{"name": "a", "matches": [[match]], "kind": OPEN}]
        before = time.process_time()
        settled, _ = settle(convert("x.json", layers)[0])
        assert time.process_time() - before < 5
        assert bool(settled.rules) == (length == 512)


@pytest.mark.parametrize(
    ("layer", "place", "key"),
    [
        ({"kind": {"Open": {"slice_us": "5ms"}}}, "[0].kind.Open.slice_us", "slice_us"),
        ({"kind": {"Open": {"llcs": [0.5]}}}, "[0].kind.Open.llcs", "llcs"),
        ({"kind": {"Grouped": {"util_range": [1]}}}, "[0].kind.Grouped.util_range", "util_range"),
        ({"kind": {"open": {}}}, "[0].kind.open", "open"),
        ({"matches": [[{"commPrefix": "x"}]]}, "[0].matches[0][0].commPrefix", "commPrefix"),
        ({"matches": [[{"UIDEquals": -1}]]}, "[0].matches[0][0].UIDEquals", "UIDEquals"),
        ({"matches": [[], [{"NSPIDEquals": [1]}]]}, "[0].matches[1][0].NSPIDEquals", "NSPIDEquals"),
        ({"template": {"CommPrefix": "x"}}, "[0].template.CommPrefix", "CommPrefix"),
        ({"comment": 5}, "[0].comment", "comment"),
    ],
)
def test_an_error_names_the_key_as_it_was_written(
    layer: dict[str, Any], place: str, key: str
) -> None:
    whole = {"name": "a", "matches": [[{"CommPrefix": "x"}]], "kind": OPEN, **layer}
    _, findings = convert("s.json", [whole])
    (error,) = [finding for finding in findings if finding.is_error]
    assert error.place == f"s.json: {place}"
    assert f"the layer is skipped: `{key}`" in str(error)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[{]", "x.json:1:3: error: not JSON"),
        (b"\xff", "x.json:1: error: not UTF-8"),
        (b"[" * 100_000, "x.json: error: nested too deeply"),
        (b'[{"a": 1, "a": 2}]', "an object has the key `a` twice"),
        (b"[NaN]", "`NaN` is not a number"),
        (b"9" * 5000, "x.json: error: not JSON"),
    ],
)
def test_an_error_in_json_has_a_place(data: bytes, said: str) -> None:
    _, findings = read_json("x.json", data)
    assert said in str(findings[0])


def test_the_file_can_be_standard_input_and_the_output_a_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "policy.gpl"
    assert gthulhu.main(["import", "layered", str(DATA / "every-key.json"), "-o", str(out)]) == 0
    assert gthulhu.main(["check", str(out)]) == 0
    assert "rules and `default`" in capfd.readouterr().err
