# SPDX-License-Identifier: Apache-2.0
"""The human renderer, colours, and did-you-mean."""

from __future__ import annotations

import io

import pytest

from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.human import COLOURED, PLAIN, palette_for, render, summary
from gthulhuc.diagnostics.suggest import did_you_mean, nearest
from gthulhuc.source import Source, Span


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def span_of(source: Source, text: str) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def rendered(text: str, marked: str) -> list[str]:
    source = Source("x.gpl", text)
    report = Collector()
    report.error(codes.SYNTAX, "wrong", span_of(source, marked))
    return render(report.sorted()).splitlines()


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("match abc", "abc"),
        ("\tmatch\tabc", "abc"),
        ('"日本" abc', "abc"),
        ('"e\u0301" abc', "abc"),
        ("\0 abc", "abc"),
    ],
)
def test_the_caret_stands_under_the_place(text: str, marked: str) -> None:
    import unicodedata

    lines = rendered(text, marked)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in lines[3])
    narrow = sum(unicodedata.combining(char) > 0 for char in lines[3])
    assert lines[4].index("^") == lines[3].index(marked) + wide - narrow
    assert lines[4].count("^") == len(marked)


def test_wide_characters_get_two_carets() -> None:
    assert rendered("日本", "本")[4].endswith("|   ^^")


def test_a_long_line_is_cut_around_the_place() -> None:
    lines = rendered("a" * 500 + " here " + "b" * 500, "here")
    assert len(lines[3]) < 200
    assert lines[4].index("^") == lines[3].index("here")


def test_a_span_over_lines_is_marked_on_its_first() -> None:
    assert rendered("(abc\ndef)", "(abc\ndef)")[4].count("^") == 4


def test_diagnostics_are_sorted_and_reported_once() -> None:
    source = Source("x.gpl", "one two\nthree")
    report = Collector()
    for word in ("three", "one", "three", "two"):
        report.error(codes.SYNTAX, word, span_of(source, word))
    assert [diagnostic.message for diagnostic in report.sorted()] == ["one", "two", "three"]


def test_secondary_labels_stand_on_their_lines() -> None:
    source = Source("x.gpl", "set a\n\n\nset b\n")
    report = Collector()
    first = Label(span_of(source, "a"), "first")
    report.error(codes.SYNTAX, "twice", span_of(source, "b"), secondary=[first])
    lines = render(report.sorted()).splitlines()
    assert lines[3:8] == ["1 | set a", "  |     - first", "...", "4 | set b", "  |     ^"]


def test_the_summary_counts() -> None:
    source = Source("x.gpl", "a b")
    report = Collector()
    assert summary(report.sorted(), "x.gpl") == ""
    report.warning(codes.UNUSED, "w", span_of(source, "a"))
    assert summary(report.sorted(), "x.gpl") == "warning: x.gpl has 1 warning\n"
    report.error(codes.SYNTAX, "e", span_of(source, "a"))
    report.error(codes.SYNTAX, "e", span_of(source, "b"))
    assert summary(report.sorted(), "x.gpl") == "error: x.gpl has 2 errors and 1 warning\n"


def test_control_characters_of_a_policy_never_reach_the_terminal() -> None:
    lines = rendered("\x1b[31m abc \u202e", "abc")
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("choice", "environ", "is_coloured"),
    [
        ("auto", {"TERM": "xterm"}, True),
        ("auto", {"TERM": "dumb"}, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_on_a_terminal(choice: str, environ: dict[str, str], is_coloured: bool) -> None:
    assert palette_for(Terminal(), choice, environ) is (COLOURED if is_coloured else PLAIN)


def test_colour_elsewhere() -> None:
    assert palette_for(io.StringIO(), "auto", {}) is PLAIN
    assert palette_for(io.StringIO(), "auto", {"FORCE_COLOR": "1"}) is COLOURED


@pytest.mark.parametrize(
    ("word", "meant"),
    [("urgnt", "urgent"), ("Urgent", "urgent"), ("max_wait", "max-wait"), ("xyzzy", None)],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert nearest(word, ["urgent", "high", "low", "max-wait"]) == meant


def test_far_off_words_get_the_list() -> None:
    assert did_you_mean("zzz", ["a", "b"]) == ("expected `a` or `b`",)
    assert did_you_mean("zzz", []) == ()
