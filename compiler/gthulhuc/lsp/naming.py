# SPDX-License-Identifier: Apache-2.0
"""Responds with the places of a name, and renames what it stands for."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from gthulhuc.lsp import names
from gthulhuc.lsp.program import Definition, Program
from gthulhuc.lsp.protocol import (
    document_of,
    location_of,
    offset_of,
    program_of,
    programs,
    range_of,
    server,
)
from gthulhuc.syntax import ast


def _named(uri: str, at: types.Position) -> tuple[Program, ast.Word] | None:
    """The name at a position, if it is that of a definition."""
    document = document_of(uri)
    program = program_of(document)
    word = names.at(program, offset_of(document, at))
    return None if word is None else (program, word)


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
def on_references(_: LanguageServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Returns the uses of a set, a tunable or a rule in all files that share its definition."""
    found = _named(params.text_document.uri, params.position)
    if found is None:
        return None
    definition = found[0].definitions[found[1].text]
    spans = names.uses_in_all(
        [found[0], *programs()],
        definition,
        with_definition=params.context.include_declaration,
    )
    return [location_of(span) for span in spans]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def on_highlight(
    _: LanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Returns the places of a name in this file."""
    found = _named(params.text_document.uri, params.position)
    if found is None:
        return None
    program, word = found
    definition = program.definitions[word.text]
    return [
        types.DocumentHighlight(
            range_of(span),
            types.DocumentHighlightKind.Write
            if span == definition.name.span
            else types.DocumentHighlightKind.Read,
        )
        for span in names.uses(program, definition)
        if span.source.name == program.source.name
    ]


@server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
def on_prepare_rename(
    _: LanguageServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """Returns the name that would be replaced, or None if no definition has it."""
    found = _named(params.text_document.uri, params.position)
    if found is None:
        return None
    return types.PrepareRenamePlaceholder(range_of(found[1].span), found[1].text)


@server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
def on_rename(_: LanguageServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Returns the edits that rename a set, a tunable or a rule in all files.

    Raises JsonRpcInvalidParams if the name cannot be given, or nothing here has one.
    """
    found = _named(params.text_document.uri, params.position)
    if found is None:
        raise JsonRpcInvalidParams("only sets, tunables and rules can be renamed")
    return types.WorkspaceEdit(
        changes=_edits(found[0], found[0].definitions[found[1].text], params)
    )


def _edits(
    program: Program, definition: Definition, params: types.RenameParams
) -> dict[str, list[types.TextEdit]]:
    everything = [program, *programs()]
    try:
        names.check_rename(everything, definition, params.new_name)
    except names.RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    changes: dict[str, list[types.TextEdit]] = {}
    for span in names.uses_in_all(everything, definition):
        place = location_of(span)
        edit = types.TextEdit(place.range, params.new_name)
        changes.setdefault(place.uri, []).append(edit)
    return changes
