# SPDX-License-Identifier: Apache-2.0
"""Finds all places where a set, a tunable or a rule is named, and renames it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gthulhuc import actions
from gthulhuc.fields import FIELDS
from gthulhuc.includes import key
from gthulhuc.lsp.pieces import located
from gthulhuc.lsp.program import Definition, Program
from gthulhuc.passes.reading.claims import OF_A_METRIC, OF_A_WORKLOAD
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated.QuickParser import KEYWORDS
from gthulhuc.syntax.quick import LONGEST_WORD

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_VALUES = frozenset(word for action in actions.ACTIONS for word in action.words)


class RenameError(Exception):
    """The new name cannot be given; the text says why."""


def at(program: Program, offset: int) -> ast.Word | None:
    """Returns the name of a definition at an offset of the program's own file."""
    for item in program.own:
        if _has(item.span, offset):
            for word in named_in(item):
                if _has(word.span, offset) and word.text in program.definitions:
                    return word
    return None


def _has(span: Span, offset: int) -> bool:
    place = located(span)
    return place.start <= offset <= place.end


def uses(program: Program, definition: Definition) -> Iterator[Span]:
    """Yields all places of a definition's name in a program, itself included."""
    name = definition.name.text
    own = program.definitions.get(name)
    if own is None or _place(own.name.span) != _place(definition.name.span):
        return
    for item in program.items:
        yield from (word.span for word in named_in(item) if word.text == name)


def uses_in_all(
    programs: Iterable[Program], definition: Definition, *, with_definition: bool = True
) -> list[Span]:
    """Returns the places of a definition's name in several programs, each once."""
    found = {_place(span): span for program in programs for span in uses(program, definition)}
    if not with_definition:
        del found[_place(definition.name.span)]
    return list(found.values())


def check_rename(programs: Iterable[Program], definition: Definition, name: str) -> None:
    """Raises RenameError if a definition cannot have this name in the programs that use it."""
    if not _WORD.fullmatch(name) or len(name) > LONGEST_WORD:
        raise RenameError(
            f"`{name}` is not a valid name: use a letter or `_`, then letters, digits, `_` and `-`"
        )
    if name in KEYWORDS or name in _VALUES:
        raise RenameError(f"`{name}` is a word of the language; choose another name")
    if name in FIELDS:
        raise RenameError(f"`{name}` is the name of a field; choose another name")
    home = key(definition.span.source.name)
    for program in programs:
        if home not in map(key, (source.name for source in program.sources)):
            continue
        if not program.is_whole:
            raise RenameError(f"correct the syntax errors of {program.source.shown} first")
        for other in program.definitions.values():
            is_alike = other.name.text.replace("-", "_") == name.replace("-", "_")
            if is_alike and other.name.text != definition.name.text:
                line = f"{other.span.source.shown}:{other.name.span.line}"
                raise RenameError(f"`{other.name.text}` is defined already, in {line}")


def _place(span: Span) -> tuple[str, int, int]:
    place = located(span)
    return key(place.source.name), place.start, place.end


# ---- names in the syntax tree -------------------------------------------------------------------


def named_in(item: ast.Item) -> Iterator[ast.Word]:
    """Yields the words of an item that name a set, a tunable or a rule, or would if it existed."""
    match item:
        case ast.SetItem():
            yield item.name
            if not isinstance(item.value, ast.ListLiteral):
                yield from _in_predicate(item.value)
        case ast.Tunable():
            yield item.name
        case ast.RuleBlock():
            yield from _in_rule(item)
        case ast.DefaultBlock():
            yield from _in_statements(item.statements)
        case ast.Expect():
            yield from _words(item.rule, *(load.rule for load in item.loads))
            yield from _in_claims(item.claims)
        case ast.Promise():
            yield from _words(item.rule, item.window)
            yield from _in_claims(item.claims)
        case ast.TestBlock():
            yield from (line.rule for line in item.lines)
        case ast.When():
            yield from (word for rule in item.rules for word in _in_rule(rule))


def _in_rule(rule: ast.RuleBlock) -> Iterator[ast.Word]:
    yield rule.name
    yield from _in_statements(rule.statements)


def _in_predicate(node: ast.Predicate) -> Iterator[ast.Word]:
    match node:
        case ast.Not():
            yield from _in_predicate(node.operand)
        case ast.And() | ast.Or():
            for operand in node.operands:
                yield from _in_predicate(operand)
        case ast.Comparison():
            is_name = node.operator is None and node.argument is None and node.within is None
            yield from _words(node.field if is_name else None, node.within)
            if isinstance(node.operand, ast.Word):
                yield node.operand


def _in_statements(statements: Iterable[ast.Statement]) -> Iterator[ast.Word]:
    for node in statements:
        match node:
            case ast.Match():
                yield from _in_predicate(node.predicate)
            case ast.Amount():
                own = actions.BY_NAME[node.word].words
                yield from (word for word in _words(node.value) if word.text not in own)
            case ast.Slice() | ast.Share():
                yield from _words(node.low, node.high)
            case ast.Preempt():
                yield from _words(node.after, node.budget, node.period)


def _in_claims(claims: Iterable[ast.Claim]) -> Iterator[ast.Word]:
    for claim in claims:
        if claim.metric.text in OF_A_METRIC and claim.argument.text != OF_A_WORKLOAD:
            yield from _words(claim.rule)
        elif claim.metric.text == "share":
            yield claim.argument
        yield from _words(claim.value)


def _words(*nodes: ast.Scalar | None) -> Iterator[ast.Word]:
    return (node for node in nodes if isinstance(node, ast.Word))
