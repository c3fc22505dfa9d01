# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Suggestions of `gthulhu suggest` for the records of tests/replay_scenes.py.

    python tests/suggest_scenes.py

prints the table of docs/know-before.md. A guest records each scene; guests that ran before are
kept. With `--records FOLDER` the records are FOLDER/SCENE/eevdf.gtr, and no guest boots. The
figures are predictions: nothing is run under the suggested policies.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import replay_scenes

_HEAD = ("scene", "rule", "it takes", "p99 recorded, µs", "EEVDF, replayed", "predicted", "gain")


def suggested(path: Path) -> Mapping[str, Any]:
    """Returns what the command finds in a record."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        subprocess.run(
            [sys.executable, "-m", "gthulhuc.cli.gthulhu", "suggest", path, "--json", out],
            capture_output=True,
            check=False,  # 1: there is nothing to gain
        )
        found = json.loads(out.read_text())
    assert isinstance(found, dict)
    return found


def rows(scene: str, found: Mapping[str, Any]) -> Iterator[str]:
    """Yields a row for each rule that lets tasks go first, or one with the reason for no rule."""
    if found["policy"] is None:
        yield row(scene, "none", found["why"], "", "", "", "")
        return
    recorded = {_title(each): each["p99"] for each in found["groups"]}
    matches = {each["name"]: each["match"] for each in found["rules"] if each["is_kept"]}
    for change in found["changes"]:
        rule = change["rule"]
        if rule not in matches:
            continue
        times = (recorded.get(change["group"]), change["eevdf_p99"], change["policy_p99"])
        effect = (
            f"{change['gain']:.1f} x" if change["gain"] >= 1.25
            else f"{100 * (change['loss'] - 1):+.0f} % time"
        )  # fmt: skip
        yield row(scene, f"`{rule}`", f"`{matches[rule]}`", *map(us, times), effect)


def _title(group: Mapping[str, Any]) -> str:
    where = "" if group["cgroup"] == "/" else f" in {group['cgroup']}"
    return f"`{group['comm']}`{where}"


def us(ns: int | None) -> str:
    """Returns a time in µs as text."""
    return "-" if ns is None else f"{ns / 1000:,.0f}"


def row(*cells: str) -> str:
    """Returns a row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Suggest policies for recorded scenes.")
    parser.add_argument("scenes", nargs="*", help=", ".join(replay_scenes.SCENES))
    parser.add_argument("--records", type=Path, help="a folder of records, SCENE/eevdf.gtr")
    options = parser.parse_args()
    print(row(*_HEAD))
    print(f"|{' -- |' * len(_HEAD)}")
    for name in options.scenes or replay_scenes.SCENES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "eevdf.gtr")
            if options.records is None:
                path.write_bytes(replay_scenes.boot(replay_scenes.SCENES[name]).files["eevdf.gtr"])
            else:
                path = options.records / name / "eevdf.gtr"
            for each in rows(name, suggested(path)):
                print(each, flush=True)


if __name__ == "__main__":
    main()
