# SPDX-License-Identifier: Apache-2.0
"""Serves the protocol over standard input and output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from gthulhuc import __version__, regular
from gthulhuc.diagnostics import Diagnostic, Fix, codes
from gthulhuc.formatter import format_source
from gthulhuc.lsp.analysis import Analysis, analyse
from gthulhuc.lsp.completion import Proposal, complete
from gthulhuc.lsp.context import context_at
from gthulhuc.lsp.hover import definition, hover
from gthulhuc.lsp.positions import Positions
from gthulhuc.source import Source, Span
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

server = LanguageServer(
    "gthulhu", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
)


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri


def _load(name: str) -> bytes:
    """The content of an included file; of an open one, the editor's text."""
    wanted = Path(name).resolve()
    for uri, document in server.workspace.text_documents.items():
        if Path(_path(uri)).resolve() == wanted:
            text: str = document.source
            return text.encode(errors="replace")
    return regular.read(name)


def _analyse(document: TextDocument) -> Analysis:
    return analyse(Source(_path(document.uri), document.source), _load)


def _positions(source: Source) -> Positions:
    encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    return Positions(source.text, types.PositionEncodingKind(encoding).value)


def _range(span: Span, positions: Positions) -> types.Range:
    start, end = positions.position(span.start), positions.position(span.end)
    return types.Range(types.Position(*start), types.Position(*end))


def _offset(document: TextDocument, at: types.Position) -> int:
    positions = _positions(Source("", document.source))
    return positions.offset(at.line, at.character)


# ---- diagnostics --------------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
def publish(
    _: LanguageServer,
    params: types.DidOpenTextDocumentParams
    | types.DidChangeTextDocumentParams
    | types.DidSaveTextDocumentParams,
) -> None:
    """Publishes the diagnostics of a text each time it changes."""
    document = server.workspace.get_text_document(params.text_document.uri)
    analysis = _analyse(document)
    found = [_diagnostic(problem, analysis.source) for problem in analysis.problems]
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, found, document.version)
    )


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def forget(_: LanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Withdraws the diagnostics of a closed text."""
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(params.text_document.uri, [])
    )


def _diagnostic(problem: Diagnostic, source: Source) -> types.Diagnostic:
    own = problem.span.source is source
    message = problem.message
    if problem.primary.text:
        message += f": {problem.primary.text}"
    if not own:
        line, column = problem.span.source.position(problem.span.start)
        message = f"{problem.span.source.name}:{line}:{column}: {message}"
    lines = [message, *(f"help: {text}" for text in problem.help)]
    lines += [f"note: {text}" for text in problem.notes]
    place = problem.span if own else Span(source, 0, 0)
    is_unused = problem.code == codes.UNUSED
    return types.Diagnostic(
        range=_range(place, _positions(source)),
        message="\n".join(lines),
        severity=types.DiagnosticSeverity.Error
        if problem.is_error
        else types.DiagnosticSeverity.Warning,
        code=problem.code.id,
        source="gthulhu",
        tags=[types.DiagnosticTag.Unnecessary] if is_unused else None,
        related_information=[
            types.DiagnosticRelatedInformation(_location(label.span), label.text)
            for label in problem.secondary
        ],
    )


def _location(span: Span) -> types.Location:
    uri = from_fs_path(str(Path(span.source.name).absolute())) or span.source.name
    return types.Location(uri, _range(span, _positions(span.source)))


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
)
def on_code_action(_: LanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Returns the fixes of the problems in a range."""
    document = server.workspace.get_text_document(params.text_document.uri)
    analysis = _analyse(document)
    start = _offset(document, params.range.start)
    end = _offset(document, params.range.end)
    return [
        types.CodeAction(
            title=fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(problem, analysis.source)],
            is_preferred=len(problem.fixes) == 1,
            edit=types.WorkspaceEdit(changes=_changes(fix)),
        )
        for problem in analysis.problems
        if problem.span.source is analysis.source
        and problem.span.start <= end
        and start <= problem.span.end
        for fix in problem.fixes
        if fix.edits
    ]


def _changes(fix: Fix) -> dict[str, list[types.TextEdit]]:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        place = _location(edit.span)
        changes.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.text))
    return changes


# ---- requests -----------------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_HOVER)
def on_hover(_: LanguageServer, params: types.HoverParams) -> types.Hover | None:
    """Returns the meaning of a word; for a rule, its actions and the bound of its tasks' waits."""
    document = server.workspace.get_text_document(params.text_document.uri)
    analysis = _analyse(document)
    found = hover(analysis, _offset(document, params.position))
    if found is None:
        return None
    text, start, end = found
    place = _range(Span(analysis.source, start, end), _positions(analysis.source))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", "("])
)
def on_completion(_: LanguageServer, params: types.CompletionParams) -> list[types.CompletionItem]:
    """Returns the words and names that are valid here."""
    document = server.workspace.get_text_document(params.text_document.uri)
    context = context_at(document.source, _offset(document, params.position))
    proposals = complete(context, _analyse(document))
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
    document = server.workspace.get_text_document(params.text_document.uri)
    span = definition(_analyse(document), _offset(document, params.position))
    return None if span is None else _location(span)


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def on_formatting(
    _: LanguageServer, params: types.DocumentFormattingParams
) -> Sequence[types.TextEdit] | None:
    """Returns the formatted text; nothing while it has syntax errors."""
    document = server.workspace.get_text_document(params.text_document.uri)
    source = Source(_path(document.uri), document.source)
    text, _problems = format_source(source)
    if text is None or text == source.text:
        return None
    return [types.TextEdit(_range(Span(source, 0, len(source.text)), _positions(source)), text)]
