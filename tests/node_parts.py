# SPDX-License-Identifier: Apache-2.0
"""Parts of a node in a guest: the broker as root, the server and its commands as nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NOBODY, COMPILER = 65534, 65533
FILES = {"node_parts.py": Path(__file__)}
COMMAND = (sys.executable, "-S", "-m", "gthulhuc.cli.gthulhu")


def folder(place: Path) -> Path:
    """Makes a folder for what has no rights."""
    place.mkdir(mode=0o755)
    os.chown(place, NOBODY, NOBODY)
    return place


def broker(place: Path) -> subprocess.Popen[str]:
    """Starts a broker whose folder is in this one."""
    return _started(
        "broker", "--user", str(NOBODY), "--compiler", str(COMPILER),
        "--folder", str(place / "broker"), user=0,
    )[0]  # fmt: skip


def server(
    place: Path, keys: Path, listen: str, *options: str
) -> tuple[subprocess.Popen[str], int]:
    """Starts the server of that broker; returns it and its port."""
    process, line = _started(
        "--keys", str(keys), "--broker", str(place / "broker"), "--store", str(place / "store"),
        "--audit", str(place / "audit"), "--listen", listen, *options, user=NOBODY,
    )  # fmt: skip
    return process, int(line.rpartition(":")[2])


def operator(place: Path) -> str:
    """Makes keys in this folder, and returns a token of an operator."""
    _output("keys", str(place / "keys"))
    return _output("token", "--keys", str(place / "keys"), "--role", "operate", "guest@example")


def start_broker_as_nobody(place: Path) -> None:
    """Makes the folder, starts its broker, and gives up all rights."""
    broker(folder(place))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _started(*arguments: str, user: int) -> tuple[subprocess.Popen[str], str]:
    """A part, and its first line."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *arguments], user=user, group=user, extra_groups=[],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    return process, process.stdout.readline()


def _output(*arguments: str) -> str:
    return subprocess.run(
        [*COMMAND, "serve", *arguments], user=NOBODY, group=NOBODY, extra_groups=[],
        stdout=subprocess.PIPE, text=True, check=True,
    ).stdout.strip()  # fmt: skip
