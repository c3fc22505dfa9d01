# SPDX-License-Identifier: Apache-2.0
"""Inlay hints, with the processes of this machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from lsprotocol import types

from editor import Editor, session

POLICY = """\
policy p {}
default { slice 3ms }
rule counted { match comm == "NAME" monitor }
rule ours { # sleepers
    match    comm == "NAME"
    priority high
}
rule pods { match pod ~ "web-*" weight 7 }
"""


def test_hints_say_what_a_rule_does_not(tmp_path: Path) -> None:
    # A name that no other process of the machine has.
    name = f"gh{os.getpid()}"
    program = tmp_path / name
    program.symlink_to("/bin/sleep")
    sleepers = [subprocess.Popen([program, "60"]) for _ in range(3)]
    text = POLICY.replace("NAME", name)

    async def steps(editor: Editor) -> None:
        assert await editor.open("p.gpl", text) == []

        async def said(first: int = 0, last: int = 99) -> list[tuple[int, str]]:
            document = types.TextDocumentIdentifier(editor.uri("p.gpl"))
            place = types.Range(types.Position(first, 0), types.Position(last, 0))
            params = types.InlayHintParams(document, place)
            found = await editor.client.text_document_inlay_hint_async(params)
            return [(each.position.line, str(each.label)) for each in found]

        found = await said()
        assert (3, "weight 200, slice 3ms, migrate balanced, max-wait 20ms") in found
        assert (3, "takes 3 processes") in found
        assert any(line == 3 and label.startswith("waits <= ") for line, label in found)
        # Facts that only a scheduler knows may add to it.
        (label,) = (label for line, label in found if line == 7 and label.startswith("takes"))
        assert label.startswith("takes 0 processes or up to ")
        # A rule that only counts has neither a bound nor actions.
        assert [label for line, label in found if line == 2] == ["counts 3 processes"]
        assert {line for line, _ in await said(1, 2)} == {1, 2}

        # Settings switch each kind off.
        settings = {"gthulhu": {"inlayHints": {"defaults": False, "processes": False}}}
        change = types.DidChangeConfigurationParams(settings)
        editor.client.workspace_did_change_configuration(change)
        assert all(label.startswith("waits") for _, label in await said())
        # A policy with errors has none.
        await editor.type("p.gpl", (3, 0), "x")
        assert await said() == []

    try:
        session(tmp_path, steps)
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
