# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain --pid` and `--all` of tasks whose rules ask about labels or calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explained_machine import Machine

LABELS = """\
policy shop {}
rule web   { match label "tier" == "front" }
rule api   { match namespace == "prod" and not label "canary" }
rule calm  { match comm == "nginx" }
"""
HELD: dict[str, Any] = {
    "label_sets": [
        {
            "number": 1,
            "facts": [{"fact": "label:tenant=x", "from": 5}, {"fact": "label:tier=front"}],
        },
        {"number": 2, "facts": [{"fact": "label:tier=b\N{REPLACEMENT CHARACTER}"}]},
    ],
    "containers": [
        {
            "cgroup": "/pods/api", "complete": True,
            "facts": [{"fact": "label:tier=back"}, {"fact": "namespace=prod"}],
        },
        {"cgroup": "/pods/api/new", "complete": False, "facts": [{"fact": "namespace=prod"}]},
    ],
}  # fmt: skip


@pytest.fixture
def labelled(tmp_path: Path) -> Iterator[Machine]:
    with closing(Machine(tmp_path, LABELS)) as machine:
        machine.labels = HELD
        yield machine


def test_labels_are_among_what_was_matched(labelled: Machine) -> None:
    labelled.task(5, "sh", "default")
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api/main", 1)
    labelled.task(8, "nginx", "api")
    labelled.label(8, "/pods/api")
    labelled.task(9, "nginx", "calm")
    labelled.task(10, "nginx", "calm")
    labelled.label(10, "/pods/api/new")
    said = {tid: labelled.explain("--pid", str(tid)) for tid in (7, 8, 9, 10)}
    assert all((each.returncode, each.stderr) == (0, "") for each in said.values())
    rows = {
        tid: each.stdout.replace(f"{labelled.folder}/", "").splitlines()[3:]
        for tid, each in said.items()
    }
    assert rows[7][:4] == [
        "  labels   tenant=x  (from process 5 `sh`, which started it)",
        "           tier=front  (its own)",
        "           namespace=prod  (of its container, /pods/api)",
        '  because  label "tier" == "front"  (shop.gpl:2:20)',
    ]
    assert rows[8][0] == "  labels   tier=back, namespace=prod  (of its container, /pods/api)"
    assert rows[8][1].startswith('  because  namespace == "prod"')
    assert rows[9][0] == (
        "  labels   unknown: the loader knows no container of it (run `gthulhu agent`)"
    )
    assert '  because  comm == "nginx"  (shop.gpl:4:20)' in rows[9]
    assert any(
        "`web` (shop.gpl:2:1) may take it once its labels are known" in row for row in rows[9]
    )
    assert rows[10][1] == (
        "           others are unknown yet: the loader does not know all of its container, "
        "/pods/api/new"
    )


def test_labels_for_programs(labelled: Machine) -> None:
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api/main", 1)
    answer = json.loads(labelled.explain("--pid", "7", "--json").stdout)
    assert answer["labels"] == {
        "facts": [
            {"fact": "label:tenant=x", "of": "task", "from": 5},
            {"fact": "label:tier=front", "of": "task", "from": None},
            {"fact": "namespace=prod", "of": "container", "from": None},
        ],
        "cgroup": "/pods/api",
        "complete": True,
    }
    assert (answer["differs"], answer["expected"]) == (False, ["web"])
    assert [part["predicate"] for part in answer["explanation"]["decided"]] == [
        'label "tier" == "front"'
    ]


def test_a_difference_by_a_label_is_loud(labelled: Machine) -> None:
    labelled.task(7, "nginx", "calm")
    labelled.label(7, "/pods/api", 1)
    labelled.task(8, "nginx", "web")  # nothing is known of it
    labelled.task(9, "sh", "api")
    labelled.label(9, "/pods/api/new")  # whether it has `canary` is not
    labelled.task(10, "sh", "api")
    labelled.label(10, "/pods/api")
    result = labelled.explain("--all")
    assert result.returncode == 1
    assert re.findall(r"DIFFER: task (\d+) .* should be in (.*)", result.stderr) == [
        ("7", "`web`"), ("8", "`calm`"), ("9", "`default`"),
    ]  # fmt: skip


def test_facts_unknown_to_the_loader_are_no_difference(labelled: Machine) -> None:
    # A cgroup that was removed, a label that is no text, a set that came after the answer.
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api (deleted)")
    labelled.task(8, "nginx", "web")
    labelled.label(8, "/", 2)
    labelled.task(9, "nginx", "web")
    labelled.label(9, "/", 3)
    result = labelled.explain("--all")
    assert (result.returncode, result.stderr) == (0, "")
    said = labelled.explain("--pid", "8").stdout
    assert said.splitlines()[-1] == "  because  probably of a label that only the scheduler knows"


def test_a_class_by_a_call(tmp_path: Path) -> None:
    policy = """\
policy shop {}
rule net  { match calls "udp_rcv" within 1s }
rule calm { match comm == "nginx" }
"""
    machine = Machine(tmp_path, policy)
    for tid, name in ((7, "net"), (8, "calm"), (9, "default")):
        machine.task(tid, "nginx", name)
    try:
        by_call, by_name, neither = (machine.explain("--pid", pid) for pid in ("7", "8", "9"))
    finally:
        machine.close()
    assert by_call.stdout.splitlines()[-1] == (
        "  because  probably of a function that it has called"
    )
    assert '  because  comm == "nginx"' in by_name.stdout
    unless = f"  unless   `net` ({tmp_path}/shop.gpl:2:1) takes it if it calls the function\n"
    assert unless in by_name.stdout
    assert "  assumed  the kernel functions that it calls are unknown\n" in by_name.stdout
    assert [run.returncode for run in (by_call, by_name, neither)] == [0, 0, 1]


def test_labels_decide_whether_calls_matter(tmp_path: Path) -> None:
    policy = """\
policy shop {}
rule net  { match label "tier" == "front" and calls "udp_rcv" within 1s }
rule prod { match namespace == "prod" }
"""
    machine = Machine(tmp_path, policy)
    machine.labels = HELD
    machine.task(7, "front", "net")
    machine.label(7, "/pods/api", 1)
    machine.task(8, "back", "net")
    machine.label(8, "/pods/api")
    machine.task(9, "both", "prod")
    machine.label(9, "/pods/api", 1)
    machine.task(10, "removed", "net")
    machine.label(10, "/pods/api (deleted)")
    machine.task(11, "kworker", "net", kthread=True)
    machine.label(11, "/", 1)
    try:
        said = machine.explain("--all")
        front, removed = (machine.explain("--pid", pid).stdout for pid in ("7", "10"))
    finally:
        machine.close()
    assert re.findall(r"DIFFER: task (\d+) .* should be in (.*)", said.stderr) == [
        ("8", "`prod`"), ("11", "`kernel threads`"),
    ]  # fmt: skip
    calls = "  because  probably of a function that it has called"
    assert front.splitlines()[-1] == calls
    assert removed.splitlines()[-1] == f"{calls} or a label that only the scheduler knows"
