# SPDX-License-Identifier: Apache-2.0
"""The cost of an edit; a burst of edits ends in one check."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from lsprotocol import types

import editing
from editor import Editor, session

BAR_MS = 50.0


@pytest.mark.skipif(
    sys.gettrace() is not None,
    reason="coverage traces each line, which takes several times as long",
)
def test_an_edit_of_a_large_policy_is_checked_in_time() -> None:
    text = editing.policy()
    assert text.count("\n") >= editing.LINES - 5
    for costs in (editing.measure(text), editing.measure(text, mistakes=True)):
        # The cheapest, because other load only adds.
        assert min(cost.first_ms for cost in costs) <= BAR_MS
        assert min(cost.hover_ms for cost in costs) <= BAR_MS
        assert min(cost.step_ms for cost in costs) <= BAR_MS


def test_a_burst_of_edits_ends_in_one_check(tmp_path: Path) -> None:
    text = editing.policy()
    edits = 40

    async def steps(editor: Editor) -> None:
        def spent_ms() -> float:
            """The CPU time of the server."""
            return int(Path(f"/proc/{editor.pid}/schedstat").read_text().split()[0]) / 1e6

        async def rest() -> None:
            before = -1.0
            while spent_ms() - before > 1:
                before = spent_ms()
                await asyncio.sleep(0.5)

        assert await editor.open("p.gpl", text) == []
        await rest()
        begin = spent_ms()
        assert len(await editor.type("p.gpl", (4, 0), "x")) == 1
        await rest()
        one_ms = spent_ms() - begin

        begin = spent_ms()
        for number in range(edits):
            editor.send("p.gpl", (10 + 6 * number, 0), "x")
        # A request among the edits is answered, and the last diagnostics are those of the end.
        hover = types.HoverParams(**editor.at("p.gpl", text, "match"))
        assert await editor.client.text_document_hover_async(hover) is not None
        await rest()
        assert spent_ms() - begin < edits / 4 * one_ms
        last = None
        published = 0
        while not editor.published.empty():
            last, published = await editor.published.get(), published + 1
        assert last is not None
        assert len(last.diagnostics) == 1 + edits
        assert published < edits / 4

    session(tmp_path, steps)
