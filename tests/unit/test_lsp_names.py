# SPDX-License-Identifier: Apache-2.0
"""Names, the outline, folds and colours over the protocol, with a real client."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, edited, session
from gthulhuc.frontend import check
from gthulhuc.lsp import names
from gthulhuc.lsp.colours import colours
from gthulhuc.lsp.outline import folds
from gthulhuc.lsp.program import read
from gthulhuc.source import Source
from sentences import Sentences

LIBRARY = """\
set pods = label "app" == "upf" # 🐙 pods
"""
POLICY = """\
policy p {}
include "lib.gpl"
tunable turn = 2ms in 500us..20ms
set names = [
    "nr-gnb",
    "ping",
]

# ran is
# the rule
rule ran {
    match    comm in names and pods
    slice    turn
    preempt  after turn budget 1ms per 20ms
}
rule low { match cgroup under "/ran" priority low perf auto }
promise ran over 10s { p99(wakeup ran) < turn }
expect ping as ran under storm 2x as low { p99(time ping) < 1ms share(ran) > 1% }
test "ran" { comm "ran" -> default  comm "ping" label "app" "upf" -> ran }
"""
OTHER = 'policy q\ninclude "sub/../lib.gpl"\nrule no_pods { match not pods priority low }\n'


def folder(path: Path) -> Path:
    (path / "sub").mkdir()
    (path / "lib.gpl").write_text(LIBRARY)
    (path / "other.gpl").write_text(OTHER)
    (path / ".hidden.gpl").write_text(OTHER)
    return path


async def renamed(editor: Editor, name: str, text: str, needle: str, new: str) -> dict[str, Any]:
    """Returns the edits, by the file's name."""
    params = types.RenameParams(**editor.at(name, text, needle), new_name=new)
    found = await editor.client.text_document_rename_async(params)
    return {Path(uri.removeprefix("file://")).name: e for uri, e in found.changes.items()}


def test_a_renamed_policy_means_the_same(tmp_path: Path) -> None:
    async def steps(editor: Editor) -> None:
        for needle, new, count in (
            ("names and", "servers", 2),
            ("turn = 2ms", "quantum", 4),
            ("ran {\n", "radio", 6),
            ("ran over", "radio-2", 6),
            ("low {", "batch", 2),
        ):
            assert await editor.open("p.gpl", POLICY) == []
            changes = await renamed(editor, "p.gpl", POLICY, needle, new)
            assert list(changes) == ["p.gpl"]
            assert len(changes["p.gpl"]) == count
            text = edited(POLICY, changes["p.gpl"])
            assert text.count(new) == count
            assert await editor.open("p.gpl", text) == []

    session(folder(tmp_path), steps)


def test_a_name_of_a_library_is_renamed_in_all_that_include_it(tmp_path: Path) -> None:
    folder(tmp_path)

    async def steps(editor: Editor) -> None:
        assert await editor.open("p.gpl", POLICY) == []
        for name, text, needle in (("p.gpl", POLICY, "pods\n"), ("lib.gpl", LIBRARY, "pods =")):
            await editor.open(name, text)
            changes = await renamed(editor, name, text, needle, "upf-pods")
            assert {name: len(edits) for name, edits in changes.items()} == {
                "p.gpl": 1,
                "lib.gpl": 1,
                "other.gpl": 1,
            }
        (tmp_path / "lib.gpl").write_text(edited(LIBRARY, changes["lib.gpl"]))
        (tmp_path / "other.gpl").write_text(edited(OTHER, changes["other.gpl"]))
        source = Source(str(tmp_path / "other.gpl"), edited(OTHER, changes["other.gpl"]))
        policy, problems = check(source)
        assert policy is not None, problems

        # References are the same places, with the definition or without it.
        async def places(*, with_definition: bool) -> list[tuple[str, int]]:
            params = types.ReferenceParams(
                types.ReferenceContext(with_definition), **editor.at("p.gpl", POLICY, "pods\n")
            )
            found = await editor.client.text_document_references_async(params)
            return sorted((Path(each.uri).name, each.range.start.line) for each in found)

        (tmp_path / "other.gpl").write_text(OTHER)
        uses = [("other.gpl", 2), ("p.gpl", 11)]
        assert await places(with_definition=False) == uses
        assert await places(with_definition=True) == sorted([("lib.gpl", 0), *uses])

        # In this file alone, as an editor marks them.
        params = types.DocumentHighlightParams(**editor.at("p.gpl", POLICY, "turn\n"))
        found = await editor.client.text_document_document_highlight_async(params)
        kinds = [each.kind for each in found]
        assert kinds == [types.DocumentHighlightKind.Write, *[types.DocumentHighlightKind.Read] * 3]

    session(tmp_path, steps)


def test_a_name_that_cannot_be_given_is_refused(tmp_path: Path) -> None:
    async def steps(editor: Editor) -> None:
        await editor.open("p.gpl", POLICY)

        async def refused(needle: str, new: str) -> str:
            with pytest.raises(JsonRpcException) as caught:
                await renamed(editor, "p.gpl", POLICY, needle, new)
            return str(caught.value)

        assert "word of the language" in await refused("low {", "slice")
        assert "word of the language" in await refused("turn = 2ms", "auto")
        assert "name of a field" in await refused("names and", "comm")
        assert "is not a valid name" in await refused("low {", "two words")
        assert "is not a valid name" in await refused("low {", "")
        assert "`turn` is defined already, in" in await refused("low {", "turn")
        # In a file that shares the library, and with `-` for `_`.
        assert "`no_pods` is defined already, in" in await refused("pods\n", "no-pods")
        assert "only sets" in await refused("comm in", "names2")
        assert "only sets" in await refused('"nr-gnb"', "names2")
        params = types.PrepareRenameParams(**editor.at("p.gpl", POLICY, "comm in"))
        assert await editor.client.text_document_prepare_rename_async(params) is None
        params = types.PrepareRenameParams(**editor.at("p.gpl", POLICY, "low {"))
        found = await editor.client.text_document_prepare_rename_async(params)
        assert found.placeholder == "low"
        # A use may be in what could not be read.
        broken = POLICY.replace("slice    turn", "slice    turn,")
        await editor.open("p.gpl", broken)
        with pytest.raises(JsonRpcException, match="correct the syntax errors"):
            await renamed(editor, "p.gpl", broken, "turn = 2ms", "quantum")

    session(folder(tmp_path), steps)


def test_the_outline_of_a_text(tmp_path: Path) -> None:
    async def steps(editor: Editor) -> None:
        await editor.open("p.gpl", POLICY)
        document = types.TextDocumentIdentifier(editor.uri("p.gpl"))
        ask = editor.client
        found = await ask.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert [(each.detail, each.name) for each in found] == [
            ("policy", "p"),
            ("include", "lib.gpl"),
            ("tunable", "turn"),
            ("list", "names"),
            ("rule", "ran"),
            ("rule", "low"),
            ("promise", "ran"),
            ("expect", "ping"),
            ("test", "ran"),
        ]
        assert (found[4].range.start.line, found[4].range.end.line) == (10, 14)

        symbols = await ask.workspace_symbol_async(types.WorkspaceSymbolParams("PO"))
        assert sorted(each.name for each in symbols) == ["no_pods", "pods"]

        found = await ask.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert [(each.start_line, each.end_line, each.kind) for each in found] == [
            (3, 5, None),
            (10, 13, None),
            (8, 9, types.FoldingRangeKind.Comment),
        ]

        tokens = await ask.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document)
        )
        provider = editor.capabilities.semantic_tokens_provider
        assert provider is not None
        kinds = list(provider.legend.token_types)
        shown = decoded(POLICY, tokens.data, kinds)
        assert ("ran", "class", 1) in shown
        assert shown.count(("ran", "class", 0)) == 5
        assert shown.count(("turn", "parameter", 0)) == 3
        assert ("names", "variable", 1) in shown
        assert ("comm", "property", 0) in shown
        assert ("# the rule", "comment", 0) in shown
        assert ("match", "keyword", 0) in shown
        assert ("p99", "function", 0) in shown

        # After characters that take two units, too.
        await editor.open("lib.gpl", "# 🐙\n" + LIBRARY.replace("app", "🐙"))
        library = types.TextDocumentIdentifier(editor.uri("lib.gpl"))
        tokens = await ask.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(library)
        )
        text = "# 🐙\n" + LIBRARY.replace("app", "🐙")
        shown = decoded(text, tokens.data, kinds)
        assert shown[-2:] == [('"upf"', "string", 0), ("# 🐙 pods", "comment", 0)]

    session(folder(tmp_path), steps)


def decoded(text: str, data: list[int], types_: list[str]) -> list[tuple[str, str, int]]:
    """Returns the text of each token, its type and its modifiers."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    line, column, found = 0, 0, []
    for at in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[at : at + 5]
        line, column = line + down, right + (0 if down else column)
        part = lines[line][2 * column : 2 * (column + length)]
        found.append((part.decode("utf-16-le"), types_[kind], modifiers))
    return found


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_text_has_an_outline(chance: random.Random) -> None:
    text = Sentences(chance).text()
    cut = text[: chance.randint(0, len(text))]
    program = read(Source("x.gpl", cut), lambda _: b"")
    list(folds(program.source))
    tokens = list(colours(program))
    assert all(one.end <= other.start for one, other in itertools.pairwise(tokens))
    for definition in program.definitions.values():
        assert definition.name.span in list(names.uses(program, definition))
