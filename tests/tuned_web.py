# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The search that gave policies/web.gpl the slice of its servers.

    python tests/tuned_web.py FOLDER

prints the table of docs/tuning.md. A guest with four CPUs is recorded under the kernel's own
scheduler: Apache's shape beside two jobs on each CPU. `gthulhu tune` judges candidates by its
replay. It begins with the policy as it was, without the slice, and with a promise for the replay:
half of the wait in the record. FOLDER gets the record, that policy and the tuned one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import library
import replay_scenes
from replay_scenes import Part, Scene

SCENE = Scene(
    "web", 4, (Part("web-threads", "apache2", 4), Part("hogs", "job", 8, "/batch.slice")), seconds=8
)
PROMISE = "\npromise servers over 60s { p99(wakeup servers) < 2500us }\n"
OPTIONS = ("--actions", "slice,preempt", "--rules", "servers", "--trials", "24", "--seeds", "1")


def before() -> str:
    """Returns the policy without what the search found, and with the promise as its only claim."""
    text = library.POLICIES["web"].read_text()
    found = library.actions(library.policy_of(text))
    return library.without(text, found["servers", "slice"]).partition("# The claims")[0] + PROMISE


def main() -> int:
    """Record, and tune."""
    parser = argparse.ArgumentParser(description="Tune policies/web.gpl for a record.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    record, policy = folder / "web.gtr", folder / "web.gpl"
    if not record.exists():
        record.write_bytes(replay_scenes.boot(SCENE, {}).files["eevdf.gtr"])
    policy.write_text(before())
    return subprocess.run(
        [
            *(sys.executable, "-m", "gthulhuc.cli.gthulhu", "tune", policy, "--record", record),
            *OPTIONS, "-o", folder / "tuned.gpl",
        ],
        check=False,
    ).returncode  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
