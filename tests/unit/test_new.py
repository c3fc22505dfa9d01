# SPDX-License-Identifier: Apache-2.0
"""`gthulhu new`, and the other contents of every shipped policy."""

from __future__ import annotations

from pathlib import Path

import pytest

import library
from gthulhuc.cli import gthulhu, new
from gthulhuc.cli.shared import CommandError
from gthulhuc.formatter import format_source
from gthulhuc.source import Source

ROOT = library.ROOT
POLICIES = list(library.POLICIES.values())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_policy_is_copied_under_its_name(here: Path) -> None:
    assert gthulhu.main(["new", "--from", "upf"]) == 0
    assert [path.name for path in here.iterdir()] == ["upf.gpl"]
    assert (here / "upf.gpl").read_bytes() == (ROOT / "policies" / "upf.gpl").read_bytes()


def test_new_writes_to_a_file_or_standard_output(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["new", "--from", "upf.gpl", "-o", "mine.gpl"]) == 0
    assert gthulhu.main(["new", "--from", "upf", "-o", "-"]) == 0
    assert capfd.readouterr().out == (here / "mine.gpl").read_text()


@pytest.mark.parametrize("there", ["upf.gpl", "link.gpl"])
def test_a_file_that_is_there_is_left_alone(
    there: str, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "upf.gpl").write_text("mine")
    (here / "link.gpl").symlink_to("gone")
    assert gthulhu.main(["new", "--from", "upf", "-o", there]) == 2
    assert capfd.readouterr().err.startswith(f"error: {there} already exists\n")
    assert (here / "upf.gpl").read_text() == "mine"
    assert not (here / "gone").exists()


def test_mistyped_name_gets_a_suggestion(capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["new", "--from", "upff"]) == 2
    said = capfd.readouterr().err
    assert said == "error: there is no shipped policy `upff`\n  = help: did you mean `upf`?\n"


def test_an_output_without_a_policy_is_a_mistake(capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["new", "-o", "mine.gpl"]) == 2
    assert capfd.readouterr().err.startswith("error: --output needs --from\n")


def test_all_are_listed_with_what_they_are_for(capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["new"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [path.stem for path in POLICIES]
    assert all(len(line.split()) > 3 for line in lines)


def test_the_first_folder_with_policies_counts(tmp_path: Path) -> None:
    checkout, installed = tmp_path / "checkout", tmp_path / "installed"
    installed.mkdir()
    (installed / "a.gpl").touch()
    assert new.shipped([checkout, installed]) == {"a": installed / "a.gpl"}
    with pytest.raises(CommandError):
        new.shipped([checkout])


# ---- the policies -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_a_policy_is_laid_out_and_has_a_claim_for_each_action(path: Path) -> None:
    source = Source(path.name, path.read_text())
    assert format_source(source)[0] == source.text
    policy = library.policy_of(source.text)
    assert policy.name == path.stem.replace("-", "_")
    # tests/vm/test_verify.py takes each action out (--library).
    speaks_for = library.SPEAKS_FOR[path.stem]
    assert speaks_for.keys() == library.actions(policy).keys()
    spoken = set(speaks_for.values()) | library.OF_THE_WHOLE.get(path.stem, set())
    assert spoken == set(range(len(policy.expectations)))
