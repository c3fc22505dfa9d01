# SPDX-License-Identifier: Apache-2.0
"""Resolves predicates: looks up names, expands sets and checks each comparison.

Afterwards the `match` of each rule is a checked predicate, or None after an error in it, and
`used` has the sets that something refers to. Unused sets are checked, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.fields import FIELDS
from gthulhuc.passes.draft import Definition, Draft, DraftRule
from gthulhuc.passes.reading.comparisons import lower_comparison
from gthulhuc.passes.reading.foreign import foreign_field
from gthulhuc.passes.reading.operands import Context
from gthulhuc.passes.reading.values import Values
from gthulhuc.syntax import ast


def resolve(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with the predicates of all rules; resolves sets first, in order."""
    resolver = _Resolver(draft, report, Values(draft, report))
    for definition in draft.names.values():
        if isinstance(definition, ast.SetItem):
            resolver.predicate_of_set(definition)
    rules = tuple(_with_match(rule, resolver) for rule in draft.rules)
    return replace(draft, rules=rules, used=draft.used | resolver.used | resolver.values.used)


def _with_match(rule: DraftRule, resolver: _Resolver) -> DraftRule:
    for statement in rule.block.statements:
        if isinstance(statement, ast.Match):
            match = resolver.match(statement.predicate)
            return DraftRule(rule.block, match, rule.given, rule.actions)
    return rule


def _names_nothing(node: ast.Predicate) -> bool:
    """Whether a predicate means the same whatever the definitions are."""
    match node:
        case ast.Not():
            return _names_nothing(node.operand)
        case ast.And() | ast.Or():
            return all(map(_names_nothing, node.operands))
        case ast.Comparison():
            words = isinstance(node.operand, ast.Word) or isinstance(node.within, ast.Word)
            return node.field.text in FIELDS and not words
        case ast.Broken():
            return False


@dataclass(slots=True)
class _Resolver:
    """Lowers predicates; lowers the predicate of each set once."""

    draft: Draft
    report: Collector
    values: Values
    used: set[str] = field(default_factory=set)
    _sets: dict[str, checked.Predicate | None] = field(default_factory=dict)
    _set_names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        # Computed once: a policy may have as many mistakes as names.
        named = self.draft.names.items()
        self._set_names = [name for name, item in named if isinstance(item, ast.SetItem)]

    def match(self, node: ast.Predicate) -> checked.Predicate | None:
        """Returns the checked form of a rule's predicate; None after an error in any part."""
        memo, report = self.draft.memo, self.report
        if not memo.of("names nothing", node, lambda: _names_nothing(node), report):
            return self.predicate(node)
        return memo.of("checked", node, lambda: self.predicate(node), report)

    def predicate(self, node: ast.Predicate) -> checked.Predicate | None:
        """Returns the checked form; None after an error in any part."""
        match node:
            case ast.Not():
                operand = self.predicate(node.operand)
                return None if operand is None else checked.Not(operand, node.span)
            case ast.And() | ast.Or():
                # Every operand is checked, so that all errors are found.
                parts = [self.predicate(operand) for operand in node.operands]
                whole = tuple(part for part in parts if part is not None)
                if len(whole) < len(parts):
                    return None
                kind = checked.And if isinstance(node, ast.And) else checked.Or
                return kind(whole, node.span)
            case ast.Comparison():
                return self._comparison(node)
            case ast.Broken():
                return None

    def predicate_of_set(self, definition: ast.SetItem) -> checked.Predicate | None:
        """Returns the checked predicate of a set; None for a list or after an error."""
        name = definition.name.text
        if isinstance(definition.value, ast.ListLiteral):
            return None
        if name not in self._sets:
            self._sets[name] = self.predicate(definition.value)
        return self._sets[name]

    def _comparison(self, node: ast.Comparison) -> checked.Predicate | None:
        name = node.field.text
        if name in FIELDS:
            return lower_comparison(node, Context(self._list_of, self.values, self.report))
        if not self._is_defined(node.field, is_left=True):
            return None
        self.used.add(name)
        definition = self.draft.names[name]
        if not isinstance(definition, ast.SetItem):
            kind = "tunable" if isinstance(definition, ast.Tunable) else "rule"
            self._wrong_kind(node.field, f"`{name}` is a {kind}, not a predicate", definition)
            return None
        if isinstance(definition.value, ast.ListLiteral):
            hint = f"compare a field with it, as in `comm in {name}`"
            self._wrong_kind(node.field, f"`{name}` is a list, not a predicate", definition, hint)
            return None
        if node.operator is not None or node.argument is not None or node.within is not None:
            self._wrong_kind(
                node.field, f"`{name}` is a predicate and takes no operator or value", definition
            )
            return None
        return self.predicate_of_set(definition)

    def _list_of(self, word: ast.Word) -> ast.ListLiteral | None:
        """The list that a name on the right side of a comparison stands for."""
        if not self._is_defined(word, is_left=False):
            return None
        self.used.add(word.text)
        definition = self.draft.names[word.text]
        if isinstance(definition, ast.SetItem) and isinstance(definition.value, ast.ListLiteral):
            return definition.value
        kind = {ast.SetItem: "predicate", ast.Tunable: "tunable", ast.RuleBlock: "rule"}
        message = f"`{word.text}` is a {kind[type(definition)]}, not a list"
        self._wrong_kind(word, message, definition)
        return None

    def _is_defined(self, word: ast.Word, *, is_left: bool) -> bool:
        if word.text in self.draft.names:
            return True
        # A dropped definition was reported; its uses are not reported again.
        if word.text not in self.draft.lost_names and self.draft.file.is_whole:
            what = "field or set" if is_left else "set"
            self.report.error(
                codes.UNDEFINED_NAME,
                f"undefined {what} `{word.text}`",
                word.span,
                hint=() if self.report.is_long else self._meant(word.text, is_left=is_left),
            )
        return False

    def _meant(self, word: str, *, is_left: bool) -> str | tuple[str, ...]:
        """Help for an undefined name."""
        if is_left:
            return foreign_field(word) or did_you_mean(word, [*FIELDS, *self._set_names])
        return did_you_mean(word, self._set_names)

    def _wrong_kind(
        self, word: ast.Word, message: str, definition: Definition, hint: str | tuple[str, ...] = ()
    ) -> None:
        defined = Label(definition.name.span, "defined here")
        self.report.error(codes.WRONG_KIND, message, word.span, secondary=[defined], hint=hint)
