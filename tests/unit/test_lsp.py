# SPDX-License-Identifier: Apache-2.0
"""The language server over its protocol, with a real client on its standard input and output."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from editor import Editor, edited, session
from gthulhuc import words
from gthulhuc.lsp.analysis import analyse
from gthulhuc.lsp.completion import complete
from gthulhuc.lsp.context import context_at
from gthulhuc.lsp.hover import definition, hover
from gthulhuc.lsp.positions import Positions
from gthulhuc.source import Source
from sentences import Sentences

POLICY = """\
policy p {}
include "lib.gpl"
tunable ran_slice = 2ms in 500us..20ms
set simulators = ["nr-gnb", "ping"]
# ünïcode 🐙 before the names
rule ran { match comm in simulators and upf_pods priority urgent slice ran_slice }
rule low { match cgroup under "/ci" priority low }
"""
LIBRARY = 'set upf_pods = label "app" == "upf"\n'


def test_a_session_in_an_editor(tmp_path: Path) -> None:
    (tmp_path / "lib.gpl").write_text(LIBRARY)

    async def steps(editor: Editor) -> None:
        # Diagnostics, when opened and with every change.
        assert await editor.open("p.gpl", POLICY) == []
        (problem,) = await editor.type("p.gpl", (5, 14), "x")
        assert problem.code.startswith("GPL")
        assert problem.severity == types.DiagnosticSeverity.Error
        assert problem.range.start.line == 5
        assert "match" in problem.message
        assert await editor.open("p.gpl", POLICY) == []

        # Hover: meaning, default, bound.
        async def said(needle: str) -> str:
            params = types.HoverParams(**editor.at("p.gpl", POLICY, needle))
            found = await editor.client.text_document_hover_async(params)
            return "" if found is None else str(found.contents.value)

        assert "How long a task may run" in await said("slice ran_slice }")
        assert "Without it: 1ms..5ms" in await said("slice ran_slice }")
        assert "max-wait 500ms, a sweep of" in await said("low {")
        assert "2ms in 500us..20ms" in await said("ran_slice }")
        assert await said("nr-gnb") == ""

        # Definitions, here and in a library; the library itself.
        async def goes(needle: str) -> tuple[str, int]:
            params = types.DefinitionParams(**editor.at("p.gpl", POLICY, needle))
            found = await editor.client.text_document_definition_async(params)
            return Path(found.uri.removeprefix("file://")).name, found.range.start.line

        assert await goes("simulators and") == ("p.gpl", 3)
        assert await goes("ran_slice }") == ("p.gpl", 2)
        assert await goes("upf_pods") == ("lib.gpl", 0)
        assert await goes("lib.gpl") == ("lib.gpl", 0)

        # Completion.
        params = types.CompletionParams(**editor.at("p.gpl", POLICY, "urgent slice"))
        found = await editor.client.text_document_completion_async(params)
        assert [item.label for item in found] == ["urgent", "high", "normal", "low", "idle"]

        # Formatting.
        document = types.TextDocumentIdentifier(editor.uri("p.gpl"))
        layout = types.DocumentFormattingParams(document, types.FormattingOptions(4, True))
        (edit,) = await editor.client.text_document_formatting_async(layout)
        assert "    priority urgent\n    slice    ran_slice\n}\n" in edit.new_text

        # Fixes, which solve what they are offered for.
        wrong = 'policy p\nrule a { match comm == "🐙" or comm = "a" slice 2000000ns }\n'
        problems = await editor.open("wrong.gpl", wrong)
        assert len(problems) == 2
        document = types.TextDocumentIdentifier(editor.uri("wrong.gpl"))
        everywhere = types.Range(types.Position(0, 0), types.Position(9, 0))
        request = types.CodeActionParams(document, everywhere, types.CodeActionContext(problems))
        actions = await editor.client.text_document_code_action_async(request)
        edits = [edit for action in actions for edit in action.edit.changes[document.uri]]
        assert await editor.open("wrong.gpl", edited(wrong, edits)) == []

        # A library that is open counts as it stands in the editor.
        assert await editor.open("lib.gpl", 'set other = ["a"]\n') == []
        problems = await editor.type("p.gpl", (0, 0), "\n")
        assert any("upf_pods" in problem.message for problem in problems)

    session(tmp_path, steps)


# ---- the functions of the responses -------------------------------------------------------------


def proposals(text: str) -> list[str]:
    """Returns the proposals at the `|`."""
    offset = text.index("|")
    text = text.replace("|", "", 1)
    analysis = analyse(Source("x.gpl", text), lambda _: b"")
    return [item.name for item in complete(context_at(text, offset), analysis.program)]


DEFINED = 'set names = ["a"]\nset pods = label "x"\ntunable t = 1ms in 1ms..2ms\n'


@pytest.mark.parametrize(
    ("text", "among", "not_among"),
    [
        ("|", ["policy", "rule", "set"], ["priority"]),
        ("policy p { | }", ["kernel", "watchdog"], ["match"]),
        ("rule r { | }", ["match", "priority"], ["comm", "kernel"]),
        ("rule r { priority high | }", ["match", "slice"], ["priority"]),
        ("default { | }", ["slice"], ["match", "inherit"]),
        (DEFINED + "rule r { match | }", ["comm", "not", "pods"], ["names", "and", "t"]),
        (DEFINED + "rule r { match comm in | }", ["names"], ["pods", "comm"]),
        ('rule r { match comm == "a" | }', ["and", "or", "slice"], ["comm"]),
        ("rule r { match kthread an| }", ["and"], ["comm"]),
        ("rule r { match qos == | }", ['"guaranteed"'], ["comm"]),
        ("rule r { match cgroup | }", ["under"], ["comm"]),
        (DEFINED + "rule r { slice | }", ["t"], ["high"]),
        ("rule r { migrate | }", ["lazy"], ["return"]),
        ("rule r { migrate lazy | }", ["return", "match"], ["lazy"]),
        ("rule r { cpus 3 | }", ["exclusive", "prefer"], ["node"]),
        ("rule r { preempt after 1ms | }", ["budget"], ["after"]),
        ("rule r {}\nexpect w as | {}", ["r"], ["as"]),
        ("rule r {}\nexpect w as r { | }", ["p99", "share"], ["r"]),
        ("rule r {}\nexpect w as r { p99(|) }", ["wakeup", "r"], ["p99"]),
        ("expect w { p99(wakeup r) < 20% of | }", ["eevdf"], ["p99"]),
        ("rule r {}\npromise |", ["r"], ["over"]),
        ("rule r {}\npromise r |", ["over"], ["r", "as"]),
        ("promise r over 10s { | }", ["p99", "share"], ["rate", "else"]),
        ("rule r {}\npromise r over 10s { p99(|) }", ["wakeup"], ["time", "r"]),
        ("promise r over 10s { p99(wakeup r) < 1ms | }", ["p50", "else"], ["of"]),
        ("promise r over 10s { p99(wakeup r) < 1ms else | }", ["rollback", "eevdf"], ["p99"]),
        ('rule r {}\ntest "t" { | }', ["comm", "kthread"], ["r", "not", "match"]),
        ('rule r {}\ntest "t" { comm "a" | }', ["uid", "not"], ["r", "within"]),
        ('test "t" { not | }', ["leader", "pod"], ["comm", "uid", "not"]),
        ('test "t" { calls "f" | }', ["within", "via"], ["->"]),
        ('rule r {}\ntest "t" { comm "a" -> | }', ["r", "default"], ["comm"]),
        ('rule r {}\ntest "t" { comm "a" -> r | }', ["comm", "not"], ["r"]),
        ("test |", [], ["policy"]),
        ("rule r { # ma|", [], ["match"]),
        ('rule r { match comm == "|', [], ["comm"]),
        ("rule |", [], ["policy"]),
        ("when |", ["pressure", "time", "power", "on-battery", "not"], ["comm", "policy"]),
        ("when pressure |", ["cpu", "io"], ["policy", "and"]),
        ("when time in 22:00..06:00 |", ["and", "or"], ["rule"]),
        ("rule r {}\nwhen time in 22:00..06:00 { | }", ["rule"], ["policy", "match"]),
        ("rule r {}\nwhen time in 22:00..06:00 { rule | }", ["r"], ["rule"]),
        ("rule r {}\nwhen time in 1:00..6:00 { rule r { | } }", ["weight", "slice"], ["match"]),
        ("rule r {}\nwhen time in 1:00..6:00 { rule r { preempt | } }", ["off"], ["match"]),
        ("rule r {}\nwhen time in 1:00..6:00 { rule r {} | }", ["rule"], ["weight"]),
        ("rule r {}\nwhen time in 1:00..6:00 { rule r {} } |", ["rule", "when"], ["weight"]),
    ],
)
def test_completion_knows_its_place(text: str, among: list[str], not_among: list[str]) -> None:
    found = proposals(text)
    assert set(among) <= set(found)
    assert not set(not_among) & set(found)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_offset_in_any_text_is_handled(chance: random.Random) -> None:
    text = Sentences(chance).text()
    cut = text[: chance.randint(0, len(text))]
    analysis = analyse(Source("x.gpl", cut), lambda _: b"")
    offset = chance.randint(0, len(cut))
    complete(context_at(cut, offset), analysis.program)
    hover(analysis.program, analysis.policy, offset)
    definition(analysis.program, offset)


@given(st.text(alphabet="aé🐙\n\r", max_size=20), st.sampled_from(("utf-8", "utf-16", "utf-32")))
def test_positions_lead_back_to_their_offsets(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert positions.offset(*positions.position(offset)) == offset


def test_every_word_says_something() -> None:
    for word in words.ALL:
        assert word.meaning.endswith("."), word.name
        assert word.name in word.form, word.name
    names = [(word.kind, word.name) for word in words.ALL]
    assert len(names) == len(set(names))
