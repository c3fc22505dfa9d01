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

from node_parts import NOBODY, broker, folder, server

PLACE = Path("/run/page")
PATIENCE_S = 1500


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
    folder(PLACE)
    own(given, PLACE / "given")
    task = subprocess.Popen(["victim"])
    files = PLACE / "given"
    first = broker(PLACE)
    served, _ = server(
        PLACE, files / "keys", "10.0.2.15:8443",
        "--tls-cert", str(files / "node.pem"), "--tls-key", str(files / "node.key"),
    )  # fmt: skip
    end = time.monotonic() + PATIENCE_S
    while not has_left(PLACE / "audit") and time.monotonic() < end:
        time.sleep(1)
    (results / "audit").write_text((PLACE / "audit").read_text())
    (results / "scheduler").write_text(Path("/sys/kernel/sched_ext/root/ops").read_text())
    for each in (served, first, task):
        each.terminate()
        each.wait()


main(Path(sys.argv[1]), Path(sys.argv[2]))
