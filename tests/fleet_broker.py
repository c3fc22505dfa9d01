# SPDX-License-Identifier: Apache-2.0
"""A broker in a guest, for a node process without rights."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NOBODY, COMPILER = 65534, 65533
PLACE = Path("/run/fleet")
"""The folder of the broker's folder and of the node's store."""
COMMAND = (sys.executable, "-S", "-m", "gthulhuc.cli.gthulhu")


def start() -> None:
    """Starts a broker, and goes on as nobody."""
    PLACE.mkdir(mode=0o755)
    os.chown(PLACE, NOBODY, NOBODY)
    command = [
        *COMMAND, "serve", "broker", "--user", str(NOBODY), "--compiler", str(COMPILER),
        "--folder", str(PLACE / "broker"),
    ]  # fmt: skip
    broker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert broker.stdout is not None
    broker.stdout.readline()
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
