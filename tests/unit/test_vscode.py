# SPDX-License-Identifier: Apache-2.0
"""The extension for VS Code: its snippets are valid policies, and its own tests pass."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gthulhuc.formatter import format_source
from gthulhuc.frontend import check
from gthulhuc.source import Source

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text())
SNIPPETS: dict[str, dict[str, Any]] = json.loads((EXTENSION / "snippets/gpl.json").read_text())


def expanded(body: list[str], chosen: int) -> str:
    """A snippet as a user leaves it who keeps all texts, and takes a certain one of each choice."""
    text = "\n".join(body)
    text = re.sub(
        r"\$\{\d+\|([^|]*)\|\}",
        lambda found: (words := found[1].split(","))[chosen % len(words)],
        text,
    )
    while text != (inner := re.sub(r"\$\{\d+:([^${}]*)\}", r"\1", text)):
        text = inner
    return text.replace("$0", "") + "\n"


@pytest.mark.parametrize("name", SNIPPETS)
@pytest.mark.parametrize("chosen", range(5))
def test_a_snippet_is_a_valid_policy_in_its_form(name: str, chosen: int) -> None:
    text = expanded(SNIPPETS[name]["body"], chosen)
    assert "$" not in text
    policy = "" if name == "policy" else "policy p {}\n\n"
    _, problems = check(Source("snippet.gpl", policy + text))
    wrong = [problem for problem in problems if problem.is_error]
    assert wrong == []
    assert format_source(Source("snippet.gpl", text))[0] == text


def test_the_manifest_fits_the_repository() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert MANIFEST["version"] == version
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    assert lock["packages"][""]["dependencies"] == MANIFEST["dependencies"]
    (grammar,) = MANIFEST["contributes"]["grammars"]
    scope = json.loads((ROOT / "grammar/gpl.tmLanguage.json").read_text())["scopeName"]
    assert grammar["scopeName"] == scope


def test_its_own_tests_pass() -> None:
    """They start `gthulhu lsp` as the extension does."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["node", "--test"],
        cwd=EXTENSION,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    assert re.search(r"pass 4\n", result.stdout)


def test_a_package_gets_the_files_that_the_manifest_names(tmp_path: Path) -> None:
    subprocess.run(["node", "scripts/copy.js", str(tmp_path)], cwd=EXTENSION, check=True)
    entries = [
        entry
        for listed in MANIFEST["contributes"].values()
        if isinstance(listed, list)
        for entry in listed
    ]
    keys = ("path", "configuration")
    named = [MANIFEST["main"], *(entry[key] for entry in entries for key in keys if key in entry)]
    assert len(named) == 4
    folders = (EXTENSION, tmp_path)
    assert [name for name in named if not any((top / name).is_file() for top in folders)] == []
