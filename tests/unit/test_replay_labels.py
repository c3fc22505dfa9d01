# SPDX-License-Identifier: Apache-2.0
"""Rules about labels take the tasks of a record that have them."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

import gtr
from gthulhu.record.columns import Row
from gthulhu.record.events import Code
from gthulhu.record.labels import Container, Labels
from gthulhu.record.reader import Record
from gthulhu_lab.replay import extract, figures, scenario
from gthulhu_lab.replay.actions import Overhead
from gthulhu_lab.simulation import machine, play
from gthulhuc.cli import gthulhu
from library import policy_of

AT = gtr.BEGIN_NS
TURN_NS = 4_000_000
POLICY = """\
policy p {}
rule batch  { match label "tier" == "batch"  slice 3ms }
rule front  { match label "tier" ~ "fro*" and pod == "web-0"  slice 4ms }
rule shop   { match namespace =~ "sho+p"  slice 5ms }
rule others { match not label "tier"  slice 6ms }
"""
CGROUPS = {
    2: b"/docker/web", 3: b"/docker/web/inner", 4: b"/docker/shop", 5: b"/system.slice/x.service",
    6: b"/docker/late", 7: b"/unknown",
}  # fmt: skip
TASKS = {10: 2, 11: 3, 12: 4, 13: 5, 14: 2, 15: 7}
"""Their cgroups. Task 14 forks 16, and 10 moves to /docker/late."""
FRONT, SHOP = ("label:tier=front", "pod=web-0"), ("label:tier=%x", "namespace=shop")
BEFORE = Labels(
    {
        "/docker/web": Container(FRONT, complete=True),
        "/docker/shop": Container(SHOP, complete=False),
        "/docker/none": Container(("label:tier=batch",), complete=True),
        "/system.slice/x.service": Container((), complete=True),
    },
    {14: ("label:tier=batch",)},
)
AFTER = Labels({"/docker/late": Container(("label:tier=batch",), complete=False)})


@pytest.fixture(scope="module")
def player() -> play.Player:
    return play.Player(costed=False)


def write(path: Path, *labels: Labels) -> Path:
    """A record in which tasks run in turn."""
    rows = [gtr.cgroup(AT - 9, number, name) for number, name in CGROUPS.items()]
    rows += [
        gtr.task(AT - 8, number, f"t{number}".encode(), cgroup=cgroup)
        for number, cgroup in TASKS.items()
    ]
    at_ns, before = AT + 1000, 0
    for turn in range(60):
        number = 10 + turn % 7
        if turn == 5:
            rows.append(Row(at_ns - 500, Code.FORK, 16, 14, 0, b""))
        if turn == 6:
            rows.append(gtr.task(at_ns - 500, 16, b"t16", cgroup=2))
        if turn == 30:
            rows.append(Row(at_ns - 500, Code.ATTACH, 10, 0, 1, struct.pack("<Q", 6)))
        rows.append(gtr.switch(at_ns, before, number))
        at_ns, before = at_ns + TURN_NS, number
    blocks = [block for each in labels for block in each.blocks(AT)]
    return gtr.write(path, [*blocks, gtr.round_at(AT), gtr.events(0, rows), gtr.round_at(at_ns)])


def rules(path: Path, player: play.Player, text: str = POLICY) -> dict[int, set[str]]:
    """The rules that took each task in a replay."""
    policy, place = policy_of(text), replace(machine.read("1"), costs={})
    names = [each.name for each in play.classes_of(policy, place).classes]
    with Record.open(path) as record:
        found = extract.extract(record, Overhead())
        lines = player.output(
            player.policy(policy, place), "\n".join([*scenario.write(record, found, place), ""])
        )
        tasks = figures.of_lines(lines.splitlines(), found.length_ns).tasks
    return {
        each.task.number: {names[number] for number in tasks[each.number].classes}
        for each in found.courses
    }


def test_rules_take_containers_and_tasks_by_their_labels(
    tmp_path: Path, player: play.Player
) -> None:
    path = write(tmp_path / "labels.gtr", BEFORE, AFTER)
    assert rules(path, player) == {
        10: {"front", "batch"}, 11: {"front"}, 12: {"shop"}, 13: {"others"}, 14: {"batch"},
        15: {"default"}, 16: {"batch"},
    }  # fmt: skip


def test_labels_that_are_not_known_are_neither_true_nor_false(
    tmp_path: Path, player: play.Player, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "plain.gtr")
    assert set().union(*rules(path, player).values()) == {"default"}
    (tmp_path / "p.gpl").write_text(POLICY)
    assert gthulhu.main(["replay", str(path), str(tmp_path / "p.gpl"), "--no-costs"]) == 0
    said = capsys.readouterr().out
    assert "rule `front`: the record has no labels, pods and containers" in said
    labelled = write(tmp_path / "labels.gtr", BEFORE)
    assert gthulhu.main(["replay", str(labelled), str(tmp_path / "p.gpl"), "--no-costs"]) == 0
    assert "has no labels" not in capsys.readouterr().out


def test_an_anonymous_record_has_the_labels_that_its_policy_asks_for(
    tmp_path: Path, player: play.Player
) -> None:
    path, shared = write(tmp_path / "labels.gtr", BEFORE, AFTER), tmp_path / "shared.gtr"
    (tmp_path / "p.gpl").write_text(POLICY)
    options = ["--anonymise", "--keep", str(tmp_path / "p.gpl"), "-o", str(shared), str(path)]
    assert gthulhu.main(["record", *options]) == 0
    assert rules(shared, player) == rules(path, player)
