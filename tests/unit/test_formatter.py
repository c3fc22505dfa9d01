# SPDX-License-Identifier: Apache-2.0
"""The formatter: one layout, all comments, the same meaning, and the same again."""

from __future__ import annotations

import dataclasses
import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc.cli import gthulhu
from gthulhuc.formatter import format_source
from gthulhuc.frontend import parse
from gthulhuc.source import Source, Span
from sentences import Sentences

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*ROOT.glob("policies/**/*.gpl"), *ROOT.glob("examples/**/*.gpl")])
UNTIDY = 'policy p{}\nrule r{match comm=="a"priority high}#why\n'
TIDY = 'policy p {}\n\nrule r {\n    match    comm == "a"\n    priority high\n}  #why\n'


def fmt(text: str) -> str:
    result, problems = format_source(Source("x.gpl", text))
    assert result is not None, problems
    return result


WHENS = """\
when pressure cpu > 20% for 5s and not (time in 22:00..06:00) {  # why
    # One rule.
    rule a {
        weight   300
        preempt  off
    }
    rule b {}

    # Another one.
    rule c {
        slice    2ms
    }  # end
}
"""


def test_rules_of_a_when_block_are_indented() -> None:
    flat = "\n".join(" ".join(line.split()) for line in WHENS.splitlines())
    assert fmt(WHENS) == WHENS
    assert fmt(flat.replace("> 20%", ">20%").replace("b {}", "b\n{\n}")) == WHENS


def meaning(text: str) -> object:
    file, problems = parse(Source("x.gpl", text))
    assert not problems
    return _plain(file)


def _plain(node: object) -> object:
    if isinstance(node, tuple):
        return [_plain(part) for part in node]
    if isinstance(node, Span | Source):
        return None
    if dataclasses.is_dataclass(node):
        fields = dataclasses.fields(node)
        return [type(node).__name__, *(_plain(getattr(node, field.name)) for field in fields)]
    return node


def _comments(text: str) -> list[str]:
    no_strings = re.sub(r'"(\\.|[^"\\\n])*"|\'[^\'\n]*\'', "s", text)
    return [note.rstrip() for note in re.findall(r"#[^\r\n]*", no_strings)]


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_meaning_and_comments_stay_and_a_second_run_changes_nothing(chance: random.Random) -> None:
    text = Sentences(chance).text()
    once = fmt(text)
    assert fmt(once) == once
    assert meaning(once) == meaning(text)
    assert sorted(_comments(once)) == sorted(_comments(text))
    assert not re.search(r"[ \t\r]$|\n\n\n|\A\n|[^\n]\Z", once, re.MULTILINE)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet='{}[]()"#=~ \nrule match comm "a" and', max_size=60))
def test_parse_errors_are_refused_with_a_reason(text: str) -> None:
    result, problems = format_source(Source("x.gpl", text))
    assert (result is None) == bool(problems)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_policies_are_in_the_layout(path: Path) -> None:
    text = path.read_text()
    assert fmt(text) == text


def test_the_layout_of_everything() -> None:
    folder = ROOT / "tests/data/format"
    assert fmt((folder / "untidy.gpl").read_text()) == (folder / "tidy.gpl").read_text()


def test_a_list_that_fits_stands_on_one_line() -> None:
    assert fmt('set a = [ "x" ,\n"y",\n]') == 'set a = ["x", "y"]\n'


def test_a_long_list_has_one_element_a_line_and_a_last_comma() -> None:
    names = [f'"process-{number}"' for number in range(20)]
    once = fmt(f"set a = [{','.join(names)}]")
    assert once == "set a = [\n" + "".join(f"    {name},\n" for name in names) + "]\n"


def test_numbers_of_a_predicate_are_set_apart_and_cpus_are_not() -> None:
    once = fmt("rule r { match uid in [1,2] cpus 0 - 3,5 , node 1 }")
    assert "uid in [1, 2]\n" in once
    assert "cpus     0-3,5, node 1\n" in once


def test_a_file_of_15000_names_is_laid_out_in_linear_time() -> None:
    names = ", ".join(f'"n{number}"' for number in range(15_000))
    assert fmt(f"set a = [{names}]").count("\n") == 15_002


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def untidy(tmp_path: Path) -> Path:
    path = tmp_path / "untidy.gpl"
    path.write_text(UNTIDY)
    path.chmod(0o640)
    return path


def test_the_command_rewrites_the_file_and_keeps_its_mode(untidy: Path) -> None:
    assert gthulhu.main(["fmt", str(untidy)]) == 0
    assert untidy.read_text() == TIDY
    assert untidy.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in untidy.parent.iterdir()] == ["untidy.gpl"]


def test_a_link_stays_a_link(untidy: Path) -> None:
    link = untidy.with_name("link.gpl")
    link.symlink_to(untidy.name)
    assert gthulhu.main(["fmt", str(link)]) == 0
    assert (link.is_symlink(), untidy.read_text()) == (True, TIDY)


def test_a_tidy_file_is_not_written(untidy: Path) -> None:
    untidy.write_text(TIDY)
    before = untidy.stat()
    assert gthulhu.main(["fmt", str(untidy)]) == 0
    assert untidy.stat().st_ino == before.st_ino


def test_check_names_what_would_change(untidy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["fmt", "--check", str(untidy)]) == 1
    assert capfd.readouterr().err == f"{untidy} would change\n"
    assert untidy.read_text() == UNTIDY


def test_diff_shows_it_and_writes_nothing(untidy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["fmt", "--diff", str(untidy)]) == 0
    assert "-policy p{}\n" in capfd.readouterr().out
    assert untidy.read_text() == UNTIDY


def test_broken_files_are_reported_and_the_others_done(
    untidy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = untidy.with_name("broken.gpl")
    broken.write_bytes(b"rule r {\xff")
    assert gthulhu.main(["fmt", str(broken), str(untidy)]) == 1
    assert "error[GPL0001]" in capfd.readouterr().err
    assert (broken.read_bytes(), untidy.read_text()) == (b"rule r {\xff", TIDY)


def test_line_ends_and_the_byte_order_mark_are_put_right(untidy: Path) -> None:
    untidy.write_bytes(b"\xef\xbb\xbfpolicy p {}\r\n")
    assert gthulhu.main(["fmt", "--check", str(untidy)]) == 1
    assert gthulhu.main(["fmt", str(untidy)]) == 0
    assert untidy.read_bytes() == b"policy p {}\n"


ODD = 'policy p {}\n# \x1b[2J \x07 a\tb\nrule   a { match comm == "\x1b[31m" }\n'


def test_fmt_keeps_every_byte_of_a_comment(tmp_path: Path) -> None:
    path = tmp_path / "odd.gpl"
    path.write_text(ODD)
    assert gthulhu.main(["fmt", str(path)]) == 0
    assert "# \x1b[2J \x07 a\tb\n" in path.read_text()
    assert '"\x1b[31m"' in path.read_text()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_diff_escapes_control_characters(
    is_terminal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "odd.gpl"
    path.write_text(ODD)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert gthulhu.main(["fmt", "--diff", str(path)]) == 0
    shown = capsys.readouterr().out
    assert ("\x1b" in shown) is not is_terminal
    assert (r" # \x1b[2J \x07 a" + "\tb\n" in shown) is is_terminal
