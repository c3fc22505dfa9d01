# SPDX-License-Identifier: Apache-2.0
"""Completes words and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gthulhuc import actions, fields, words
from gthulhuc.fields import QOS_CLASSES, Field, of_kind
from gthulhuc.lsp.context import Context
from gthulhuc.lsp.program import Program
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast
from gthulhuc.words import Kind, Word

_COMPARATORS = frozenset({"==", "!=", "<", "<=", ">", ">=", "~", "=~", "in", "under"})
_OPENING = frozenset({"match", "=", "and", "or", "not", "("})
_FLAGS = frozenset(field.value for field in of_kind(fields.Kind.FLAG))
_NUMBERS = frozenset(action.name for action in actions.ACTIONS if action.unit is not None)
_DURATIONS = _NUMBERS | {"after", "budget", "per", ".."}
_PREEMPT = ("after", "budget", "per", "off")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal; `kind` is that of the word, or `set`, `tunable`, `rule`, `text`."""

    name: str
    kind: Kind | str
    detail: str
    meaning: str


def complete(context: Context, program: Program) -> list[Proposal]:
    """Returns all proposals for a place, each name once."""
    if context.in_text:
        return []
    found = {item.name: item for item in reversed(list(_proposals(context, program)))}
    return list(reversed(found.values()))


def _proposals(context: Context, program: Program) -> Iterator[Proposal]:
    if context.item == "when":
        yield from _in_condition(context)
    elif context.in_when and not context.in_block:
        yield from _rules(program) if context.item == "rule" else _named(words.ITEMS, ("rule",))
    elif not context.in_block:
        yield from _outside(context, program)
    elif context.item == "policy":
        yield from _of(words.SETTINGS)
    elif context.item == "expect":
        yield from _in_expect(context, program)
    elif context.item == "promise":
        yield from _in_promise(context, program)
    elif context.item == "test":
        yield from _in_test(context, program)
    elif context.statement == "match":
        yield from _in_predicate(context, program)
        if _is_complete(context):
            yield from _actions(context)
    else:
        yield from _in_action(context, program)


def _outside(context: Context, program: Program) -> Iterator[Proposal]:
    match context.item:
        case "set" if "=" in context.before:
            yield from _in_predicate(context, program)
            if _is_complete(context) or context.last == "]":
                yield from _of(words.ITEMS)
        case "set" | "policy" | "rule" | "test":
            pass
        case "tunable" if ".." not in context.before:
            yield from _named(words.OPERATORS, ("in",))
        case "expect" if context.last in ("as", "under", ",") or len(context.before) > 1:
            names = _rules(program) if context.last == "as" else ()
            yield from names or _named((*words.DETAILS, *words.OPERATORS), ("as", "under"))
        case "promise" if len(context.before) < 2:
            yield from _rules(program)
        case "promise":
            yield from _named(words.DETAILS, ("over",))
        case "expect" | "include" if len(context.before) < 2:
            pass
        case _:
            yield from _of(words.ITEMS)


def _in_condition(context: Context) -> Iterator[Proposal]:
    last = context.last
    if last == "pressure":
        yield from _of(words.RESOURCES)
    elif last in ("when", "and", "or", "not", "("):
        yield from _of(words.CONDITIONS)
        yield from _named(words.OPERATORS, ("not",))
    elif last == "time":
        yield from _named(words.OPERATORS, ("in",))
    else:
        yield from _named(words.OPERATORS, ("and", "or"))
        yield from _named(words.DETAILS, ("for",))


def _in_predicate(context: Context, program: Program) -> Iterator[Proposal]:
    last = context.last
    if last in _OPENING:
        yield from _of(words.FIELDS)
        yield from _sets(program, is_list=False)
        yield from _named(words.OPERATORS, ("not",))
    elif last in _COMPARATORS:
        if context.before[-2:-1] == ("qos",):
            yield from (Proposal(f'"{name.decode()}"', "text", "qos", "") for name in QOS_CLASSES)
        if last in ("in", "~"):
            yield from _sets(program, is_list=True)
    elif last == "within":
        yield from _tunables(program)
    elif last == "via":
        yield from _named(words.DETAILS, ("softirq",))
    elif _is_complete(context):
        yield from _named(words.OPERATORS, ("and", "or"))
        if "calls" in context.before[-5:]:
            yield from _named(words.DETAILS, ("within", "via"))
    if words.find(last, (Kind.FIELD,)) or context.before[-2:-1] == ("label",):
        yield from _named(words.OPERATORS, ("in", "under") if last == "cgroup" else ("in",))


def _is_complete(context: Context) -> bool:
    """Whether a predicate can end at this place."""
    last = context.last
    return bool(last) and (
        last[-1] in "\"')]"
        or last[0].isdigit()
        or last in _FLAGS
        or (last[0].isalpha() and words.find(last) is None)
    )


def _in_action(context: Context, program: Program) -> Iterator[Proposal]:
    last = context.last
    match context.statement, last:
        case "priority", "priority":
            yield from _of(words.LEVELS)
        case "migrate", "migrate":
            yield from _named(words.MIGRATIONS, (w.name for w in words.MIGRATIONS[:-1]))
        case "cpus", "cpus" | ",":
            yield from _of(words.CPU_WORDS[:-3])
        case _, last if last in _DURATIONS:
            yield from _tunables(program)
            if (action := actions.BY_NAME.get(last)) is not None:
                yield from (Proposal(word, "text", last, "") for word in action.words)
        case _:
            if context.statement == "migrate" and last != "return":
                yield from _named(words.MIGRATIONS, ("return",))
            elif context.statement == "cpus" and last == "exclusive":
                yield from _named(words.CPU_WORDS, ("core",))
            elif context.statement == "cpus" and last not in ("all", "core", "prefer"):
                yield from _of(words.CPU_WORDS[-2:])
            elif context.statement == "preempt":
                known = _PREEMPT if context.in_when else _PREEMPT[:-1]
                missing = [name for name in known if name not in context.before]
                yield from _named(words.DETAILS, missing)
            yield from _actions(context)


def _actions(context: Context) -> Iterator[Proposal]:
    for word in words.ACTIONS:
        is_refused = (
            word.name not in actions.CHANGEABLE
            if context.in_when
            else context.item == "default" and actions.BY_NAME[word.name].not_in_default
        )
        if word.name not in context.used and not is_refused:
            yield from _of((word,))


def _in_expect(context: Context, program: Program) -> Iterator[Proposal]:
    last, is_open = context.last, _is_open(context.before)
    if last == "(":
        if context.before[-2:-1] not in (("share",), ("rate",), ("time",)):
            yield from _of(words.METRICS)
        yield from _rules(program)
    elif is_open:
        yield from _rules(program)
    elif last == "of":
        yield from _of(words.PEERS)
    elif last in _COMPARATORS:
        yield from _tunables(program)
    else:
        yield from _of(words.STATISTICS)
        if last and last[0].isdigit():
            yield from _named(words.DETAILS, ("of",))


def _in_promise(context: Context, program: Program) -> Iterator[Proposal]:
    last, is_open = context.last, _is_open(context.before)
    if last == "(" and context.before[-2:-1] != ("share",):
        yield from _of(word for word in words.METRICS if word.name != "time")
    elif is_open:
        yield from _rules(program)
    elif last == "else":
        yield from _of(words.OTHERWISE)
    elif last in _COMPARATORS:
        yield from _tunables(program)
    else:
        yield from _of(word for word in words.STATISTICS if word.name not in ("rate", "time"))
        if last:
            yield from _named(words.DETAILS, ("else",))


def _in_test(context: Context, program: Program) -> Iterator[Proposal]:
    last = context.last
    if last == "->":
        yield from _rules(program)
        yield from _named(words.ITEMS, ("default",))
        return
    if last == "via":
        yield from _named(words.DETAILS, ("softirq",))
        return
    for field in Field:
        if last != "not" or field.row.kind is fields.Kind.FLAG or field.row.is_optional:
            meaning = f"{field.row.meaning}\n\nWithout it: {field.row.otherwise}"
            yield Proposal(field.value, Kind.FIELD, field.row.fact, meaning)
    if last and last != "not":
        yield from _named(words.OPERATORS, ("not",))
    if "calls" in context.before[-4:]:
        yield from _named(words.DETAILS, ("within", "via"))


def _is_open(tokens: Iterable[str]) -> bool:
    tokens = list(tokens)
    return tokens.count("(") > tokens.count(")")


def _of(known: Iterable[Word]) -> Iterator[Proposal]:
    for word in known:
        meaning = word.meaning + (f"\n\nWithout it: {word.default}" if word.default else "")
        yield Proposal(word.name, word.kind, word.form, meaning)


def _named(known: Iterable[Word], names: Iterable[str]) -> Iterator[Proposal]:
    wanted = list(names)
    yield from _of(word for word in known if word.name in wanted)


def _sets(program: Program, *, is_list: bool) -> Iterator[Proposal]:
    for name, item in program.definitions.items():
        if isinstance(item, ast.SetItem) and isinstance(item.value, ast.ListLiteral) == is_list:
            yield Proposal(name, "set", "a list" if is_list else "a predicate", "")


def _tunables(program: Program) -> Iterator[Proposal]:
    for name, item in program.definitions.items():
        if isinstance(item, ast.Tunable):
            yield Proposal(name, "tunable", item.span.one_line, "")


def _rules(program: Program) -> Iterator[Proposal]:
    for name, item in program.definitions.items():
        if isinstance(item, ast.RuleBlock):
            yield Proposal(name, "rule", "a rule", "")
