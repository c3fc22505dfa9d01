# SPDX-License-Identifier: Apache-2.0
"""From ANTLR's tree to the AST; past this module nobody sees ANTLR."""

from __future__ import annotations

import dataclasses
from typing import Any

from antlr4.tree.Tree import ErrorNode

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated.GplParser import GplParser as P
from gthulhuc.syntax.text import unquote
from gthulhuc.syntax.tokens import AntlrToken, is_open_string, token_span


class Adapter:
    """Builds the AST of one file.

    Statements and items with a syntax error in them are left out; `has_damage` says whether there
    can be any, so that a file without errors is not searched for them.
    """

    def __init__(self, source: Source, report: Collector, *, has_damage: bool) -> None:
        self._source = source
        self._report = report
        self._has_damage = has_damage
        self._bad_strings = 0

    def file(self, tree: Any) -> ast.File:
        """The whole file."""
        items: list[ast.Item] = []
        lost: set[str] = set()
        for node in tree.item():
            child = node.getChild(0)  # None where the parser found nothing at all
            keeps_parts = isinstance(child, P.RuleBlockContext | P.DefaultBlockContext)
            is_kept = _has_head(child) if keeps_parts else not self._is_damaged(child)
            if not is_kept:
                lost |= _names_in(child)
                continue
            bad_before = self._bad_strings
            item = self._item(child)
            if isinstance(item, ast.SetItem) and self._bad_strings > bad_before:
                lost.add(item.name.text)
            else:
                items.append(item)
        is_whole = not self._is_damaged(tree)
        span = Span(self._source, 0, len(self._source.text))
        return ast.File(self._source, tuple(items), frozenset(lost), is_whole, span)

    # ---- items ---------------------------------------------------------------------------------

    def _item(self, node: Any) -> ast.Item:
        span = self._span(node)
        match node:
            case P.PolicyBlockContext():
                settings = tuple(self._setting(child) for child in node.policySetting())
                return ast.PolicyBlock(self._name(node.anyName()), settings, span)
            case P.IncludeItemContext():
                return ast.Include(self._string(node.STRING().symbol), span)
            case P.TunableItemContext():
                value, low, high = (self._scalar(child) for child in node.scalar())
                return ast.Tunable(self._word(node.WORD().symbol), value, low, high, span)
            case P.SetItemContext():
                return ast.SetItem(self._word(node.WORD().symbol), self._set_value(node), span)
            case P.RuleBlockContext():
                name = self._name(node.anyName())
                return ast.RuleBlock(name, self._statements(node), not self._is_damaged(node), span)
            case P.DefaultBlockContext():
                return ast.DefaultBlock(self._statements(node), not self._is_damaged(node), span)
            case _:
                return self._expect(node, span)

    def _setting(self, node: Any) -> ast.Setting:
        operator = self._operator(node.comparator(), can_mend=False)
        name = self._word(node.WORD().symbol)
        return ast.Setting(name, operator, self._scalar(node.scalar()), self._span(node))

    def _set_value(self, node: Any) -> ast.ListLiteral | ast.Predicate:
        if (literal := node.listLiteral()) is not None:
            return self._list(literal)
        return self._predicate(node.expression())

    def _expect(self, node: Any, span: Span) -> ast.Expect:
        loads = tuple(
            ast.Load(
                self._name(load.anyName()),
                self._number(load.NUMBER().symbol),
                self._as_rule(load.asRule()),
                self._span(load),
            )
            for load in node.load()
        )
        claims = tuple(self._claim(claim) for claim in node.claim())
        name = self._name(node.anyName())
        return ast.Expect(name, self._as_rule(node.asRule()), loads, claims, span)

    def _as_rule(self, node: Any) -> ast.Word | None:
        return None if node is None else self._name(node.anyName())

    def _claim(self, node: Any) -> ast.Claim:
        names = [self._name(child) for child in node.anyName()]
        words = node.WORD()
        reference: ast.Word | ast.Text | None = None
        if node.STRING() is not None:
            reference = self._string(node.STRING().symbol)
        elif len(words) > 1:
            reference = self._word(words[1].symbol)
        operator = self._operator(node.comparator(), can_mend=True)
        assert operator is not None
        return ast.Claim(
            self._word(words[0].symbol),
            names[0],
            names[1] if len(names) > 1 else None,
            operator,
            self._scalar(node.scalar()),
            reference,
            self._span(node),
        )

    # ---- statements ----------------------------------------------------------------------------

    def _statements(self, node: Any) -> tuple[ast.Statement, ...]:
        whole = (child.getChild(0) for child in node.statement() if not self._is_damaged(child))
        return tuple(self._statement(child) for child in whole)

    def _statement(self, node: Any) -> ast.Statement:
        span = self._span(node)
        match node:
            case P.MatchStatementContext():
                return ast.Match(self._predicate(node.expression()), span)
            case P.PriorityStatementContext():
                return ast.Priority(self._word(node.WORD().symbol), span)
            case P.WeightStatementContext():
                return ast.Weight(self._scalar(node.scalar()), span)
            case P.SliceStatementContext():
                low, *high = (self._scalar(child) for child in node.scalar())
                return ast.Slice(low, high[0] if high else None, span)
            case P.CpusStatementContext():
                terms = tuple(self._cpu_term(child) for child in node.cpuTerm())
                return ast.Cpus(terms, self._optional_word(node.WORD()), span)
            case P.MigrateStatementContext():
                how, *rest = (self._word(word.symbol) for word in node.WORD())
                return ast.Migrate(how, rest[0] if rest else None, span)
            case P.PreemptStatementContext():
                return self._preempt(node, span)
            case P.MaxWaitStatementContext():
                return ast.MaxWait(self._scalar(node.scalar()), span)
            case P.InheritStatementContext():
                return ast.Inherit(span)
            case _:
                return ast.Monitor(span)

    def _cpu_term(self, node: Any) -> ast.CpuTerm:
        numbers = [self._number(number.symbol) for number in node.NUMBER()]
        return ast.CpuTerm(
            self._optional_word(node.WORD()),
            numbers[0] if numbers else None,
            numbers[1] if len(numbers) > 1 else None,
            self._span(node),
        )

    def _preempt(self, node: Any, span: Span) -> ast.Preempt:
        scalars = [self._scalar(child) for child in node.scalar()]
        after = scalars.pop(0) if node.AFTER() is not None else None
        budget, period = scalars or (None, None)
        return ast.Preempt(after, budget, period, span)

    # ---- predicates ----------------------------------------------------------------------------

    def _predicate(self, node: Any) -> ast.Predicate:
        operands = tuple(self._unary(child) for child in node.unary())
        if len(operands) == 1:
            return operands[0]
        span = self._span(node)
        words = [node.getChild(index).symbol for index in range(1, node.getChildCount(), 2)]
        kinds = {word.type for word in words}
        if len(kinds) == 2:
            self._report_mixed(node, words)
            return ast.Broken(span)
        return ast.And(operands, span) if kinds == {P.AND} else ast.Or(operands, span)

    def _report_mixed(self, node: Any, words: list[AntlrToken]) -> None:
        spans = [self._span(child) for child in node.unary()]
        texts = [" ".join(span.text.split()) for span in spans]
        kinds = [word.type for word in words]
        other = next(word for word in words if word.type != kinds[0])
        self._report.error(
            codes.MIXED_AND_OR,
            "`and` and `or` stand side by side without parentheses",
            token_span(self._source, other),
            hint="write the one that is meant:\n"
            f"{_grouped(texts, kinds, P.AND)}\n{_grouped(texts, kinds, P.OR)}",
        )

    def _unary(self, node: Any) -> ast.Predicate:
        primary = node.primary()
        if primary.comparison() is not None:
            result: ast.Predicate = self._comparison(primary.comparison())
        else:
            result = self._predicate(primary.expression())
        end = self._span(primary)
        for word in reversed(node.NOT()):
            result = ast.Not(result, token_span(self._source, word.symbol).to(end))
        return result

    def _comparison(self, node: Any) -> ast.Predicate:
        words = node.WORD()
        argument = node.STRING()
        bad_before = self._bad_strings
        result = ast.Comparison(
            self._word(words[0].symbol),
            None if argument is None else self._string(argument.symbol),
            None if node.scalar() is None else self._scalar(node.scalar()),
            self._word(words[1].symbol) if len(words) > 1 else None,
            self._operator(node.comparator(), can_mend=True),
            None if node.operand() is None else self._operand(node.operand()),
            self._span(node),
        )
        if self._bad_strings > bad_before:
            return ast.Broken(result.span)
        if result.operator is not None and result.operator.text == "!~":  # was reported
            glob = ast.Word("~", result.operator.span)
            return ast.Not(dataclasses.replace(result, operator=glob), result.span)
        return result

    def _operator(self, node: Any, *, can_mend: bool) -> ast.Word | None:
        if node is None:
            return None
        word = self._word(node.start)
        if word.text != "=" or not can_mend:
            return word
        self._report.error(
            codes.FOREIGN_SPELLING, "`=` does not compare", word.span, hint="write `==`"
        )
        return ast.Word("==", word.span)

    # ---- values --------------------------------------------------------------------------------

    def _operand(self, node: Any) -> ast.Operand:
        if node.text() is not None:
            return self._string(node.text().start)
        if node.listLiteral() is not None:
            return self._list(node.listLiteral())
        low, *high = (self._scalar(child) for child in node.scalar())
        return ast.Range(low, high[0], self._span(node)) if high else low

    def _list(self, node: Any) -> ast.ListLiteral:
        items = tuple(self._element(child) for child in node.element())
        return ast.ListLiteral(items, self._span(node))

    def _element(self, node: Any) -> ast.Element:
        child = node.getChild(0)
        return (
            self._string(child.start) if isinstance(child, P.TextContext) else self._scalar(child)
        )

    def _scalar(self, node: Any) -> ast.Scalar:
        span = self._span(node)
        text = span.text if node.MINUS() is None else "-" + node.NUMBER().symbol.text
        return ast.Word(text, span) if node.WORD() is not None else ast.Number(text, span)

    def _string(self, token: AntlrToken) -> ast.Text:
        span = token_span(self._source, token)
        value = None if is_open_string(token) else unquote(span, self._report)
        self._bad_strings += value is None
        return ast.Text(value or b"", span)

    def _number(self, token: AntlrToken) -> ast.Number:
        return ast.Number(token.text, token_span(self._source, token))

    def _name(self, node: Any) -> ast.Word:
        return self._word(node.start)

    def _word(self, token: AntlrToken) -> ast.Word:
        return ast.Word(token.text, token_span(self._source, token))

    def _optional_word(self, node: Any) -> ast.Word | None:
        return None if node is None else self._word(node.symbol)

    def _span(self, node: Any) -> Span:
        return Span(self._source, node.start.start, node.stop.stop + 1)

    def _is_damaged(self, node: Any) -> bool:
        return self._has_damage and _is_damaged(node)


def _is_damaged(node: Any) -> bool:
    if isinstance(node, ErrorNode):
        return True
    if getattr(node, "exception", None) is not None:
        return True
    return any(_is_damaged(child) for child in getattr(node, "children", None) or ())


def _has_head(node: Any) -> bool:
    """Whether a block's name and brace stand, so that what is inside can be judged."""
    name = node.anyName() if isinstance(node, P.RuleBlockContext) else None
    is_named = isinstance(node, P.DefaultBlockContext) or (
        name is not None and not _is_damaged(name)
    )
    return is_named and node.LBRACE() is not None and node.stop is not None


def _names_in(node: Any) -> set[str]:
    """The name that a damaged definition would have given."""
    if isinstance(node, P.SetItemContext | P.TunableItemContext):
        words = node.WORD()
        return {words.symbol.text} if words is not None else set()
    if isinstance(node, P.RuleBlockContext) and node.anyName() is not None:
        return {node.anyName().getText()}
    return set()


def _grouped(texts: list[str], kinds: list[int], tight: int) -> str:
    """The chain with parentheses around the parts that the operator `tight` holds together."""
    word = {P.AND: "and", P.OR: "or"}
    groups = [[texts[0]]]
    for text, kind in zip(texts[1:], kinds, strict=True):
        if kind == tight:
            groups[-1].append(text)
        else:
            groups.append([text])
    loose = P.OR if tight == P.AND else P.AND
    parts = [
        "(" + f" {word[tight]} ".join(group) + ")" if len(group) > 1 else group[0]
        for group in groups
    ]
    return f" {word[loose]} ".join(parts)
