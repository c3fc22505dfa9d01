# SPDX-License-Identifier: Apache-2.0
"""Writes a folder in ananicy's format, of any size and always the same.

For benchmarks: `python tests/ananicy_corpus.py FOLDER [RULES]`.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

TYPES: dict[str, dict[str, object]] = {
    "Game": {"nice": -5, "latency_nice": -5},
    "Doc-View": {"nice": -3},
    "Player-Audio": {"nice": -4},
    "BG_CPUIO": {"nice": 16, "sched": "idle"},
    "Compiler": {"nice": 9, "sched": "batch"},
    "Service": {"nice": 19, "ioclass": "idle"},
}
# Most rules in the wild are games, and nearly half of all names are longer than 15 bytes.
_SHARES = (85, 5, 2, 4, 2, 2)
_PARTS = (
    *("dark", "star", "craft", "quest", "war", "tower", "sky", "blade", "rogue", "city"),
    *("farm", "racer", "ghost", "iron", "moon", "river", "fire", "dust", "wild", "storm"),
)
_ENDS = ("", "", ".exe", ".x86_64", "-linux", "Launcher.exe", "-Win64-Shipping.exe", ".bin")


def write(folder: Path, rules: int) -> None:
    """Writes a number of rules, 50 per file, and their types."""
    dice = random.Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    types = [json.dumps({"type": name, **values}) for name, values in TYPES.items()]
    (folder / "00-types.types").write_text("# generated\n" + "\n".join(types) + "\n")
    kinds = dice.choices(list(TYPES), weights=_SHARES, k=rules)
    lines = []
    for number, kind in enumerate(kinds):
        # The number is in the first 15 bytes, so that truncated names rarely coincide.
        name = f"{number:x}{dice.choice(_PARTS)}{dice.choice(_PARTS)}{dice.choice(_ENDS)}"
        lines.append(json.dumps({"name": name, "type": kind}))
    for start in range(0, rules, 50):
        path = folder / f"{start // 1000:02d}" / f"{start:05d}.rules"
        path.parent.mkdir(exist_ok=True)
        path.write_text("# generated\n" + "\n".join(lines[start : start + 50]) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15_000)
