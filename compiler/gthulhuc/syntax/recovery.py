# SPDX-License-Identifier: Apache-2.0
"""Parses files with syntax errors: reports each, and goes on with the next statement.

A statement with an error is dropped, and its block keeps the others. The parser's functions, which
are derived from the grammar, read everything that is right; a traced copy of them says what was
expected at the token where they failed. So the place of an error does not depend on the size of a
file. One mistake gives one message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gthulhuc.diagnostics import Collector
from gthulhuc.source import Source
from gthulhuc.syntax.expectation import EOF, Expectation, Messages
from gthulhuc.syntax.generated import kinds as k
from gthulhuc.syntax.generated.QuickParser import BODIES, FIRST, ITEMS, RULES, Fail, Parser
from gthulhuc.syntax.tokens import (
    MOST_ERRORS,
    is_open_string,
    report_too_many,
    token_span,
    tokenize,
)
from gthulhuc.syntax.tree import Child, Node, Token


class TooManyError(Exception):
    """There are too many errors to go on."""


def parse(source: Source, report: Collector) -> Node | None:
    """Returns the tree of the well-formed parts of a file; None if it cannot be parsed at all."""
    tokens = tokenize(source, report)
    if tokens is None:
        return None
    recovery = _Recovery(source, tokens, report)
    try:
        return recovery.file()
    except TooManyError:
        report_too_many(token_span(source, tokens[recovery.parser.at]), report)
        return None


def _traced(name: str) -> Callable[[Parser], Node]:
    plain = getattr(Parser, name)

    def method(self: _Traced) -> Node:
        self.stack.append(name)
        try:
            node: Node = plain(self)
        finally:
            self.stack.pop()
        return node

    return method


class _Traced(Parser):
    """Knows the rules that are being matched, the innermost last."""

    def __init__(self, tokens: list[Token], at: int) -> None:
        super().__init__(tokens)
        self.stack: list[str] = []
        self.farthest: Fail | None = None
        self.at = at
        self.kind = tokens[at].kind


for _name in RULES:
    setattr(_Traced, _name, _traced(_name))


class _Recovery:
    def __init__(self, source: Source, tokens: list[Token], report: Collector) -> None:
        self.parser = Parser(tokens)
        self._tokens = tokens
        self._source = source
        self._messages = Messages(source, tokens, report)
        self._errors = 0
        self._reported = 0

    # ---- items and blocks ----------------------------------------------------------------------

    def file(self) -> Node:
        """Returns the tree of the file."""
        items: list[Child] = []
        while self.parser.kind != EOF:
            if self.parser.kind not in ITEMS:
                self._stray("policyFile", self.parser.at)
                self._skip(set(ITEMS))
                continue
            rule = ITEMS[self.parser.kind]
            begin = self.parser.at
            node = self._whole(rule)
            if node is None:
                node = self._block(rule) if rule in BODIES else self._broken(rule)
            item = Node("item", [node], self._tokens[begin].start, node.end)
            item.is_damaged = node.is_damaged
            items.append(item)
        tree = Node("policyFile", items, 0, len(self._source.text))
        tree.is_damaged = self._errors > 0
        return tree

    def _whole(self, rule: str) -> Node | None:
        """The node of a rule; None, and nothing is read, if there is an error in it."""
        begin = self.parser.at
        try:
            node: Node = getattr(self.parser, rule)()
        except Fail:
            self._go_to(begin)
            return None
        return node

    def _broken(self, rule: str) -> Node:
        """An item without a block that has an error; the rest of it is skipped."""
        begin = self.parser.at
        self._fail(rule, begin)
        children = self._tokens[begin : self.parser.at]
        self._skip(set(ITEMS))
        return self._node(rule, children, begin, damaged=True)

    def _block(self, rule: str) -> Node:
        """A block with an error somewhere: its statements that have none."""
        begin = self.parser.at
        starts = {kind for part in BODIES[rule] for kind in FIRST[part]}
        is_damaged = False
        try:
            children = getattr(self.parser, f"head_{rule}")()
        except Fail:
            self._go_to(begin)
            if starts.isdisjoint(ITEMS):
                return self._broken(rule)
            # The rules of a `when` block are no items, so its body has to be read.
            self._fail(rule, begin)
            self._skip({k.LBRACE})
            children, is_damaged = [], True
        if is_damaged and self.parser.kind != k.LBRACE:
            return self._node(rule, children, begin, damaged=True)
        if self.parser.kind != k.LBRACE:
            fail = self._failure(rule, begin)
            self._report(fail, begin)
            if fail.at > self.parser.at or self.parser.kind not in starts:
                self._go_to(max(fail.at, self.parser.at))
                self._skip(set(ITEMS))
                return self._node(rule, children, begin, damaged=True)
        else:
            children.append(self._tokens[self.parser.at])
            self._go_to(self.parser.at + 1)
        is_damaged |= self._body(rule, children, starts)
        if not is_damaged:  # each part is right, but not their order
            fail = self._failure(rule, begin)
            self._report(fail, begin)
            is_damaged = True
        if self.parser.kind == k.RBRACE:
            children.append(self._tokens[self.parser.at])
            self._go_to(self.parser.at + 1)
        return self._node(rule, children, begin, damaged=is_damaged)

    def _body(self, rule: str, children: list[Child], starts: set[int]) -> bool:
        """Reads statements up to the brace or the next item; returns whether one has an error."""
        opened = self.parser.at - 1
        errors = self._errors
        until = {*ITEMS, *starts, k.RBRACE}
        # Any fact begins like a line of a test; the rule at its end does not.
        stops = until if rule != "testBlock" else {*ITEMS, k.RBRACE, k.ARROW}
        while self.parser.kind != k.RBRACE:
            begin = self.parser.at
            part = next((p for p in BODIES[rule] if self.parser.kind in FIRST[p]), None)
            if part is None:
                is_next = self.parser.kind in ITEMS or self.parser.kind == EOF
                if not is_next or self._errors == errors:
                    self._stray(rule, begin, opened)
                if is_next:
                    return True
                self._skip(stops)
            elif (node := self._whole(part)) is None and part in BODIES:
                children.append(self._block(part))  # a rule inside of `when`
            elif node is None:
                self._fail(part, begin)
                self._skip(stops)
            else:
                children.append(node)
                self._messages.statement = begin
                if self.parser.kind not in until and self._ended_too_soon(part, begin):
                    children.pop()
                    self._skip(stops)
        return self._errors > errors

    # ---- errors --------------------------------------------------------------------------------

    def _failure(self, rule: str, begin: int) -> Fail:
        """Where, and why, a rule fails that begins at a token."""
        traced = _Traced(self._tokens, begin)
        try:
            getattr(traced, rule)()
        except Fail as fail:
            return traced.farthest or fail
        raise AssertionError(f"{rule} has no error")

    def _fail(self, rule: str, begin: int) -> None:
        """Reports the error of a rule that begins at a token, and goes to its place."""
        fail = self._failure(rule, begin)
        self._report(fail, begin)
        self._go_to(max(fail.at, begin + 1))

    def _ended_too_soon(self, part: str, begin: int) -> bool:
        """Reports an error in the last part of a statement, without which it is complete."""
        traced = _Traced(self._tokens, begin)
        getattr(traced, part)()
        if traced.farthest is None or traced.farthest.at <= self.parser.at:
            return False
        self._report(traced.farthest, begin)
        self._go_to(traced.farthest.at)
        return True

    def _report(self, fail: Fail, begin: int) -> None:
        if self._is_news(begin, fail.at):
            self._messages.report(Expectation(fail.at, fail.stack, frozenset(fail.expected)), begin)

    def _stray(self, rule: str, at: int, opened: int | None = None) -> None:
        """Reports a token with which nothing in a block or the file can begin."""
        if self._is_news(self._messages.statement, at):
            wanted = {kind for part in BODIES.get(rule, ()) for kind in FIRST[part]}
            wanted |= {k.RBRACE} if rule in BODIES else {EOF, *ITEMS}
            self._messages.stray(Expectation(at, (rule,), frozenset(wanted)), opened)

    def _is_news(self, begin: int, end: int) -> bool:
        """Counts an error, and returns whether it is to be reported.

        A string that is not closed was reported, and explains what follows it.
        """
        self._errors += 1
        if any(is_open_string(self._source, token) for token in self._tokens[begin : end + 1]):
            return False
        self._reported += 1
        if self._reported > MOST_ERRORS:
            raise TooManyError
        return True

    # ---- places --------------------------------------------------------------------------------

    def _go_to(self, at: int) -> None:
        at = min(at, len(self._tokens) - 1)
        self.parser.at, self.parser.kind = at, self._tokens[at].kind

    def _skip(self, until: set[int]) -> None:
        """Skips to a token of these kinds outside of further braces, or to the next item."""
        at, depth = self.parser.at, 0
        while (kind := self._tokens[at].kind) != EOF and kind not in ITEMS:
            if depth == 0 and kind in until:
                break
            depth = max(0, depth + (kind == k.LBRACE) - (kind == k.RBRACE))
            at += 1
        if kind == k.ARROW and k.ARROW in until:  # and the rule after it, which may be `default`
            at = min(at + 2, len(self._tokens) - 1)
        self._go_to(at)

    def _node(self, rule: str, children: list[Any], begin: int, *, damaged: bool) -> Node:
        end = self._tokens[max(self.parser.at - 1, begin)].end
        node = Node(rule, list(children), self._tokens[begin].start, end)
        node.is_damaged = damaged
        return node
