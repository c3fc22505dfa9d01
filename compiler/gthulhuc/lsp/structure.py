# SPDX-License-Identifier: Apache-2.0
"""Responds with the outline of a text, its folds and its colours."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gthulhuc.includes import key
from gthulhuc.lsp.colours import Type, colours
from gthulhuc.lsp.outline import Kind, folds, symbols
from gthulhuc.lsp.protocol import (
    document_of,
    location_of,
    program_of,
    programs,
    range_of,
    server,
    source_of,
)
from gthulhuc.source import Span

_SYMBOLS = {
    Kind.POLICY: types.SymbolKind.Module,
    Kind.INCLUDE: types.SymbolKind.File,
    Kind.TUNABLE: types.SymbolKind.Variable,
    Kind.LIST: types.SymbolKind.Array,
    Kind.PREDICATE: types.SymbolKind.Boolean,
    Kind.RULE: types.SymbolKind.Class,
    Kind.DEFAULT: types.SymbolKind.Class,
    Kind.EXPECT: types.SymbolKind.Event,
    Kind.PROMISE: types.SymbolKind.Interface,
    Kind.TEST: types.SymbolKind.Method,
}
_TYPES = [each.value for each in Type]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def on_symbols(_: LanguageServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """Returns the outline of a text."""
    program = program_of(document_of(params.text_document.uri))
    return [
        types.DocumentSymbol(
            symbol.name,
            _SYMBOLS[symbol.kind],
            range_of(symbol.span),
            range_of(symbol.name_span),
            symbol.kind.value,
        )
        for symbol in symbols(program.own)
    ]


@server.feature(types.WORKSPACE_SYMBOL)
def on_workspace_symbols(
    _: LanguageServer, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """Returns the items of all files whose name contains the query, whatever its case."""
    wanted = params.query.casefold()
    found = {}
    for program in programs():
        for symbol in symbols(program.own):
            if wanted in symbol.name.casefold():
                place = key(program.source.name), symbol.name_span.start
                found[place] = types.WorkspaceSymbol(
                    location_of(symbol.name_span), symbol.name, _SYMBOLS[symbol.kind]
                )
    return list(found.values())


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def on_folds(_: LanguageServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Returns the blocks, lists and comments of several lines."""
    source = source_of(document_of(params.text_document.uri))
    return [
        types.FoldingRange(
            fold.first - 1,
            fold.last - 1,
            kind=types.FoldingRangeKind.Comment if fold.is_comment else None,
        )
        for fold in folds(source)
    ]


@server.feature(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    types.SemanticTokensLegend(_TYPES, [types.SemanticTokenModifiers.Declaration.value]),
)
def on_colours(_: LanguageServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """Returns the types of all tokens, each relative to the one before, as five numbers."""
    program = program_of(document_of(params.text_document.uri))
    data: list[int] = []
    line, column = 0, 0
    for token in colours(program):
        place = range_of(Span(program.source, token.start, token.end))
        start, length = place.start, place.end.character - place.start.character
        after = start.character - (column if start.line == line else 0)
        data += [start.line - line, after, length, _TYPES.index(token.type.value)]
        data.append(int(token.is_definition))
        line, column = start.line, start.character
    return types.SemanticTokens(data)
