# SPDX-License-Identifier: Apache-2.0
"""The examples in examples/, and where each of them can run."""

from __future__ import annotations

import functools
import itertools
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import walk
from walk import Block, Command

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples"
_SCHEDULES = re.compile(r"^gthulhu run\b", re.MULTILINE)
_BOOTS = re.compile(r"^gthulhu (run|verify|bench|lab)\b")


@dataclass(frozen=True)
class Example:
    """A folder with a README whose commands run, and with the files that they need."""

    name: str

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @functools.cached_property
    def text(self) -> str:
        return (self.folder / "README.md").read_text()

    @functools.cached_property
    def blocks(self) -> list[Block]:
        return walk.blocks_of(self.text)

    @property
    def commands(self) -> list[Command]:
        return walk.commands_of(self.blocks)

    @property
    def schedules(self) -> bool:
        """Whether it loads a policy, which needs a kernel with sched_ext."""
        return any(_SCHEDULES.search(command.text) for command in self.commands)

    @property
    def at_the_desk(self) -> list[Command]:
        """The commands before the first that boots a guest or loads a policy."""
        return list(
            itertools.takewhile(lambda command: not _BOOTS.search(command.text), self.commands)
        )

    def take(self, commands: Sequence[Command], aside: Path) -> dict[str, bytes]:
        """Runs commands here in a copy of the folder; returns the files that they leave."""
        place = aside / self.name
        shutil.copytree(self.folder, place)
        before = listing(place)
        found = walk.here(commands, place, aside)
        if commands == self.commands:
            assert listing(place) == before, "it does not clean up"
        return found


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


ALL = [Example(path.parent.name) for path in sorted(FOLDER.glob("*/README.md"))]


def shown(blocks: Sequence[Block], commands: Sequence[Command]) -> list[Block]:
    """The blocks of these commands whose output is in the document."""
    return [
        block
        for block in blocks
        if block.shown is not None and all(each in commands for each in block.commands)
    ]
