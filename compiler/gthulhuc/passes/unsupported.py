# SPDX-License-Identifier: Apache-2.0
"""Refuses, by name and place, what the language has and this compiler does not yet take.

After it: none of that is left in the draft. The fields and operators of predicates that are not
supported are refused where predicates are resolved, by `refuse_at`.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.passes.draft import Draft
from gthulhuc.source import Span
from gthulhuc.syntax import ast


def refuse_at(what: str, span: Span, report: Collector) -> None:
    """Reports one thing that is not supported yet."""
    report.error(codes.NOT_SUPPORTED, f"{what} is not supported yet", span)


def refuse(draft: Draft, report: Collector) -> Draft:
    """Takes out items and statements that are not supported yet."""
    lost = set(draft.lost_names)
    for item in draft.file.items:
        match item:
            case ast.Include():
                refuse_at("`include`", _head(item.span, "include"), report)
            case ast.Tunable():
                refuse_at("`tunable`", _head(item.span, "tunable"), report)
                lost.add(item.name.text)
            case ast.Expect():
                refuse_at("`expect`", _head(item.span, "expect"), report)
    has_include = any(isinstance(item, ast.Include) for item in draft.file.items)
    rules = tuple(
        replace(rule, block=replace(rule.block, statements=_kept(rule.block.statements, report)))
        for rule in draft.rules
    )
    default = draft.default_block
    if default is not None:
        default = replace(default, statements=_kept(default.statements, report))
    # What an include would have brought is unknown: any name might have been in it.
    return replace(
        draft,
        rules=rules,
        default_block=default,
        lost_names=frozenset(lost),
        file=replace(draft.file, is_whole=draft.file.is_whole and not has_include),
    )


def _kept(statements: tuple[ast.Statement, ...], report: Collector) -> tuple[ast.Statement, ...]:
    return tuple(item for item in statements if not _is_refused(item, report))


def _is_refused(statement: ast.Statement, report: Collector) -> bool:
    match statement:
        case ast.MaxWait():
            refuse_at("`max-wait`", _head(statement.span, "max-wait"), report)
        case ast.Inherit():
            refuse_at("`inherit`", statement.span, report)
        case ast.Monitor():
            refuse_at("`monitor`", statement.span, report)
        case ast.Preempt(after=None, budget=None):
            return False
        case ast.Preempt():
            rest = Span(statement.span.source, statement.span.start + 7, statement.span.end)
            words = [("after", statement.after), ("budget", statement.budget)]
            named = " and ".join(f"`{word}`" for word, value in words if value is not None)
            text = rest.text
            start = rest.start + len(text) - len(text.lstrip())
            refuse_at(f"`preempt` with {named}", Span(rest.source, start, rest.end), report)
        case _:
            return False
    return True


def _head(span: Span, word: str) -> Span:
    return Span(span.source, span.start, span.start + len(word))
