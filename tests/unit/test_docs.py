# SPDX-License-Identifier: Apache-2.0
"""The documents refer only to things that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

import library
import library_table
from gthulhuc import codegen, plan
from gthulhuc.diagnostics import codes
from gthulhuc.diagnostics.human import render
from gthulhuc.explanation import fields
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.source import Source

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md"),
    *ROOT.glob("deploy/*.md"),
]  # fmt: skip
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


@pytest.mark.parametrize("document", DOCUMENTS, ids=ids)
def test_every_named_test_is_there(document: Path) -> None:
    for name, function in re.findall(r"`(test_\w+\.py)::(test_\w+)`", document.read_text()):
        texts = [path.read_text() for path in (ROOT / "tests").glob(f"*/{name}")]
        assert any(f"\ndef {function}(" in text for text in texts), f"{name}::{function}"


def headings(document: Path) -> set[str]:
    """The anchors that GitHub gives a document's headings, or that the text sets itself."""
    text = document.read_text()
    tokens = MarkdownIt("commonmark").use(anchors_plugin, max_level=6).parse(text)
    found = {str(token.attrs["id"]) for token in tokens if token.type == "heading_open"}
    return found | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("document", DOCUMENTS, ids=ids)
def test_every_link_to_a_heading_leads_to_one(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", document.read_text())
    assert [
        f"{name}#{anchor}"
        for name, anchor in links
        if anchor not in headings(document.parent / name if name else document)
    ] == []


def test_every_directory_of_the_architecture_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    inside = ROOT / "compiler" / "gthulhuc"
    paths = re.findall(r"`([a-z_./]+(?:/|\.py|\.h|\.g4))`", text)
    assert paths
    anchors = (
        ROOT,
        inside,
        *(
            ROOT / name
            for name in ("templates", "tests", "runtime", "runtime/gthulhu", "lab/gthulhu_lab")
        ),
    )
    assert [path for path in paths if not any((base / path).exists() for base in anchors)] == []


def test_the_help_lists_every_target() -> None:
    listing = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^ +make (\w+)", listing, re.MULTILINE)) == targets()


def test_tox_has_the_environments_that_make_runs() -> None:
    listing = (ROOT / "tox.ini").read_text()
    assert set(re.findall(r"^\[testenv:(\w+)\]", listing, re.MULTILINE)) == {
        "coverage",
        "lint",
        "soak",
        "unit",
        "vm",
    }
    assert "env_list = lint, unit, vm" in listing


@pytest.mark.parametrize("policy", re.findall(r"```gpl\n(.*?)```", README, re.DOTALL))
def test_the_policies_in_the_readme_compile(policy: str, tmp_path: Path) -> None:
    source = tmp_path / "readme.gpl"
    source.write_text(policy)
    command = [sys.executable, "-m", "gthulhuc.cli.compile", str(source), "--emit", "ir"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


LANGUAGE = (ROOT / "docs" / "language.md").read_text()


@pytest.mark.parametrize("policy", re.findall(r"```gpl\n(.*?)```", LANGUAGE, re.DOTALL))
def test_the_policies_in_the_reference_are_right(policy: str) -> None:
    found, problems = check(Source("language.gpl", policy))
    assert render(problems) == ""
    assert found is not None
    assert codegen.render(plan.build(found))


@pytest.mark.parametrize("field", Field, ids=lambda field: str(field.value))
def test_a_fields_example_is_a_comparison_with_it(field: Field) -> None:
    found, problems = check(
        Source("p.gpl", f"policy p {{}} rule a {{ match {field.row.example} }}")
    )
    assert render(problems) == ""
    assert found is not None
    assert fields(found.rules[0].match) == {field}


@pytest.mark.parametrize("kind", ["statement", "unit"])
def test_the_reference_has_every_word(kind: str) -> None:
    words = {
        "statement": re.findall(r": '([a-z-]+)' ;", (ROOT / "grammar" / "Gpl.g4").read_text()),
        "unit": ["us", "ms", "s", "%", "x"],
    }
    examples = " ".join(re.findall(r"```gpl\n(.*?)```", LANGUAGE, re.DOTALL))
    elsewhere = {"include", "per", "via"}  # in the text, or an example needs a second file
    for word in set(words[kind]) - elsewhere:
        assert re.search(rf"(?<![a-z-]){re.escape(word)}(?![a-z-])", examples), word


def test_the_reference_has_every_warning() -> None:
    section = LANGUAGE[LANGUAGE.index("## Warnings") :]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == {
        code.name for code in codes.WARNINGS
    }


def test_the_readme_has_a_claim_of_each_policy() -> None:
    assert {row.policy for row in library_table.rows(README)} == set(library.POLICIES)
