# SPDX-License-Identifier: Apache-2.0
"""The prose rules of docs/style refuse the patterns that CONTRIBUTING names, in each language."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RULES = {
    path.stem: list(yaml.safe_load_all(path.read_text())) for path in ROOT.glob("docs/style/*")
}

REFUSED = [
    ("after", "The rules behind it see the task."),
    ("say-what-is-wrong", "The loader's answer is none."),
    ("say-what-is-wrong", "An object is nothing for a terminal."),
    ("subject-first", "Who can write it has the machine."),
    ("subject-first", "It ends. What is left is removed."),
    ("subject-first", "What it does"),
]
ACCEPTED = [
    "The rules after it see the task.",
    "invalid response from the loader",
    "What is measured here?",
    "It waits if there is none, as there is nothing to do.",
    "The tasks know who started them and what they inherit.",
]
FORMS = {
    "text.md": "# Title\n\n- {}\n",
    "table.md": "| a | b |\n| -- | -- |\n| {} | b |\n",
    "heading.md": "## {}\n\nSome words.\n",
    "underlined.md": "{}\n---\n\nSome words.\n",
    "wrapped.md": "Some words that come first\nand then a sentence. {}\n",
    "comment.py": "x = 1  # {}\n",
    "message.py": 'x = "{}"\n',
    "docstring.py": 'def f():\n    """{}"""\n',
    "comment.c": "/* {} */\nint x;\n",
    "message.c": 'char *x = "{}";\n',
}


def refused(folder: Path, form: str, text: str) -> set[str]:
    """Returns the names of the rules that refuse the text in that form."""
    (folder / form).write_text(FORMS[form].format(text))
    result = subprocess.run(
        ["ast-grep", "scan", "--config", ROOT / "sgconfig.yml", "--json", folder],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return {found["ruleId"].rpartition("-")[0] for found in json.loads(result.stdout)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_a_rule_refuses_the_pattern(rule: str, text: str, form: str, tmp_path: Path) -> None:
    assert refused(tmp_path, form, text) == {rule}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ACCEPTED)
def test_plain_sentences_pass(text: str, form: str, tmp_path: Path) -> None:
    assert refused(tmp_path, form, text) == set()


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_the_same_in_each_language(rule: str) -> None:
    languages = {part["language"] for part in RULES[rule]}
    patterns = {kind["regex"] for part in RULES[rule] for kind in part["rule"]["any"]}

    assert languages == {"markdown", "python", "c"}
    assert len(patterns) == 1
