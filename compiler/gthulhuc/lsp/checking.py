# SPDX-License-Identifier: Apache-2.0
"""Publishes the diagnostics of each text, and offers their fixes."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gthulhuc.diagnostics import Diagnostic, Fix, codes
from gthulhuc.lsp.analysis import Analysis
from gthulhuc.lsp.checks import Checks
from gthulhuc.lsp.protocol import (
    document_of,
    location_of,
    offset_of,
    range_of,
    server,
    steps_of,
)
from gthulhuc.source import Source, Span


def _publish(uri: str, analysis: Analysis) -> None:
    found = [_diagnostic(problem, analysis.source) for problem in analysis.problems]
    version = document_of(uri).version
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


checks = Checks(_publish)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
def on_change(
    _: LanguageServer,
    params: types.DidOpenTextDocumentParams
    | types.DidChangeTextDocumentParams
    | types.DidSaveTextDocumentParams,
) -> None:
    """Begins a check, which publishes the diagnostics of the text."""
    uri = params.text_document.uri
    checks.begin(uri, lambda: steps_of(document_of(uri)))


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def on_close(_: LanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Withdraws the diagnostics of a closed text."""
    uri = params.text_document.uri
    checks.forget(uri)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


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
async def on_code_action(
    _: LanguageServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Returns the fixes of the problems in a range."""
    analysis = await checks.current(params.text_document.uri)
    if analysis is None:
        return []
    document = document_of(params.text_document.uri)
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
