# SPDX-License-Identifier: Apache-2.0
"""The TextMate grammar: every word of the language has its scope, in a text as an editor sees it.

The tokeniser here does what editors do with the few forms of pattern that the grammar uses: it
takes the earliest match and, of several, the first pattern.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gthulhuc import words
from gthulhuc.words import Kind

ROOT = Path(__file__).parents[2]
PATH = ROOT / "grammar/gpl.tmLanguage.json"
GRAMMAR = json.loads(PATH.read_text())
SCOPES = {
    Kind.ITEM: "keyword.declaration",
    Kind.SETTING: "keyword.control",
    Kind.ACTION: "keyword.control",
    Kind.FIELD: "variable.language",
    Kind.OPERATOR: "keyword.operator.word",
    Kind.LEVEL: "constant.language",
    Kind.CPUS: "constant.language",
    Kind.MIGRATION: "constant.language",
    Kind.DETAIL: "keyword.other",
    Kind.STATISTIC: "support.function",
    Kind.METRIC: "support.constant",
    Kind.PEER: "support.constant",
    Kind.OTHERWISE: "support.constant",
    Kind.CONDITION: "support.constant",
    Kind.RESOURCE: "support.constant",
}


def flat(patterns: list[Any]) -> list[Any]:
    """The patterns with what they include put in."""
    result = []
    for pattern in patterns:
        if "include" in pattern:
            result += flat([GRAMMAR["repository"][pattern["include"][1:]]])
        elif "match" in pattern or "begin" in pattern:
            result.append(pattern)
        else:
            result += flat(pattern["patterns"])
    return result


def tokenize(line: str, patterns: list[Any] | None = None) -> list[tuple[str, str]]:
    """The parts of a line with their scopes; a part without one is left out."""
    known = flat(GRAMMAR["patterns"] if patterns is None else patterns)
    tokens: list[tuple[str, str]] = []
    at = 0
    while True:
        found = [
            (match.start(), index, match, pattern)
            for index, pattern in enumerate(known)
            if (match := re.compile(pattern.get("match") or pattern["begin"]).search(line, at))
        ]
        if not found:
            return tokens
        _, _, match, pattern = min(found, key=lambda entry: entry[:2])
        end = match.end()
        if "begin" in pattern:
            closing = re.compile(pattern["end"])
            inside = flat(pattern.get("patterns", []))
            while (close := closing.search(line, end)) is not None:
                inner = [p for i in inside if (p := re.compile(i["match"]).search(line, end))]
                first = min((p for p in inner), key=lambda p: p.start(), default=None)
                if first is None or first.start() >= close.start():
                    end = close.end()
                    break
                end = first.end()
            tokens.append((line[match.start() : end], pattern["name"]))
        elif "captures" in pattern:
            for number, capture in pattern["captures"].items():
                if match[int(number)] is not None:
                    tokens.append((match[int(number)], capture["name"]))
        else:
            tokens.append((match[0], pattern["name"]))
        at = max(end, at + 1)


PATTERNS = {
    "item": (Kind.ITEM,),
    "action": (Kind.SETTING, Kind.ACTION),
    "field": (Kind.FIELD,),
    "logic": (Kind.OPERATOR,),
    "value": (Kind.LEVEL, Kind.CPUS, Kind.MIGRATION),
    "detail": (Kind.DETAIL,),
    "statistic": (Kind.METRIC, Kind.PEER, Kind.OTHERWISE, Kind.CONDITION, Kind.RESOURCE),
}
"""The patterns of the grammar that list words, and of which kinds these are."""


def test_the_grammar_lists_the_compilers_words(pytestconfig: pytest.Config) -> None:
    renewed = json.loads(PATH.read_text())
    for pattern, kinds in PATTERNS.items():
        names = {word.name for word in words.ALL if word.kind in kinds}
        listed = "|".join(sorted(names, key=lambda name: (-len(name), name)))
        renewed["repository"][pattern]["match"] = rf"(?<![\w-])(?:{listed})(?![\w-])"
    text = json.dumps(renewed, indent=2, ensure_ascii=False) + "\n"
    if pytestconfig.getoption("--renew"):
        PATH.write_text(text)
    assert PATH.read_text() == text


@pytest.mark.parametrize("word", words.ALL, ids=lambda word: f"{word.kind.value}-{word.name}")
def test_every_word_has_its_scope(word: words.Word) -> None:
    text = f"{word.name} (" if word.kind is Kind.STATISTIC else f" {word.name} "
    scope = dict(tokenize(text))[word.name]
    assert scope.startswith(SCOPES[word.kind])


def test_every_keyword_of_the_grammar_is_explained() -> None:
    grammar = (ROOT / "grammar/Gpl.g4").read_text()
    keywords = re.findall(r"^[A-Z_]+ *: '([a-z][a-z-]*)' ;", grammar, re.MULTILINE)
    assert len(keywords) > 25
    assert {name for name in keywords if words.find(name) is None} == set()


def test_a_word_within_a_name_is_only_a_name() -> None:
    assert dict(tokenize("set in-rule = a_match"))["a_match"] == "variable.other.gpl"
    assert dict(tokenize("x max-wait-y"))["max-wait-y"] == "variable.other.gpl"


def test_the_head_of_a_when_block() -> None:
    assert tokenize("when time in 22:00..06:30 {") == [
        ("when", "keyword.declaration.gpl"),
        ("time", "support.constant.gpl"),
        ("in", "keyword.operator.word.gpl"),
        ("22:00", "constant.numeric.gpl"),
        ("..", "keyword.operator.gpl"),
        ("06:30", "constant.numeric.gpl"),
        ("{", "punctuation.gpl"),
    ]


def test_a_line_of_a_test() -> None:
    assert tokenize('test "a" { not leader label "k" "v" nice -5 -> batch }')[3:] == [
        ("not", "keyword.operator.word.gpl"),
        ("leader", "variable.language.gpl"),
        ("label", "variable.language.gpl"),
        ('"k"', "string.quoted.double.gpl"),
        ('"v"', "string.quoted.double.gpl"),
        ("nice", "variable.language.gpl"),
        ("-5", "constant.numeric.gpl"),
        ("->", "keyword.operator.gpl"),
        ("batch", "variable.other.gpl"),
        ("}", "punctuation.gpl"),
    ]


def test_a_rule_line_by_line() -> None:
    lines = (
        'rule ran-2 { match comm in ["nr-gnb # x", \'a\'] and not kthread # why "not"',
        "slice ran_slice..20ms cpus 0-3,5 exclusive",
    )
    assert [tokenize(line) for line in lines] == [
        [
            ("rule", "keyword.declaration.gpl"),
            ("ran-2", "entity.name.type.gpl"),
            ("{", "punctuation.gpl"),
            ("match", "keyword.control.gpl"),
            ("comm", "variable.language.gpl"),
            ("in", "keyword.operator.word.gpl"),
            ("[", "punctuation.gpl"),
            ('"nr-gnb # x"', "string.quoted.double.gpl"),
            (",", "punctuation.gpl"),
            ("'a'", "string.quoted.single.gpl"),
            ("]", "punctuation.gpl"),
            ("and", "keyword.operator.word.gpl"),
            ("not", "keyword.operator.word.gpl"),
            ("kthread", "variable.language.gpl"),
            ('# why "not"', "comment.line.number-sign.gpl"),
        ],
        [
            ("slice", "keyword.control.gpl"),
            ("ran_slice", "variable.other.gpl"),
            ("..", "keyword.operator.gpl"),
            ("20", "constant.numeric.gpl"),
            ("ms", "keyword.other.unit.gpl"),
            ("cpus", "keyword.control.gpl"),
            ("0", "constant.numeric.gpl"),
            ("3", "constant.numeric.gpl"),
            (",", "punctuation.gpl"),
            ("5", "constant.numeric.gpl"),
            ("exclusive", "constant.language.gpl"),
        ],
    ]
