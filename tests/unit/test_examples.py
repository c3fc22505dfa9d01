# SPDX-License-Identifier: Apache-2.0
"""The examples: commands that need no kernel, and texts that match their files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import examples
import walk
from examples import Example
from gthulhuc.cli import gthulhu

TEXTS = [(example, example.text) for example in examples.ALL]


def blocks(kind: str) -> list[tuple[Example, str]]:
    return [
        (e, each)
        for e, text in TEXTS
        for each in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    ]


@pytest.mark.parametrize("example", examples.ALL, ids=lambda example: example.name)
def test_example_commands_print_what_the_text_shows(example: Example, tmp_path: Path) -> None:
    commands = example.at_the_desk

    found = example.take(commands, tmp_path)

    for command in commands:
        walk.check_status(command, found)
    for block in examples.shown(example.blocks, commands):
        walk.check_shown(block, found)


@pytest.mark.parametrize("kind", ["gpl", "toml"])
def test_quoted_files_match_their_sources(kind: str) -> None:
    there = {
        example: [path.read_text() for path in example.folder.glob(f"*.{kind}")]
        for example in examples.ALL
    }

    assert blocks(kind)
    for example, block in blocks(kind):
        assert any(block in text for text in there[example]), block


def test_policies_are_right_and_laid_out() -> None:
    files = [str(path) for path in sorted(examples.FOLDER.glob("*/*.gpl"))]

    assert gthulhu.main(["fmt", "--check", *files]) == 0
    assert gthulhu.main(["check", "-W", "error", *files]) == 0


def test_the_index_leads_through_all_of_them_in_their_order() -> None:
    index = (examples.FOLDER / "README.md").read_text()

    assert re.findall(r"\]\(([\w-]+)/README\.md\)", index) == [e.name for e in examples.ALL]
