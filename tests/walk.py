# SPDX-License-Identifier: Apache-2.0
"""Runs the commands in documents, and compares their output with the text.

A block of `sh` has commands; each must succeed, or end with the status of a trailing
`# status N`. A block of `text` after it shows their output, where numbers with units match any
number and `…` any text. One shell runs all blocks in order.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Command:
    line: int  # of the document, where it begins
    text: str
    status: int  # that it ends with

    @property
    def name(self) -> str:
        return f"{self.line:03}"


@dataclass
class Block:
    """Commands, and their output, if the document shows it."""

    section: str
    commands: list[Command] = field(default_factory=list)
    shown: str | None = None

    def __str__(self) -> str:
        return f"line {self.commands[-1].line}"


def blocks_of(document: str) -> list[Block]:
    """Returns the blocks of sh, in order."""
    blocks: list[Block] = []
    lines: list[str] = []
    kind = section = ""
    for number, line in enumerate(document.splitlines(), start=1):
        if not line.startswith("```"):
            if kind:
                lines.append(line)
            elif line.startswith("## "):
                section = line.removeprefix("## ")
        elif kind:
            if kind == "sh":
                blocks.append(Block(section, list(_commands(lines, number - len(lines)))))
            elif kind == "text":
                blocks[-1].shown = "\n".join(lines)
            kind = ""
        else:
            kind, lines = line[3:], []
    return blocks


def commands_of(blocks: Iterable[Block]) -> list[Command]:
    return [command for block in blocks for command in block.commands]


def _commands(lines: list[str], first: int) -> list[Command]:
    """A command is a line, or a line and the document that follows it."""
    found = []
    numbered = enumerate(lines, start=first)
    for number, line in numbered:
        text = line
        if document := re.search(r"<<'(\w+)'", line):
            for _, more in numbered:
                text += f"\n{more}"
                if more == document[1]:
                    break
        status = re.search(r"# status (\d+)$", line)
        found.append(Command(number, text, int(status[1]) if status else 0))
    return found


# ---- running them -------------------------------------------------------------------------------


def files(commands: Iterable[Command]) -> dict[str, bytes]:
    """Returns the shell's input files, by name below one folder."""
    return {each.name: f"{each.text}\n".encode() for each in commands}


def lines(commands: Iterable[Command], folder: str, results: str = "$RESULTS") -> list[str]:
    """Returns lines of bash that source each command, so that variables persist.

    Its output goes to the file of its name in `results`, with its exit status in another one.
    """
    return [
        line
        for each in commands
        for line in (
            f". {folder}/{each.name} </dev/null >{results}/{each.name} 2>&1",
            f"echo $? >{results}/{each.name}.status",
        )
    ]


def here(commands: Sequence[Command], place: Path, aside: Path) -> dict[str, bytes]:
    """Runs commands on this machine in the folder `place`; returns the files that they leave."""
    walked, results = aside / "walk", aside / "results"
    for folder in (walked, results):
        folder.mkdir()
    for name, content in files(commands).items():
        (walked / name).write_bytes(content)
    script = "\n".join(lines(commands, str(walked), str(results)))
    environment = {**os.environ, "NO_COLOR": "1"}
    subprocess.run(["bash", "-c", script], cwd=place, env=environment, check=True)
    return {path.name: path.read_bytes() for path in results.iterdir()}


# ---- checks -------------------------------------------------------------------------------------


def check_status(command: Command, found: Mapping[str, bytes]) -> None:
    said = f"$ {command.text}\n{found[command.name].decode()}"
    assert int(found[f"{command.name}.status"]) == command.status, said


def check_shown(block: Block, found: Mapping[str, bytes]) -> None:
    """Checks that a block shows the output of its commands."""
    assert block.shown is not None
    printed = _words("".join(found[command.name].decode() for command in block.commands))
    expected = ".*".join(re.escape(part) for part in _words(block.shown).split("…"))
    assert re.fullmatch(expected, printed), f"{printed}\n\n{_words(block.shown)}"


def _words(said: str) -> str:
    """Whether texts agree, ignoring numbers with units and line breaks."""
    masked = re.sub(r"\d[\d.,:]*(?:\s?(?:ns|us|µs|ms|s|kB)\b)?", "0", said)
    return " ".join(masked.split())
