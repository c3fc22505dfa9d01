# SPDX-License-Identifier: Apache-2.0
"""Diagnostics for programs, `-W`, `--target`, and the limit of what is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from gthulhuc.cli import compile as compiler
from gthulhuc.cli import gthulhu
from gthulhuc.diagnostics.selection import UnknownWarningError, select

ROOT = Path(__file__).parents[2]
STARVING = 'policy p {}\nrule a { match comm == "a" priority urgent preempt }\n'
BROKEN = 'policy p {}\nrule a { match comm == "ä%,:" slice 2 }\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "starving.gpl").write_text(STARVING)
    (tmp_path / "broken.gpl").write_text(BROKEN)
    return tmp_path


def check(*args: str) -> int:
    return gthulhu.main(["check", *args])


def test_short_is_a_line_each(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--format", "short", "broken.gpl", "starving.gpl") == 1
    assert capsys.readouterr().out.splitlines() == [
        "broken.gpl:2:37: error[GPL0201]: `2` has no unit",
        "starving.gpl:2:44: warning[GPL0412]: rule `a` may preempt `default` without a limit",
    ]


def test_json_is_one_document_for_all_files(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--format", "json", "broken.gpl", "starving.gpl") == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["code"], first["name"], first["severity"]) == ("GPL0201", "missing-unit", "error")
    assert (first["line"], first["column"], first["end_column"]) == (2, 37, 38)
    assert first["help"] == ["write `2us`, `2ms` or `2s`"]
    assert second["file"] == "starving.gpl"


def test_no_findings_still_give_a_document(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "good.gpl").write_text("policy p {}\n")
    assert check("--format", "json", "good.gpl") == 0
    assert json.loads(capsys.readouterr().out) == []
    assert check("--format", "sarif", "good.gpl") == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []


SARIF_SCHEMA = json.loads((Path(__file__).parents[1] / "data/sarif-2.1.0.schema.json").read_text())


def test_sarif_is_as_its_schema_says(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "empty.gpl").write_text("policy p {}\n")
    (files / "odd ñame%.gpl").write_text('policy p {}\nrule a { match comm == "\x00ü\n')
    (files / "more.gpl").write_text(
        'policy p {}\nrule a { match comm == "x" }\nrule a { match comm == "x" }\n}\n'
    )
    validator = jsonschema.Draft4Validator(SARIF_SCHEMA)
    results = 0
    for path in sorted(files.glob("*.gpl")):
        check("--format", "sarif", path.name)
        log = json.loads(capsys.readouterr().out)
        assert [error.message for error in validator.iter_errors(log)] == []
        results += len(log["runs"][0]["results"])
    assert results >= 6
    del log["runs"][0]["tool"]["driver"]["name"]
    assert not validator.is_valid(log)


def test_sarif_says_what_was_found_and_where(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--format", "sarif", "broken.gpl", "starving.gpl") == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["GPL0201", "GPL0412"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        place = result["locations"][0]["physicalLocation"]
        assert min(place["region"].values()) >= 1
        assert result["message"]["text"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "broken.gpl"
    }


def test_github_commands_cannot_be_broken_by_a_policy(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "odd,name%.gpl").write_text('policy p {}\nrule a { match comm == "a" priority b }\n')
    check("--format", "github", "odd,name%.gpl")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::error file=odd%2Cname%25.gpl,line=2,col=37,endLine=2,")
    assert "::unknown level `b`%0Ahelp: expected" in line


@pytest.mark.parametrize("form", ["human", "short", "json", "sarif", "github"])
def test_policy_text_is_escaped_on_terminals(
    form: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "".join(map(chr, [*range(1, 10), *range(11, 32), 127, *range(128, 160), 0x202E, 0x2028]))
    (files / "odd.gpl").write_text(f'policy p {{}}\nrule a {{ match comm =~ "{odd}(" {odd} }}\n')
    assert check("--format", form, "odd.gpl") == 1
    output = capsys.readouterr()
    said = output.out + output.err
    assert said
    assert [char for char in said if char != "\n" and not char.isprintable()] == []


def test_the_compiler_reports_to_standard_error(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compiler.main(["starving.gpl", "--emit", "ir", "--format", "short"]) == 0
    output = capsys.readouterr()
    assert output.err.startswith("starving.gpl:2:44: warning[GPL0412]")
    assert json.loads(output.out)


@pytest.mark.parametrize(
    ("options", "code", "shown"),
    [
        ([], 0, "warning[GPL0412]"),
        (["-W", "no-starvation"], 0, ""),
        (["-W", "no-all"], 0, ""),
        (["-W", "no-GPL0412"], 0, ""),
        (["-W", "error"], 1, "error[GPL0412]"),
        (["-W", "error=starvation"], 1, "error[GPL0412]"),
        (["-W", "error=unused"], 0, "warning[GPL0412]"),
        (["-W", "error", "-W", "no-starvation"], 0, ""),
        (["-W", "error", "-W", "no-error=starvation"], 0, "warning[GPL0412]"),
        (["-W", "no-all", "-W", "starvation"], 0, "warning[GPL0412]"),
    ],
)
def test_warnings_are_chosen(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    shown: str,
) -> None:
    assert check(*options, "starving.gpl") == code
    assert capsys.readouterr().err.startswith(shown)


@pytest.mark.parametrize(
    ("name", "said"),
    [("starvaton", "did you mean `starvation`"), ("no-starvaton", "did you mean `starvation`")],
)
def test_a_warning_that_does_not_exist(name: str, said: str) -> None:
    with pytest.raises(UnknownWarningError) as caught:
        select([name])
    assert said in caught.value.hint


def test_an_error_cannot_be_switched_off(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("-W", "no-missing-unit", "broken.gpl") == 2
    assert "`missing-unit` is an error" in capsys.readouterr().err


def test_at_most_a_hundred_diagnostics_are_shown(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = "".join(f'rule r{i} {{ match comm == "n{i}" slice 2 }}\n' for i in range(250))
    (files / "many.gpl").write_text("policy p {}\n" + rules)
    assert check("many.gpl") == 1
    error = capsys.readouterr().err
    assert error.count("error[GPL0201]") == 100
    assert error.endswith("... and 150 more\n\nerror: many.gpl has 250 errors\n")


@pytest.mark.parametrize(
    "content",
    [
        '{"cpus": ' + "9" * 4000 + "}",
        '{"cpus": "' + "9" * 5000 + '"}',
        '{"cpus": "0-' + "9" * 5000 + '"}',
        '{"cpus": 4, "nodes": {"' + "9" * 5000 + '": "0"}}',
        '{"cpus": 4, "nodes": {"\u0664": "0"}}',
        '{"cpus": "\u0664"}',
        '{"cpus": 1e999}',
        '{"cpus": NaN}',
        '{"cpus": true}',
        '{"cpus": null}',
        '{"cpus": [[0]]}',
        "[" * 100_000,
        '{"cpus": 4, "fast": 3}',
        "\x00",
        "",
    ],
    ids=lambda text: text[:24],
)
def test_a_target_that_holds_odd_values(
    files: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (files / "odd.json").write_text(content)
    assert check("--target", "odd.json", "starving.gpl") == 2
    error = capsys.readouterr().err
    assert "give `cpus=64`" in error
    assert "internal error" not in error
    assert len(error) < 400


def test_a_target_that_is_a_pipe(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(files / "pipe")
    assert check("--target", "pipe", "starving.gpl") == 2
    assert "cannot read pipe: not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["cpus=0", "cpus=9999", "cpus=a-b", "nowhere.json", "broken.gpl", "cpus=" + "9" * 5000, "a\0b"],
)
def test_invalid_target_is_refused(
    files: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert check("--target", text, "starving.gpl") == 2
    assert "give `cpus=64`" in capsys.readouterr().err


def test_this_machine_is_a_target(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "pin.gpl").write_text('policy p {}\nrule a { match comm == "a" cpus 0,8191 }\n')
    assert check("--target", "host", "pin.gpl") == 1
    assert "CPU 8191 is not on the target" in capsys.readouterr().err


def test_explain_is_an_option_of_the_compiler(capsys: pytest.CaptureFixture[str]) -> None:
    assert compiler.main(["--explain", "GPL0403"]) == 0
    assert capsys.readouterr().out.startswith("GPL0403 unreachable\n")
