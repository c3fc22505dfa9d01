# SPDX-License-Identifier: Apache-2.0
"""No line suppresses a linter: pyproject.toml switches rules off, with the reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The brackets keep the pattern from matching this line.
UNFORMATTED = "clang-format [o]ff"
SUPPRESSION = f"[n]oqa|type: [i]gnore|pragma: [n]o|[N]OLINT|{UNFORMATTED}"
# Those of tests/plan come out of the templates.
LINTED = ["*.py", "*.c", "*.h", "scripts", ".github", ":!*/generated/*", ":!tests/plan"]
TABLES = {
    "automaton.j2", "facts.j2", "metadata.j2", "policy.j2", "tunables.j2", "whens.j2",
}  # fmt: skip
"""Templates with tables: the compiler breaks their rows, which are data of any width."""


def grep(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "grep", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_no_line_suppresses_a_linter() -> None:
    found = grep("-nE", SUPPRESSION, "--", *LINTED)
    assert (found.stdout, found.stderr) == ("", "")
    assert found.returncode == 1  # git grep read the files and found nothing


def test_only_tables_of_generated_c_are_not_formatted() -> None:
    found = grep("-lE", UNFORMATTED, "--", "templates").stdout.split()
    assert {Path(path).name for path in found} == TABLES
