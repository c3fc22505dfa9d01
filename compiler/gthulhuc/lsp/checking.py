# SPDX-License-Identifier: Apache-2.0
"""Publishes the diagnostics of each text, and offers their fixes."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gthulhuc.diagnostics import Diagnostic, Fix, codes
from gthulhuc.lsp.protocol import (
    analysis_of,
    document_of,
    location_of,
    offset_of,
    range_of,
    server,
)
from gthulhuc.source import Source, Span


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
    document = document_of(params.text_document.uri)
    analysis = analysis_of(document)
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
    own = problem.span.source == source
    message = problem.message
    if problem.primary.text:
        message += f": {problem.primary.text}"
    if not own:
        line, column = problem.span.source.position(problem.span.start)
        message = f"{problem.span.source.name}:{line}:{column}: {message}"
    lines = [message, *(f"help: {text}" for text in problem.help)]
    lines += [f"note: {text}" for text in problem.notes]
    is_unused = problem.code == codes.UNUSED
    return types.Diagnostic(
        range=range_of(problem.span if own else Span(source, 0, 0)),
        message="\n".join(lines),
        severity=types.DiagnosticSeverity.Error
        if problem.is_error
        else types.DiagnosticSeverity.Warning,
        code=problem.code.id,
        source="gthulhu",
        tags=[types.DiagnosticTag.Unnecessary] if is_unused else None,
        related_information=[
            types.DiagnosticRelatedInformation(location_of(label.span), label.text)
            for label in problem.secondary
        ],
    )


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
)
def on_code_action(_: LanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Returns the fixes of the problems in a range."""
    document = document_of(params.text_document.uri)
    analysis = analysis_of(document)
    start, end = (offset_of(document, at) for at in (params.range.start, params.range.end))
    return [
        types.CodeAction(
            title=fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(problem, analysis.source)],
            is_preferred=len(problem.fixes) == 1,
            edit=types.WorkspaceEdit(changes=_changes(fix)),
        )
        for problem in analysis.problems
        if problem.span.source == analysis.source
        and problem.span.start <= end
        and start <= problem.span.end
        for fix in problem.fixes
        if fix.edits
    ]


def _changes(fix: Fix) -> dict[str, list[types.TextEdit]]:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        place = location_of(edit.span)
        changes.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.text))
    return changes
