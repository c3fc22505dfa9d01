# SPDX-License-Identifier: Apache-2.0
"""Labels of containers and tasks in a record."""

from __future__ import annotations

import errno
import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import gtr
from agent_machine import A, B
from fake_loader import FakeLoader
from gthulhu.agent.agent import Places
from gthulhu.agent.inotify import Inotify
from gthulhu.progress import Progress
from gthulhu.record import recorder, writer
from gthulhu.record.framing import Block, Header, Kind
from gthulhu.record.labels import Container, Labels, Source
from gthulhu.record.reader import Record
from gthulhuc.cli import gthulhu
from gthulhuc.cli.frame import CommandError

WEB, DB = f"/system.slice/docker-{A}.scope", f"/system.slice/docker-{B}.scope"
TASKS: dict[str, Any] = {
    "ok": True,
    "tasks": [
        {"tid": 7, "class": 0, "label_set": 2}, {"tid": 8, "class": 0, "label_set": 2},
        {"tid": 9, "class": 1, "label_set": 0}, {"tid": 10, "class": 1, "label_set": 3},
    ],
    "label_sets": [{"number": 2, "facts": [{"fact": "label:tier=batch", "from": 7}]}],
    "containers": [
        {"cgroup": WEB, "facts": [{"fact": "label:tier=api"}], "complete": False},
    ],
}  # fmt: skip
"""A response to `tasks`. Task 10 has a set that is newer than the list of them."""
SAID = Labels(
    {
        WEB: Container(("label:tier=front", "label:team=blue", "pod=web-0"), complete=True),
        "/other": Container(("label:team=red",), complete=False),
        "/plain": Container((), complete=True),
    },
    {7: ("label:tier=batch",), 8: ("label:team=red",), 9: ("label:tier=batch",)},
)
POLICY = """\
policy p {}
rule front { match label "tier" == "front" or label "zone"  slice 3ms }
rule pods  { match pod != "x-0" and unit ~ "docker-*"  slice 4ms }
"""


class Node:
    """Folders of cgroups and containers, and of a loader that may run."""

    def __init__(self, folder: Path) -> None:
        self.cgroups, self.root, self.state = folder / "cgroup", folder / "root", folder / "run"
        for each in (self.cgroups, self.root, self.state):
            each.mkdir()
        self.labels = folder / "labels.toml"

    def start(self, number: str, tier: str) -> None:
        (self.cgroups / f"system.slice/docker-{number}.scope").mkdir(parents=True)
        place = self.root / f"var/lib/docker/containers/{number}/config.v2.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({"Name": f"/{tier}", "Config": {"Labels": {"tier": tier}}}))

    def source(self) -> Source:
        return Source(Places(str(self.state), str(self.labels), str(self.cgroups), self.root))


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    blocks = SAID.blocks(gtr.BEGIN_NS)
    return gtr.write(tmp_path / "labels.gtr", [*blocks, *gtr.small()])


def content(path: Path) -> bytes:
    with Record.open(path) as record:
        return b"".join(block.content for block in record.blocks())


def labels_of(path: Path) -> Labels:
    with Record.open(path) as record:
        assert record.damage is None
        return record.labels


def test_labels_are_those_that_the_agent_finds(node: Node) -> None:
    node.start(A, "front")
    (node.cgroups / "init.scope").mkdir()
    node.labels.write_text('[[cgroup]]\npath = "/init*"\nlabels = { tier = "init" }\n')
    assert node.source().read() == Labels({
        "/": Container((), complete=True),
        "/init.scope": Container(("label:tier=init",), complete=True),
        "/system.slice": Container((), complete=False),
        WEB: Container(("container=front", "label:tier=front"), complete=True),
    })  # fmt: skip


def test_labels_of_a_loader_win(node: Node) -> None:
    node.start(A, "front")
    node.start(B, "db")
    with closing(FakeLoader(node.state, {"tasks": TASKS})):
        found = node.source().read()
    assert found.containers[WEB] == Container(("label:tier=api",), complete=False)
    assert found.containers[DB].facts == ("container=db", "label:tier=db")
    assert found.tasks == {7: ("label:tier=batch",), 8: ("label:tier=batch",)}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"ok": True, "tasks": []}, ""),
        ({"ok": True, "label_sets": []}, "warning: the loader's labels are missing: response from"),
    ],
)
def test_a_loader_without_labels_is_no_error(
    node: Node, answer: dict[str, Any], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(FakeLoader(node.state, {"tasks": answer})):
        assert node.source().read() == Labels({"/": Container((), complete=True)})
    assert capfd.readouterr().err.startswith(said)


def test_labels_that_cannot_be_read_are_no_reason_to_lose_a_record(
    node: Node, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Inotify, path: str, mask: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Inotify, "add", refuse)
    assert node.source().read() == Labels()
    said = "warning: labels of containers are missing: No space left on device\n"
    assert capfd.readouterr().err == said


def test_a_file_of_labels_has_to_be_valid(node: Node) -> None:
    node.labels.write_text("[[cgroup]]\n")
    with pytest.raises(CommandError, match=r"labels\.toml: an entry needs `path") as error:
        node.source()
    assert "--labels" in error.value.hint


def test_a_container_that_starts_meanwhile_is_in_the_record(
    node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node.start(A, "front")
    node.start(B, "db")
    later = node.cgroups / DB[1:]
    later.rmdir()
    program = gtr.fake_recorder(tmp_path, gtr.small(), then=f"os.mkdir({str(later)!r})")
    monkeypatch.setenv("GTHULHU_RECORD", str(program))
    path = tmp_path / "a.gtr"
    with writer.new_file(str(path), force=False) as file:
        wanted = recorder.Wanted(1, 1 << 20, 1.0, node.source())
        recorder.record(file, wanted, Progress())
    with Record.open(path) as record:
        assert record.damage is None
        kinds = [block.header.kind for block in record.blocks()]
        assert (kinds[:2], kinds[-2:]) == ([Kind.INFO, Kind.LABELS], [Kind.LABELS, Kind.END])
        assert len(list(record)) == 12
        assert DB not in str([*record.blocks()][1].content)
        assert {WEB, DB} <= record.labels.containers.keys()


def test_labels_are_read_as_they_were_written(tmp_path: Path) -> None:
    many = Labels({f"/\udcff{number}": SAID.containers[WEB] for number in range(100)}, SAID.tasks)
    blocks = [*many.blocks(gtr.BEGIN_NS)]
    assert len(blocks) == 5
    later = Labels({"/\udcff7": Container((), complete=False)}, {8: ("label:a=b",)})
    path = gtr.write(tmp_path / "a.gtr", [*blocks, *later.blocks(gtr.BEGIN_NS), *gtr.small()])
    assert labels_of(path) == Labels(
        {**many.containers, **later.containers}, {**SAID.tasks, **later.tasks}
    )


def test_info_counts_labels(labelled: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["record", "--info", str(labelled)]) == 0
    assert "labels     of 2 containers and 3 tasks\n" in capfd.readouterr().out
    assert gthulhu.main(["record", "--info", "--json", str(labelled)]) == 0
    assert json.loads(capfd.readouterr().out)["labels"] == {"containers": 2, "tasks": 3}


def test_a_record_of_an_older_version_has_none(tmp_path: Path) -> None:
    assert labels_of(gtr.write(tmp_path / "a.gtr", gtr.small())) == Labels()


@pytest.mark.parametrize(
    "said",
    [
        '{"containers": [{"cgroup": "/"}], "tasks": []}',
        r'{"containers": [], "tasks": [{"tasks": [7], "facts": ["pod=\ud800"]}]}',
        '{"tasks": 3}',
        "[]",
        "{",
    ],
)
def test_wrong_labels_are_damage(tmp_path: Path, said: str) -> None:
    block = Block(Header(Kind.LABELS, 0, 0, len(said), len(said), 0, 0, 0), said.encode())
    path = gtr.write(tmp_path / "a.gtr", [block, gtr.round_at(gtr.BEGIN_NS)])
    with Record.open(path) as record:
        assert "a block cannot be read" in str(record.damage)


@pytest.fixture(params=[False, True])
def shared(request: pytest.FixtureRequest, labelled: Path, tmp_path: Path) -> Path:
    """An anonymous copy, without and with a policy that it is for."""
    keep: tuple[str, ...] = ()
    if request.param:
        (tmp_path / "p.gpl").write_text(POLICY)
        keep = ("--keep", str(tmp_path / "p.gpl"))
    path = tmp_path / "shared.gtr"
    assert gthulhu.main(["record", "--anonymise", *keep, "-o", str(path), str(labelled)]) == 0
    return path


@pytest.mark.parametrize("shared", [False], indirect=True)
def test_an_anonymous_record_has_no_labels(shared: Path) -> None:
    found = labels_of(shared)
    assert [each.facts for each in found.containers.values()] == [(), (), ()]
    assert [each.complete for each in found.containers.values()] == [True, False, True]
    assert found.tasks == {}
    hidden = (b"front", b"blue", b"red", b"web-0", b"batch", b"plain", b"docker")
    assert not any(word in content(shared) for word in hidden)


@pytest.mark.parametrize("shared", [True], indirect=True)
def test_a_policy_keeps_the_labels_that_it_asks_for(shared: Path) -> None:
    found = labels_of(shared)
    web, other, plain = found.containers
    assert web == WEB
    assert found.containers[web] == Container(
        ("label:tier=front", "pod=value-1"), complete=True
    )  # `pod != "x-0"` needs that there is one
    assert found.containers[other] == Container((), complete=False)
    assert plain.startswith("/group-")
    assert found.tasks == {7: ("label:tier=value-2",), 9: ("label:tier=value-2",)}
    hidden = (b"team", b"blue", b"red", b"web-0", b"batch")
    assert not any(word in content(shared) for word in hidden)


def test_blocks_of_later_versions_are_not_in_an_anonymous_copy(tmp_path: Path) -> None:
    block = Block(Header(77, 0, 0, 6, 6, 0, 0, gtr.BEGIN_NS), b"secret")
    path = gtr.write(tmp_path / "a.gtr", [block, *gtr.small()])
    assert b"secret" in content(path)
    shared = tmp_path / "shared.gtr"
    assert gthulhu.main(["record", "--anonymise", "-o", str(shared), str(path)]) == 0
    assert b"secret" not in content(shared)
