# SPDX-License-Identifier: Apache-2.0
"""Converts the parse tree to the AST; no other module sees the tree."""

from __future__ import annotations

import dataclasses
import re

from gthulhuc.diagnostics import Collector, codes
from gthulhuc.diagnostics.suggest import write
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.text import is_open_text, unquote
from gthulhuc.syntax.tree import Node, Token

_KEYWORD = re.compile(r"[a-z-]+")


class Adapter:
    """Builds the AST of one file.

    It drops statements and items that contain a syntax error.
    """

    def __init__(self, source: Source, report: Collector) -> None:
        self._source = source
        self._text = source.text
        self._report = report
        self._bad_strings = 0

    def file(self, tree: Node) -> ast.File:
        """Returns the AST of the whole file."""
        items: list[ast.Item] = []
        lost: set[str] = set()
        for node in tree.each("item"):
            child = node.children[0] if node.children else None
            if not isinstance(child, Node):
                continue  # the file is empty
            keeps_parts = child.rule in ("ruleBlock", "defaultBlock")
            is_kept = _has_head(child) if keeps_parts else not child.is_damaged
            if not is_kept:
                lost |= self._names_in(child)
                continue
            bad_before = self._bad_strings
            item = self._item(child)
            if isinstance(item, ast.SetItem) and self._bad_strings > bad_before:
                lost.add(item.name.text)
            else:
                items.append(item)
        span = Span(self._source, 0, len(self._source.text))
        return ast.File(self._source, tuple(items), frozenset(lost), not tree.is_damaged, span)

    # ---- items ---------------------------------------------------------------------------------

    def _item(self, node: Node) -> ast.Item:
        span = self._span(node)
        match node.rule:
            case "policyBlock":
                settings = tuple(self._setting(child) for child in node.each("policySetting"))
                return ast.PolicyBlock(self._name(node), settings, span)
            case "includeItem":
                return ast.Include(self._string(_the(node.token(k.STRING))), span)
            case "tunableItem":
                value, low, high = (self._scalar(child) for child in node.each("scalar"))
                return ast.Tunable(self._only_word(node), value, low, high, span)
            case "setItem":
                return ast.SetItem(self._only_word(node), self._set_value(node), span)
            case "ruleBlock":
                return self._rule(node)
            case "defaultBlock":
                return ast.DefaultBlock(self._statements(node), not node.is_damaged, span)
            case "promiseBlock":
                return self._promise(node, span)
            case "testBlock":
                return self._test(node, span)
            case "whenBlock":
                return self._when(node, span)
            case _:
                return self._expect(node, span)

    def _setting(self, node: Node) -> ast.Setting:
        operator = self._operator(node.first("comparator"), can_repair=False)
        keyword = node.token(k.WEIGHT)
        value = self._word(keyword) if keyword else self._scalar(node.one("scalar"))
        return ast.Setting(self._only_word(node), operator, value, self._span(node))

    def _set_value(self, node: Node) -> ast.ListLiteral | ast.Predicate:
        if (literal := node.first("listLiteral")) is not None:
            return self._list(literal)
        return self._predicate(node.one("expression"))

    def _expect(self, node: Node, span: Span) -> ast.Expect:
        loads = tuple(
            ast.Load(
                self._name(load),
                self._number(_the(load.token(k.NUMBER))),
                self._as_rule(load),
                self._span(load),
            )
            for load in node.each("load")
        )
        claims = tuple(self._claim(claim) for claim in node.each("claim"))
        return ast.Expect(self._name(node), self._as_rule(node), loads, claims, span)

    def _promise(self, node: Node, span: Span) -> ast.Promise:
        claims = tuple(self._claim(claim) for claim in node.each("claim"))
        found = node.first("otherwise")
        otherwise = None
        if found is not None:
            otherwise = ast.Otherwise(self._only_word(found), self._span(found))
        window = self._scalar(node.one("scalar"))
        return ast.Promise(self._name(node), window, claims, otherwise, span)

    def _test(self, node: Node, span: Span) -> ast.TestBlock:
        lines = tuple(
            ast.TestLine(
                tuple(self._fact(fact) for fact in line.each("fact")),
                self._name(line),
                self._span(line),
            )
            for line in node.each("testLine")
        )
        return ast.TestBlock(self._string(_the(node.token(k.STRING))), lines, span)

    def _when(self, node: Node, span: Span) -> ast.When:
        rules = tuple(self._rule(child) for child in node.each("ruleBlock"))
        return ast.When(self._predicate(node.one("condition")), rules, span)

    def _rule(self, node: Node) -> ast.RuleBlock:
        whole = not node.is_damaged
        return ast.RuleBlock(self._name(node), self._statements(node), whole, self._span(node))

    def _fact(self, node: Node) -> ast.Fact:
        field, *via = (self._word(word) for word in node.tokens(k.WORD))
        within = node.first("scalar")
        return ast.Fact(
            node.token(k.NOT) is not None,
            field,
            tuple(self._fact_value(value) for value in node.each("factValue")),
            None if within is None else self._scalar(within),
            via[0] if via else None,
            self._span(node),
        )

    def _fact_value(self, node: Node) -> ast.Text | ast.Number:
        if (text := node.first("text")) is not None:
            return self._string(text)
        span, last = self._span(node), node.children[-1]
        assert isinstance(last, Token)
        sign = "-" if len(node.children) > 1 else ""
        return ast.Number(sign + self._at(last).text, span)

    def _as_rule(self, node: Node) -> ast.Word | None:
        found = node.first("asRule")
        return None if found is None else self._name(found)

    def _claim(self, node: Node) -> ast.Claim:
        names = [self._word(child) for child in node.each("anyName")]
        first, *rest = (
            self._word(child)
            for child in node.children
            if isinstance(child, Token) and child.kind in (k.WORD, k.SHARE)
        )
        reference: ast.Word | ast.Text | None = rest[0] if rest else None
        if (text := node.token(k.STRING)) is not None:
            reference = self._string(text)
        operator = self._operator(node.one("comparator"), can_repair=True)
        assert operator is not None
        return ast.Claim(
            first,
            names[0],
            names[1] if len(names) > 1 else None,
            operator,
            self._scalar(node.one("scalar")),
            reference,
            self._span(node),
        )

    # ---- statements ----------------------------------------------------------------------------

    def _statements(self, node: Node) -> tuple[ast.Statement, ...]:
        parts = (child.children[0] for child in node.each("statement") if not child.is_damaged)
        return tuple(self._statement(part) for part in parts if isinstance(part, Node))

    def _statement(self, node: Node) -> ast.Statement:
        span = self._span(node)
        match node.rule:
            case "matchStatement":
                return ast.Match(self._predicate(node.one("expression")), span)
            case "priorityStatement":
                return ast.Priority(self._only_word(node), span)
            case "sliceStatement":
                low, *high = (self._scalar(child) for child in node.each("scalar"))
                return ast.Slice(low, high[0] if high else None, span)
            case "shareStatement":
                return self._share(node, span)
            case "cpusStatement":
                terms = tuple(self._cpu_term(child) for child in node.each("cpuTerm"))
                modifier, extent, *_ = (*map(self._word, node.tokens(k.WORD)), None, None)
                return ast.Cpus(terms, modifier, extent, span)
            case "migrateStatement":
                how, *rest = (self._word(word) for word in node.tokens(k.WORD))
                return ast.Migrate(how, rest[0] if rest else None, span)
            case "preemptStatement":
                return self._preempt(node, span)
            case "inheritStatement":
                return ast.Inherit(span)
            case "monitorStatement":
                return ast.Monitor(span)
        # All others are one number; the word is the text before it.
        word = _KEYWORD.match(self._source.text, node.start)
        assert word is not None
        return ast.Amount(word[0], self._scalar(node.one("scalar")), span)

    def _share(self, node: Node, span: Span) -> ast.Share:
        scalars = [self._scalar(child) for child in node.each("scalar")]
        low = scalars.pop(0) if len(scalars) > 1 or node.token(k.DOTS) is None else None
        return ast.Share(low, scalars[0] if scalars else None, span)

    def _cpu_term(self, node: Node) -> ast.CpuTerm:
        numbers = [self._number(number) for number in node.tokens(k.NUMBER)]
        word = self._optional_word(node)
        has_of = node.token(k.OF) is not None
        name = node.token(k.STRING)
        return ast.CpuTerm(
            None if has_of else word,
            numbers[0] if numbers else None,
            numbers[1] if len(numbers) > 1 else None,
            word if has_of else None,
            None if name is None else self._string(name),
            node.token(k.NOT) is not None,
            self._span(node),
        )

    def _preempt(self, node: Node, span: Span) -> ast.Preempt:
        scalars = [self._scalar(child) for child in node.each("scalar")]
        after = scalars.pop(0) if node.token(k.AFTER) is not None else None
        budget, period = scalars or (None, None)
        return ast.Preempt(self._optional_word(node), after, budget, period, span)

    # ---- predicates ----------------------------------------------------------------------------

    def _predicate(self, node: Node) -> ast.Predicate:
        """The predicate of an `expression` or a `condition`, which have the same form."""
        operands = tuple(self._unary(child) for child in _nodes(node))
        if len(operands) == 1:
            return operands[0]
        span = self._span(node)
        words = [child for child in node.children if isinstance(child, Token)]
        kinds = {word.kind for word in words}
        if len(kinds) == 2:
            self._report_mixed(node, words)
            return ast.Broken(span)
        return ast.And(operands, span) if kinds == {k.AND} else ast.Or(operands, span)

    def _report_mixed(self, node: Node, words: list[Token]) -> None:
        spans = [self._span(child) for child in _nodes(node)]
        texts = [span.one_line for span in spans]
        kinds = [word.kind for word in words]
        other = next(word for word in words if word.kind != kinds[0])
        self._report.error(
            codes.MIXED_AND_OR,
            "`and` and `or` are mixed without parentheses",
            self._at(other),
            hint="write one of these two:\n"
            f"{_grouped(texts, kinds, k.AND)}\n{_grouped(texts, kinds, k.OR)}",
        )

    def _unary(self, node: Node) -> ast.Predicate:
        (primary,) = _nodes(node)
        (inner,) = _nodes(primary)
        match inner.rule:
            case "comparison":
                result = self._comparison(inner)
            case "state":
                result = self._state(inner)
            case _:
                result = self._predicate(inner)
        if len(node.children) > 1:
            end = self._span(primary)
            for word in reversed(list(node.tokens(k.NOT))):
                result = ast.Not(result, self._at(word).to(end))
        return result

    def _comparison(self, node: Node) -> ast.Predicate:
        bad_before = self._bad_strings
        words: list[ast.Word] = []
        argument: ast.Text | ast.Number | None = None
        within: ast.Scalar | None = None
        operator: ast.Word | None = None
        operand: ast.Operand | None = None
        for child in node.children:
            if isinstance(child, Token):
                if child.kind == k.WORD:
                    words.append(self._word(child))
                elif child.kind == k.STRING:
                    argument = self._string(child)
            elif child.rule == "comparator":
                operator = self._operator(child, can_repair=True)
            elif child.rule == "operand":
                operand = self._operand(child)
            elif child.rule == "index":
                argument = self._number(next(child.tokens(k.NUMBER)))
            else:
                within = self._scalar(child)
        via = words[1] if len(words) > 1 else None
        span = self._span(node)
        result = ast.Comparison(words[0], argument, within, via, operator, operand, span)
        if self._bad_strings > bad_before:
            return ast.Broken(result.span)
        if operator is not None and operator.text == "!~":  # reported already
            glob = ast.Word("~", operator.span)
            return ast.Not(dataclasses.replace(result, operator=glob), result.span)
        return result

    def _state(self, node: Node) -> ast.Predicate:
        """A comparison in a condition."""
        bad_before = self._bad_strings
        field, *of = (self._word(word) for word in node.tokens(k.WORD))
        found, value, lasts = (node.first(rule) for rule in ("comparator", "stateValue", "scalar"))
        operator = self._operator(found, can_repair=True)
        operand = None if value is None else self._state_value(value)
        within = None if lasts is None else self._scalar(lasts)
        via = of[0] if of else None
        span = self._span(node)
        if self._bad_strings > bad_before:
            return ast.Broken(span)
        return ast.Comparison(field, None, within, via, operator, operand, span)

    def _state_value(self, node: Node) -> ast.Operand:
        if (text := node.first("text")) is not None:
            return self._string(text)
        if (scalar := node.first("scalar")) is not None:
            return self._scalar(scalar)
        low, high = (self._number(clock) for clock in node.tokens(k.CLOCK))
        return ast.Range(low, high, self._span(node))

    def _operator(self, node: Node | None, *, can_repair: bool) -> ast.Word | None:
        if node is None:
            return None
        word = self._word(node)
        if word.text != "=" or not can_repair:
            return word
        self._report.error(
            codes.FOREIGN_SPELLING, "`=` is not a comparison", word.span, hint=write("==")
        )
        return ast.Word("==", word.span)

    # ---- values --------------------------------------------------------------------------------

    def _operand(self, node: Node) -> ast.Operand:
        child = node.children[0]
        assert isinstance(child, Node)
        if child.rule == "text":
            return self._string(child)
        if child.rule == "listLiteral":
            return self._list(child)
        low, *high = (self._scalar(child) for child in node.each("scalar"))
        return ast.Range(low, high[0], self._span(node)) if high else low

    def _list(self, node: Node) -> ast.ListLiteral:
        items = tuple(self._element(child) for child in node.each("element"))
        return ast.ListLiteral(items, self._span(node))

    def _element(self, node: Node) -> ast.Element:
        child = node.children[0]
        assert isinstance(child, Node)
        return self._string(child) if child.rule == "text" else self._scalar(child)

    def _scalar(self, node: Node) -> ast.Scalar:
        span = self._span(node)
        last = node.children[-1]
        assert isinstance(last, Token)
        if last.kind == k.WORD:
            return ast.Word(span.text, span)
        number = self._text[last.start : last.end]
        return ast.Number(number if len(node.children) == 1 else "-" + number, span)

    def _string(self, node: Node | Token) -> ast.Text:
        span = self._at(node)
        value = None if is_open_text(span.text) else unquote(span, self._report)
        self._bad_strings += value is None
        return ast.Text(value or b"", span)

    def _number(self, token: Token) -> ast.Number:
        return ast.Number(self._text[token.start : token.end], self._at(token))

    def _name(self, node: Node) -> ast.Word:
        return self._word(node.one("anyName"))

    def _word(self, node: Node | Token) -> ast.Word:
        return ast.Word(self._text[node.start : node.end], self._at(node))

    def _only_word(self, node: Node) -> ast.Word:
        return self._word(_the(node.token(k.WORD)))

    def _optional_word(self, node: Node) -> ast.Word | None:
        token = node.token(k.WORD)
        return None if token is None else self._word(token)

    def _span(self, node: Node) -> Span:
        return Span(self._source, node.start, node.end)

    def _at(self, node: Node | Token) -> Span:
        return Span(self._source, node.start, node.end)

    def _names_in(self, node: Node) -> set[str]:
        """The name that a damaged definition would have defined."""
        name: Node | Token | None = None
        if node.rule in ("setItem", "tunableItem"):
            name = node.token(k.WORD)
        elif node.rule == "ruleBlock":
            name = node.first("anyName")
        return set() if name is None or name.start < 0 else {self._at(name).text}


def _the(token: Token | None) -> Token:
    assert token is not None
    return token


def _nodes(node: Node) -> list[Node]:
    return [child for child in node.children if isinstance(child, Node)]


def _has_head(node: Node) -> bool:
    """Whether a block has its name and brace, so that its content can be checked."""
    name = node.first("anyName")
    is_named = node.rule == "defaultBlock" or (name is not None and not name.is_damaged)
    return is_named and node.token(k.LBRACE) is not None and node.end >= 0


def _grouped(texts: list[str], kinds: list[int], tight: int) -> str:
    """The chain with parentheses around the operands that the operator `tight` joins."""
    word = {k.AND: "and", k.OR: "or"}
    groups = [[texts[0]]]
    for text, kind in zip(texts[1:], kinds, strict=True):
        if kind == tight:
            groups[-1].append(text)
        else:
            groups.append([text])
    loose = k.OR if tight == k.AND else k.AND
    parts = [
        "(" + f" {word[tight]} ".join(group) + ")" if len(group) > 1 else group[0]
        for group in groups
    ]
    return f" {word[loose]} ".join(parts)
