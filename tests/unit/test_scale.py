# SPDX-License-Identifier: Apache-2.0
"""`gthulhu bench --scale`: loads on simulated machines of several sizes, as tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command import environment


def scale(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "bench", *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_tables_go_into_a_document(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("before\n\n<!-- scale:begin (x) -->\nold\n<!-- scale:end -->\n\nafter\n")
    said = scale(tmp_path, "--scale", "4,16", "--seeds", "1", "--into", "page.md", "--json", "s")
    assert said.returncode == 0, said.stderr
    text = document.read_text()
    assert text.startswith("before\n\n<!-- scale:begin (x) -->\n\n```\npairs: a pair of tasks")
    assert text.endswith("```\n\n<!-- scale:end -->\n\nafter\n")
    assert "old" not in text
    rows = [line for line in text.splitlines() if line in said.stdout and "scx_simple" in line]
    assert len(rows) == 6
    found = json.loads((tmp_path / "s").read_text())
    assert [size["cpus"] for size in found["sizes"]] == [4, 16]
    for size in found["sizes"]:
        assert [load["name"] for load in size["loads"]] == ["pairs", "wakers", "hogs"]
    small, large = (
        size["loads"][0]["schedulers"][0]["costs"]["wakeup"]["time"]["median"]
        for size in found["sizes"]
    )
    assert small < large


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--scale", "5"), "--scale has no machine with 5 CPUs"),
        (("--scale", "four"), "expected a whole number from 1, found `four`"),
        (("--scale", "4", "--library"), "--library has no effect with --scale"),
        (("--scale", "4", "--kernel", "7.2"), "--kernel has no effect with --scale"),
        (("--scale", "4", "--into", "none.md"), "none.md has no place for the table"),
        (("--into", "none.md"), "--into has no effect without --scale"),
    ],
)
def test_what_has_no_effect_is_refused(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    said = scale(tmp_path, *words)
    assert said.returncode == 2
    assert why in said.stderr
    assert "Traceback" not in said.stderr
