# SPDX-License-Identifier: Apache-2.0
"""A text that is parsed again in pieces has the diagnostics and the places of the whole."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc.diagnostics import Collector
from gthulhuc.lsp.analysis import Analysis, analyse, steps
from gthulhuc.lsp.colours import colours
from gthulhuc.lsp.pieces import Pieces, located
from gthulhuc.passes.memo import Memo
from gthulhuc.source import Source
from gthulhuc.syntax.parse import parse
from sentences import Sentences

_PARTS = (
    "}", "{", "slice 2ms", "rule", "\nrule a { match comm == 'a' }\n", '"', "#", "\n", "set", "and",
    "\ntest \"t\" {\n comm 'a' ->\ndefault\n}\n",
    "\nset x = comm == 'a'\n", "=", "policy p\n", "ü;",
    "\ninclude 'a'\n", "\ndefault {", "(",
)  # fmt: skip


def places(analysis: Analysis) -> list[object]:
    """Returns all that depends on places."""
    items = [
        (type(item), located(item.span).start, item.span.text) for item in analysis.program.own
    ]
    return [items, list(colours(analysis.program))]


def test_the_word_of_an_item_may_be_a_name() -> None:
    text = "policy p\nexpect\npolicy as\npolicy { }\npolicy a\n"
    quick = analyse(Source("x.gpl", text), lambda _: b"", Pieces().parse)
    whole = analyse(Source("x.gpl", text), lambda _: b"", parse)
    assert list(map(repr, quick.problems)) == list(map(repr, whole.problems))
    assert places(quick) == places(whole)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_edits_give_what_the_whole_text_gives(chance: random.Random) -> None:
    pieces, memo = Pieces(), Memo()
    text = "policy p\n" + Sentences(chance).text()
    for _ in range(4):
        source = Source("x.gpl", text)
        *_, quick = filter(None, steps(source, lambda _: b"", pieces.parse, memo))
        whole = analyse(source, lambda _: b"", parse)
        assert list(map(repr, quick.problems)) == list(map(repr, whole.problems)), text
        assert places(quick) == places(whole)
        assert (quick.policy is None) == (whole.policy is None)
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 0, 1, 3, 20)))
        text = text[:start] + chance.choice(_PARTS) + text[end:]


def test_an_item_is_parsed_once() -> None:
    pieces = Pieces()
    text = "".join(f"rule r{number} {{ match comm == 'c{number}' }}\n" for number in range(9))
    first = pieces.parse(Source("x.gpl", text), Collector())
    second = pieces.parse(Source("x.gpl", "policy p\n" + text.replace("c4", "other")), Collector())
    assert first is not None
    assert second is not None
    kept = [item for item in second.items if any(item is other for other in first.items)]
    assert len(kept) == 8
    assert [located(item.span).line for item in second.items] == list(range(1, 11))
