# SPDX-License-Identifier: Apache-2.0
"""Importers: their output compiles and is formatted, and losses are reported with their places."""

from __future__ import annotations

import os
import re
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ananicy_corpus
from gthulhuc.cli import gthulhu
from gthulhuc.formatter import format_source
from gthulhuc.frontend import check
from gthulhuc.importers.ananicy_files import read_file
from gthulhuc.importers.command_regex import UnsupportedError, to_predicate
from gthulhuc.importers.document import settle, to_text
from gthulhuc.importers.gthulhu import Semantics
from gthulhuc.importers.gthulhu import convert as convert_gthulhu
from gthulhuc.importers.gthulhu_rows import read_rows
from gthulhuc.source import Source
from gthulhuc.syntax.text import quote

DATA = Path(__file__).parents[1] / "data/import"
SHAPES = sorted([*DATA.glob("gthulhu/*"), *DATA.glob("layered/*")])
NOTHING = {"broken.json", "head-empty.json", "two-keys.json"}


def convert(capfd: pytest.CaptureFixture[str], *args: str | Path, code: int = 0) -> tuple[str, str]:
    assert gthulhu.main(["import", *map(str, args)]) == code
    out, err = capfd.readouterr()
    return out, err.replace(str(DATA), "DATA")


def assert_good(text: str) -> None:
    source = Source("imported.gpl", text)
    _, problems = check(source)
    assert not [problem for problem in problems if problem.is_error]
    assert format_source(source)[0] == text


def assert_expected(request: pytest.FixtureRequest, name: str, policy: str, report: str) -> None:
    """Compares with tests/data/import/expected/NAME.txt; --renew writes it."""
    said = f"{policy}----\n{report}"
    expected = DATA / "expected" / f"{name}.txt"
    if request.config.getoption("--renew"):
        expected.write_text(said)
    assert said == expected.read_text()


@pytest.mark.parametrize("path", SHAPES, ids=lambda path: path.name)
def test_every_shape(
    path: Path, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    code = gthulhu.main(["import", path.parent.name, str(path)])
    out, err = capfd.readouterr()
    assert code == int("error:" in err)
    assert bool(out) == (path.name not in NOTHING)
    if out:
        assert_good(out)
    assert_expected(request, path.name, out, err.replace(str(DATA), "DATA"))


@pytest.mark.parametrize("tool", ["ananicy", "system76", "systemd"])
def test_a_folder(
    tool: str, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    out, err = convert(capfd, tool, DATA / tool, code=1)
    assert_good(out)
    assert_expected(request, tool, out, err)


def test_the_last_strategy_of_gthulhu_wins_as_the_first_rule(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.json"
    path.write_text(
        '[{"commandRegex": "^a$", "priority": 1}, {"commandRegex": "^a", "priority": 12},'
        ' {"commandRegex": "^a$", "priority": 3, "executionTime": 2000000}]'
    )
    out, err = convert(capfd, "gthulhu", path)
    assert re.findall(r"match +(.*)", out) == ['comm == "a"', 'comm ~ "a*"']
    assert "slice    2ms" in out
    assert re.search(r"\[0\]: warning: skipped: .* selects the same tasks", err)


def test_rules_that_never_take_a_task_are_skipped(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hidden.json"
    path.write_text(
        '[{"commandRegex": "^abc$", "priority": 1}, {"commandRegex": "^a", "priority": 12}]'
    )
    out, err = convert(capfd, "gthulhu", path)
    assert out.count("rule ") == 1
    assert "[0]: warning: skipped because it would never take a task" in err


@pytest.mark.parametrize(
    ("semantics", "actions"),
    [("current", []), ("kernel", ["urgent", "preempt"]), ("user", ["urgent"])],
)
def test_priority_0_means_what_its_gthulhu_meant(
    semantics: str, actions: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "zero.json"
    path.write_text('{"commandRegex": "^a$", "priority": 0, "executionTime": 1000000}')
    out, _ = convert(capfd, "gthulhu", path, "--semantics", semantics)
    assert re.findall(r"urgent|preempt", out) == actions


@pytest.mark.parametrize(
    ("regex", "predicate"),
    [
        ("^(nr-gnb|nr-ue)$", 'comm in ["nr-gnb", "nr-ue"]'),
        ("nr-gnb|^ping$", 'comm ~ ["ping", "*nr-gnb*"]'),
        ("^nginx", 'comm ~ "nginx*"'),
        (r"^a\.b$", 'comm == "a.b"'),
        ("vllm.*[0-9]+?$", "comm =~ '.*vllm.*[0-9]+'"),
        ("(?:a|b){2}c", "comm =~ '.*(a|b){2}c.*'"),
        (r"^\[x\]", 'comm ~ "[[]x]*"'),
    ],
)
def test_regular_expressions_become_the_plainest_predicate(regex: str, predicate: str) -> None:
    assert to_predicate(regex).predicate == predicate


@pytest.mark.parametrize("regex", ["(?i)a", r"\bfoo", "a^b", "[", "é+", "[[:alpha:]]", "x{16}"])
def test_settings_without_counterpart_are_reported(regex: str) -> None:
    with pytest.raises(UnsupportedError):
        to_predicate(regex)


def test_strings_are_quoted_byte_by_byte() -> None:
    assert quote('é"\\'.encode() + b"\n\xff") == '"é\\"\\\\\\x0a\\xff"'


ODD = {
    "gthulhu": (
        b"", b"[]", b"{", b"a: [", b"\xff", b"[" * 100_000, b"&a [*a]", b"3", b'"x"', b"a: !!x b",
        b'{"strategies": [{"pid": "x"}, {"priority": 1.5}, {"pid": -1}, 3, {"commandRegex": 3}]}',
        b'{"strategies": [{"priority": 1, "selectors": "x"}, {"priority": 1, "k8sNamespace": 3}]}',
    ),
    "layered": (b"3", b"{}", b"[]", b"null", b'[{"name": "a"}]', b"[[]]"),
    "system76": (
        b"", b"version 2", b"process-scheduler enable=false { assignments { a { b; }; }; }",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "content"), [(tool, content) for tool, contents in ODD.items() for content in contents]
)
def test_odd_input_is_reported_and_no_policy_written(
    tool: str, content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ("odd.kdl" if tool == "system76" else "odd.json")
    path.write_bytes(content)
    out, err = convert(capfd, tool, path, code=1)
    assert out == ""
    assert "nothing to import" in err
    assert "internal" not in err


_TEXTS = st.one_of(
    st.sampled_from(
        ("upf", "^a$", "a|b", "x.*y", ".*", "(", "a{3}", "[^b]", "nr-gnb|ping", "\\.", "", "\r")
    ),
    st.text(max_size=20),
)
_SELECTORS = st.lists(st.fixed_dictionaries({"key": _TEXTS, "value": _TEXTS}), max_size=2)
_ROWS = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.one_of(st.booleans(), st.integers(-2, 22)),
        "executionTime": st.sampled_from((0, 1, 20_000, 1_234_567, 20_000_000, 10**12)),
        "commandRegex": _TEXTS,
        "labelSelectors": _SELECTORS,
        "k8sNamespace": st.lists(_TEXTS, max_size=2),
        "pid": st.integers(0, 3),
        "nodeNames": st.lists(_TEXTS, max_size=1),
        "strategyNamespace": _TEXTS,
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_ROWS, max_size=6), st.sampled_from(Semantics))
def test_whatever_the_strategies_the_policy_compiles(
    rows: list[dict[str, object]], semantics: Semantics
) -> None:
    document, findings = convert_gthulhu("x.json", rows, semantics)
    settled, more = settle(document)
    if settled.rules:
        assert_good(to_text(settled))
    telltale = {"priority", "executionTime", "commandRegex", "pid"}
    lost = [row for row in rows if telltale & row.keys()]
    assert settled.rules or findings or more or not lost


# ---- systemd ------------------------------------------------------------------------------------


def test_units_without_a_rule_and_odd_files(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.service").write_text("[Service]\nCPUAffinity=1 \\\n  # a comment\n  2\n")
    (tmp_path / "alias.service").symlink_to("a.service")
    (tmp_path / "torn.service").write_bytes(b"\xff")
    (tmp_path / "-.slice").write_text("[Slice]\nAllowedCPUs=0\n")
    (tmp_path / os.fsdecode(b'\xff".service')).write_text("[Service]\nCPUWeight=idle\n")
    (tmp_path / "x.d").mkdir()
    out, err = convert(capfd, "systemd", tmp_path, code=1)
    assert_good(out)
    assert re.findall(r"match +(.*)", out) == ['unit == "a.service"', r'unit == "\xff\".service"']
    assert re.findall(r"cpus +(.*)", out) == ["1-2"]
    assert "skipped: an alias of a.service" in err
    assert "torn.service: error: skipped: not UTF-8" in err
    assert "`AllowedCPUs` of -.slice is lost" in err


def test_weights_alone_make_a_policy(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.service").write_text("[Service]\nCPUWeight=300\n")
    out, _ = convert(capfd, "systemd", tmp_path)
    assert_good(out)
    assert "cgroups  weight" in out
    (tmp_path / "a.service").write_text("[Service]\nCPUWeight=300\nCPUWeight=\nNice=3\n")
    out, err = convert(capfd, "systemd", tmp_path, code=1)
    assert out == ""
    assert "nothing to import" in err


# ---- ananicy ------------------------------------------------------------------------------------


def test_broken_lines_have_their_place_and_stop_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    out, err = convert(capfd, "ananicy", DATA / "ananicy", code=1)
    assert '"bestgame"' in out
    for place in ("broken.rules:2:21", "broken.rules:3:38", "broken.rules:5:1", "odd.rules:2:14"):
        assert f"{place}: error: " in err


def test_15000_rules_become_few_in_time_and_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ananicy_corpus.write(tmp_path / "corpus", 15_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    out, err = convert(capfd, "ananicy", tmp_path / "corpus")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 20
    assert err.endswith("imported: 6 rules for 15000 names\n")
    assert out.count('\n    "') > 14_000


def test_a_folder_that_is_not_there_exits_2(tmp_path: Path) -> None:
    for tool in ("ananicy", "system76", "systemd"):
        assert gthulhu.main(["import", tool, str(tmp_path / "missing")]) == 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("executionTime", "20ms"),
        ("execution_time", "20ms"),
        ("Priority", "high"),
        ("labelSelectors", "app=web"),
        ("label_selectors", [{"Value": "web"}]),
        ("podLabels", ["app"]),
        ("k8sNamespace", 5),
        ("command-regex", 5),
    ],
)
def test_an_error_names_the_key_as_it_was_written(key: str, value: object) -> None:
    _, findings = read_rows("s.json", [[{"pid": 1, key: value}]])
    (finding,) = findings
    assert finding.is_error
    assert f"{finding}".partition("error: ")[2].startswith(key)


def test_a_broken_line_says_whether_its_rule_is_taken() -> None:
    text = b'{"name": "a", "nice": -5} {"name": "b"}\n{"name": "c", "nice": -5\n{"name": "\xe9"}\n'
    file = read_file("x.rules", text)
    assert [entry.fields["name"] for entry in file.entries] == ["a"]
    said = [str(finding) for finding in file.findings]
    assert "the object itself is taken" in said[0]
    assert "skipped: not JSON" in said[1]
    assert "skipped: not UTF-8" in said[2]
