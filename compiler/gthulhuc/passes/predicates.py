# SPDX-License-Identifier: Apache-2.0
"""Predicates: names resolved, sets put in, each comparison checked by `comparisons`.

After it: the `match` of each rule is a checked predicate, or None when part of it was refused;
`used` has the sets that something refers to. Sets that nobody uses are checked too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.passes.comparisons import NameList, lower_comparison
from gthulhuc.passes.draft import Draft, DraftRule
from gthulhuc.passes.fields import ALL_FIELDS
from gthulhuc.syntax import ast


def resolve(draft: Draft, report: Collector) -> Draft:
    """Resolves the predicates of all rules and sets."""
    cyclic = _report_cycles(draft, report)
    resolver = _Resolver(draft, report, cyclic)
    rules = tuple(_with_match(rule, resolver) for rule in draft.rules)
    used = frozenset(resolver.used)
    for definition in draft.names.values():
        if isinstance(definition, ast.SetItem) and not isinstance(definition.value, ast.ListLiteral):
            resolver.predicate_of_set(definition)
    inside_sets = frozenset(resolver.used) - used
    return replace(draft, rules=rules, used=used | inside_sets)


def _with_match(rule: DraftRule, resolver: _Resolver) -> DraftRule:
    for statement in rule.block.statements:
        if isinstance(statement, ast.Match):
            return replace(rule, match=resolver.predicate(statement.predicate))
    return rule


@dataclass(slots=True)
class _Resolver:
    """Lowers predicates; the predicate of a set is lowered once and then reused."""

    draft: Draft
    report: Collector
    cyclic: frozenset[str]
    used: set[str] = field(default_factory=set)
    _sets: dict[str, checked.Predicate | None] = field(default_factory=dict)

    def predicate(self, node: ast.Predicate) -> checked.Predicate | None:
        """The checked form, or None when a part of it was refused."""
        match node:
            case ast.Not():
                operand = self.predicate(node.operand)
                return None if operand is None else checked.Not(operand, node.span)
            case ast.And() | ast.Or():
                # Every operand is looked at, so that all of their errors are found.
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
        """The checked predicate that a set stands for."""
        name = definition.name.text
        if name in self.cyclic or isinstance(definition.value, ast.ListLiteral):
            return None
        if name not in self._sets:
            self._sets[name] = self.predicate(definition.value)
        return self._sets[name]

    def _comparison(self, node: ast.Comparison) -> checked.Predicate | None:
        name = node.field.text
        if name in ALL_FIELDS:
            return lower_comparison(node, self._list_of, self.draft, self.report)
        if not self._is_defined(node.field, [*ALL_FIELDS, *self._set_names()]):
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
            self._wrong_kind(node.field, f"`{name}` is a predicate and stands alone", definition)
            return None
        return self.predicate_of_set(definition)

    def _list_of(self, word: ast.Word) -> NameList | None:
        """The list that a name stands for, for the right side of a comparison."""
        if not self._is_defined(word, self._set_names()):
            return None
        self.used.add(word.text)
        definition = self.draft.names[word.text]
        if isinstance(definition, ast.SetItem) and isinstance(definition.value, ast.ListLiteral):
            return NameList(definition.value, word)
        kind = {ast.SetItem: "predicate", ast.Tunable: "tunable", ast.RuleBlock: "rule"}
        message = f"`{word.text}` is a {kind[type(definition)]}, not a list"
        self._wrong_kind(word, message, definition)
        return None

    def _set_names(self) -> list[str]:
        names = self.draft.names
        return [name for name, item in names.items() if isinstance(item, ast.SetItem)]

    def _is_defined(self, word: ast.Word, candidates: list[str]) -> bool:
        if word.text in self.draft.names:
            return True
        # A definition that was dropped was reported; its name is no second error.
        if word.text not in self.draft.lost_names and self.draft.file.is_whole:
            is_left = ALL_FIELDS[0] in candidates
            what = "field or set" if is_left else "set"
            self.report.error(
                codes.UNDEFINED_NAME,
                f"no {what} is called `{word.text}`",
                word.span,
                help=did_you_mean(word.text, candidates),
            )
        return False

    def _wrong_kind(
        self, word: ast.Word, message: str, definition: ast.SetItem | ast.Tunable | ast.RuleBlock,
        help: str | tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        defined = Label(definition.name.span, "defined here")
        self.report.error(codes.WRONG_KIND, message, word.span, secondary=[defined], help=help)


def _report_cycles(draft: Draft, report: Collector) -> frozenset[str]:
    """Reports each cycle of sets once; the names of all sets that are in one or lead into one."""
    edges = {
        name: list(_references(item.value))
        for name, item in draft.names.items()
        if isinstance(item, ast.SetItem) and not isinstance(item.value, ast.ListLiteral)
    }
    bad: set[str] = set()
    done: set[str] = set()
    for root in edges:
        # Depth first with a stack of our own: a chain of sets may be long.
        path: list[str] = []
        stack: list[tuple[str, Iterator[ast.Word]]] = []
        if root not in done:
            path.append(root)
            stack.append((root, iter(edges[root])))
        while stack:
            name, rest = stack[-1]
            word = next(rest, None)
            if word is None:
                if any(reference.text in bad for reference in edges[name]):
                    bad.add(name)
                done.add(name)
                stack.pop()
                path.pop()
            elif word.text in path:
                cycle = path[path.index(word.text) :]
                bad.update(cycle)
                _report_cycle(cycle, word, draft, report)
            elif word.text in edges and word.text not in done:
                path.append(word.text)
                stack.append((word.text, iter(edges[word.text])))
    return frozenset(bad)


def _report_cycle(cycle: list[str], closing: ast.Word, draft: Draft, report: Collector) -> None:
    chain = " -> ".join(f"`{name}`" for name in [*cycle, cycle[0]])
    if len(cycle) == 1:
        message, note = f"set `{cycle[0]}` refers to itself", ""
    else:
        message, note = f"set `{cycle[0]}` refers to itself through others", chain
    first = Label(draft.names[cycle[0]].name.span, "defined here")
    report.error(
        codes.SET_CYCLE, message, closing.span, secondary=[first], note=[note] * bool(note)
    )


def _references(node: ast.Predicate) -> Iterator[ast.Word]:
    match node:
        case ast.Not():
            yield from _references(node.operand)
        case ast.And() | ast.Or():
            for operand in node.operands:
                yield from _references(operand)
        case ast.Comparison() if node.operator is None:
            yield node.field
