# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The walk of docs/know-before.md, as it stands there: a guest is the node, this machine the other.

The node has neither a compiler nor Python's packages for a replay, so this machine suggests,
replays and tunes. Three things are otherwise than the page says. The recording and the trial are
shorter. clang has the objects of the policy already, which an emulated one takes long for. The
guest that tries the policy is another one than the guest that was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import guest_python
import replay_scenes
import walk
from replay_scenes import AWAIT_READY, MODULES, SCENES, run_guest, starts

pytestmark = [pytest.mark.vm, pytest.mark.soak]

PAGE = Path(__file__).parents[2] / "docs" / "know-before.md"
BLOCKS = [block for block in walk.blocks_of(PAGE.read_text()) if block.section == "The walk"]
SCENE = SCENES["pgbench"]
MEMORY_MIB = 3072  # clang and PostgreSQL are in it, packed and unpacked
SHORTER = {"--for 60s": "--for 3s", "--trial 10m": "--trial 32s"}

SCRIPT = """
sudo() { "$@"; }
set -- walk
STARTED=
mkdir -p /node $RESULTS/$1.work
cd /node
%s
%s
sleep 0.3
%s
cp -p node.gtr policy.gpl $RESULTS 2>/dev/null
kill -TERM $STARTED
wait $STARTED
gthulhu stop >$RESULTS/stop 2>&1
exit 0
"""


def _shorter(command: walk.Command) -> walk.Command:
    text = command.text
    for long_, short in SHORTER.items():
        text = text.replace(long_, short)
    return replace(command, text=text)


for number, each in enumerate(BLOCKS):
    # By their numbers, not by lines: a changed sentence needs no other guest.
    each.commands = [
        replace(_shorter(command), line=10 * number + place)
        for place, command in enumerate(each.commands)
    ]
COMMANDS = walk.commands_of(BLOCKS)
RECORD = [each for each in COMMANDS if " record " in each.text]
TRIAL = [each for each in COMMANDS if each not in RECORD and each.text.startswith("sudo ")]
HERE = [each for each in COMMANDS if each not in RECORD + TRIAL]


def _walked(
    commands: list[walk.Command], files: Mapping[str, Path | str | bytes]
) -> Mapping[str, bytes]:
    """Runs commands on the loaded node; returns what they leave."""
    script = SCRIPT % (
        starts(SCENE, is_prepared=True),
        starts(SCENE, is_prepared=False),
        "\n".join(walk.lines(commands, "$LAB/walk")),
    )
    walked = {f"walk/{name}": content for name, content in walk.files(commands).items()}
    whole = AWAIT_READY + script
    return run_guest(SCENE, whole, {**walked, **files}, memory_mib=MEMORY_MIB).files


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The output of each command, and its status."""
    place, aside = tmp_path_factory.mktemp("place"), tmp_path_factory.mktemp("aside")
    recorded = _walked(RECORD, guest_python.files(*MODULES))
    (place / "node.gtr").write_bytes(recorded["node.gtr"])
    suggested = walk.here(HERE, place, aside)
    policy = (place / "policy.gpl").read_bytes()
    objects = {
        **guest_python.compiled(place),
        **guest_python.compiled(place, "--monitor"),
    }
    tried = _walked(
        TRIAL,
        {
            **guest_python.files("gthulhu.preview", "gthulhu.trial", reading=True, compiling=True),
            **objects,
            "/node/policy.gpl": policy,
        },
    )
    return {**recorded, **suggested, **tried, "policy.gpl": policy}


def test_the_walk_goes_from_a_record_to_a_trial() -> None:
    walked = " ".join(command.text for command in COMMANDS)
    words = (" record ", " suggest ", " replay ", " tune ", " --monitor ", " --trial ")
    assert [walked.index(word) for word in words] == sorted(walked.index(word) for word in words)
    assert all(any(each.text.count(short) for each in COMMANDS) for short in SHORTER.values())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.text)
def test_each_command_ends_as_the_page_says(
    found: Mapping[str, bytes], command: walk.Command
) -> None:
    walk.check_status(command, found)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.shown is not None], ids=str)
def test_shown_text_matches_the_output(found: Mapping[str, bytes], block: walk.Block) -> None:
    walk.check_shown(block, found)


def test_the_policy_lets_the_database_go_first(found: Mapping[str, bytes]) -> None:
    policy = found["policy.gpl"].decode()
    assert 'rule front {\n    match    comm == "front"\n    priority high\n' in policy
    assert "promise front over 10s {" in policy


def test_the_node_keeps_the_policy_after_its_trial(found: Mapping[str, bytes]) -> None:
    (trial,) = (each for each in TRIAL if "--trial" in each.text)
    assert "every promise held" in found[trial.name].decode()


def test_the_scene_is_the_one_that_the_page_names() -> None:
    assert f"scene `{SCENE.name}` of `tests/replay_scenes.py`" in PAGE.read_text().replace(
        "\n", " "
    )
    assert replay_scenes.SCENES[SCENE.name].cpus == 2
