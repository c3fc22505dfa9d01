# SPDX-License-Identifier: Apache-2.0
"""An editor for tests: a client of the language server, on its standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp import client as client_module

import gthulhuc


class Editor:
    """A client with one folder."""

    def __init__(self, client: Any, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.capabilities = types.ServerCapabilities()
        self.published: asyncio.Queue[Any] = asyncio.Queue()

        def take(params: Any) -> None:
            self.published.put_nowait(params)

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(take)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def open(self, name: str, text: str) -> list[Any]:
        item = types.TextDocumentItem(self.uri(name), "gpl", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return list((await asyncio.wait_for(self.published.get(), 30)).diagnostics)

    @property
    def pid(self) -> int:
        """The number of the server's process."""
        return int(self.client._server.pid)

    async def type(self, name: str, at: tuple[int, int], text: str) -> list[Any]:
        self.send(name, at, text)
        return list((await asyncio.wait_for(self.published.get(), 30)).diagnostics)

    def send(self, name: str, at: tuple[int, int], text: str) -> None:
        """Types a text without waiting for its diagnostics."""
        place = types.Range(types.Position(*at), types.Position(*at))
        change = types.TextDocumentContentChangePartial(text=text, range=place)
        document = types.VersionedTextDocumentIdentifier(2, self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def at(self, name: str, text: str, needle: str) -> dict[str, Any]:
        offset = text.index(needle)
        before = text[:offset]
        line = before.count("\n")
        column = len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(name)),
            "position": types.Position(line, column),
        }


def edited(text: str, edits: list[types.TextEdit]) -> str:
    """Applies edits, whose columns count in UTF-16."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    for edit in sorted(edits, key=lambda each: each.range.start.character, reverse=True):
        start, end = edit.range.start, edit.range.end
        assert start.line == end.line
        line = lines[start.line]
        new = edit.new_text.encode("utf-16-le")
        lines[start.line] = line[: 2 * start.character] + new + line[2 * end.character :]
    return b"".join(lines).decode("utf-16-le")


def session(folder: Path, steps: Callable[[Editor], Awaitable[None]]) -> None:
    """Runs the steps with a server that is started for them, and ends it as an editor does."""

    async def everything() -> None:
        client = client_module.LanguageClient("test", "1")
        editor = Editor(client, folder)
        package = str(Path(gthulhuc.__file__).parents[1])
        environ = {**os.environ, "PYTHONPATH": package}
        command = [sys.executable, "-m", "gthulhuc.cli.gthulhu", "lsp"]
        await client.start_io(*command, env=environ)
        root = folder.as_uri()
        capabilities = types.ClientCapabilities()
        parameters = types.InitializeParams(capabilities, root_uri=root)
        editor.capabilities = (await client.initialize_async(parameters)).capabilities
        client.initialized(types.InitializedParams())
        await steps(editor)
        await client.shutdown_async(None)
        client.exit(None)
        assert await editor.client._server.wait() == 0
        await client.stop()

    asyncio.run(asyncio.wait_for(everything(), 120))
