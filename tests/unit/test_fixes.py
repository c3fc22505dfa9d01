# SPDX-License-Identifier: Apache-2.0
"""The fixes of diagnostics: each is applied, and the problem is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gthulhuc.cli import compile as compiler
from gthulhuc.cli import gthulhu
from gthulhuc.diagnostics import Diagnostic
from gthulhuc.diagnostics.fixing import apply
from gthulhuc.diagnostics.pages import PAGES
from gthulhuc.frontend import check, decode
from gthulhuc.source import Source

CASES = sorted(Path(__file__).parents[1].glob("cases/*/policy.gpl"))
TEXTS = {
    **{path.parent.name: path.read_bytes() for path in CASES},
    **{page.id: page.wrong.text.encode() for page in PAGES.values() if page.wrong is not None},
}


def problems_of(source: Source, name: str) -> list[Diagnostic]:
    folder = Path(__file__).parents[1] / "cases" / name

    def load(included: str) -> bytes:
        page = PAGES.get(name)
        if page is not None and included in page.files:
            return page.files[included].encode()
        return (folder / included).read_bytes()

    return check(source, load=load)[1]


def fixable() -> Iterator[tuple[str, int]]:
    for name, data in TEXTS.items():
        source, found = decode("policy.gpl", data)
        for index, problem in enumerate([*found, *problems_of(source, name)]):
            if problem.fixes and problem.span.source is source:
                yield name, index


FIXABLE = list(fixable())


@pytest.mark.parametrize(("name", "index"), FIXABLE)
def test_each_fix_solves_its_problem(name: str, index: int) -> None:
    source, found = decode("policy.gpl", TEXTS[name])
    before = [*found, *problems_of(source, name)]
    problem = before[index]
    for fix in problem.fixes:
        text = apply(source.text, fix.edits)
        assert text != source.text
        after = problems_of(Source("policy.gpl", text), name)

        def same(found: list[Diagnostic]) -> int:
            return sum(
                (each.code, each.message) == (problem.code, problem.message) for each in found
            )

        assert same(after) < same(before), (fix.title, text)


def test_many_codes_have_a_fix() -> None:
    codes = set()
    for name, index in FIXABLE:
        source, found = decode("policy.gpl", TEXTS[name])
        codes.add([*found, *problems_of(source, name)][index].code.id)
    assert len(codes) >= 25, sorted(codes)


BROKEN = """policy p
set unused = ["a"]
rule a { match comm = "averyverylongname"; priorit hihg slice 2000000ns }
rule b { match cgroup under "x" && leader == true weight 30 }
"""
FIXED = """policy p
rule a { match comm ~ "averyverylongna*" priority high slice 2ms }
rule b { match cgroup under "/x" and leader weight 30 }
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.gpl"
    path.write_text(BROKEN)
    return path


def test_fix_changes_the_file_and_says_so(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["check", "--fix", "p.gpl"]) == 0
    assert capsys.readouterr().err == "fixed 10 problems in p.gpl\n"
    assert broken.read_text() == FIXED


def test_diff_changes_nothing(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["check", "--diff", "p.gpl"]) == 1
    shown = capsys.readouterr().out
    assert "-set unused" in shown
    assert '+rule b { match cgroup under "/x" and leader weight 30 }' in shown
    assert broken.read_text() == BROKEN


def test_a_fix_with_alternatives_is_not_applied(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken.write_text('policy p\nrule a { match comm == "a" slice 2 }\n')
    assert gthulhu.main(["check", "--fix", "p.gpl"]) == 1
    assert "write `2us`, `2ms` or `2s`" in capsys.readouterr().err
    assert broken.read_text().endswith("slice 2 }\n")


def test_a_file_that_is_not_utf_8_stays_as_it_is(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = b'policy p\nrule a { match comm = "caf\xe9" slice 2ms }\n'
    broken.write_bytes(data)
    assert gthulhu.main(["check", "--fix", "p.gpl"]) == 1
    assert "not valid UTF-8: byte 0xe9" in capsys.readouterr().err
    assert broken.read_bytes() == data


def test_standard_input_cannot_be_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["check", "--fix", "-"]) == 2
    assert "cannot fix standard input" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_programs_get_fixes_from_both_commands_on_one_stream(
    broken: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    said = []
    for main, args in ((gthulhu.main, ["check"]), (compiler.main, [])):
        assert main([*args, "--format", form, broken.name]) == 1
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    found = json.loads(said[0])
    results = found if form == "json" else found["runs"][0]["results"]
    fixes = [fix for result in results for fix in result["fixes"]]
    assert len(fixes) >= 6
