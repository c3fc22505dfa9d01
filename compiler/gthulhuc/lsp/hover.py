# SPDX-License-Identifier: Apache-2.0
"""Describes the word under the pointer, and finds definitions."""

from __future__ import annotations

from pathlib import Path

from gthulhuc import checked, words
from gthulhuc.bounds import bounds
from gthulhuc.explanation import describe
from gthulhuc.lsp.context import Context, context_at, text_at, word_at
from gthulhuc.lsp.pieces import located
from gthulhuc.lsp.program import Definition, Program
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.words import Kind

_SHOWN = 400
_BY_STATEMENT = {
    "priority": (Kind.ACTION, Kind.LEVEL),
    "cpus": (Kind.ACTION, Kind.CPUS),
    "migrate": (Kind.ACTION, Kind.MIGRATION),
    "match": (Kind.ACTION, Kind.FIELD, Kind.OPERATOR, Kind.DETAIL),
}


def hover(
    program: Program, policy: checked.Policy | None, offset: int
) -> tuple[str, int, int] | None:
    """Returns Markdown about the word at an offset, and the word's place.

    `policy` is that of the program, if there is one; it may be that of an earlier text.
    """
    text = program.source.text
    found = word_at(text, offset)
    context = context_at(text, offset)
    if found is None or context.in_text:
        return None
    name, start, end = found
    said = _about(program, policy, name, context)
    return None if said is None else (said, start, end)


def _about(
    program: Program, policy: checked.Policy | None, name: str, context: Context
) -> str | None:
    is_head = not context.in_block and context.last in ("rule", "policy", "expect", "promise")
    word = None if is_head else words.find(name, _kinds(context))
    if word is None and (item := program.definitions.get(name)) is not None:
        return _about_definition(policy, item)
    if word is None:
        word = None if is_head else words.find(name)
    if word is None:
        return None
    said = f"```gpl\n{word.form}\n```\n{word.meaning}"
    if word.default:
        said += f"\n\nWithout it: {word.default}."
    if name == "default" and context.item in ("", "default"):
        said += _class(policy, "default")
    return said


def _kinds(context: Context) -> tuple[Kind, ...]:
    """The kinds of words that are valid at a place."""
    if not context.in_block:
        in_set = context.item == "set" and "=" in context.before
        if context.item == "when":
            return (Kind.CONDITION, Kind.RESOURCE, Kind.OPERATOR, Kind.DETAIL, Kind.ITEM)
        in_promise = context.item == "promise"
        kinds = (Kind.FIELD, Kind.OPERATOR, Kind.DETAIL) if in_set else (Kind.DETAIL,) * in_promise
        return (*kinds, Kind.ITEM)
    if context.item == "policy":
        return (Kind.SETTING,)
    if context.item == "test":
        return (Kind.FIELD, Kind.OPERATOR, Kind.DETAIL)
    if context.item == "expect":
        return (Kind.STATISTIC, Kind.METRIC, Kind.PEER, Kind.DETAIL)
    if context.item == "promise":
        return (Kind.STATISTIC, Kind.METRIC, Kind.OTHERWISE, Kind.DETAIL)
    return _BY_STATEMENT.get(context.statement, (Kind.ACTION, Kind.DETAIL))


def _about_definition(policy: checked.Policy | None, item: Definition) -> str:
    if isinstance(item, ast.RuleBlock):
        return f"rule `{item.name.text}`" + _class(policy, item.name.text)
    text = item.span.text
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + " ..."
    return f"```gpl\n{shown}\n```" + _size(item)


def _size(item: ast.SetItem | ast.Tunable) -> str:
    if isinstance(item, ast.SetItem) and isinstance(item.value, ast.ListLiteral):
        return f"\n{len(item.value.items)} in the list"
    return ""


def _class(policy: checked.Policy | None, name: str) -> str:
    """The actions and the bound of a class; empty if the policy has errors."""
    if policy is None:
        return ""
    actions = {rule.name: rule.actions for rule in policy.rules}.get(name, policy.default)
    listed = "".join(f"\n- {f'{word} {text}'.strip()}" for word, text in describe(actions))
    found = [bound.explanation for bound in bounds(policy) if bound.name == name]
    return f"\n{listed}\n\n" + "".join(f"A task {text}." for text in found)


def definition(program: Program, offset: int) -> Span | None:
    """Returns the place of a name's definition, or the start of an included file."""
    text = program.source.text
    for item in program.own:
        place = located(item.path.span) if isinstance(item, ast.Include) else None
        if place is not None and text_at(text, offset) == (place.start, place.end):
            assert isinstance(item, ast.Include)
            path = Path(program.source.name).parent / item.path.value.decode(errors="replace")
            return Span(Source(str(path), ""), 0, 0)
    found = word_at(text, offset)
    if found is None or context_at(text, offset).in_text:
        return None
    known = program.definitions.get(found[0])
    return None if known is None else located(known.name.span)
