# SPDX-License-Identifier: Apache-2.0
"""The server, the texts that it serves, and the places in them as the protocol writes them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from gthulhuc import __version__, frontend, regular
from gthulhuc.includes import key
from gthulhuc.lsp.analysis import Analysis, steps
from gthulhuc.lsp.pieces import located
from gthulhuc.lsp.positions import Positions
from gthulhuc.lsp.program import Cache, Program, files_in, read
from gthulhuc.source import Source, Span

server = LanguageServer(
    "gthulhu", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
)
_cache = Cache()


# ---- texts --------------------------------------------------------------------------------------


def document_of(uri: str) -> TextDocument:
    """Returns the text that an editor means."""
    return server.workspace.get_text_document(uri)


def source_of(document: TextDocument) -> Source:
    """Returns a text of the editor as a source, named by its path."""
    return Source(path_of(document.uri), document.source)


def load(name: str) -> bytes:
    """Returns the content of an included file; of an open one, the editor's text."""
    wanted = key(name)
    for uri, document in server.workspace.text_documents.items():
        if key(path_of(uri)) == wanted:
            text: str = document.source
            return text.encode(errors="replace")
    return regular.read(name)


def steps_of(document: TextDocument) -> Iterator[Analysis | None]:
    """Yields the analysis of a text bit by bit, as `analysis.steps` does."""
    source = source_of(document)
    return steps(source, load, _cache.parse, _cache.memo(source.name))


def program_of(document: TextDocument) -> Program:
    """Returns a text with its libraries."""
    return read(source_of(document), load, _cache.parse)


def programs() -> Iterator[Program]:
    """Yields the open texts and the policies in the editor's folders, with their libraries."""
    seen: set[str] = set()
    for document in server.workspace.text_documents.values():
        seen.add(key(path_of(document.uri)))
        yield program_of(document)
    folders = [folder.uri for folder in server.workspace.folders.values()]
    folders += [server.workspace.root_uri] if server.workspace.root_uri else []
    for folder in dict.fromkeys(folders):
        for name in files_in(Path(path_of(folder))):
            if key(name) in seen:
                continue
            seen.add(key(name))
            try:
                source, _ = frontend.decode(name, regular.read(name))
            except OSError:
                continue  # it has gone, or may not be read
            yield read(source, load, _cache.parse)


# ---- places -------------------------------------------------------------------------------------


def path_of(uri: str) -> str:
    """Returns the path of a file by its URI; the URI itself for a text that is no file."""
    return to_fs_path(uri) or uri


def range_of(span: Span) -> types.Range:
    """Returns a span as a range of its file."""
    span = located(span)
    positions = _positions(span.source.text, _encoding())
    start, end = positions.position(span.start), positions.position(span.end)
    return types.Range(types.Position(*start), types.Position(*end))


def location_of(span: Span) -> types.Location:
    """Returns a span as a range, with its file."""
    own = key(span.source.name)
    opened = (uri for uri in server.workspace.text_documents if key(path_of(uri)) == own)
    uri = next(opened, None) or from_fs_path(own) or span.source.name
    return types.Location(uri, range_of(span))


def offset_of(document: TextDocument, at: types.Position) -> int:
    """Returns the offset of a position in a text."""
    return _positions(document.source, _encoding()).offset(at.line, at.character)


def _encoding() -> str:
    encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    return types.PositionEncodingKind(encoding).value


@lru_cache(maxsize=64)
def _positions(text: str, encoding: str) -> Positions:
    return Positions(text, encoding)
