# SPDX-License-Identifier: Apache-2.0
"""Responds with hover texts, proposals, definitions and formatted texts."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gthulhuc.formatter import format_source
from gthulhuc.lsp.checking import checks
from gthulhuc.lsp.completion import Proposal, complete
from gthulhuc.lsp.context import context_at
from gthulhuc.lsp.hover import definition, hover
from gthulhuc.lsp.protocol import (
    document_of,
    location_of,
    offset_of,
    program_of,
    range_of,
    server,
    source_of,
)
from gthulhuc.source import Span
from gthulhuc.words import Kind

_ICONS = {
    Kind.FIELD: types.CompletionItemKind.Field,
    Kind.OPERATOR: types.CompletionItemKind.Operator,
    Kind.LEVEL: types.CompletionItemKind.EnumMember,
    Kind.STATISTIC: types.CompletionItemKind.Function,
    "set": types.CompletionItemKind.Variable,
    "tunable": types.CompletionItemKind.Variable,
    "rule": types.CompletionItemKind.Class,
    "text": types.CompletionItemKind.Value,
}


@server.feature(types.TEXT_DOCUMENT_HOVER)
def on_hover(_: LanguageServer, params: types.HoverParams) -> types.Hover | None:
    """Returns the meaning of a word; for a rule, its actions and the bound of its tasks' waits."""
    document = document_of(params.text_document.uri)
    program, latest = program_of(document), checks.latest(document.uri)
    policy = None if latest is None else latest.policy
    found = hover(program, policy, offset_of(document, params.position))
    if found is None:
        return None
    text, start, end = found
    place = range_of(Span(program.source, start, end))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", "("])
)
def on_completion(_: LanguageServer, params: types.CompletionParams) -> list[types.CompletionItem]:
    """Returns the words and names that are valid here."""
    document = document_of(params.text_document.uri)
    context = context_at(document.source, offset_of(document, params.position))
    proposals = complete(context, program_of(document))
    return [_completion(index, proposal) for index, proposal in enumerate(proposals)]


def _completion(index: int, proposal: Proposal) -> types.CompletionItem:
    meaning = types.MarkupContent(types.MarkupKind.Markdown, proposal.meaning)
    return types.CompletionItem(
        proposal.name,
        kind=_ICONS.get(proposal.kind, types.CompletionItemKind.Keyword),
        detail=proposal.detail,
        documentation=meaning if proposal.meaning else None,
        sort_text=f"{index:04d}",
    )


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def on_definition(_: LanguageServer, params: types.DefinitionParams) -> types.Location | None:
    """Returns the definition of a set, tunable or rule, or the included file."""
    document = document_of(params.text_document.uri)
    span = definition(program_of(document), offset_of(document, params.position))
    return None if span is None else location_of(span)


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def on_formatting(
    _: LanguageServer, params: types.DocumentFormattingParams
) -> Sequence[types.TextEdit] | None:
    """Returns the formatted text; nothing while it has syntax errors."""
    source = source_of(document_of(params.text_document.uri))
    text, _problems = format_source(source)
    if text is None or text == source.text:
        return None
    return [types.TextEdit(range_of(Span(source, 0, len(source.text))), text)]
