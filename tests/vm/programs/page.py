# SPDX-License-Identifier: Apache-2.0
"""Serves the page of a guest with the real loader, over TLS, until its visitor logs out.

Arguments: the folder for the results, and the one with keys and a certificate.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

GTHULHU = [sys.executable, "-S", "-m", "gthulhuc.cli.gthulhu", "serve"]
NOBODY = 65534
COMPILER = 65533
PLACE = Path("/run/page")
PATIENCE_S = 1500


def started(*arguments: str, user: int) -> subprocess.Popen[str]:
    """A part of the server, after its first line."""
    process = subprocess.Popen(
        [*GTHULHU, *arguments], user=user, group=user, extra_groups=[],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    return process


def own(source: Path, target: Path) -> None:
    """Copies a folder for the server's user."""
    target.mkdir(mode=0o700)
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(mode=0o700)
        else:
            place.write_bytes(path.read_bytes())
        os.chown(place, NOBODY, NOBODY)
    os.chown(target, NOBODY, NOBODY)


def has_left(audit: Path) -> bool:
    lines = audit.read_text().splitlines() if audit.exists() else []
    return any(json.loads(line)["what"] == "logout" for line in lines)


def main(results: Path, given: Path) -> None:
    PLACE.mkdir(mode=0o755)
    os.chown(PLACE, NOBODY, NOBODY)
    own(given, PLACE / "given")
    task = subprocess.Popen(["victim"])
    broker = started(
        "broker", "--user", str(NOBODY), "--compiler", str(COMPILER),
        "--folder", str(PLACE / "broker"), user=0,
    )  # fmt: skip
    files = PLACE / "given"
    server = started(
        "--keys", str(files / "keys"), "--broker", str(PLACE / "broker"),
        "--store", str(PLACE / "store"), "--audit", str(PLACE / "audit"),
        "--listen", "10.0.2.15:8443", "--tls-cert", str(files / "node.pem"),
        "--tls-key", str(files / "node.key"), user=NOBODY,
    )  # fmt: skip
    end = time.monotonic() + PATIENCE_S
    while not has_left(PLACE / "audit") and time.monotonic() < end:
        time.sleep(1)
    (results / "audit").write_text((PLACE / "audit").read_text())
    (results / "scheduler").write_text(Path("/sys/kernel/sched_ext/root/ops").read_text())
    for each in (server, broker, task):
        each.terminate()
        each.wait()


main(Path(sys.argv[1]), Path(sys.argv[2]))
