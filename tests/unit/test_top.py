# SPDX-License-Identifier: Apache-2.0
"""The screen on a terminal: it refreshes, resizes and leaves the terminal as it was."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import environment, shell
from fake_loader import STATS, FakeLoader
from gthulhu import counters
from gthulhu.commands import top


class Terminal:
    """`gthulhu top` on a terminal of its own."""

    def __init__(self, folder: Path, columns: int, kind: str = "xterm") -> None:
        self._master, slave = pty.openpty()
        self.resize(columns)
        self.modes = termios.tcgetattr(slave)
        # Readline, where a test runner has it, says how wide the runner's own terminal is.
        env = environment(TERM=kind)
        env.pop("COLUMNS", None)
        env.pop("LINES", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gthulhuc.cli.gthulhu", "top", "--interval", "0.2", "--state",
             str(folder)],
            env=env, stdin=slave, stdout=slave, stderr=subprocess.PIPE,
            text=True, process_group=0,  # Ctrl-Z stops no process without a shell to continue it
        )  # fmt: skip
        self._slave = slave
        self.seen = ""

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))

    def wait_for(self, pattern: str) -> str:
        """All that has come since the last time, to where the pattern is."""
        end = time.monotonic() + 30
        while not (found := re.search(pattern, self.seen, re.DOTALL)):
            assert time.monotonic() < end, self.seen
            if select.select([self._master], [], [], 1)[0]:
                self.seen += os.read(self._master, 65536).decode()
        seen, self.seen = self.seen[: found.end()], self.seen[found.end() :]
        return seen

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def has_its_modes(self) -> bool:
        return termios.tcgetattr(self._slave) == self.modes

    def end(self) -> tuple[int, str]:
        """Its exit status and complaints; the terminal has to be as it was."""
        self.wait_for(re.escape("\x1b[?1049l"))
        said = self.process.communicate(timeout=30)[1]
        assert self.has_its_modes()
        return self.process.returncode, said

    def close(self) -> None:
        """Ends what a failed test has left."""
        self.process.kill()
        self.process.communicate()
        os.close(self._slave)
        os.close(self._master)


class Growing:
    """A loader whose counters grow."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, fields: list[str]) -> dict[str, Any]:
        del fields
        self.number += 1
        web, *others = STATS["classes"]
        return {**STATS, "classes": [{**web, "left": -self.number}, *others]}


@pytest.fixture
def loader(tmp_path: Path) -> Iterator[FakeLoader]:
    loader = FakeLoader(tmp_path, {"stats": Growing()})
    yield loader
    loader.close()


@pytest.fixture
def terminal(loader: FakeLoader) -> Iterator[Terminal]:
    terminal = Terminal(loader.folder, 160)
    yield terminal
    terminal.close()


def test_screen_refreshes_resizes_and_ends(terminal: Terminal) -> None:
    terminal.wait_for(re.escape("\x1b[?1049h"))
    terminal.wait_for("shop, generation 3.*rule.*tasks.*CPUs.*web +8 ")
    terminal.wait_for("web +9 .*web +10 ")
    terminal.resize(60)
    terminal.process.send_signal(signal.SIGWINCH)
    terminal.wait_for("shop, generation 3")
    # Whole lines of the new width.
    narrow = (
        terminal.wait_for("shop, generation 3.*web.*default.*web")
        .replace("\x1b[H", "\n")
        .split("\n")
    )
    plain = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", line) for line in narrow]
    assert {len(line) for line in plain[1:-1]} == {60}
    terminal.press(b"x")
    terminal.press(b"q")
    assert terminal.end() == (0, "")


def test_ctrl_c_ends_it(terminal: Terminal) -> None:
    terminal.wait_for("web")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == (130, "")


def test_ctrl_z_gives_the_terminal_back(terminal: Terminal) -> None:
    terminal.wait_for("web")
    terminal.process.send_signal(signal.SIGTSTP)
    assert os.WIFSTOPPED(os.waitpid(terminal.process.pid, os.WUNTRACED)[1])
    terminal.wait_for(re.escape("\x1b[?1049l"))
    assert terminal.has_its_modes()
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for(re.escape("\x1b[?1049h") + ".*shop, generation 3.*web")
    assert not terminal.has_its_modes()
    terminal.press(b"q")
    assert terminal.end() == (0, "")


def test_recording_ends_with_the_policy(loader: FakeLoader, terminal: Terminal) -> None:
    terminal.wait_for("web")
    (loader.folder / "control").unlink()
    code, said = terminal.end()
    assert code == 3
    assert said.startswith("error: no policy is in force")


def test_no_terminal(tmp_path: Path) -> None:
    result = shell("gthulhu top", tmp_path)
    assert result.returncode == 2
    assert "standard input and output are not a terminal" in result.stderr


def test_a_terminal_without_a_screen(loader: FakeLoader) -> None:
    terminal = Terminal(loader.folder, 80, "dumb")
    try:
        said = terminal.process.communicate(timeout=30)[1]
        assert terminal.process.returncode == 2
        assert "this terminal cannot show a screen" in said
        assert "`gthulhu stats --watch`" in said
    finally:
        terminal.close()


def test_rates() -> None:
    before, now = counters.parse(STATS), counters.parse(
        {**STATS, "classes": [
            *STATS["classes"][:3],
            {**STATS["classes"][3], "ran_ns": 3_000_000_000, "migrations": 10},
            STATS["classes"][4],
        ]}
    )  # fmt: skip
    found = list(top.rows(before, now, 2.0))
    assert [row[0] for row in found] == ["default", "web", "count"]
    assert found[0][1:4] == ("1", "1.50", "0")
    assert found[0][12] == "5"
    assert found[2][4:] == ("-",) * 11
