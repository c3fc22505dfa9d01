# SPDX-License-Identifier: Apache-2.0
"""No line suppresses a linter: pyproject.toml switches rules off, with the reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The brackets keep the pattern from matching this line.
SUPPRESSION = "[n]oqa|type: [i]gnore|pragma: [n]o|[N]OLINT"
LINTED = ["*.py", "*.c", "*.h", "scripts", ".github", ":!*/generated/*"]


def test_no_line_suppresses_a_linter() -> None:
    found = subprocess.run(
        ["git", "grep", "-nE", SUPPRESSION, "--", *LINTED],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (found.stdout, found.stderr) == ("", "")
    assert found.returncode == 1  # git grep read the files and found nothing
