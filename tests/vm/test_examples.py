# SPDX-License-Identifier: Apache-2.0
"""The examples as their texts have them: each command, and what it is said to print.

Those that load a policy are taken one after the other in a guest. The others boot guests
themselves.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

import examples
import guest_loader
import guest_python
import walk
from examples import Example
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

SCHEDULE = [example for example in examples.ALL if example.schedules]
# Their guests take minutes. The commands of all others have tests of their own.
LONG = {*(example.name for example in SCHEDULE), "5-ci", "upf"}
EACH = [
    pytest.param(example, id=example.name, marks=pytest.mark.soak if example.name in LONG else ())
    for example in examples.ALL
]
# Tools that Debian has and busybox lacks, or that differ.
TOOLS = ("bash", "date", "pgrep", "pkill", "taskset")


def script() -> str:
    """All walks, each in a copy of its folder and a shell of its own."""
    lines = ["export PATH=/usr/bin:$PATH NO_COLOR=1", guest_python.shell_functions()]
    for example in SCHEDULE:
        results = f"$RESULTS/{example.name}"
        lines += [f"mkdir -p {results}", "(", f"cd /root/{example.name}"]
        lines += walk.lines(example.commands, f"$LAB/walk/{example.name}", results)
        lines += [f"find . -type f | sort >{results}/left", ")"]
    return "\n".join(lines) + "\n"


@functools.cache
def guest() -> vm.GuestResult:
    files: dict[str, Path | str | bytes] = {
        **guest_loader.FILES,
        **guest_python.files("difflib", compiling=True),
        "walk.sh": script().encode(),
    }
    for tool in TOOLS:
        path = shutil.which(tool)
        assert path, f"{tool} is missing: `make setup` installs it"
        files[f"/usr/bin/{tool}"] = Path(path)
    for example in SCHEDULE:
        files[f"/root/{example.name}"] = example.folder
        takes_stats = any("--stats" in command.text for command in example.commands)
        files |= guest_python.compiled(example.folder, *(["--stats"] if takes_stats else []))
        for name, content in walk.files(example.commands).items():
            files[f"walk/{example.name}/{name}"] = content
    request = vm.GuestRequest(
        script="exec bash $LAB/walk.sh",
        clock=Clock.ICOUNT,
        memory_mib=2048,
        files=files,
        deadline_s=1800,
    )
    return vm.run(request).check()


@functools.cache
def taken(example: Example) -> Mapping[str, bytes]:
    """Returns the outputs of an example's commands, each in the file of its name."""
    if not example.schedules:
        with tempfile.TemporaryDirectory() as folder:
            return example.take(example.commands, Path(folder))
    whole = f"{example.name}/"
    return {
        name.removeprefix(whole): content
        for name, content in guest().files.items()
        if name.startswith(whole)
    }


@pytest.mark.parametrize("example", EACH)
def test_each_command_ends_as_the_text_says(example: Example) -> None:
    for command in example.commands:
        walk.check_status(command, taken(example))


@pytest.mark.parametrize("example", EACH)
def test_shown_text_matches_the_output(example: Example) -> None:
    for block in examples.shown(example.blocks, example.commands):
        walk.check_shown(block, taken(example))


@pytest.mark.soak
@pytest.mark.parametrize("example", SCHEDULE, ids=lambda example: example.name)
def test_loading_commands_clean_up(example: Example) -> None:
    there = [f"./{name}" for name in examples.listing(example.folder)]
    assert taken(example)["left"].decode().splitlines() == there
