# SPDX-License-Identifier: Apache-2.0
"""Says of each token of a text what it is, for an editor that colours it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from gthulhuc import words
from gthulhuc.lsp.names import named_in
from gthulhuc.lsp.pieces import located
from gthulhuc.lsp.program import Definition, Program
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.generated.QuickParser import KEYWORDS, KINDS
from gthulhuc.syntax.quick import scan


class Type(Enum):
    """A type of tokens, by its name in the protocol."""

    KEYWORD = "keyword"
    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    OPERATOR = "operator"
    RULE = "class"
    SET = "variable"
    TUNABLE = "parameter"
    FIELD = "property"
    VALUE = "enumMember"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Coloured:
    """A token, by its offsets; `is_definition`: it gives a set, a tunable or a rule its name."""

    start: int
    end: int
    type: Type
    is_definition: bool


_BY_TOKEN = {k.STRING: Type.STRING, k.RAW: Type.STRING, k.NUMBER: Type.NUMBER}
_OPERATORS = frozenset(
    (k.EQ, k.NE, k.LE, k.GE, k.LT, k.GT, k.REGEX, k.GLOB, k.ASSIGN, k.DOTS, k.ARROW)
)
_BY_WORD = {
    words.Kind.SETTING: Type.FIELD,
    words.Kind.FIELD: Type.FIELD,
    words.Kind.STATISTIC: Type.FUNCTION,
    words.Kind.METRIC: Type.FUNCTION,
    words.Kind.LEVEL: Type.VALUE,
    words.Kind.CPUS: Type.VALUE,
    words.Kind.MIGRATION: Type.VALUE,
    words.Kind.PEER: Type.VALUE,
    words.Kind.OTHERWISE: Type.VALUE,
    words.Kind.CONDITION: Type.FIELD,
    words.Kind.RESOURCE: Type.VALUE,
    words.Kind.DETAIL: Type.KEYWORD,
}
_KNOWN = {word.name: _BY_WORD[word.kind] for word in reversed(words.ALL) if word.kind in _BY_WORD}


def colours(program: Program) -> Iterator[Coloured]:
    """Yields the tokens of a program's own file that have a type, in their order."""
    names = _names(program)
    for found in scan(program.source.text):
        start, end = found.span()
        if start in names:
            type_, is_definition = names[start]
            yield Coloured(start, end, type_, is_definition)
        elif (plain := _plain(found.lastindex, found[0])) is not None:
            yield Coloured(start, end, plain, is_definition=False)


def _names(program: Program) -> dict[int, tuple[Type, bool]]:
    """The places of the names of definitions, and whether they define them."""
    found = {}
    for item in program.own:
        for word in named_in(item):
            definition = program.definitions.get(word.text)
            if definition is not None:
                is_own = isinstance(item, Definition) and word is item.name
                found[located(word.span).start] = _type(definition), is_own
    return found


def _type(definition: Definition) -> Type:
    match definition:
        case ast.RuleBlock():
            return Type.RULE
        case ast.SetItem():
            return Type.SET
        case ast.Tunable():
            return Type.TUNABLE


def _plain(group: int | None, text: str) -> Type | None:
    if group is None:
        return Type.COMMENT if text[0] == "#" else None
    kind = KINDS[group]
    if kind in _OPERATORS:
        return Type.OPERATOR
    if kind == k.WORD:
        return Type.KEYWORD if text in KEYWORDS else _KNOWN.get(text)
    return _BY_TOKEN.get(kind)
