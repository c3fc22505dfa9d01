# SPDX-License-Identifier: Apache-2.0
"""The editors' parser takes all that the compiler parses, and its colours know every word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from tree_sitter import Language, Node, Parser, Query, QueryCursor

import ananicy_corpus
from gthulhuc import words
from gthulhuc.diagnostics import Collector
from gthulhuc.importers.ananicy import convert
from gthulhuc.importers.ananicy_files import read_folder
from gthulhuc.importers.document import to_text
from gthulhuc.source import Source
from gthulhuc.syntax import derive, tree_sitter
from gthulhuc.syntax.grammar import read
from gthulhuc.syntax.parse import parse
from gthulhuc.syntax.regenerate import EDITORS, GRAMMAR
from gthulhuc.words import Kind
from sentences import Sentences
from tree_sitter_parser import build

ROOT = Path(__file__).parents[2]
FILES = [path for top in ("policies", "examples", "tests") for path in ROOT.glob(f"{top}/**/*.gpl")]
QUERY = EDITORS / "queries/highlights.scm"
COLOURS = {
    Kind.SETTING: ("policy p { @ 5s }", "property"),
    Kind.FIELD: ("rule a { match @ }", "variable.builtin"),
    Kind.LEVEL: ("default { priority @ }", "constant.builtin"),
    Kind.CPUS: ("default { cpus @ }", "constant.builtin"),
    Kind.MIGRATION: ("default { migrate @ }", "constant.builtin"),
    Kind.DETAIL: ('rule a { match calls "f" within 1s via @ }', "constant.builtin"),
    Kind.STATISTIC: ("expect w { @(x y) < 5 }", "function.builtin"),
    Kind.METRIC: ("expect w { p50(@ a) < 5 }", "type"),
    Kind.PEER: ("expect w { p50(wait a) < 5% of @ }", "constant.builtin"),
    Kind.OTHERWISE: ("promise a over 1s { else @ }", "constant.builtin"),
    Kind.CONDITION: ("when @ > 5% {}", "variable.builtin"),
    Kind.RESOURCE: ("when pressure @ > 5% {}", "constant.builtin"),
}
"""By kinds of words, a text with `@` at the place of one, and its colour."""


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Language:
    return build(tmp_path_factory.mktemp("tree-sitter"))


def is_valid(path: Path) -> bool:
    """Whether the compiler finds no mistake of syntax in a file."""
    report = Collector()
    try:
        parsed = parse(Source(path.name, path.read_text(encoding="utf-8-sig")), report)
    except UnicodeDecodeError:
        return False
    return parsed is not None and not report.has_errors


def test_the_grammar_is_the_compiler_s() -> None:
    grammar = read(GRAMMAR.read_text())
    assert (EDITORS / "grammar.js").read_text() == tree_sitter.grammar_js(grammar)


def test_each_file_that_the_compiler_parses_has_no_error(language: Language) -> None:
    parser = Parser(language)
    valid = [path for path in FILES if is_valid(path)]
    assert len(valid) > 100
    wrong = [path for path in valid if parser.parse(path.read_bytes()).root_node.has_error]
    assert wrong == []


@pytest.mark.parametrize("seed", range(20))
def test_random_sentences_have_no_error(seed: int, language: Language) -> None:
    parser = Parser(language)
    sentences = Sentences(Random(seed))
    for _ in range(20):
        text = sentences.text()
        assert not parser.parse(text.encode()).root_node.has_error, text


def test_an_imported_corpus_has_no_error(language: Language, tmp_path: Path) -> None:
    ananicy_corpus.write(tmp_path, 3_000)
    document, _ = convert("corpus", read_folder(str(tmp_path)))
    tree = Parser(language).parse(to_text(document).encode())
    assert not tree.root_node.has_error
    assert str(tree.root_node).count("(string)") > 2_500


def test_a_mistake_is_an_error_and_leaves_the_next_rule_whole(language: Language) -> None:
    text = b"policy p {}\nrule a { match comm == }\nrule b { match kthread weight 5 }\n"
    root = Parser(language).parse(text).root_node
    assert root.has_error
    last = root.children[-1].children[0]
    assert (last.type, last.has_error) == ("rule_block", False)


# ---- colours ------------------------------------------------------------------------------------


def keywords() -> set[str]:
    """The words that are tokens of the grammar."""
    return set(derive.token_regex(read(GRAMMAR.read_text()))[1])


def names(*kinds: Kind) -> set[str]:
    return {word.name for word in words.ALL if word.kind in kinds}


def test_the_colours_list_the_compilers_words(pytestconfig: pytest.Config) -> None:
    operators = names(Kind.OPERATOR)
    marks = tree_sitter.marks(read(GRAMMAR.read_text()))
    marks -= set("()[]{},")
    renewed = QUERY.read_text()
    for capture, listed in (
        ("keyword", keywords() - operators),
        ("keyword.operator", operators),
        ("operator", marks),
    ):
        block = "".join(f'  "{name}"\n' for name in sorted(listed))
        renewed = re.sub(
            rf'\[\n(  "[^\n]*"\n)+\] @{capture}\n', f"[\n{block}] @{capture}\n", renewed
        )
    fields = " ".join(f'"{name}"' for name in sorted(names(Kind.FIELD)))
    renewed = re.sub(r"(#any-of\? @variable.builtin) [^)]*\)", rf"\1 {fields})", renewed)
    if pytestconfig.getoption("--renew"):
        QUERY.write_text(renewed)
    assert QUERY.read_text() == renewed


def captures(language: Language, text: bytes) -> dict[tuple[int, str], str]:
    """The capture of each token by its place; of several captures the last counts."""
    root = Parser(language).parse(text).root_node
    found: dict[tuple[int, str], str] = {}
    for _, groups in QueryCursor(Query(language, QUERY.read_text())).matches(root):
        for name, nodes in groups.items():
            for node in nodes:
                for leaf in leaves(node):
                    found[leaf.start_byte, (leaf.text or b"").decode()] = name
    return found


def leaves(node: Node) -> Iterable[Node]:
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def test_every_word_of_the_language_has_its_colour(language: Language) -> None:
    """The list above has those that are tokens of the grammar."""
    listed = keywords()
    others = [word for word in words.ALL if word.name not in listed]
    for word in others:
        text, colour = COLOURS[word.kind]
        found = captures(language, text.replace("@", word.name).encode())
        assert found[text.index("@"), word.name] == colour
    assert {word.kind for word in others} == COLOURS.keys()


def test_every_token_of_a_policy_has_a_colour(language: Language) -> None:
    for path in ROOT.glob("policies/*.gpl"):
        data = path.read_bytes()
        found = captures(language, data)
        for leaf in leaves(Parser(language).parse(data).root_node):
            text = (leaf.text or b"").decode()
            assert (leaf.start_byte, text) in found, (path.name, leaf.start_point, text)


def test_a_rule_token_by_token(language: Language) -> None:
    text = b'rule ran { match comm == "x" and my-set # why\nslice 1ms..q cpus fast, 3 prefer }'
    found = sorted(captures(language, text).items())
    assert [(token, name) for (_, token), name in found] == [
        ("rule", "keyword"),
        ("ran", "type"),
        ("{", "punctuation.bracket"),
        ("match", "keyword"),
        ("comm", "variable.builtin"),
        ("==", "operator"),
        ('"x"', "string"),
        ("and", "keyword.operator"),
        ("my-set", "variable"),
        ("# why", "comment"),
        ("slice", "keyword"),
        ("1ms", "number"),
        ("..", "operator"),
        ("q", "variable"),
        ("cpus", "keyword"),
        ("fast", "constant.builtin"),
        (",", "punctuation.delimiter"),
        ("3", "number"),
        ("prefer", "constant.builtin"),
        ("}", "punctuation.bracket"),
    ]
