# SPDX-License-Identifier: Apache-2.0
"""The documents promise nothing that is not there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
ids = [str(document.relative_to(ROOT)) for document in DOCUMENTS]
README = (ROOT / "README.md").read_text()


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=ids)
def test_every_make_command_is_a_target(document: Path) -> None:
    # A command starts a line of a code block, or is code in the text.
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", document.read_text(), re.MULTILINE))
    assert named <= targets()


@pytest.mark.parametrize("document", DOCUMENTS, ids=ids)
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_directory_of_the_architecture_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    inside = ROOT / "compiler" / "gthulhuc"
    paths = re.findall(r"`([a-z_./]+(?:/|\.py|\.h|\.g4))`", text)
    assert paths
    anchors = (ROOT, inside, ROOT / "templates", ROOT / "tests", ROOT / "runtime")
    assert [path for path in paths if not any((base / path).exists() for base in anchors)] == []


def test_the_help_lists_every_target() -> None:
    listing = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^ +make (\w+)", listing, re.MULTILINE)) == targets()


def test_tox_has_the_environments_that_make_runs() -> None:
    listing = (ROOT / "tox.ini").read_text()
    assert set(re.findall(r"^\[testenv:(\w+)\]", listing, re.MULTILINE)) == {"lint", "unit", "vm"}
    assert "env_list = lint, unit, vm" in listing


@pytest.mark.parametrize("policy", re.findall(r"```gpl\n(.*?)```", README, re.DOTALL))
def test_the_policies_in_the_readme_compile(policy: str, tmp_path: Path) -> None:
    source = tmp_path / "readme.gpl"
    source.write_text(policy)
    command = [sys.executable, "-m", "gthulhuc.cli.compile", str(source), "--emit", "ir"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
